#!/usr/bin/env node
// Browser tests: play on the page that `parley serve --offline-copy` writes, in Chromium. The web server
// only hands out files.
//
// usage: offline.mjs PROGRAM WASM-FOLDER [--only REGEX]
//
// Exit status 77 when playwright-core, Chromium or parley.js is missing, 1 when a test failed.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import process from "node:process";

import { Player, check, failureOf, openBrowser, runTests, until } from "./harness.mjs";

const weakest = '{"depth":1}';
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-offline-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
let browser;
let site;
const players = [];

/// Hands out the files below a path, as a project's page on a public host. parley.wasm has no type of
/// its own, as with servers that do not know WebAssembly.
function serveFiles() {
    const server = http.createServer((request, response) => {
        const name = request.url.replace(/^\/chess\//, "") || "index.html";
        const file = path.join(folder, path.basename(name));
        if (!request.url.startsWith("/chess/") || !fs.existsSync(file))
            return response.writeHead(404).end();
        response.setHeader("Content-Type", types[path.extname(file)] ?? "application/octet-stream");
        return fs.createReadStream(file).pipe(response);
    });
    return new Promise((resolve) => { server.listen(0, "127.0.0.1", () => resolve(server)); });
}

async function open(options) {
    const player = await Player.open(browser, `http://127.0.0.1:${site.address().port}/chess/`, options);
    players.push(player);
    await player.waitForText("status", /Your move/);
    return player;
}

const moveCount = async (player, count) =>
    until(async () => (await player.moves()).length === count, `${count} moves`);

/// Opens the page and starts a game; ready for the user's first move.
async function openGame(colour = "white", strength = weakest) {
    const player = await open();
    await player.page.locator("#colour").selectOption(colour);
    await player.page.locator("#strength").selectOption(strength);
    await player.page.locator("#start").click();
    await player.waitForText("status", /Your move/);
    return player;
}

/// The same after a move of the user and the engine's answer.
async function openPlayedGame() {
    const player = await openGame();
    await player.move("D2", "D4");
    await moveCount(player, 2);
    await player.waitForText("status", /Your move/);
    return player;
}

const tests = {
    async "the engine answers moves"() {
        const player = await openGame();
        await player.move("E2", "E4");
        await moveCount(player, 2);
        await player.waitForText("status", /Your move/);
        check(/Black: Parley/.test(await player.text("upper")), "the engine has no seat");
    },

    async "Black waits for the engine's first move"() {
        const player = await openGame("black", '{"elo":1400}');
        await moveCount(player, 1);
    },

    async "a game goes on after the page is loaded again"() {
        const player = await openPlayedGame();
        const before = await player.moves();
        await player.page.reload();
        await moveCount(player, 2);
        check(`${await player.moves()}` === `${before}`, `then ${await player.moves()}, before ${before}`);
        await player.waitForText("status", /Your move/);
    },

    async "a move that is taken back stays taken back after a reload"() {
        const player = await openPlayedGame();
        await player.page.locator("#take-back").click();
        await moveCount(player, 0);
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        check((await player.moves()).length === 0, `${await player.moves()}`);
    },

    async "a game with clocks ends by time, and keeps them when the page is loaded again"() {
        const player = await open();
        await player.page.locator("#strength").selectOption(weakest);
        await player.page.locator("#time").selectOption("own");
        for (const [id, value] of [["own-minutes", "0.15"], ["own-seconds", "0"], ["other-minutes", "5"]])
            await player.page.locator(`#${id}`).fill(value);
        await player.page.locator("#start").click();
        await player.page.locator("#lower-clock").waitFor();
        await player.move("E2", "E4");
        await moveCount(player, 2);
        await player.page.locator("#lower-clock.runs").waitFor();
        await player.page.reload();
        await moveCount(player, 2);
        await player.page.locator("#lower-clock.runs.low").waitFor();
        check(/5:00/.test(await player.text("upper-clock")), await player.text("upper-clock"));
        await player.waitForText("status", /^You lost\. Black wins: timeout\.$/, 20);
    },

    async "a game is loaded, and is there when the page is loaded again"() {
        const player = await openGame();
        await player.page.locator("#load").click();
        await player.page.locator("#loaded").fill("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        await player.page.locator("#load-text").click();
        await player.waitForPiece("R", "A1");
        await player.page.reload();
        await player.waitForPiece("R", "A1");
        await player.move("A1", "A8");
        await player.waitForText("status", /^You won! White wins: checkmate\.$/);
    },

    async "the engine moves at once when it is hurried, and a move made in advance follows"() {
        const player = await openGame("white", '{"milliseconds":5000}');
        await player.move("E2", "E4");
        await player.click("G1", "F3");
        await player.waitForText("status", /Pre-move: g1 to f3/);
        const began = Date.now();
        await player.page.locator("#move-now").click();
        await until(async () => (await player.moves())[2] === "Nf3", "the move made in advance");
        check(Date.now() - began < 4000, `after ${Date.now() - began} ms`);
    },

    async "an engine that was silent for too long is started again"() {
        const player = await openPlayedGame();
        // As after sleep: the clock has gone on, and nothing was heard.
        await player.page.evaluate(() => { const now = Date.now; Date.now = () => now() + 60_000; });
        await player.waitForText("connection", /lost/, 20);
        await player.waitForText("connection", /^connected$/, 20);
        check((await player.moves()).length === 2, `${await player.moves()}`);
        await player.waitForText("status", /Your move/);
    },

    async "a hint and an analysis"() {
        const player = await openGame("white", '{"milliseconds":50}');
        for (const answer of [/Look at/, /It goes to/, /Parley would play/]) {
            await player.page.locator("#hint").click();
            await player.waitForText("status", answer);
        }
        await player.page.locator("#analysis").check();
        await player.waitForText("analysis-lines", /[+-]\d+\.\d\d, depth \d+: \S+/);
        await player.page.locator("#line-count").selectOption("3");
        await until(async () => await player.page.locator("#analysis-lines li").count() === 3, "3 lines");
        await player.page.locator("#analysis-lines .move").first().click();
        await player.waitForText("status", /^Line: 1\.\S+ \(1 of/);
    },

    async "resigning ends the game and another one begins"() {
        const player = await openGame();
        await player.page.locator("#resign").click();
        await player.waitForText("status", /Black wins: resignation/);
        await player.page.locator("#rematch").click();
        await player.waitForText("status", /Your move/);
    },

    async "nothing is loaded from elsewhere, and nothing but files"() {
        const player = await Player.open(browser, "about:blank");
        players.push(player);
        const requests = [];
        player.page.on("request", (request) => requests.push(request));
        const address = `http://127.0.0.1:${site.address().port}/chess/`;
        await player.page.goto(address);
        await player.waitForText("status", /Your move/);
        const others = requests.filter((one) => !one.url().startsWith(address) || one.method() !== "GET");
        check(others.length === 0, `also ${others.map((one) => one.url())}`);
    },

    async "a browser without SIMD shows what is missing"() {
        const player = await Player.open(browser, "about:blank");
        players.push(player);
        const found = fs.readFileSync(path.join(folder, "parley.js"), "utf8");
        await player.page.route("**/parley.js", (route) => route.fulfill({
            contentType: "text/javascript",
            body: `WebAssembly.validate = () => false;\n${found}`,
        }));
        await player.page.goto(`http://127.0.0.1:${site.address().port}/chess/`);
        await player.waitForText("status", /^Parley needs WebAssembly with SIMD/);
        player.errors = [];
    },
};

async function main() {
    const [program, wasm, option, only] = process.argv.slice(2);
    if (!fs.existsSync(path.join(wasm, "parley.wasm"))) {
        console.log(`skipped: no ${wasm}/parley.wasm; cmake --preset wasm, cmake --build --preset wasm`);
        return 77;
    }
    const opened = await openBrowser();
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    const written = spawnSync(program, ["serve", "--offline-copy", folder, "--wasm", wasm],
                              { encoding: "utf8" });
    check(written.status === 0, `no copy: ${written.stderr}`);
    site = await serveFiles();
    const failures = await runTests(tests, new RegExp(option === "--only" ? only : ""),
                                    (test) => failureOf(test, players));
    await browser.close();
    site.close();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
