#!/usr/bin/env node
// Browser tests: the page of `parley serve` behind nginx, as uci/net/README.md says, from its public name
// over TLS.
//
// usage: proxy.mjs PROGRAM [--only REGEX]
//
// Needs what run.mjs needs, nginx and openssl. Exit status 77 when something is missing, 1 when a test failed.
import { spawn, spawnSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { Player, check, failureOf, openBrowser, runTests, startServer, until } from "./harness.mjs";

const name = "chess.example";
const origin = `https://${name}`;
const guide = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../uci/net/README.md");
const publicOptions = ["--origin", origin, "--trust-proxy", "127.0.0.1"];

let browser;
let program;
let folder;
let server;
const players = [];

/// A program in the PATH or where Debian has it; undefined when there is none.
function findProgram(file) {
    const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
    return folders.map((one) => path.join(one, file)).find((one) => fs.existsSync(one));
}

/// Makes site.pem and site.key in the folder; the hash of the public key, by which Chromium trusts it.
function makeCertificate() {
    const made = spawnSync("openssl", [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`,
        "-addext", `subjectAltName=DNS:${name}`,
        "-keyout", `${folder}/site.key`, "-out", `${folder}/site.pem`], { encoding: "utf8" });
    check(made.status === 0, `openssl: ${made.stderr}`);
    const { publicKey } = new crypto.X509Certificate(fs.readFileSync(`${folder}/site.pem`));
    const bytes = publicKey.export({ type: "spki", format: "der" });
    return crypto.createHash("sha256").update(bytes).digest("base64");
}

/// The documented configuration for a server's port, with this port and certificate instead of its own.
function configuration(port, serverPort) {
    let block = fs.readFileSync(guide, "utf8").match(/```nginx\n(.*?)```/s)?.[1];
    check(block, `${guide} has no block for nginx`);
    for (const [old, now] of [["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
                              ["/etc/ssl/chess.example", `${folder}/site`],
                              ["http://127.0.0.1:8080", `http://127.0.0.1:${serverPort}`]]) {
        check(block.includes(old), `the block for nginx has no ${old}`);
        block = block.replaceAll(old, now);
    }
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n");
    return `daemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\n`
         + `http {\naccess_log off;\n${paths}\n${block}}\n`;
}

async function freePort() {
    const listener = net.createServer();
    await new Promise((resolve) => { listener.listen(0, "127.0.0.1", resolve); });
    const { port } = listener.address();
    await new Promise((resolve) => { listener.close(resolve); });
    return port;
}

function accepts(port) {
    return new Promise((resolve) => {
        const socket = net.connect(port, "127.0.0.1");
        socket.on("connect", () => { socket.destroy(); resolve(true); });
        socket.on("error", () => resolve(false));
    });
}

async function startNginx(file, port) {
    fs.writeFileSync(`${folder}/nginx.conf`, configuration(port, server.port));
    const nginx = spawn(file, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"],
                        { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    nginx.stderr.on("data", (data) => { log += data; });
    await until(async () => nginx.exitCode !== null || await accepts(port), "nginx", 20);
    check(nginx.exitCode === null, `nginx has ended: ${log}`);
    return nginx;
}

/// Opens a path of the public name; keeps the WebSockets of the page and counts what they receive.
async function open(location = "/") {
    const player = await Player.open(browser, "about:blank");
    players.push(player);
    player.sockets = [];
    player.page.on("websocket", (socket) => {
        const entry = { url: socket.url(), received: 0 };
        player.sockets.push(entry);
        socket.on("framereceived", () => { ++entry.received; });
    });
    await player.page.goto(origin + location);
    await player.waitForText("connection", /connected/);
    await player.waitForText("status", /./);
    return player;
}

/// A host with White and a friend with Black, who has come by the link.
async function openFriends() {
    const white = await open();
    await white.startGame("friend", "white");
    const black = await open(`/game/${white.game()}`);
    await black.waitForText("lower", /Black: you/);
    await white.waitForText("upper", /your friend/);
    return [white, black];
}

/// Both play moves, and each sees those of the other.
async function playMoves(white, black, moves) {
    for (const [index, [from, to]] of moves.entries()) {
        const [mover, other] = index % 2 === 0 ? [white, black] : [black, white];
        const before = other.sockets.at(-1).received;
        const piece = await mover.pieceOn(from);
        await mover.move(from, to);
        await other.waitForPiece(piece, to);
        check(other.sockets.at(-1).received > before, `${to} did not come over the WebSocket`);
    }
}

const tests = {
    async "the page comes from the public name, without a fault and with a cookie for HTTPS alone"() {
        const player = await open();
        check(player.address().startsWith(`${origin}/`), player.address());
        const isSecure = await player.page.evaluate(() => isSecureContext);
        check(isSecure, "not a secure context");
        await player.startGame("engine", "white", '{"milliseconds":50}');
        await player.choose("E2", "E4");
        await until(async () => (await player.moves()).length === 2, "the engine's answer");
        const answer = await player.page.evaluate(async () => {
            const response = await fetch("/message", {
                method: "POST", body: JSON.stringify({ message_type: "get_legal_moveset" }) });
            return response.status;
        });
        check(answer === 200, `a message: status ${answer}`);
        const cookies = await player.context.cookies(origin);
        check(cookies.length > 0 && cookies.every((one) => one.secure && one.httpOnly),
              JSON.stringify(cookies));
    },

    async "two players see each other's moves over the WebSocket"() {
        const [white, black] = await openFriends();
        await playMoves(white, black, [["E2", "E4"], ["E7", "E5"], ["G1", "F3"], ["B8", "C6"]]);
        for (const player of [white, black]) {
            check(player.sockets.length > 0 && player.sockets.every(
                (one) => one.url.startsWith(`wss://${name}/`)), JSON.stringify(player.sockets));
            check((await player.moves()).join(" ") === "e4 e5 Nf3 Nc6", `${await player.moves()}`);
        }
    },

    async "a reload keeps the seat and the game"() {
        const [white, black] = await openFriends();
        await playMoves(white, black, [["E2", "E4"], ["E7", "E5"]]);
        for (const [player, seat] of [[white, /White: you/], [black, /Black: you/]]) {
            await player.page.reload();
            await player.waitForText("lower", seat);
            check((await player.moves()).join(" ") === "e4 e5", `${await player.moves()}`);
        }
        await playMoves(white, black, [["G1", "F3"], ["B8", "C6"]]);
    },

    async "a third visitor watches and has no seat"() {
        const [white, black] = await openFriends();
        const guest = await open(`/game/${white.game()}`);
        await playMoves(white, black, [["D2", "D4"], ["D7", "D5"]]);
        await guest.waitForPiece("p", "D5");
        check(!/: you/.test(await guest.text("lower") + await guest.text("upper")), "it has a seat");
        check((await guest.marked("movable")).length === 0, "it may move");
    },

    async "the game goes on when the server behind nginx was restarted"() {
        const [white, black] = await openFriends();
        await playMoves(white, black, [["E2", "E4"], ["E7", "E5"]]);
        server.stop();
        await until(server.hasEnded, "the server's end");
        for (const player of [white, black])
            await player.waitForText("connection", /lost/);
        server = await startServer(program, `${folder}/games.sqlite`, server.port, publicOptions);
        for (const player of [white, black])
            await player.waitForText("connection", /^connected/);
        await playMoves(white, black, [["G1", "F3"], ["B8", "C6"]]);
        // nginx's status 502, while there was no server.
        for (const player of players)
            player.errors = player.errors.filter((text) => !/ERR_|WebSocket|502/.test(text));
    },
};

const run = (test) => failureOf(test, players, () => {
    check(!server.hasEnded(), `the server has ended: ${server.log()}`);
});

async function runBehindProxy(pattern, nginxFile) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-proxy-"));
    const trusted = makeCertificate();
    const port = await freePort();
    const opened = await openBrowser([`--host-resolver-rules=MAP ${name}:443 127.0.0.1:${port}`,
                                      `--ignore-certificate-errors-spki-list=${trusted}`]);
    browser = opened.browser;
    if (!browser) {
        console.log(`skipped: ${opened.missing}`);
        return 77;
    }
    server = await startServer(program, `${folder}/games.sqlite`, 0, publicOptions);
    const nginx = await startNginx(nginxFile, port);
    try {
        return await runTests(tests, pattern, run) > 0 ? 1 : 0;
    } finally {
        await browser.close();
        nginx.kill("SIGTERM");
        server.stop();
        await until(server.hasEnded, "the server's end");
    }
}

async function main() {
    const [file, option, only] = process.argv.slice(2);
    program = file;
    const nginx = findProgram("nginx");
    if (!nginx || !findProgram("openssl")) {
        console.log(`skipped: no ${nginx ? "openssl" : "nginx"}; on Debian, apt install nginx openssl`);
        return 77;
    }
    try {
        return await runBehindProxy(new RegExp(option === "--only" ? only : ""), nginx);
    } finally {
        if (folder)
            fs.rmSync(folder, { recursive: true, force: true });
    }
}

process.exit(await main());
