#!/usr/bin/env node
"use strict";
require("./parley.js").runInNode();
