#!/usr/bin/env node
// Browser tests of the analysis on the page of `parley serve`: its lines and their moves.
//
// usage: analysis.mjs PROGRAM [--only REGEX]
//
// Needs what run.mjs needs. Exit status 77 when that is missing, 1 when a test failed.
import process from "node:process";

import { openGame as openStoredGame } from "./games.mjs";
import { check, failureOf, openBrowser, runTests, startServer, until } from "./harness.mjs";

// White mates by Ra8; other moves win later or not at all.
const mateFen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
const sizes = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];

let browser;
let server;
const players = [];

const openGame = (options) => openStoredGame({ browser, server, players }, options);

/// The lines that are shown, as texts.
const linesOf = (player) => player.page.locator("#analysis-lines li").allInnerTexts();

async function showLines(player, count) {
    await player.page.locator("#analysis").check();
    await player.page.locator("#line-count").selectOption(`${count}`);
    await until(async () => (await linesOf(player)).length === count, `${count} lines`);
}

/// Clicks a move of a line, whatever it is by then: reports come all the time.
async function clickMove(player, rank, index) {
    const move = player.page.locator("#analysis-lines li").nth(rank).locator(".move").nth(index);
    await move.waitFor();
    const before = await move.innerText();
    await move.click();
    await player.waitForText("status", new RegExp(`^Line: .*\\(${index + 1} of`));
    return before;
}

const tests = {
    async "several lines are shown, the best first, and their number is kept"() {
        const player = await openGame({ fen: mateFen });
        check(!await player.page.locator("#line-count").isVisible(), "there is a choice without an analysis");
        await showLines(player, 3);
        await until(async () => /^mate in 1 for White: 1\.Ra8#$/.test((await linesOf(player))[0]), "the mate");
        const lines = await linesOf(player);
        check(lines.slice(1).every((line) => !/in 1 /.test(line)), lines.join(" | "));
        const firsts = lines.map((line) => line.match(/1\.(\S+)/)?.[1]);
        check(new Set(firsts).size === 3, `${firsts}`);
        await player.page.reload();
        await until(async () => (await linesOf(player)).length === 3, "3 lines after a reload");
        await showLines(player, 5);
        await showLines(player, 1);
        check(await player.page.locator("#analysis-lines").isVisible(), "no line");
    },

    async "a move of a line is shown by a click, and the line is stepped through"() {
        const player = await openGame({ plan: { opponent: "friend", colour: null } });
        await showLines(player, 2);
        const best = await clickMove(player, 0, 1);
        check(/^\S+$/.test(best), best);
        check((await player.marked("movable")).length === 0, "a line can be played on");
        const pieces = () => player.page.locator("#board .square").evaluateAll(
            (squares) => squares.map((square) => square.dataset.piece || ".").join(""));
        const second = await pieces();
        await player.page.keyboard.press("ArrowRight");
        await player.waitForText("status", /^Line: 2\.\S+ \(3 of/);
        check(await pieces() !== second, "the same position");
        await player.page.locator("#back").click();
        await player.waitForText("status", /^Line: 1\.\.\.\S+ \(2 of/);
        check(await pieces() === second, "another position");
        check((await player.marked("last")).length === 2, `${await player.marked("last")}`);
        await player.page.keyboard.press("Escape");
        await player.waitForText("status", /^White to move/);
        check((await player.marked("movable")).length > 0, "the present is not shown");
        await clickMove(player, 1, 0);
        await player.page.keyboard.press("ArrowLeft");
        await player.waitForText("status", /^White to move/);
    },

    async "a line of Black begins with its number, and castling and promotion are shown"() {
        const player = await openGame({ fen: "4k3/8/8/8/8/8/p7/2K5 b - - 0 31",
                                        plan: { opponent: "friend", colour: null } });
        await player.page.locator("#analysis").check();
        await player.waitForText("analysis-lines", /31\.\.\.a1=Q\+ 32\.K\w+/);
        await clickMove(player, 0, 0);
        await player.waitForPiece("q", "A1");
    },

    async "the game goes on behind a line that is shown"() {
        const player = await openGame({ plan: { opponent: "friend", colour: null } });
        await player.page.locator("#analysis").check();
        await clickMove(player, 0, 0);
        const id = player.game();
        await fetch(`http://127.0.0.1:${server.port}/game/${id}`,
                    { method: "POST", body: '{"message_type":"peice move","from":"A2","to":"A3"}' });
        await until(async () => (await player.moves()).length === 1, "the move");
        await player.waitForText("status", /^Line: 1\./);
        await player.page.locator("#last").click();
        await player.waitForPiece("P", "A3");
        await player.waitForText("analysis-lines", /1\.\.\.\S+/);
    },

    async "no evaluation is shown without an analysis, nor one of before the end"() {
        const player = await openGame({ moves: ["F2F3", "E7E5", "G2G4"], plan: { colour: "black" } });
        const bar = player.page.locator("#evaluation");
        await player.page.locator("#hint").click();
        await player.waitForText("status", /^Look at/);
        check(!await bar.isVisible(), "there is a bar");
        await player.page.locator("#analysis").check();
        await player.waitForText("analysis-lines", /^mate in 1 for Black: 2\.\.\.Qh4#$/);
        check(await bar.isVisible(), "there is no bar");
        await player.move("D8", "H4");
        await player.waitForText("status", /^You won!/);
        check((await linesOf(player)).length === 0 && !await bar.isVisible(), `${await linesOf(player)}`);
        const white = await openGame();
        await white.move("E2", "E4");
        await white.waitForText("status", /Your move/);
        check(!await white.page.locator("#evaluation").isVisible(), "the score of the engine's move");
    },

    async "lines do not widen the page, nor move what is below them"() {
        for (const viewport of sizes) {
            const player = await openGame({ viewport });
            await showLines(player, 5);
            const top = async () => (await player.page.locator("#moves").boundingBox()).y;
            const before = await top();
            const depth = async () => Number((await linesOf(player))[0].match(/depth (\d+)/)?.[1]);
            const first = await depth();
            await until(async () => await depth() > first + 3, "a deeper analysis");
            check(await top() === before, `the moves were at ${before}, now at ${await top()}`);
            const width = await player.page.evaluate(() => document.documentElement.scrollWidth);
            check(width <= viewport.width, `the page is ${width} wide on ${viewport.width}`);
        }
    },
};

async function main() {
    const [program, option, only] = process.argv.slice(2);
    const opened = await openBrowser();
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    server = await startServer(program);
    const failures = await runTests(tests, new RegExp(option === "--only" ? only : ""),
                                    (test) => failureOf(test, players));
    await browser.close();
    server.stop();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
