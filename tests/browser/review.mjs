#!/usr/bin/env node
// Tests of the page that `parley annotate --html` writes, in Chromium.
//
// usage: review.mjs PROGRAM [--only REGEX] [--screenshots FOLDER]
//
// Exit status 77 when playwright-core or Chromium is missing, 1 when a test failed.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { check, failureOf, findPackage, openBrowser, runTests, until } from "./harness.mjs";
import { checkTexts } from "./texts.mjs";

const hostile = "<script>document.title='run'</script><img src=x onerror=alert(1)>";
const games = `[Event "${hostile}"]
[Site "</script>${hostile}"]
[Date "2026.01.31"]
[White "${hostile}"]
[Black "B & <b>Bert</b>"]
[Result "0-1"]

{${hostile}} 1. f3 {[%clk 0:01:00] ${hostile}} e5 2. g4 $4 (2. e4 {${hostile}}) Qh4# {&lt;b&gt;} 0-1

[White "Anna"]
[Black "Bert"]
[WhiteElo "1500"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

[Event "promotion"]
[FEN "8/P1k5/8/8/8/8/8/K7 w - - 0 1"]

1. Kb1 Kb7 2. Kc1 *
`;

const sources = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "uci", "commands",
                             "review", "page");
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-review-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "review.html");
let browser;
let program;
const opened = [];

/// Opens the page; errors of the page and every request are noted.
async function open(options = {}, name = file) {
    const context = await browser.newContext({ viewport: sizes.desktop, ...options });
    const page = await context.newPage();
    const seen = { context, page, errors: [], requests: [] };
    page.on("pageerror", (error) => seen.errors.push(error.message));
    page.on("console", (line) => line.type() === "error" && seen.errors.push(line.text()));
    page.on("request", (request) => seen.requests.push(request.url()));
    page.on("dialog", (dialog) => { seen.errors.push("a dialog"); dialog.dismiss(); });
    await page.goto(`file://${name}`);
    opened.push(seen);
    return page;
}

async function openGame(index, options) {
    const page = await open(options);
    await page.locator("#games").selectOption(String(index));
    return page;
}

const text = (page, id) => page.locator(`#${id}`).innerText();
const piece = (page, square) => page.locator(`[data-square="${square}"]`).getAttribute("aria-label");
const current = (page) => page.locator(".move.current").innerText();

async function waitFor(page, id, pattern) {
    await until(async () => pattern.test(await text(page, id)), `${pattern} in #${id}`, 5)
        .catch(async (error) => { throw new Error(`${error.message}: ${await text(page, id)}`); });
}

async function play(page, from, to) {
    await page.locator(`[data-square="${from}"]`).click();
    await page.locator(`[data-square="${to}"]`).click();
}

/// Writes the page of the games.
function annotate(name, ...options) {
    const made = spawnSync(program, ["annotate", "--nodes", "20000", "--html", name, ...options],
                           { input: games, encoding: "utf8" });
    check(made.status === 0 && made.stdout === "", `annotate: ${made.status} ${made.stderr}`);
}

const tests = {
    async "text from PGN is only ever text"() {
        const page = await open();
        check(/<script>/.test(await page.title()), await page.title());
        check((await text(page, "about")).includes(hostile), await text(page, "about"));
        check((await text(page, "upper")).includes("B & <b>Bert</b>"), await text(page, "upper"));
        check((await text(page, "lower")).includes(hostile), await text(page, "lower"));
        check((await text(page, "remark")).includes(hostile), await text(page, "remark"));
        await page.keyboard.press("ArrowRight");
        check((await text(page, "remark")).includes(hostile), await text(page, "remark"));
        await page.keyboard.press("End");
        check((await text(page, "remark")).includes("&lt;b&gt;"), await text(page, "remark"));
        const foreign = await page.evaluate(() => document.querySelectorAll("img, b:not(#here)").length);
        check(foreign === 0, "markup from the PGN is in the page");
        check(await page.evaluate(() => document.scripts.length) === 2, "another script");
    },

    async "a policy lets nothing else run"() {
        const page = await open();
        const policy = await page.locator("meta[http-equiv='Content-Security-Policy']")
            .getAttribute("content");
        check(/^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-/.test(policy), policy);
        await page.evaluate(() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
        });
        check(await page.evaluate(() => window.ran) === undefined, "an added script ran");
        opened.at(-1).errors.length = 0;
    },

    async "keys, buttons, moves and the graph step through the game"() {
        const page = await openGame(1);
        await page.locator("h1").click();
        check(await page.locator("#back").isDisabled(), "there is a move back from the start");
        await page.keyboard.press("ArrowRight");
        check(await current(page) === "e4", await current(page));
        check(await piece(page, "e4") === "e4, white pawn", await piece(page, "e4"));
        const drawn = await page.locator("[data-square='e4'] use")
            .evaluate((use) => document.querySelector(use.getAttribute("href"))?.tagName);
        check(drawn === "symbol", "the pawn has no drawing");
        check(!/@[A-Z]+@/.test(await page.locator("body").innerText()), "a mark of the template");
        await page.keyboard.press("End");
        check((await current(page)).startsWith("Nf3#"), await current(page));
        check(await page.locator("#forward").isDisabled(), "there is a move on from the end");
        await page.locator("#back").click();
        await page.keyboard.press("ArrowLeft");
        check((await current(page)).startsWith("Qxe4+"), await current(page));
        await page.locator(".move", { hasText: "Nc6" }).first().click();
        check(await piece(page, "c6") === "c6, black knight", await piece(page, "c6"));
        const box = await page.locator("#graph").boundingBox();
        await page.mouse.click(box.x + box.width - 2, box.y + 20);
        check((await current(page)).startsWith("Nf3#"), await current(page));
        await page.keyboard.press("Home");
        check(await page.locator(".move.current").count() === 0, "a move is marked at the start");
    },

    async "mistakes are marked, with the better line on the board"() {
        const page = await openGame(1);
        await page.locator("#next-mistake").click();
        await waitFor(page, "remark", /(inaccuracy|mistake|blunder)/);
        await waitFor(page, "remark", /winning chance: \d+ % → \d+ %/);
        await waitFor(page, "remark", /Better: /);
        // A better line may be one move long: take the first that is longer.
        const line = page.locator("#remark .move");
        for (let mistakes = 1; mistakes < 5 && await line.count() < 2; ++mistakes)
            await page.locator("#next-mistake").click();
        const before = await page.locator("#board").innerHTML();
        await line.nth(1).click();
        check(await page.locator("#board").innerHTML() !== before, "the line is not shown");
        await page.keyboard.press("ArrowLeft");
        check(await page.locator("#board").innerHTML() === before, "no way back");
        const rows = await page.locator("#summary tbody tr").allInnerTexts();
        check(/^Accuracy\s+\d+\.\d %\s+\d+\.\d %$/.test(rows[0]), rows[0]);
        check(/^Blunders \?\?\s+\d+\s+\d+$/.test(rows[3]), rows[3]);
    },

    async "the board is flipped"() {
        const page = await openGame(1);
        const first = () => page.locator(".square").first().getAttribute("data-square");
        check(await first() === "a8", await first());
        await page.keyboard.press("f");
        check(await first() === "h1", await first());
        check((await text(page, "upper")).includes("Anna"), await text(page, "upper"));
        await page.locator("#flip").click();
        check(await first() === "a8", await first());
    },

    async "the reader finds better moves, and wrong ones are said to be so"() {
        const page = await open();
        await page.locator("#learn-white").click();
        await waitFor(page, "remark", /Find a better move for White/);
        // From f3 on until the blunder g4.
        while (!/2\. g4 was a blunder/.test(await text(page, "remark")))
            await page.locator("#remark button", { hasText: "Next" }).click();
        await play(page, "g2", "g4");
        await waitFor(page, "remark", /Wrong: g4 was played, and is the blunder/);
        await page.locator("#remark button", { hasText: "Try again" }).click();
        await play(page, "a2", "a4");
        await waitFor(page, "remark", /(Wrong|Right): a4/);
        if (/Wrong/.test(await text(page, "remark")))
            await page.locator("#remark button", { hasText: "Try again" }).click();
        await page.locator("#remark button", { hasText: "Show it" }).click();
        await waitFor(page, "remark", /Best: 2\. /);
        await page.locator("#remark button", { hasText: /Finish|Next/ }).click();
        await waitFor(page, "remark", /You found \d of \d better moves|Find a better move/);
        await page.keyboard.press("Escape");
        await waitFor(page, "remark", /\S/);
        check(!/Find a better/.test(await text(page, "remark")), "still in the lesson");
    },

    async "the best move is right, by keyboard too"() {
        const page = await open();
        const best = await page.evaluate(() => {
            const [game] = JSON.parse(document.getElementById("data").textContent);
            return game.moves[2].better[0].uci;
        });
        await page.locator("#learn-white").click();
        while (!/2\. g4 was a blunder/.test(await text(page, "remark")))
            await page.locator("#remark button", { hasText: "Next" }).click();
        for (const square of [best.slice(0, 2), best.slice(2, 4)]) {
            await page.locator(`[data-square="${square}"]`).focus();
            await page.keyboard.press("Enter");
        }
        await waitFor(page, "remark", /Right: \S+ is the best move/);
    },

    async "a promotion asks for the piece"() {
        const page = await openGame(2);
        if (await page.locator("#learn-white").isDisabled())
            throw new Error("Kb1 was no mistake");
        await page.locator("#learn-white").click();
        await play(page, "a7", "a8");
        await page.locator("#remark button", { hasText: "Promote to knight" }).click();
        await waitFor(page, "remark", /(Wrong|Right): a8=N/);
    },

    async "no request is made, and nothing is wider than the screen"() {
        for (const [name, viewport] of Object.entries(sizes)) {
            const page = await openGame(1, { viewport });
            check(opened.at(-1).requests.filter((url) => !url.startsWith("data:")).length === 1,
                  `${opened.at(-1).requests}`);
            const widths = await page.evaluate(
                () => [document.documentElement.scrollWidth, innerWidth]);
            check(widths[0] <= widths[1], `${name}: ${widths[0]} wide on ${widths[1]}`);
            const board = await page.locator("#board").boundingBox();
            check(Math.abs(board.width - board.height) < 2 && board.width > 300,
                  `${name}: the board is ${board.width} x ${board.height}`);
        }
    },

    async "on a desktop everything is in view at once"() {
        const page = await openGame(1);
        for (const id of ["board", "steps", "graph", "remark", "moves-area", "learn-black"]) {
            const box = await page.locator(`#${id}`).boundingBox();
            check(box.y >= 0 && box.y + box.height <= sizes.desktop.height,
                  `#${id} is at ${box.y} to ${box.y + box.height}`);
        }
    },

    async "every text has a German one, with the same values in it"() {
        const judgements = ["inaccuracy", "mistake", "blunder"];
        const pieces = ["queen", "rook", "bishop", "knight"];
        checkTexts(sources, "review.html", [
            ...judgements, ...judgements.map((one) => `the ${one}`), "an inaccuracy", "a mistake", "a blunder",
            "Inaccuracies", "Mistakes", "Blunders", ...pieces.map((one) => `Promote to ${one}`),
            "Find a better move for White", "Find a better move for Black", "White", "Black"]);
    },

    async "the language is that of the explanations"() {
        const german = path.join(folder, "german.html");
        annotate(german, "--words", "--language", "de");
        for (const viewport of Object.values(sizes)) {
            const page = await open({ viewport }, german);
            await page.locator("#games").selectOption("1");
            check(await page.locator("html").getAttribute("lang") === "de", "lang is not de");
            check(await text(page, "next-mistake") === "Nächster Fehler", await text(page, "next-mistake"));
            check(/3\.\s+Lc4\s+Sd4/.test(await text(page, "moves")), await text(page, "moves"));
            await page.locator("#next-mistake").click();
            await waitFor(page, "remark", /Gewinnchance von (Weiß|Schwarz): \d+ % → \d+ %/);
            // Words explain only some mistakes: 7. Be2 into mate above all.
            for (let count = 0; !/Besser ist/.test(await text(page, "remark")); ++count) {
                check(count < 8, "no mistake has an explanation");
                await page.locator("#next-mistake").click();
            }
            check(await piece(page, "e1") === "e1, weißer König", await piece(page, "e1"));
            await page.locator("#learn-white").click();
            await waitFor(page, "remark", /Finde einen besseren Zug für Weiß 1 von \d/);
            const width = await page.evaluate(() => document.documentElement.scrollWidth);
            check(width <= viewport.width, `the page is ${width} wide`);
        }
        const page = await open();
        check(await page.locator("html").getAttribute("lang") === "en", "lang is not en");
    },

    async "axe-core finds nothing serious"() {
        const axe = findPackage("axe-core");
        check(axe, "axe-core is missing: npm install --prefix build axe-core");
        for (const viewport of Object.values(sizes)) {
            for (const colorScheme of ["light", "dark"]) {
                const page = await openGame(1, { viewport, colorScheme });
                for (const action of [null, "#next-mistake", "#learn-black"]) {
                    if (action)
                        await page.locator(action).click();
                    await page.evaluate(fs.readFileSync(axe, "utf8"));
                    const { violations } = await page.evaluate(() => window.axe.run());
                    const serious = violations
                        .filter((one) => ["serious", "critical"].includes(one.impact))
                        .map((one) => `${one.id}: ${one.nodes.map((node) => node.target)}`);
                    check(serious.length === 0, `${colorScheme}, ${action}: ${serious.join("; ")}`);
                }
            }
        }
    },
};

async function makeScreenshots(target) {
    fs.mkdirSync(target, { recursive: true });
    for (const [name, viewport] of Object.entries(sizes)) {
        for (const colorScheme of ["light", "dark"]) {
            const page = await openGame(1, { viewport, colorScheme });
            for (const action of ["start", "next-mistake", "learn-black"]) {
                if (action !== "start")
                    await page.locator(`#${action}`).click();
                await page.screenshot({ path: path.join(target, `${name}-${colorScheme}-${action}.png`),
                                        fullPage: name === "phone" });
            }
        }
    }
}

async function main() {
    const { values, positionals } = parseArgs({
        options: { only: { type: "string", default: "" }, screenshots: { type: "string" } },
        allowPositionals: true,
    });
    const found = await openBrowser();
    browser = found.browser;
    if (!browser) {
        console.log(`skipped: ${found.missing}`);
        return 77;
    }
    [program] = positionals;
    annotate(file);
    if (values.screenshots)
        await makeScreenshots(values.screenshots);
    const failures = await runTests(tests, new RegExp(values.only), (test) => failureOf(test, opened));
    await browser.close();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
