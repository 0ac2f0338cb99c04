#!/usr/bin/env node
// Browser tests of what the page of `parley serve` says and teaches: languages, hints, warnings, sounds,
// material and appearance.
//
// usage: coach.mjs PROGRAM [--only REGEX] [--screenshots FOLDER]
//
// Exit status 77 when playwright-core or Chromium is missing, 1 when a test failed.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { openGame as openStoredGame } from "./games.mjs";
import { check, failureOf, findPackage, openBrowser, runTests, startServer, until } from "./harness.mjs";
import { checkTexts } from "./texts.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const sources = path.join(root, "uci", "json", "web", "page");
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const opening = ["E2E4", "E7E5", "G1F3", "B8C6", "F1B5", "A7A6", "B5C6", "D7C6", "F3E5", "D8D4"];
const beforeBlunder = ["E2E4", "E7E5", "D1H5", "B8C6"];  // Qxf7+ loses the queen for a pawn

let browser;
let server;
const players = [];

const openGame = (options) => openStoredGame({ browser, server, players }, options);

const openSettings = (player) => player.page.locator("#settings-button").click();
const closeSettings = (player) => player.page.locator("#settings button").click();

/// The reasons for which a game ends, as the page says them.
function reasonsOfEnd() {
    const schema = JSON.parse(fs.readFileSync(path.join(root, "uci/json/messages.schema.json"), "utf8"));
    const reasons = [];
    JSON.stringify(schema, (key, value) => {
        if (key === "reason" && value.enum)
            reasons.push(...value.enum);
        return value;
    });
    check(reasons.includes("checkmate"), "no reasons in the schema");
    return reasons.map((reason) => reason.replaceAll("_", " "));
}

/// Counts the notes that a page plays, instead of playing them.
const silentAudio = `
    window.notes = 0;
    window.contexts = 0;
    window.AudioContext = class {
        state = "running";
        currentTime = 0;
        constructor() { window.contexts += 1; }
        createOscillator() {
            return { frequency: {}, connect: (other) => other, start: () => { window.notes += 1; }, stop() {} };
        }
        createGain() {
            return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect() {} };
        }
    };`;

const notesOf = (player) => player.page.evaluate(() => window.notes);

const tests = {
    async "every text has a German one, with the same values in it"() {
        const pieces = ["pawn", "knight", "bishop", "rook", "queen", "king"]
            .flatMap((piece) => [`white ${piece}`, `black ${piece}`, `your ${piece}`]);
        checkTexts(sources, "index.html", [...reasonsOfEnd(), ...pieces]);
    },

    async "the language is the browser's, until another one is chosen"() {
        const player = await openGame({ moves: opening, locale: "de-DE" });
        const { page } = player;
        check(await page.locator("html").getAttribute("lang") === "de", "lang is not de");
        check(await player.text("status") === "Du bist am Zug.", await player.text("status"));
        check(await player.text("take-back") === "Zurücknehmen", await player.text("take-back"));
        check(`${await player.moves()}`.includes("Sf3,Sc6,Lb5,a6,Lxc6"), `${await player.moves()}`);
        const label = await player.square("E1").getAttribute("aria-label");
        check(label === "e1, weißer König", label);
        await openSettings(player);
        await page.locator("#language").selectOption("en");
        await closeSettings(player);
        check(await page.locator("html").getAttribute("lang") === "en", "lang is not en");
        check(await player.text("status") === "Your move.", await player.text("status"));
        check(`${await player.moves()}`.includes("Nf3,Nc6,Bb5"), `${await player.moves()}`);
        await page.reload();
        await player.waitForText("status", /^Your move/);
        check(await player.text("resign") === "Resign", "English was not kept");
    },

    async "a PGN has English letters in every language"() {
        const player = await openGame({ moves: opening, locale: "de-DE" });
        await player.page.evaluate(() => {
            navigator.clipboard.writeText = async (text) => { window.copied = text; };
        });
        await player.page.locator("#copy-pgn").click();
        check(await player.text("copy-pgn") === "Kopiert", await player.text("copy-pgn"));
        const pgn = await player.page.evaluate(() => window.copied);
        check(pgn.includes("2. Nf3 Nc6 3. Bb5"), pgn);
        await player.waitForText("copy-pgn", /^PGN kopieren$/);
    },

    async "the user's name stands in the PGN"() {
        const player = await openGame({ moves: opening });
        await player.page.evaluate(() => {
            navigator.clipboard.writeText = async (text) => { window.copied = text; };
        });
        await player.rename('Anna "A" Berg');
        await player.page.locator("#copy-pgn").click();
        const pgn = await player.page.evaluate(() => window.copied);
        check(pgn.includes('[White "Anna \\"A\\" Berg"]') && pgn.includes('[Black "Parley"]'), pgn);
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        check(await player.page.locator("#name").inputValue() === 'Anna "A" Berg', "the name was not kept");
    },

    async "a hint tells the piece, then the square, then the move and why"() {
        const player = await openGame({ moves: beforeBlunder.slice(0, 3).concat("B8C6", "F1C4"),
                                        plan: { colour: "black" } });
        const hint = player.page.locator("#hint");
        await hint.click();
        await player.waitForText("status", /^Look at .*\.$/);
        check(!/[a-h][1-8]/.test(await player.text("status")), await player.text("status"));
        check((await player.marked("hint")).length === 0, `${await player.marked("hint")}`);
        check(await hint.innerText() === "Next hint", await hint.innerText());
        await hint.click();
        await player.waitForText("status", /It goes to [a-h][1-8]\.$/);
        check((await player.marked("hint")).length === 1, `${await player.marked("hint")}`);
        await hint.click();
        await player.waitForText("status", /^Parley would play [a-h][1-8] to [a-h][1-8]\.$/);
        const [from, to] = (await player.text("status")).toUpperCase().match(/[A-H][1-8]/g);
        check(`${await player.marked("hint")}` === `${[from, to].sort()}`, `${await player.marked("hint")}`);
        check(await hint.isDisabled(), "there is still more");
        // Mate on f7 is threatened.
        await player.waitForText("reasons", /mate|best/);
        await player.move(from, to);
        await player.waitForText("status", /Your move/);
        check(await hint.innerText() === "Hint" && await player.text("reasons") === "", "the hint stays");
    },

    async "a hint is not weaker than full strength"() {
        const sent = [];
        const player = await openGame({ plan: { limits: { elo: 600 } } });
        player.page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(payload)));
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        await player.page.locator("#hint").click();
        await player.waitForText("status", /^Look at/);
        const asked = sent.map((text) => JSON.parse(text)).find((one) => one.message_type === "hint");
        check(JSON.stringify(asked) === '{"message_type":"hint","milliseconds":1000}', JSON.stringify(asked));
    },

    async "a blunder is asked back once, if the user wants that"() {
        for (const viewport of Object.values(sizes)) {
            const player = await openGame({ moves: beforeBlunder, stored: { warn: true }, viewport });
            const dialog = player.page.locator("#warning");
            await player.choose("H5", "F7");
            await dialog.waitFor({ state: "visible" });
            const warning = await player.text("warning-text");
            check(/^Qxf7\+ loses [^]*Kxf7$/.test(warning), warning);
            const chance = await player.text("warning-chance");
            check(/falls from \d+\s% to \d+\s%/.test(chance), chance);
            await dialog.getByText("Choose another move").click();
            await player.waitForPiece("Q", "H5");
            check((await player.moves()).length === 4, "it was played");
            await player.choose("H5", "F7");
            await dialog.getByText("Play it anyway").click();
            await until(async () => (await player.moves())[4] === "Qxf7+", "the move");
        }
    },

    async "a good move is made without a question, and without the setting every one"() {
        const careful = await openGame({ moves: beforeBlunder, stored: { warn: true } });
        await careful.choose("F1", "C4");
        await until(async () => (await careful.moves())[4] === "Bc4", "the move");
        check(!await careful.page.locator("#warning").isVisible(), "a question");
        const other = await openGame({ moves: beforeBlunder });
        await other.choose("H5", "F7");
        await until(async () => (await other.moves())[4] === "Qxf7+", "the move");
        check(!await other.page.locator("#warning").isVisible(), "a question");
    },

    async "no button is about a game that was left"() {
        const player = await openGame({ moves: opening });
        const enabled = await player.page.evaluate(() => {
            document.querySelector("#start").click();
            return ["hint", "take-back", "resign", "load", "set-up"]
                .filter((id) => !document.getElementById(id).disabled);
        });
        check(enabled.length === 0, `${enabled}`);
        await until(() => player.page.locator("#hint").isEnabled(), "the new game");
    },

    async "friends are never warned"() {
        const player = await openGame({ moves: beforeBlunder, stored: { warn: true },
                                        plan: { opponent: "friend" } });
        await player.choose("H5", "F7");
        await until(async () => (await player.moves())[4] === "Qxf7+", "the move");
        check(!await player.page.locator("#warning").isVisible(), "a question");
    },

    async "a checked promotion promotes to the chosen piece"() {
        const player = await openGame({ fen: "7k/P7/8/8/8/8/8/K7 w - - 0 1", stored: { warn: true } });
        await player.choose("A7", "A8");
        await player.page.locator("#promotion [value=queen]").click();
        await until(async () => (await player.moves())[0] === "a8=Q+", `${await player.moves()}`);
    },

    async "sounds follow the moves, from the first click on, unless they are off"() {
        const player = await openGame({ script: silentAudio });
        check(await player.page.evaluate(() => window.contexts) === 0, "sound before a click");
        await player.move("E2", "E4");
        await until(async () => (await player.moves()).length === 2, "the answer");
        await until(async () => await notesOf(player) >= 2, "a sound for each move", 5);
        await openSettings(player);
        await player.page.locator("#sound").uncheck();
        await closeSettings(player);
        const before = await notesOf(player);
        await player.page.locator("#resign").click();
        await player.waitForText("status", /Black wins/);
        check(await notesOf(player) === before, "a sound that is off");
        await player.page.reload();
        check(!await player.page.locator("#sound").isChecked(), "the switch was not kept");
    },

    async "the strength is changed during a game, and stays so"() {
        const sent = [];
        const player = await openGame({ plan: { limits: { elo: 600 } } });
        player.page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(payload)));
        check(await player.page.locator("#level").inputValue() === '{"elo":600}', "another strength");
        await player.page.locator("#level").selectOption('{"elo":1000}');
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        await player.move("E2", "E4");
        const asked = () => sent.find((text) => text.includes("engine_move"));
        await until(asked, "the engine is asked");
        check(JSON.parse(asked()).elo === 1000, asked());
    },

    async "an arrow shows the analysis' best move, seen from either side"() {
        const player = await openGame({ fen: "7k/8/6K1/8/8/8/8/R7 w - - 0 1" });
        const { page } = player;
        await page.locator("#analysis").check();
        const arrow = page.locator("#arrows .best");
        await until(async () => await arrow.count() === 1, "an arrow");
        const ends = async () => {
            const box = await arrow.boundingBox();
            return [await player.square("A1").boundingBox(), await player.square("A8").boundingBox()]
                .every((square) => box.x > square.x && box.x + box.width < square.x + square.width
                    && box.y < Math.max(square.y + square.height) && box.y + box.height > square.y);
        };
        check(await ends(), "not from a1 to a8");
        await player.waitForText("analysis-lines", /^mate in 1 for White: 1\.Ra8#$/);
        await page.locator("#flip").click();
        check(await ends(), "not from a1 to a8 on the flipped board");
        await page.locator("#analysis").uncheck();
        check(await arrow.count() === 0, "the arrow stays");
    },

    async "a position is set up and played on from, or refused"() {
        for (const viewport of Object.values(sizes)) {
            const player = await openGame({ viewport, plan: { opponent: "friend", colour: null } });
            const { page } = player;
            const put = async (letter, ...squares) => {
                await page.locator(`#palette [value="${letter}"]`).click();
                for (const square of squares)
                    await page.locator(`#editor-board [data-place=${square}]`).click();
            };
            await page.locator("#set-up").click();
            await page.locator("#empty-board").click();
            await put("K", "E1");
            await page.locator("#play-position").click();
            await player.waitForText("editor-error", /^No game can begin with this position\.$/);
            await put("k", "E8", "C8");
            await put("", "C8");
            await put("q", "D5");
            await page.locator("#editor-turn").selectOption("b");
            await page.locator("#play-position").click();
            await until(async () => await player.pieceOn("D5") === "q", "the position");
            await player.waitForText("status", /^Black to move/);
            check(!await page.locator("#editor").isVisible(), "the dialog stays");
            await page.locator("#set-up").click();
            await page.locator("#full-board").click();
            await page.locator("#play-position").click();
            await until(async () => await player.pieceOn("G8") === "n", "the first position");
            await player.waitForText("status", /^Black to move/);
        }
    },

    async "captured pieces and the advantage stand beside the players"() {
        const player = await openGame({ moves: opening });
        const captured = (place) => player.page.locator(`#${place} .material`);
        check(await captured("lower").getAttribute("aria-label") === "captured: black knight, black pawn",
              await captured("lower").getAttribute("aria-label"));
        check(/\+1$/.test(await player.text("lower")), await player.text("lower"));
        check(await captured("upper").getAttribute("aria-label") === "captured: white bishop", "the bishop");
        check(!/\+/.test(await player.text("upper")), await player.text("upper"));
    },

    async "a player reads who has won"() {
        const player = await openGame();
        await player.page.locator("#resign").click();
        await player.waitForText("status", /^You lost\. Black wins: resignation\.$/);
    },

    async "colours are chosen and kept"() {
        const player = await openGame({ colorScheme: "light" });
        const paper = () => player.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        await openSettings(player);
        await player.page.locator("#appearance").selectOption("dark");
        const dark = await paper();
        check(dark !== light, dark);
        const colour = (name) => player.square(name)
            .evaluate((square) => getComputedStyle(square).backgroundColor);
        const wood = await colour("A1");
        await player.page.locator("#board-colours").selectOption("green");
        check(await colour("A1") !== wood, wood);
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        check(await paper() === dark && await colour("A1") !== wood, "the colours were not kept");
    },

    async "axe-core finds nothing serious"() {
        const axe = findPackage("axe-core");
        check(axe, "axe-core is missing: npm install --prefix build axe-core");
        const steps = {
            async hint(player) {
                for (let step = 0; step < 3; ++step) {
                    await until(() => player.page.locator("#hint").isEnabled(), "a hint");
                    await player.page.locator("#hint").click();
                }
                await player.waitForText("reasons", /./);
            },
            async analysis(player) {
                await player.page.locator("#analysis").check();
                await player.page.locator("#line-count").selectOption("3");
                await until(async () => await player.page.locator("#analysis-lines li").count() === 3, "3 lines");
                await player.page.locator("#analysis-lines .move").nth(1).click();
                await player.waitForText("status", /\(2 (of|von)/);
            },
            async editor(player) {
                await player.page.keyboard.press("Escape");
                await player.page.locator("#analysis").uncheck();
                await player.page.locator("#set-up").click();
            },
            async settings(player) {
                await player.page.locator("#editor").getByText(/^(Cancel|Abbrechen)$/).click();
                await openSettings(player);
            },
            async warning(player) {
                await closeSettings(player);
                await player.choose("D4", "F2");
                await player.page.locator("#warning").waitFor({ state: "visible" });
            },
        };
        for (const [size, viewport] of Object.entries(sizes)) {
            for (const [colorScheme, locale] of [["light", "en-US"], ["dark", "de-DE"]]) {
                const player = await openGame({ moves: [...opening, "E5F3"], plan: { colour: "black" },
                                                stored: { warn: true }, viewport, colorScheme, locale,
                                                isMobile: size === "phone" });
                for (const [name, step] of Object.entries(steps)) {
                    await step(player);
                    await player.page.evaluate(fs.readFileSync(axe, "utf8"));
                    const { violations } = await player.page.evaluate(() => window.axe.run());
                    const serious = violations
                        .filter((one) => ["serious", "critical"].includes(one.impact))
                        .map((one) => `${one.id}: ${one.nodes.map((node) => node.target)}`);
                    check(serious.length === 0, `${size}, ${colorScheme}, ${name}: ${serious.join("; ")}`);
                    const width = await player.page.evaluate(() => document.documentElement.scrollWidth);
                    check(width <= viewport.width,
                          `${size}, ${colorScheme}, ${name}: the page is ${width} wide`);
                    await photograph(player, `${size}-${colorScheme}-${name}`);
                }
            }
        }
    },
};

let screenshots;

async function photograph(player, name) {
    if (screenshots)
        await player.page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

async function main() {
    const [program, ...options] = process.argv.slice(2);
    const optionOf = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
    screenshots = optionOf("--screenshots");
    if (screenshots)
        fs.mkdirSync(screenshots, { recursive: true });
    const opened = await openBrowser();
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    server = await startServer(program);
    const failures = await runTests(tests, new RegExp(optionOf("--only") ?? ""),
                                    (test) => failureOf(test, players));
    await browser.close();
    server.stop();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
