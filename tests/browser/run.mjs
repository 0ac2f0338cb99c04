#!/usr/bin/env node
// Browser tests: plays on the page of `parley serve` in Chromium.
//
// usage: run.mjs PROGRAM [--only REGEX]
//
// Needs playwright-core, which tools/test fetches, and Chromium; exit status 77 when they are not
// there, 1 if any test failed.
import process from "node:process";

import { Player, check, openBrowser, startProxy, startServer, until } from "./harness.mjs";

const depthOne = '{"depth":1}';
const usualStrength = '{"milliseconds":50}';

let browser;
let server;
let players = [];

const address = (port, path = "/") => `http://127.0.0.1:${port}${path}`;

async function come(path, options) {
    const player = await Player.come(browser, address(server.port, path), options);
    players.push(player);
    await player.reads("connection", /connected/);
    await player.reads("status", /./);
    return player;
}

/// What the server answers to a message about a game.
async function post(message, game) {
    const answer = await fetch(address(server.port, game ? `/game/${game}` : "/message"),
                               { method: "POST", body: JSON.stringify(message) });
    const lines = (await answer.text()).trim().split("\n");
    return { game: answer.headers.get("Parley-Game"), said: lines.map((one) => JSON.parse(one)) };
}

async function comeToPosition(fen, options) {
    const { game } = await post({ message_type: "new_game", fen });
    return come(`/game/${game}`, options);
}

const tests = {
    async "a whole game is played by clicks against the engine"() {
        const player = await come("/");
        await player.begin("engine", "white", depthOne);
        const isOver = async () => /wins|draw/.test(await player.text("status"));
        for (let move = 0; move < 120 && !await isOver(); ++move) {
            await player.reads("status", /Your move|wins|draw/, 20);
            if (await isOver())
                break;
            const { said } = await post({ message_type: "hint", nodes: 15000 }, player.game());
            const before = (await player.moves()).length;
            await player.click(said[0].from, said[0].to);
            if (said[0].piece_choice)
                await player.page.locator(`#promotion [value=${said[0].piece_choice}]`).click();
            await until(async () => (await player.moves()).length > before, "the move");
        }
        await player.reads("status", /White wins: checkmate/);
        check((await player.moves()).at(-1).endsWith("#"), "the last move is no mate");
        check((await player.marked("movable")).length === 0, "there are moves after the end");
    },

    async "legal targets are shown, and a second click takes the choice back"() {
        const player = await come("/");
        await player.click("G1");
        check(`${await player.marked("target")}` === "F3,H3", `${await player.marked("target")}`);
        await player.click("G1");
        check((await player.marked("target")).length === 0, "still selected");
        await player.click("D2", "E2", "E4");
        await player.sees("P", "E4");
        check(`${await player.marked("last")}`.includes("E"), "the last move is not marked");
    },

    async "the engine begins when the player has Black"() {
        const player = await come("/");
        await player.begin("engine", "black", usualStrength);
        await player.reads("status", /Your move/);
        check((await player.moves()).length === 1, "no move of the engine's");
        const first = player.page.locator(".square").first();
        check(await first.getAttribute("data-square") === "H1", "the board is not turned");
        await player.click("E7", "E5");
        await player.sees("p", "E5");
    },

    async "a pawn becomes what the player chooses"() {
        const player = await comeToPosition("8/P6k/8/8/8/8/7p/K7 w - - 0 1");
        await player.click("A7", "A8");
        await player.page.locator("#promotion").waitFor();
        await player.page.keyboard.press("Escape");
        await player.sees("P", "A7");
        await player.click("A7", "A8");
        await player.page.locator("#promotion [value=knight]").click();
        await player.sees("N", "A8");
        await player.click("H2", "H1");
        await player.page.locator("#promotion [value=rook]").click();
        await player.sees("r", "H1");
        check(`${await player.moves()}` === "a8=N,h1=R+", `${await player.moves()}`);
    },

    async "a promotion that another page has begun is finished here"() {
        const { game } = await post({ message_type: "new_game", fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1" });
        await post({ message_type: "peice move", from: "A7", to: "A8" }, game);
        const player = await come(`/game/${game}`);
        for (let attempt = 0; attempt < 3; ++attempt)
            await player.page.keyboard.press("Escape");
        await player.page.locator("#promotion [value=queen]").click();
        await player.sees("Q", "A8");
    },

    async "the pieces to choose from stand on the board, wherever it is"() {
        for (const viewport of [{ width: 1400, height: 800 }, { width: 390, height: 844 }]) {
            const player = await comeToPosition("8/P6k/8/8/8/8/7p/K7 w - - 0 1", { viewport });
            await player.click("A7", "A8");
            const choices = await player.page.locator("#promotion").boundingBox();
            const board = await player.page.locator("#board").boundingBox();
            check(choices.x >= board.x && choices.x + choices.width <= board.x + board.width,
                  `they are at ${choices.x}, the board at ${board.x}`);
            check(Math.abs(choices.y - board.y) < board.height / 8, "they are not at the square");
        }
    },

    async "castling, en passant and check are shown"() {
        const player = await comeToPosition("r3k2r/8/8/4p3/3P4/8/8/R3K2R b KQkq - 0 1");
        await player.click("E8", "G8");
        await player.sees("r", "F8");
        await player.click("D4", "D5");
        await player.click("A8", "A1");
        check(`${await player.marked("check")}` === "E1", `${await player.marked("check")}`);
        const passing = await comeToPosition("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
        await passing.click("D7", "D5", "E5", "D6");
        await passing.sees("", "D5");
    },

    async "a lost connection comes back by itself, to the same game"() {
        const proxy = await startProxy(server.port);
        const player = await Player.come(browser, address(proxy.port));
        players.push(player);
        await player.reads("status", /./);
        await player.begin("engine", "white", usualStrength);
        await player.click("E2", "E4");
        await until(async () => (await player.moves()).length === 2, "an answer");
        const before = await player.moves();
        proxy.cut();
        await player.reads("connection", /lost/);
        await player.click("D2");
        check((await player.marked("target")).length === 0, "it lets the player move");
        await player.reads("status", /Waiting for the connection/);
        check(await player.page.locator("#hint").isDisabled(), "it lets the player ask");
        await player.reads("lower", /White: you/);
        proxy.restore();
        await player.reads("connection", /^connected/);
        await player.reads("status", /Your move/);
        check(`${await player.moves()}` === `${before}`, "another game");
        await player.click("D2", "D4");
        await until(async () => (await player.moves()).length === 4, "the game goes on");
        player.complaints = player.complaints.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.end();
    },

    async "a game begun while the connection is lost is the only one"() {
        const proxy = await startProxy(server.port);
        const player = await Player.come(browser, address(proxy.port));
        players.push(player);
        await player.reads("status", /Your move/);
        // The page asks whether the game is still there, and the answer takes its time.
        let answer;
        await player.page.route("**/game/*", (route) => { answer = () => route.abort(); });
        proxy.cut();
        await until(() => answer, "the question");
        proxy.restore();
        const sockets = [];
        player.page.on("websocket", (socket) => sockets.push(socket));
        await player.begin("engine", "white", usualStrength);
        await player.reads("status", /Your move/);
        answer();
        await player.page.waitForTimeout(1000);
        check(sockets.length === 1, `${sockets.length} connections`);
        player.complaints = player.complaints.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.end();
    },

    async "the page can be loaded again in the middle, with Black to move"() {
        const player = await come("/");
        await player.begin("engine", "black", usualStrength);
        await player.reads("status", /Your move/);
        await player.click("C7", "C5");
        await until(async () => (await player.moves()).length === 3, "an answer");
        const before = await player.moves();
        await player.page.reload();
        await player.reads("status", /Your move/);
        check(`${await player.moves()}` === `${before}`, "another game");
        await player.click("B8", "C6");
        await until(async () => (await player.moves()).length === 5, "the game goes on");
    },

    async "a friend comes by the link, and others only watch"() {
        const host = await come("/");
        await host.begin("friend", "black");
        await host.reads("status", /Waiting for your friend/);
        const link = await host.page.locator("#link").inputValue();
        check(link === host.address(), link);
        const friend = await come(`/game/${host.game()}`);
        await friend.reads("lower", /White: you/);
        await friend.reads("upper", /Black: your friend/);
        await until(() => host.page.locator("#share").isHidden(), "the link is hidden");
        const watcher = await come(`/game/${host.game()}`);
        await watcher.reads("upper", /Black: taken/);
        await friend.click("D2", "D4");
        for (const player of [host, friend, watcher])
            await player.sees("P", "D4");
        await host.reads("status", /Your move/);
        await watcher.click("D7", "D5");
        await friend.click("D7", "D5");
        check(await host.pieceOn("D7") === "p", "another moves for Black");
        await host.click("D7", "D5");
        await friend.sees("p", "D5");
        friend.says = false;
        await friend.page.locator("#resign").click();
        check(!/resignation/.test(await friend.text("status")), "it resigns without asking");
        friend.says = true;
        await friend.page.locator("#resign").click();
        await host.reads("status", /Black wins: resignation/);
        await host.page.locator("#rematch").click();
        await friend.reads("status", /Your move/);
    },

    async "a seat can be left and taken"() {
        const player = await come("/");
        await player.begin("friend", "white");
        await player.reads("lower", /White: you/);
        await player.page.locator("#lower button").click();
        await player.reads("lower", /White: free/);
        await player.page.locator("#upper button").click();
        await player.reads("upper", /Black: you/);
    },

    async "against the engine there is no seat to leave"() {
        const player = await come("/");
        await player.begin("engine", "white", usualStrength);
        await player.reads("lower", /White: you/);
        check(await player.page.locator(".player button").count() === 0, "there is a button");
    },

    async "the keyboard is enough"() {
        const player = await come("/");
        await player.begin("engine", "white", usualStrength);
        await player.square("E2").focus();
        await player.page.keyboard.press("Enter");
        check(`${await player.marked("target")}` === "E3,E4", `${await player.marked("target")}`);
        await player.page.keyboard.press("ArrowUp");
        await player.page.keyboard.press("ArrowUp");
        check(await player.page.evaluate(() => document.activeElement.dataset.square) === "E4",
              "the focus is elsewhere");
        await player.page.keyboard.press("Space");
        await player.sees("P", "E4");
        const inTabOrder = await player.page.locator(".square[tabindex='0']").count();
        check(inTabOrder === 1, `${inTabOrder} squares in the order of the Tab key`);
        const label = await player.square("E4").getAttribute("aria-label");
        check(label === "e4, white pawn", label);
    },

    async "a phone is enough"() {
        const player = await come("/", { viewport: { width: 360, height: 640 }, hasTouch: true,
                                         isMobile: true });
        await player.square("E2").tap();
        await player.square("E4").tap();
        await player.sees("P", "E4");
        const widths = await player.page.evaluate(
            () => [document.documentElement.scrollWidth, innerWidth,
                   document.getElementById("board").clientWidth]);
        check(widths[0] <= widths[1], `the page is ${widths[0]} wide on ${widths[1]}`);
        check(widths[2] > 300, `the board is only ${widths[2]} wide`);
    },

    async "a phone on its side shows the board and the buttons at once"() {
        const player = await come("/", { viewport: { width: 740, height: 360 }, hasTouch: true,
                                         isMobile: true });
        for (const id of ["board", "status", "hint"]) {
            const box = await player.page.locator(`#${id}`).boundingBox();
            check(box.y + box.height <= 360, `${id} ends at ${box.y + box.height}`);
        }
    },

    async "analysis is switched on and off"() {
        const player = await comeToPosition("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        await player.page.locator("#analysis").check();
        await player.reads("line", /(\+\d+\.\d\d|M\d+), depth \d+: \S+/);
        const share = await player.page.evaluate(
            () => parseFloat(document.getElementById("evaluation").style.getPropertyValue("--white")));
        check(share > 80, `White has ${share} % of the bar`);
        await player.page.locator("#analysis").uncheck();
        check(await player.page.locator("#line").isHidden(), "the line is still there");
    },

    async "a hint shows a move and makes none"() {
        const player = await comeToPosition("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        await player.page.locator("#hint").click();
        await until(async () => `${await player.marked("advised")}` === "A1,A8", "the hint");
        await player.reads("status", /Parley would play a1 to a8/);
        check((await player.moves()).length === 0, "a move was made");
    },

    async "a game that is gone is said to be gone"() {
        const player = await Player.come(browser, address(server.port, `/game/${"0".repeat(32)}`));
        players.push(player);
        await player.reads("status", /no longer here/);
        await player.begin("engine", "white", usualStrength);
        await player.click("E2", "E4");
        await player.sees("P", "E4");
        player.complaints = player.complaints.filter((text) => !/404/.test(text));
    },
};

async function perform(test) {
    players = [];
    try {
        await test();
        const complaints = players.flatMap((player) => player.complaints);
        check(complaints.length === 0, `the browser complains: ${complaints.join("; ")}`);
        check(!server.hasEnded(), `the server has ended: ${server.says()}`);
        return null;
    } catch (error) {
        return error.message;
    } finally {
        await Promise.all(players.map((player) => player.leave()));
    }
}

async function main() {
    const [program, option, only] = process.argv.slice(2);
    browser = await openBrowser();
    if (!browser) {
        console.log("skipped: there is no playwright-core or no Chromium");
        return 77;
    }
    server = await startServer(program);
    const pattern = new RegExp(option === "--only" ? only : "");
    let failures = 0;
    for (const [name, test] of Object.entries(tests).filter(([one]) => pattern.test(one))) {
        const began = Date.now();
        const failure = await perform(test);
        failures += failure === null ? 0 : 1;
        const seconds = ((Date.now() - began) / 1000).toFixed(2);
        console.log(`${failure === null ? "ok  " : "FAIL"} ${seconds.padStart(6)} s  ${name}`);
        if (failure !== null)
            console.log(`       ${failure}`);
    }
    await browser.close();
    server.end();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
