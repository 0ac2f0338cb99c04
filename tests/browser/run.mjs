#!/usr/bin/env node
// Browser tests: play on the page of `parley serve` in Chromium.
//
// usage: run.mjs PROGRAM [--only REGEX]
//
// Needs playwright-core, which `npm install --prefix build playwright-core` fetches, and Chromium.
// Exit status 77 when one of them is missing, 1 when a test failed.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

import { Player, check, failureOf, openBrowser, runTests, startProxy, startServer, until } from "./harness.mjs";
import { openGame } from "./games.mjs";

const weakest = '{"depth":1}';
const promotionFen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
const fast = '{"milliseconds":50}';

let browser;
let program;
let server;
const players = [];

const address = (port, path = "/") => `http://127.0.0.1:${port}${path}`;

async function open(path, options) {
    const player = await Player.open(browser, address(server.port, path), options);
    players.push(player);
    await player.waitForText("connection", /connected/);
    await player.waitForText("status", /./);
    return player;
}

/// Sends a message about a game; returns its id and the answers.
async function post(message, game) {
    const response = await fetch(address(server.port, game ? `/game/${game}` : "/message"),
                                 { method: "POST", body: JSON.stringify(message) });
    const lines = (await response.text()).trim().split("\n");
    return { game: response.headers.get("Parley-Game"),
             answers: lines.map((line) => JSON.parse(line)) };
}

/// A hint for the player of a page, by a connection of its own: only who has a seat gets hints.
function hintFor(player, nodes) {
    return player.page.evaluate(([game, limit]) => new Promise((resolve, reject) => {
        const key = JSON.parse(localStorage.getItem("parley key"));
        const socket = new WebSocket(`ws://${location.host}/game/${game}`);
        socket.onopen = () => {
            socket.send(JSON.stringify({ message_type: "take_seat", player: "white", key }));
            socket.send(JSON.stringify({ message_type: "hint", nodes: limit }));
        };
        socket.onmessage = ({ data }) => {
            const message = JSON.parse(data);
            if (message.message_type === "seat_taken")
                return;
            socket.close();
            if (message.message_type === "hint")
                resolve(message);
            else
                reject(new Error(data));
        };
    }), [player.game(), nodes]);
}

/// Plays against a server that is killed when `isTime` says so, and is started again.
async function playOverKill(strength, isTime, play) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-browser-"));
    const store = path.join(folder, "games.sqlite");
    let own = await startServer(program, store);
    try {
        const player = await Player.open(browser, address(own.port));
        players.push(player);
        await player.waitForText("status", /./);
        await player.startGame("engine", "white", strength);
        await player.click("E2", "E4");
        await until(() => isTime(player), "the time to kill the server");
        const before = await player.moves();
        own.kill();
        await player.waitForText("connection", /lost/);
        own = await startServer(program, store, own.port);
        await player.waitForText("connection", /^connected/);
        await play(player, before);
    } finally {
        own.stop();
        await until(own.hasEnded, "the server's end");
        for (const player of players)
            player.errors = player.errors.filter((text) => !/ERR_|WebSocket/.test(text));
        rmSync(folder, { recursive: true });
    }
}

async function openPosition(fen, options) {
    const { game } = await post({ message_type: "new_game", fen });
    return open(`/game/${game}`, options);
}

const tests = {
    async "a whole game against the engine is played by clicks"() {
        const player = await open("/");
        await player.startGame("engine", "white", weakest);
        const isOver = async () => /wins|draw/.test(await player.text("status"));
        for (let move = 0; move < 120 && !await isOver(); ++move) {
            await player.waitForText("status", /Your move|wins|draw/, 20);
            if (await isOver())
                break;
            const hint = await hintFor(player, 15000);
            const before = (await player.moves()).length;
            await player.click(hint.from, hint.to);
            if (hint.piece_choice)
                await player.page.locator(`#promotion [value=${hint.piece_choice}]`).click();
            await until(async () => (await player.moves()).length > before, "the move");
        }
        await player.waitForText("status", /White wins: checkmate/);
        check((await player.moves()).at(-1).endsWith("#"), "the last move is not mate");
        check((await player.marked("movable")).length === 0, "there are moves after the end");
    },

    async "legal targets are shown, and a second click deselects the piece"() {
        const player = await open("/");
        await player.click("G1");
        check(`${await player.marked("target")}` === "F3,H3", `${await player.marked("target")}`);
        await player.click("G1");
        check((await player.marked("target")).length === 0, "still selected");
        await player.click("D2", "E2", "E4");
        await player.waitForPiece("P", "E4");
        check(`${await player.marked("last")}`.includes("E"), "the last move is not marked");
    },

    async "the engine moves first when the player has Black"() {
        const player = await open("/");
        await player.startGame("engine", "black", fast);
        await player.waitForText("status", /Your move/);
        check((await player.moves()).length === 1, "the engine has not moved");
        const first = player.page.locator(".square").first();
        check(await first.getAttribute("data-square") === "H1", "the board is not flipped");
        await player.click("E7", "E5");
        await player.waitForPiece("p", "E5");
    },

    async "pieces are dragged"() {
        const player = await open("/");
        await player.drag("E2", "E4");
        await player.waitForPiece("P", "E4");
        await until(async () => (await player.moves()).length === 2, "the engine's answer");
        await player.drag("G1", "G5");
        check(await player.pieceOn("G1") === "N", "an illegal move was made");
        check((await player.marked("selected")).length === 0, "it is still selected");
        await player.drag("G1", null);
        check((await player.page.locator(".dragged").count()) === 0, "a piece floats beside the board");
        await player.drag("B8", "C6");  // not ours
        await player.drag("G1", "G1");
        check(`${await player.marked("selected")}` === "G1", `${await player.marked("selected")}`);
        await player.click("F3");
        await player.waitForPiece("N", "F3");
    },

    async "a piece that was let go outside of the board does not stick to the mouse"() {
        const player = await open("/");
        const { x, y, width, height } = await player.square("A2").boundingBox();
        await player.page.mouse.move(x + 2, y + height / 2);
        await player.page.mouse.down();
        await player.page.mouse.move(1, 1);  // in one step
        await player.page.mouse.up();
        await player.page.mouse.move(x + width / 2, y - height, { steps: 5 });
        check((await player.page.locator(".dragged").count()) === 0, "a piece follows the mouse");
        await player.click("A2", "A3");
        await player.waitForPiece("P", "A3");
    },

    async "a pawn is dragged to its promotion"() {
        const player = await openPosition(promotionFen);
        await player.drag("A7", "A8");
        await player.page.locator("#promotion [value=rook]").click();
        await player.waitForPiece("R", "A8");
    },

    async "the opening is named, and the game is copied as PGN and FEN"() {
        const player = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
        await player.startGame("friend", "white");
        const read = () => player.page.evaluate(() => navigator.clipboard.readText());
        await player.click("E2", "E4");
        await player.waitForText("opening", /^B00 King's Pawn Game$/);
        await player.page.locator("#copy-fen").click();
        await player.waitForText("copy-fen", /Copied/);
        check((await read()).startsWith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), await read());
        await player.page.locator("#copy-pgn").click();
        await player.waitForText("copy-pgn", /Copied/);
        const pgn = await read();
        check(/\[Result "\*"\]\n\n1\. e4 \*\n$/.test(pgn) && !pgn.includes("FEN"), pgn);
        const black = await openPosition("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7",
                                         { permissions: ["clipboard-read", "clipboard-write"] });
        await black.move("E7", "E5");
        await black.move("E2", "E4");
        await black.page.locator("#copy-pgn").click();
        await black.waitForText("copy-pgn", /Copied/);
        const later = await black.page.evaluate(() => navigator.clipboard.readText());
        check(later.includes('[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7"]\n\n7... e5 8. e4 *'), later);
    },

    async "moves are taken back, with the engine's answer"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        await player.waitForText("status", /Your move/);
        check(await player.page.locator("#take-back").isDisabled(), "there is nothing to take back");
        const bothMoved = async () => (await player.moves()).length === 2;
        await player.click("E2", "E4");
        await until(bothMoved, "the engine's answer");
        await player.page.locator("#take-back").click();
        await player.waitForPiece("P", "E2");
        check((await player.moves()).length === 0, "a move is left");
        await player.click("D2", "D4");
        await until(bothMoved, "another answer");
        check((await player.moves())[0] === "d4", `${await player.moves()}`);
    },

    async "a pawn is promoted to the chosen piece"() {
        const player = await openPosition("8/P6k/8/8/8/8/7p/K7 w - - 0 1");
        await player.click("A7", "A8");
        await player.page.locator("#promotion").waitFor();
        await player.page.keyboard.press("Escape");
        await player.waitForPiece("P", "A7");
        await player.click("A7", "A8");
        await player.page.locator("#promotion [value=knight]").click();
        await player.waitForPiece("N", "A8");
        await player.choose("H2", "H1");
        await player.page.locator("#promotion [value=rook]").click();
        await player.waitForPiece("r", "H1");
        check(`${await player.moves()}` === "a8=N,h1=R+", `${await player.moves()}`);
    },

    async "a promotion that another page has started is finished here"() {
        const { game } = await post({ message_type: "new_game", fen: promotionFen });
        await post({ message_type: "peice move", from: "A7", to: "A8" }, game);
        const player = await open(`/game/${game}`);
        for (let attempt = 0; attempt < 3; ++attempt)
            await player.page.keyboard.press("Escape");
        await player.page.locator("#promotion [value=queen]").click();
        await player.waitForPiece("Q", "A8");
    },

    async "the promotion dialog is on the board, wherever that is"() {
        for (const viewport of [{ width: 1400, height: 800 }, { width: 390, height: 844 }]) {
            const player = await openPosition("8/P6k/8/8/8/8/7p/K7 w - - 0 1", { viewport });
            await player.click("A7", "A8");
            const choices = await player.page.locator("#promotion").boundingBox();
            const board = await player.page.locator("#board").boundingBox();
            check(choices.x >= board.x && choices.x + choices.width <= board.x + board.width,
                  `the dialog is at ${choices.x}, the board at ${board.x}`);
            check(Math.abs(choices.y - board.y) < board.height / 8,
                  "the dialog is not at the square");
        }
    },

    async "castling, en passant and check are shown"() {
        const player = await openPosition("r3k2r/8/8/4p3/3P4/8/8/R3K2R b KQkq - 0 1");
        await player.move("E8", "G8");
        await player.waitForPiece("r", "F8");
        await player.move("D4", "D5");
        await player.move("A8", "A1");
        await until(async () => `${await player.marked("check")}` === "E1", "a check on e1");
        const passing = await openPosition("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
        await passing.move("D7", "D5");
        await passing.move("E5", "D6");
        await passing.waitForPiece("", "D5");
    },

    async "a lost connection is restored, with the same game"() {
        const proxy = await startProxy(server.port);
        const player = await Player.open(browser, address(proxy.port));
        players.push(player);
        await player.waitForText("status", /./);
        await player.startGame("engine", "white", fast);
        await player.click("E2", "E4");
        await until(async () => (await player.moves()).length === 2, "the engine's move");
        const before = await player.moves();
        proxy.cut();
        await player.waitForText("connection", /lost/);
        await player.click("D2");
        check((await player.marked("target")).length === 0, "the player can move");
        await player.waitForText("status", /Waiting for the connection/);
        check(await player.page.locator("#hint").isDisabled(), "the player can ask for a hint");
        await player.waitForText("lower", /White: you/);
        proxy.restore();
        await player.waitForText("connection", /^connected/);
        await player.waitForText("status", /Your move/);
        check(`${await player.moves()}` === `${before}`, "another game");
        await player.click("D2", "D4");
        await until(async () => (await player.moves()).length === 4, "the game goes on");
        player.errors = player.errors.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.stop();
    },

    async "a game goes on when the server was killed"() {
        const isTime = async (player) => (await player.moves()).length === 2;
        await playOverKill(fast, isTime, async (player, before) => {
            await player.waitForText("status", /Your move/);
            check(`${await player.moves()}` === `${before}`, "another game");
            await player.waitForText("lower", /White: you/);
            await player.click("D2", "D4");
            await until(async () => (await player.moves()).length === 4, "the game goes on");
        });
    },

    async "the engine moves when the server was killed while it was thinking"() {
        const isTime = async (player) => /thinking/.test(await player.text("status"));
        await playOverKill('{"milliseconds":5000}', isTime, async (player) => {
            await until(async () => (await player.moves()).length === 2, "the engine's move");
            await player.waitForText("status", /Your move/);
        });
    },

    async "a game started while the connection is lost is the only one"() {
        const proxy = await startProxy(server.port);
        const player = await Player.open(browser, address(proxy.port));
        players.push(player);
        await player.waitForText("status", /Your move/);
        // The page asks whether the game still exists, and the answer is delayed.
        let answer;
        await player.page.route("**/game/*", (route) => { answer = () => route.abort(); });
        proxy.cut();
        await until(() => answer, "the request");
        proxy.restore();
        const sockets = [];
        player.page.on("websocket", (socket) => sockets.push(socket));
        await player.startGame("engine", "white", fast);
        await player.waitForText("status", /Your move/);
        answer();
        await player.page.waitForTimeout(1000);
        check(sockets.length === 1, `${sockets.length} connections`);
        player.errors = player.errors.filter((text) => !/ERR_|WebSocket/.test(text));
        proxy.stop();
    },

    async "the browser keeps what belongs to the last fifty games"() {
        const ids = Array.from({ length: 60 }, (_, index) => index.toString(16).padStart(32, "0"));
        const stored = Object.fromEntries(ids.map((id) => [id, { opponent: "friend", colour: null }]));
        const player = await openGame({ browser, server, players },
                                      { stored: { ...stored, games: ids.slice(0, 20), sounds: true } });
        const kept = await player.page.evaluate(() => Object.keys(localStorage));
        const games = kept.filter((name) => /^parley [0-9a-f]{32}$/.test(name));
        check(games.length === 50, `${games.length} games`);
        for (const id of [player.game(), ...ids.slice(0, 20)])
            check(games.includes(`parley ${id}`), `${id} is forgotten`);
        check(kept.includes("parley sounds") && kept.includes("parley key"), `${kept}`);
    },

    async "the page can be reloaded during a game"() {
        const player = await open("/");
        await player.startGame("engine", "black", fast);
        await player.waitForText("status", /Your move/);
        await player.click("C7", "C5");
        await until(async () => (await player.moves()).length === 3, "the engine's move");
        const before = await player.moves();
        await player.page.reload();
        await player.waitForText("status", /Your move/);
        check(`${await player.moves()}` === `${before}`, "another game");
        await player.click("B8", "C6");
        await until(async () => (await player.moves()).length === 5, "the game goes on");
    },

    async "a friend joins by the link, and others only watch"() {
        const host = await open("/");
        await host.startGame("friend", "black");
        await host.waitForText("status", /Waiting for your friend/);
        check(await host.page.locator("#upper button").count() === 0, "the host can take the friend's seat");
        const link = await host.page.locator("#link").inputValue();
        check(link === host.address(), link);
        const friend = await open(`/game/${host.game()}`);
        await friend.waitForText("lower", /White: you/);
        await friend.waitForText("upper", /Black: your friend/);
        await until(() => host.page.locator("#share").isHidden(), "the link is hidden");
        const watcher = await open(`/game/${host.game()}`);
        await watcher.waitForText("upper", /Black: taken/);
        await watcher.waitForText("status", /^You are watching\. White to move\.$/);
        await friend.click("D2", "D4");
        for (const player of [host, friend, watcher])
            await player.waitForPiece("P", "D4");
        await host.waitForText("status", /Your move/);
        await watcher.click("D7", "D5");
        await friend.click("D7", "D5");
        check(await host.pieceOn("D7") === "p", "another player moves for Black");
        await host.click("D7", "D5");
        await friend.waitForPiece("p", "D5");
        friend.accepts = false;
        await friend.page.locator("#resign").click();
        check(!/resignation/.test(await friend.text("status")), "it resigns without confirmation");
        friend.accepts = true;
        await friend.page.locator("#resign").click();
        await host.waitForText("status", /Black wins: resignation/);
        await host.page.locator("#rematch").click();
        await friend.page.locator("#accept").click();
        await host.waitForText("status", /Your move/);
    },

    async "a game that goes on is left for another one only after a question"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        await player.move("E2", "E4");
        await player.waitForText("status", /Your move/);
        const before = player.address();
        player.accepts = false;
        await player.page.locator("#start").click();
        check(player.address() === before && (await player.moves()).length === 2, "the game is left");
        player.accepts = true;
        await player.startGame("engine", "white", fast);
        const reloaded = player.page.waitForEvent("load");
        await player.page.goBack();
        await reloaded;
        await until(async () => (await player.moves()).length === 2, "the game that was left");
    },

    async "a seat can be left and taken again"() {
        const player = await open("/");
        await player.startGame("friend", "white");
        await player.waitForText("lower", /White: you/);
        await player.page.locator("#lower button").click();
        await player.waitForText("lower", /White: free/);
        await player.page.locator("#upper button").click();
        await player.waitForText("upper", /Black: you/);
    },

    async "against the engine no seat can be left"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        await player.waitForText("lower", /White: you/);
        check(await player.page.locator(".player button").count() === 0, "there is a button");
    },

    async "a game can be played by keyboard"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        await player.square("E2").focus();
        await player.page.keyboard.press("Enter");
        check(`${await player.marked("target")}` === "E3,E4", `${await player.marked("target")}`);
        await player.page.keyboard.press("ArrowUp");
        await player.page.keyboard.press("ArrowUp");
        check(await player.page.evaluate(() => document.activeElement.dataset.square) === "E4",
              "the focus is elsewhere");
        await player.page.keyboard.press("Space");
        await player.waitForPiece("P", "E4");
        const inTabOrder = await player.page.locator(".square[tabindex='0']").count();
        check(inTabOrder === 1, `${inTabOrder} squares in the tab order`);
        const label = await player.square("E4").getAttribute("aria-label");
        check(label === "e4, white pawn", label);
    },

    async "a game can be played on a phone"() {
        const player = await open("/", { viewport: { width: 360, height: 640 }, hasTouch: true,
                                         isMobile: true });
        await player.square("E2").tap();
        await player.square("E4").tap();
        await player.waitForPiece("P", "E4");
        const widths = await player.page.evaluate(
            () => [document.documentElement.scrollWidth, innerWidth,
                   document.getElementById("board").clientWidth]);
        check(widths[0] <= widths[1], `the page is ${widths[0]} wide on ${widths[1]}`);
        check(widths[2] > 300, `the board is only ${widths[2]} wide`);
    },

    async "a phone in landscape shows the board and the buttons"() {
        for (const [width, height] of [[740, 360], [844, 390]]) {
            const player = await open("/", { viewport: { width, height }, hasTouch: true, isMobile: true });
            for (const id of ["board", "status", "hint"]) {
                const box = await player.page.locator(`#${id}`).boundingBox();
                check(box.y + box.height <= height, `${id} ends at ${box.y + box.height}`);
            }
            const { width: board } = await player.page.locator("#board").boundingBox();
            check(board > height - 100, `the board is ${board} wide on a height of ${height}`);
        }
    },

    async "a large screen has a large board, and nothing is wider than its column"() {
        for (const locale of ["en-US", "de-DE"]) {
            const player = await Player.open(browser, address(server.port),
                                             { viewport: { width: 1920, height: 1080 }, locale });
            players.push(player);
            await player.waitForText("status", /\./);
            const { width: board } = await player.page.locator("#board").boundingBox();
            check(board > 880, `the board is ${board} wide`);
            const widths = await player.page.locator("aside").evaluate(
                (column) => [column.scrollWidth, column.clientWidth]);
            check(widths[0] <= widths[1], `${locale}: ${widths[0]} in a column of ${widths[1]}`);
        }
    },

    async "analysis is switched on and off"() {
        const player = await openPosition("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        await player.page.locator("#analysis").check();
        await player.waitForText("analysis-lines", /\+\d+\.\d\d, depth \d+: \S+/);
        const share = await player.page.evaluate(
            () => document.getElementById("evaluation").style.getPropertyValue("--white"));
        check(parseFloat(share) > 80, `White has ${share} of the bar`);
        await player.page.locator("#analysis").uncheck();
        check(await player.page.locator("#analysis-lines").isHidden(), "the line is still there");
    },

    async "a hint shows a move without playing it"() {
        const player = await openPosition("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        for (const answer of [/Look at your rook/, /It goes to a8/, /Parley would play a1 to a8/]) {
            await player.page.locator("#hint").click();
            await player.waitForText("status", answer);
        }
        check(`${await player.marked("hint")}` === "A1,A8", `${await player.marked("hint")}`);
        check((await player.moves()).length === 0, "a move was made");
    },

    async "a finished game is reviewed, and the review leads back to the game"() {
        const { game } = await post({ message_type: "get_legal_moveset" });
        const player = await open(`/game/${game}`);
        const review = player.page.locator("#review");
        for (const [from, to] of [["E2", "E4"], ["E7", "E5"], ["D1", "H5"], ["B8", "C6"],
                                  ["H5", "F7"], ["E8", "F7"], ["F2", "F3"], ["D8", "H4"],
                                  ["G2", "G3"], ["H4", "G3"]]) {
            await player.click(from, to);
            await until(async () => (await player.marked("last")).includes(to), `${from} ${to}`);
        }
        await post({ message_type: "resignation", player: "white" }, game);
        await review.click();
        await player.waitForText("status", /Reviewing the game: position \d+ of \d+/);
        await player.page.waitForURL(/\/review$/, { timeout: 60_000 });
        await player.waitForText("about", /C20|0-1/);
        const mistake = player.page.locator(".move", { hasText: "Qxf7+" });
        check(/\?\?/.test(await mistake.textContent()), await mistake.textContent());
        await mistake.click();
        await player.waitForText("remark", /blunder/);
        check(/loses (the queen|material)/.test(await player.text("remark")), await player.text("remark"));
        await player.page.getByText("Back to the game").click();
        await player.waitForText("status", /Black wins: resignation/);
        await review.click();
        await player.page.waitForURL(/\/review$/);
        const data = await (await fetch(address(server.port, `/game/${game}/review.json`))).json();
        check(data.moves.length === 10 && data.black_accuracy > data.white_accuracy,
              JSON.stringify(data).slice(0, 200));
        check((await fetch(address(server.port, `/game/${"0".repeat(32)}/review`))).status === 404,
              "a game that does not exist has a review");
    },

    async "the moves can be stepped through, by buttons, keys and clicks"() {
        const { game } = await post({ message_type: "load_pgn", pgn: "1. e4 e5 2. Nf3 Nc6 3. Bb5" });
        const player = await open(`/game/${game}`);
        const shows = (piece, square) => player.waitForPiece(piece, square);
        await shows("B", "B5");
        await player.page.locator("#back").click();
        await shows("B", "F1");
        check((await player.marked("last")).join() === "B8,C6", `${await player.marked("last")}`);
        check((await player.marked("movable")).length === 0, "the past can be changed");
        await player.waitForText("status", /Looking back: ply 4 of 5/);
        await player.page.keyboard.press("Home");
        await shows("P", "E2");
        check(await player.page.locator("#back").isDisabled(), "there is something before the start");
        await player.page.keyboard.press("ArrowRight");
        await shows("P", "E4");
        await player.page.locator("#moves .move", { hasText: "Nf3" }).click();
        await shows("N", "F3");
        await post({ message_type: "peice move", from: "A7", to: "A6" }, game);
        await until(async () => (await player.moves()).length === 6, "the move");
        check(await player.pieceOn("A7") === "p", "the present has come by itself");
        await player.page.keyboard.press("End");
        await shows("p", "A6");
        check((await player.marked("movable")).length > 0, "the present cannot be changed");
        await player.page.locator("#take-back").click();
        await shows("p", "A7");
    },

    async "a game in PGN is loaded, and reviewed with its players' names"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        const load = async (text) => {
            await player.page.locator("#load").click();
            await player.page.locator("#loaded").fill(text);
            await player.page.locator("#load-text").click();
        };
        await load("1. e4 Ke7");
        await player.waitForText("loading-error", /cannot read/);
        await player.page.locator("#loading").getByText("Cancel").click();
        check((await player.moves()).length === 0, "the old game is gone");
        await load(`[White "M\u00fcller, A"]\n[Black "<b>Bob</b>"]\n\n`
                   + "1. e4 {[%clk 0:10:00]} e5 2. Qh5 Nc6 (2... g6?) 3. Qxf7+ $4 *");
        await until(async () => (await player.moves()).length === 5, "the moves");
        check(!(await player.page.locator("#loading").isVisible()), "the dialog is still open");
        await player.waitForText("upper", /Black: free/);
        await player.click("E8", "F7");
        await until(async () => (await player.moves()).length === 6, "Black's answer");
        await player.page.locator("#review").click();
        await player.page.waitForURL(/\/review$/, { timeout: 60_000 });
        await player.waitForText("upper", /<b>Bob<\/b>/);
        await player.waitForText("lower", /M\u00fcller, A/);
        await player.waitForText("moves", /Qxf7\+\?\?/);
    },

    async "a position in FEN is loaded and played on from"() {
        const player = await open("/");
        await player.startGame("engine", "white", fast);
        await player.page.locator("#load").click();
        await player.page.locator("#loaded").fill(" 7k/8/6K1/8/8/8/8/R7 w - - 0 1\n");
        await player.page.locator("#load-text").click();
        await player.waitForPiece("R", "A1");
        await player.click("A1", "B1");
        await until(async () => (await player.moves()).length === 2, "the engine's answer");
        check(await player.page.locator("#review").isHidden(), "a game that goes on has a review");
    },

    async "the page says when a game no longer exists"() {
        const player = await Player.open(browser, address(server.port, `/game/${"0".repeat(32)}`));
        players.push(player);
        await player.waitForText("status", /no longer exists/);
        for (const id of ["hint", "resign", "take-back", "draw"])
            check(await player.page.locator(`#${id}`).isDisabled(), `${id} can be clicked`);
        await player.startGame("engine", "white", fast);
        await player.click("E2", "E4");
        await player.waitForPiece("P", "E4");
        player.errors = player.errors.filter((text) => !/404/.test(text));
    },
};

const run = (test) => failureOf(test, players, () => {
    check(!server.hasEnded(), `the server has ended: ${server.log()}`);
});

async function main() {
    const [file, option, only] = process.argv.slice(2);
    program = file;
    const opened = await openBrowser();
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    server = await startServer(program);
    const pattern = new RegExp(option === "--only" ? only : "");
    const failures = await runTests(tests, pattern, run);
    await browser.close();
    server.stop();
    return failures > 0 ? 1 : 0;
}

process.exit(await main());
