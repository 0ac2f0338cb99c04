#!/usr/bin/env node
// Browser tests of the page of `parley serve`: clocks, offers of a draw and rematches.
//
// usage: clocks.mjs PROGRAM [--only REGEX] [--screenshots FOLDER]
//
// Needs what run.mjs needs. Exit status 77 when that is missing, 1 when a test failed.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

import { Player, check, failureOf, openBrowser, runTests, slow, startProxy, startServer, until } from "./harness.mjs";

const fast = '{"milliseconds":50}';
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

let browser;
let server;
const players = [];

const address = (port, location = "/") => `http://127.0.0.1:${port}${location}`;

async function open(port, location, options) {
    const player = await Player.open(browser, address(port, location), options);
    players.push(player);
    await player.waitForText("connection", /connected/);
    await player.waitForText("status", /./);
    return player;
}

/// Begins a game with a time control of the form: "3+2", or minutes and seconds of both players.
async function startGame(player, opponent, colour, time) {
    await player.page.locator("#time").selectOption(Array.isArray(time) ? "own" : time);
    if (Array.isArray(time)) {
        for (const [index, id] of ["own-minutes", "own-seconds", "other-minutes", "other-seconds"].entries())
            await player.page.locator(`#${id}`).fill(String(time[index]));
    }
    await player.startGame(opponent, colour, fast);
    if (time)
        await player.page.locator("#lower-clock").waitFor();
}

/// A host with White, and a friend who has come by the link, perhaps over another port.
async function startFriends(time, { port = server.port, options = {} } = {}) {
    const host = await open(server.port, "/", options);
    await startGame(host, "friend", "white", time);
    const friend = await open(port, `/game/${host.game()}`, options);
    await friend.waitForText("lower", /Black: you/);
    await host.waitForText("upper", /your friend/);
    return [host, friend];
}

async function playFirstMoves(white, black) {
    await white.choose("E2", "E4");
    await black.waitForPiece("P", "E4");
    await black.choose("E7", "E5");
    await white.waitForPiece("p", "E5");
}

/// What a clock shows, in seconds.
async function seconds(player, place) {
    const text = (await player.text(`${place}-clock`)).replace(/^.*clock:\s*/s, "");
    check(/^(\d+:)?\d+:\d\d(\.\d)?$/.test(text), `the clock is "${text}"`);
    return text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
}

const runs = (player, place) => player.page.locator(`#${place}-clock.runs`).isVisible();

const tests = {
    async "clocks run from the second move on, for both players alike"() {
        const [host, friend] = await startFriends("3+2");
        for (const player of [host, friend]) {
            check(await seconds(player, "upper") === 180 && await seconds(player, "lower") === 180, "not 3:00");
            check(!(await runs(player, "upper")) && !(await runs(player, "lower")), "a clock runs");
        }
        await playFirstMoves(host, friend);
        await until(() => runs(host, "lower"), "White's clock");
        await until(() => runs(friend, "upper"), "White's clock at the friend's");
        await until(async () => await seconds(host, "lower") <= 178, "White's time");
        check(await seconds(friend, "lower") === 180, "Black's clock runs");
        const before = await seconds(host, "lower");
        await host.choose("D2", "D4");
        await until(() => runs(host, "upper"), "Black's clock");
        const after = await seconds(host, "lower");
        check(after > before && after <= before + 2, `${after} after ${before}`);
    },

    async "players see each other's names, and the PGN has them with the clocks"() {
        const options = { permissions: ["clipboard-read", "clipboard-write"] };
        const [host, friend] = await startFriends("3+2", { options });
        await host.rename("Ann <b>");
        await friend.waitForText("upper", /^White: Ann <b>/);
        await friend.rename("Bob");
        await host.waitForText("upper", /^Black: Bob/);
        check(/^White: Ann <b> \(you\)/.test(await host.text("lower")), await host.text("lower"));
        await playFirstMoves(host, friend);
        await host.choose("D2", "D4");
        await friend.waitForPiece("P", "D4");
        await friend.page.locator("#copy-pgn").click();
        await friend.waitForText("copy-pgn", /Copied/);
        const pgn = await friend.page.evaluate(() => navigator.clipboard.readText());
        check(pgn.includes('[White "Ann <b>"]\n[Black "Bob"]\n[Result "*"]\n[TimeControl "180+2"]'), pgn);
        const moves = pgn.split("\n\n")[1].replace(/\s+/g, " ");
        const clock = (seconds) => `\\{ \\[%clk 0:03:0${seconds}\\] \\}`;
        check(new RegExp(`^1\\. e4 ${clock("0")} 1\\.\\.\\. e5 ${clock("0")} 2\\. d4 ${clock("[0-2]")} \\* $`)
            .test(moves), pgn);
        await friend.page.reload();
        await friend.waitForText("upper", /^White: Ann <b>/);
        check(/^Black: Bob \(you\)/.test(await friend.text("lower")), await friend.text("lower"));
    },

    async "a player who loses the connection comes back to a clock that has run on"() {
        const proxy = await startProxy(server.port);
        const [host, friend] = await startFriends("5+0", { port: proxy.port });
        await playFirstMoves(host, friend);
        await host.choose("D2", "D4");
        await until(() => runs(friend, "lower"), "Black's clock");
        proxy.cut();
        await friend.waitForText("connection", /lost/);
        const atLoss = await seconds(friend, "lower");
        await until(async () => await seconds(friend, "lower") <= atLoss - 2, "the clock of a page without connection");
        await until(async () => await seconds(host, "upper") <= atLoss - 2, "the opponent's page");
        proxy.restore();
        await friend.waitForText("connection", /^connected/);
        await friend.waitForText("status", /Your move/);
        const [own, seen] = [await seconds(friend, "lower"), await seconds(host, "upper")];
        check(own <= atLoss - 2 && Math.abs(own - seen) <= 1, `${own} and ${seen}, at the loss ${atLoss}`);
        await friend.choose("E5", "D4");
        await host.waitForPiece("p", "D4");
        check(!(await runs(friend, "lower")) && await runs(friend, "upper"), "Black's clock still runs");
        friend.errors = friend.errors.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.stop();
    },

    async "a flag falls by itself, and the time of each player is his own"() {
        const [host, friend] = await startFriends([0.06 * slow, 0, 10, 5]);
        check(await seconds(host, "upper") === 600, "the opponent has other times");
        await playFirstMoves(host, friend);
        await host.page.locator("#lower-clock.low.runs").waitFor();
        for (const player of [host, friend])
            await player.waitForText("status", /Black wins: timeout/);
        check(await seconds(host, "lower") === 0, "there is time left");
        check(await seconds(friend, "lower") === 600, "Black has lost time");
        check(!(await runs(friend, "upper")), "the clock still runs");
        check((await host.marked("movable")).length === 0, "there are moves after the end");
        check(/20 seconds/.test(await host.page.locator("#time-warning").textContent()), "no warning");
    },

    async "a draw is offered, declined, offered again and accepted"() {
        const [host, friend] = await startFriends("");
        check(await host.page.locator("#draw").isDisabled(), "a draw before the first moves");
        await playFirstMoves(host, friend);
        await host.page.locator("#draw").click();
        await host.waitForText("offer-text", /You offer a draw/);
        await friend.waitForText("offer-text", /Your friend offers a draw/);
        check(await host.page.locator("#accept").isHidden(), "the own offer can be accepted");
        await friend.page.locator("#decline").click();
        await host.waitForText("offer-text", /Your friend declines the draw/);
        check(await host.page.locator("#draw").isDisabled(), "a second offer without a move");
        await until(() => friend.page.locator("#offer").isHidden(), "the end of the offer");
        await host.choose("D2", "D4");
        await until(() => host.page.locator("#draw").isEnabled(), "another offer");
        check(await host.page.locator("#offer").isHidden(), "the answer is still there");
        await host.page.locator("#draw").click();
        await friend.page.locator("#accept").click();
        for (const player of [host, friend])
            await player.waitForText("status", /A draw: agreement/);
        check(await host.page.locator("#draw").isDisabled(), "a draw after the end");
    },

    async "a move declines the offer of a draw"() {
        const [host, friend] = await startFriends("");
        await playFirstMoves(host, friend);
        await friend.page.locator("#draw").click();
        await host.waitForText("offer-text", /offers a draw/);
        await host.choose("D2", "D4");
        await until(() => friend.page.locator("#offer").isHidden(), "the end of the offer");
        await until(() => host.page.locator("#offer").isHidden(), "the end of the offer");
    },

    async "a rematch is agreed, with colours changed and the same clocks"() {
        const [host, friend] = await startFriends([10, 5, 3, 2]);
        await playFirstMoves(host, friend);
        await friend.page.locator("#resign").click();
        await host.waitForText("status", /White wins: resignation/);
        await host.page.locator("#rematch").click();
        await host.waitForText("offer-text", /You offer a rematch/);
        check(await host.page.locator("#rematch").isDisabled(), "a second offer");
        await friend.waitForText("offer-text", /Your friend offers a rematch/);
        await friend.page.locator("#accept").click();
        await friend.waitForText("lower", /White: you/);
        await host.waitForText("lower", /Black: you/);
        check(await seconds(host, "lower") === 600 && await seconds(friend, "lower") === 180, "other clocks");
        await friend.waitForText("status", /Your move/);
        await host.page.reload();
        await host.waitForText("lower", /Black: you/);
        await playFirstMoves(friend, host);
        await until(() => runs(host, "upper"), "White's clock");
    },

    async "who was away during the offer of a rematch finds his new colour"() {
        const proxy = await startProxy(server.port);
        const [host, friend] = await startFriends("", { port: proxy.port });
        await playFirstMoves(host, friend);
        await host.page.locator("#resign").click();
        await friend.page.locator("#rematch").click();
        await host.waitForText("offer-text", /offers a rematch/);
        proxy.cut();
        await friend.waitForText("connection", /lost/);
        await host.page.locator("#accept").click();
        await host.waitForText("lower", /Black: you/);
        proxy.restore();
        await friend.waitForText("lower", /White: you/);
        await friend.choose("E2", "E4");
        await host.waitForPiece("P", "E4");
        friend.errors = friend.errors.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.stop();
    },

    async "a rematch can be declined"() {
        const [host, friend] = await startFriends("");
        await host.page.locator("#resign").click();
        await host.page.locator("#rematch").click();
        await friend.page.locator("#decline").click();
        await host.waitForText("offer-text", /declines the rematch/);
        check(await host.page.locator("#rematch").isDisabled(), "another offer");
    },

    async "Parley plays by its clock, answers the offer of a draw, and has a rematch at once"() {
        const player = await open(server.port, "/");
        // Parley thinks 14 seconds about a move at most.
        await startGame(player, "engine", "white", [1, 1, 1, 1]);
        await player.choose("E2", "E4");
        await until(async () => (await player.moves()).length === 2, "the engine's move");
        await player.waitForText("status", /Your move/);
        await player.choose("D2", "D4");
        await until(async () => (await player.moves()).length === 4, "the engine's second move");
        const left = await seconds(player, "upper");
        check(left > 30 && left <= 62, `Parley has ${left} seconds left`);
        await until(() => runs(player, "lower"), "our clock");
        await player.page.locator("#draw").click();
        await player.waitForText("offer-text", /Parley declines the draw/);
        await player.page.locator("#resign").click();
        await player.waitForText("status", /Black wins: resignation/);
        await player.page.locator("#rematch").click();
        await player.waitForText("lower", /Black: you/);
        await until(async () => (await player.moves()).length === 1, "Parley's first move");
        check(await player.page.locator(".square").first().getAttribute("data-square") === "H1",
              "the board is not flipped");
        check(await seconds(player, "lower") === 60, "the clock has run");
    },

    async "the clocks are named, and without motion they show no tenths"() {
        const player = await open(server.port, "/", { reducedMotion: "reduce" });
        await startGame(player, "engine", "white", [0.2, 0, 5, 0]);
        const timer = player.page.getByRole("timer");
        check((await timer.allTextContents()).join() === "Black's clock: 5:00,White's clock: 0:12",
              `${await timer.allTextContents()}`);
        for (const name of ["Time", "Opponent", "Strength"])
            await player.page.getByRole("combobox", { name, exact: true }).waitFor();
        await player.page.getByRole("spinbutton", { name: "Opponent's minutes" }).waitFor();
    },

    async "the choice of a time control is kept"() {
        const player = await open(server.port, "/");
        await startGame(player, "engine", "white", [7, 1.5, 3, 0]);
        check(await seconds(player, "lower") === 420 && await seconds(player, "upper") === 180, "other times");
        await player.page.reload();
        check(await player.page.locator("#own-seconds").inputValue() === "1.5", "forgotten");
        check(await player.page.locator("#own-seconds").isVisible(), "hidden");
        await player.page.locator("#time").selectOption("");
        check(await player.page.locator("#own-seconds").isHidden(), "shown without need");
        await player.startGame("engine", "white", fast);
        check(await player.page.locator("#lower-clock").isHidden(), "there is a clock");
    },

    async "clocks and offers fit on small and large screens"() {
        for (const viewport of Object.values(sizes)) {
            const [host, friend] = await startFriends("15+10", { options: { viewport } });
            await playFirstMoves(host, friend);
            await friend.page.locator("#draw").click();
            await host.page.locator("#accept").waitFor();
            const widths = await host.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
            check(widths[0] <= widths[1], `the page is ${widths[0]} wide on ${widths[1]}`);
            await host.page.evaluate(() => scrollTo(0, 0));
            for (const id of ["upper-clock", "board", "lower-clock"]) {
                const box = await host.page.locator(`#${id}`).boundingBox();
                check(box.y >= 0 && box.y + box.height <= viewport.height, `${id} ends at ${box.y + box.height}`);
            }
        }
    },
};

/// Screenshots to look at: a game with an offer, little time, and the form.
async function makeScreenshots(folder) {
    fs.mkdirSync(folder, { recursive: true });
    for (const [name, viewport] of Object.entries(sizes)) {
        for (const colorScheme of ["light", "dark"]) {
            const options = { viewport, colorScheme };
            const take = (player, what) => player.page.screenshot(
                { path: path.join(folder, `${name}-${colorScheme}-${what}.png`), fullPage: true });
            const [host, friend] = await startFriends([0.3, 0, 5, 3], { options });
            await playFirstMoves(host, friend);
            await friend.page.locator("#draw").click();
            await host.page.locator("#accept").waitFor();
            await take(host, "offer");
            await host.waitForText("status", /timeout/);
            await friend.page.locator("#rematch").click();
            await host.page.locator("#accept").waitFor();
            await take(host, "rematch");
        }
    }
}

async function main() {
    const { values, positionals } = parseArgs({
        options: { only: { type: "string", default: "" }, screenshots: { type: "string" } },
        allowPositionals: true,
    });
    const opened = await openBrowser();
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    server = await startServer(positionals[0]);
    if (values.screenshots)
        await makeScreenshots(values.screenshots);
    const failures = await runTests(tests, new RegExp(values.only), (test) => failureOf(test, players, () => {
        check(!server.hasEnded(), `the server has ended: ${server.log()}`);
    }));
    await browser.close();
    server.stop();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
