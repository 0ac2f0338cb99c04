#!/usr/bin/env node
// Makes the screenshot of the page for the README: a game in progress with analysis.
//
// usage: screenshot.mjs PROGRAM FILE.png
import process from "node:process";

import { Player, openBrowser, startServer } from "./harness.mjs";

const game = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f6e4",
              "d2d4", "b7b5", "a4b3", "d7d5"];

const [program, file] = process.argv.slice(2);
const { browser, missing } = await openBrowser();
if (!browser) {
    console.error(`screenshot: ${missing}`);
    process.exit(1);
}
const server = await startServer(program);
const site = `http://127.0.0.1:${server.port}`;
let id = "";
for (const move of game) {
    const [from, to] = [move.slice(0, 2).toUpperCase(), move.slice(2).toUpperCase()];
    const answer = await fetch(`${site}/${id ? `game/${id}` : "message"}`, {
        method: "POST",
        body: JSON.stringify({ message_type: "peice move", from, to }),
    });
    id = answer.headers.get("Parley-Game");
}

// What the page stores for a game against the engine.
const plan = { opponent: "engine", colour: "white", limits: { milliseconds: 1000 } };
const localStorage = [{ name: `parley ${id}`, value: JSON.stringify(plan) }];
const player = await Player.open(browser, `${site}/game/${id}`, {
    viewport: { width: 1000, height: 720 },
    colorScheme: "light",
    storageState: { cookies: [], origins: [{ origin: site, localStorage }] },
});
await player.page.locator("#analysis").check();
await player.waitForText("analysis-lines", /depth (1[2-9]|[2-9]\d)/, 60);
await player.click("F3");
await player.page.screenshot({ path: file });
await browser.close();
server.stop();
