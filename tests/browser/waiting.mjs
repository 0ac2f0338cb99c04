#!/usr/bin/env node
// Browser tests of what one does on the page of `parley serve` while the opponent thinks: moves made in
// advance, making the engine move, resigning, and notifications.
//
// usage: waiting.mjs PROGRAM [--only REGEX]
//
// Needs what run.mjs needs. Exit status 77 when that is missing, 1 when a test failed.
import process from "node:process";

import { openGame as openStoredGame } from "./games.mjs";
import { check, failureOf, openBrowser, runTests, startServer, until } from "./harness.mjs";

const slowly = { limits: { milliseconds: 30_000 } };

let browser;
let server;
const players = [];

const openGame = (options) => openStoredGame({ browser, server, players }, options);
const friendly = (colour) => ({ plan: { opponent: "friend", colour } });

/// Two friends in a game: White and Black.
async function openFriends(options = {}, guestOptions = {}) {
    const white = await openGame({ ...friendly("white"), ...options });
    await white.waitForText("lower", /White: you/);
    const black = await openGame({ id: white.game(), ...friendly("black"), ...guestOptions });
    await black.waitForText("lower", /Black: you/);
    await white.waitForText("upper", /your friend/);
    return [white, black];
}

const planned = async (player) => (await player.marked("planned")).join();
const waitForPlanned = (player, squares) =>
    until(async () => await planned(player) === squares, `a pre-move on ${squares || "no square"}`);
const waitForMoves = (player, moves) =>
    until(async () => `${await player.moves()}` === moves, `the moves ${moves}`);

/// A Notification that only counts, in a page that can be hidden: window.hides.
const fakeNotifications = (permission, answer) => `
    window.notes = [];
    window.hides = false;
    Object.defineProperty(document, "hidden", { get: () => window.hides });
    window.Notification = class {
        static permission = ${JSON.stringify(permission)};
        static requestPermission() {
            window.Notification.permission = ${JSON.stringify(answer)};
            return Promise.resolve(${JSON.stringify(answer)});
        }
        constructor(title, { body }) { window.notes.push(body); }
        close() {}
    };`;
const notesOf = (player) => player.page.evaluate(() => window.notes);
const hide = (player) => player.page.evaluate(() => { window.hides = true; });

async function switchNotificationsOn(player) {
    await player.page.locator("#settings-button").click();
    await player.page.locator("#notify").click();
}

const tests = {
    async "a move in advance is made by clicks and played at once"() {
        const [white, black] = await openFriends();
        await black.click("E7");
        check((await black.marked("ahead")).join() === "D6,E5,E6,F6", `${await black.marked("ahead")}`);
        check((await black.marked("target")).length === 0, "a legal move is shown");
        await black.click("E5");
        await waitForPlanned(black, "E5,E7");
        await black.waitForText("status", /Pre-move: e7 to e5\.$/);
        check(/pre-move/.test(await black.square("E5").getAttribute("aria-label")), "not said for the square");
        const colour = (square) => black.square(square).evaluate((one) => getComputedStyle(one).boxShadow);
        check(await colour("E5") !== await colour("E4"), "it has no colour");
        await white.move("E2", "E4");
        await waitForMoves(white, "e4,e5");
        await waitForPlanned(black, "");
    },

    async "a move in advance is made by dragging, and takes back a piece"() {
        const [white, black] = await openFriends({ moves: ["E2E4", "E7E5", "G1F3", "B8C6"] });
        await black.drag("D7", "C6");  // on the own knight
        await waitForPlanned(black, "C6,D7");
        await white.move("F1", "B5");
        await waitForMoves(white, "e4,e5,Nf3,Nc6,Bb5");
        await black.waitForText("status", /^Your move\. The pre-move was not possible\.$/);
        await waitForPlanned(black, "");
        await black.move("A7", "A6");
        await black.drag("D7", "C6");
        await white.move("B5", "C6");
        await waitForMoves(white, "e4,e5,Nf3,Nc6,Bb5,a6,Bxc6,dxc6");
        check(!/pre-move/.test(await black.text("status")), await black.text("status"));
    },

    async "a move in advance is cancelled by Escape, a right click, or a click elsewhere"() {
        const [white, black] = await openFriends();
        const plan = async () => {
            await black.click("E7", "E5");
            await waitForPlanned(black, "E5,E7");
        };
        const cancels = {
            "Escape": () => black.page.keyboard.press("Escape"),
            "a right click": () => black.square("A4").click({ button: "right" }),
            "a square": () => black.click("A4"),
            "beside the board": () => black.page.locator("h2", { hasText: "Moves" }).click(),
            "another piece": () => black.click("G8", "G8"),
            "stepping back": async () => {
                await black.page.locator("#moves").focus();
                await black.page.keyboard.press("Home");
            },
        };
        for (const [name, cancel] of Object.entries(cancels)) {
            if (name === "stepping back") {
                await plan();
                await white.move("D2", "D4");
                await waitForMoves(black, "d4,e5");
                await white.move("D4", "E5");
                await black.move("B8", "C6");
                await black.click("C6", "E5");
                await waitForPlanned(black, "C6,E5");
            } else {
                await plan();
            }
            await cancel();
            await until(async () => await planned(black) === "", name);
        }
        await white.move("G1", "F3");
        await black.waitForText("status", /Looking back.*It is your move/);
        await waitForMoves(black, "d4,e5,dxe5,Nc6,Nf3");
    },

    async "a promotion in advance has its piece"() {
        const [white, black] = await openFriends({ fen: "7k/8/8/8/8/8/p6P/7K w - - 0 1" });
        await black.click("A2", "A1");
        await black.page.locator("#promotion [value=knight]").click();
        await waitForPlanned(black, "A1,A2");
        await white.move("H2", "H3");
        await waitForMoves(white, "h3,a1=N");
        check(!await black.page.locator("#promotion").isVisible(), "it is asked again");
    },

    async "a promotion that is chosen after the opponent's move is made, too"() {
        const [white, black] = await openFriends({ fen: "7k/8/8/8/8/8/p6P/7K w - - 0 1" });
        await black.click("A2", "A1");
        await black.page.locator("#promotion").waitFor();
        await white.move("H2", "H3");
        await waitForMoves(black, "h3");
        await black.page.locator("#promotion [value=rook]").click();
        await waitForMoves(white, "h3,a1=R+");
    },

    async "castling is made in advance, against the engine too"() {
        const player = await openGame({ fen: "4k3/7p/8/8/8/8/8/R3K2R b KQ - 0 1", plan: slowly });
        await player.waitForText("status", /^Parley is thinking/);
        await player.click("E1", "G1");
        await player.waitForText("status", /^Parley is thinking\. Pre-move: e1 to g1\.$/);
        await player.page.locator("#move-now").click();
        await until(async () => /^O-O\+?$/.test((await player.moves())[1]), "castling");
    },

    async "who watches, or has both colours, makes no moves in advance"() {
        const [white] = await openFriends();
        const watcher = await openGame({ id: white.game(), ...friendly(null) });
        await watcher.click("E7", "E5");
        check((await watcher.marked("ahead")).length === 0 && await planned(watcher) === "", "a spectator plays");
        const alone = await openGame(friendly(null));
        await alone.click("E7");
        check((await alone.marked("ahead")).length === 0, "both colours at once");
        await white.move("E2", "E4");
        await white.page.locator("#back").click();
        await white.click("D2", "D4");
        check(await planned(white) === "", "a move from the past");
    },

    async "a board without a game yet takes no move, and breaks nothing"() {
        const player = await openGame();
        await player.page.evaluate(() => {
            document.querySelector("#start").click();
            const square = document.querySelector("[data-square=E2]");
            const options = { bubbles: true, isPrimary: true, button: 0, buttons: 1 };
            square.dispatchEvent(new PointerEvent("pointerdown", options));
            square.dispatchEvent(new PointerEvent("pointerup", options));
            square.click();
        });
        await player.waitForText("status", /^Your move/);
        await player.move("D2", "D4");
    },

    async "a game's end forgets a move in advance"() {
        const [white, black] = await openFriends();
        await black.click("E7", "E5");
        await waitForPlanned(black, "E5,E7");
        await white.page.locator("#resign").click();
        await black.waitForText("status", /You won/);
        check(await planned(black) === "", "it is still there");
    },

    async "the engine moves at once when it is hurried"() {
        const player = await openGame({ plan: slowly });
        const button = player.page.locator("#move-now");
        check(await button.isDisabled(), "nothing is searched");
        await player.move("E2", "E4");
        await player.waitForText("status", /^Parley is thinking/);
        await button.click();
        await player.waitForText("status", /^Your move/, 5);
        check((await player.moves()).length === 2 && await button.isDisabled(), `${await player.moves()}`);
        const [white] = await openFriends();
        check(!await white.page.locator("#move-now").isVisible(), "a friend is hurried");
    },

    async "one resigns at once while the engine thinks"() {
        const player = await openGame({ plan: slowly });
        await player.move("E2", "E4");
        await player.waitForText("status", /^Parley is thinking/);
        await player.page.locator("#resign").click();
        await player.waitForText("status", /^You lost\. Black wins: resignation\.$/, 5);
        check((await player.moves()).length === 1, `${await player.moves()}`);
    },

    async "a hidden page notifies when it is the user's turn, and at the end"() {
        const [white, black] = await openFriends({ script: fakeNotifications("default", "granted") });
        check(!await white.page.locator("#notify").isChecked(), "it is on by itself");
        await switchNotificationsOn(white);
        check(await white.page.locator("#notify").isChecked(), "it is not on");
        await white.page.locator("#settings button").click();
        check(await white.page.title() === "Your move - Parley", await white.page.title());
        await white.move("E2", "E4");
        await until(async () => await white.page.title() === "Parley", "the title");
        await black.move("E7", "E5");
        await until(async () => await white.page.title() === "Your move - Parley", "the title again");
        check((await notesOf(white)).length === 0, "a visible page notifies");
        await white.move("G1", "F3");
        await hide(white);
        await black.move("B8", "C6");
        await until(async () => `${await notesOf(white)}` === "Nc6. It is your move.", "a notification");
        await black.page.locator("#resign").click();
        await until(async () => (await notesOf(white)).at(-1) === "You won! White wins: resignation.", "the end");
        check((await notesOf(white)).length === 2, `${await notesOf(white)}`);
    },

    async "the switch of notifications is kept, and says when the browser refuses them"() {
        const kept = await openGame({ script: fakeNotifications("granted", "granted") });
        await switchNotificationsOn(kept);
        await kept.page.reload();
        await kept.waitForText("status", /Your move/);
        check(await kept.page.locator("#notify").isChecked(), "it was not kept");
        for (const [permission, answer] of [["default", "denied"], ["denied", "denied"]]) {
            const player = await openGame({ script: fakeNotifications(permission, answer) });
            await switchNotificationsOn(player);
            await player.waitForText("notify-note", /does not allow/);
            check(!await player.page.locator("#notify").isChecked(), "it is on");
        }
        const without = await openGame({ script: "delete window.Notification;" });
        await switchNotificationsOn(without);
        await without.waitForText("notify-note", /does not allow/);
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
