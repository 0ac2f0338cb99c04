// Shows the first game of a file with @lichess-org/pgn-viewer in Chromium: all its moves, its comments and clocks.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

import { openBrowser } from "../browser/harness.mjs";
import { packageFolder } from "./packages.mjs";

const folder = packageFolder("@lichess-org/pgn-viewer");
const pgn = fs.readFileSync(process.argv[2], "utf8").split(/\n\n(?=\[Event )/)[0];
const page = `<!doctype html><meta charset="utf-8"><div id="viewer"></div><script type="module">
import Viewer from "/viewer.js";
window.viewer = Viewer(document.getElementById("viewer"), { pgn: ${JSON.stringify(pgn)}, showMoves: "right" });
</script>`;

function require(condition, text) {
    if (!condition)
        throw new Error(text);
}

async function check(browser, port) {
    const tab = await browser.newPage();
    const errors = [];
    tab.on("pageerror", (error) => errors.push(String(error)));
    await tab.goto(`http://127.0.0.1:${port}/`);
    await tab.waitForFunction(() => window.viewer, { timeout: 60_000 }).catch(() => errors.push("no viewer"));
    require(errors.length === 0, errors.join("\n"));
    const seen = await tab.evaluate(() => {
        const viewer = window.viewer;
        let plies = 0;
        viewer.goTo("first");
        while (viewer.canGoTo("next")) {
            viewer.goTo("next");
            ++plies;
        }
        return { plies, text: viewer.div.innerText,
                 comments: viewer.div.querySelectorAll("comment").length,
                 variations: viewer.div.querySelectorAll("variation").length,
                 clock: viewer.curData()?.clocks };
    });
    const mainline = pgn.slice(pgn.indexOf("\n\n")).replace(/\{[^}]*\}/g, "");
    const clocks = pgn.match(/\[%clk /g).length;
    require(errors.length === 0, errors.join("\n"));
    require(seen.plies > 0 && seen.plies === clocks, `${seen.plies} plies, ${clocks} clocks`);
    require(!mainline.includes("(") || seen.variations > 0, "no variations");
    require(seen.comments > 0 && !seen.text.includes("%eval"), "no comments, or an evaluation as text");
    require(seen.clock?.white || seen.clock?.black, "no clock");
    console.log(`shown: ${seen.plies} plies, ${seen.comments} comments, ${seen.variations} variations`);
}

const { browser, missing } = await openBrowser();
if (missing) {
    console.log(missing);
    process.exit(77);
}
const server = http.createServer((request, response) => {
    const script = request.url === "/viewer.js";
    response.setHeader("Content-Type", script ? "text/javascript" : "text/html");
    response.end(script ? fs.readFileSync(path.join(folder, "dist", "lichess-pgn-viewer.min.js")) : page);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
    await check(browser, server.address().port);
} finally {
    await browser.close();
    server.close();
}
