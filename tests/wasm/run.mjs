// Conversations with parley.js: in this process, as `node parley.js`, as a worker of Node.js, and as a
// worker in Chromium.
//
// usage: run.mjs FOLDER      the folder with parley.js and parley.wasm
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { openBrowser, slow } from "../browser/harness.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, "../../build/wasm"));
const program = path.join(folder, "parley.js");
if (!existsSync(program)) {
    console.log(`skipped: no ${program}; cmake --preset wasm, cmake --build --preset wasm`);
    process.exit(77);
}
const signature = readFileSync(path.join(here, "../signature/nodes.txt"), "utf8").trim();
const Parley = createRequire(import.meta.url)(program);
let failures = 0;

function check(what, condition, found = "") {
    if (condition)
        return;
    failures += 1;
    console.log(`FAILED: ${what}${found === "" ? "" : `: ${found}`}`);
}

/// A conversation over any pair of functions: says lines, collects lines.
class Client {
    constructor(post) {
        this.post = post;
        this.lines = [];
        this.waiting = null;
    }
    receive(line) {
        this.lines.push(line);
        if (this.waiting && line.startsWith(this.waiting.word)) {
            const { resolve } = this.waiting;
            this.waiting = null;
            resolve(line);
        }
    }
    /// Says these lines and waits for one that begins with the word.
    ask(word, ...lines) {
        return new Promise((resolve, reject) => {
            const limit = setTimeout(() => reject(new Error(`no ${word} after ${lines}`)), 30_000 * slow);
            this.waiting = { word, resolve: (line) => { clearTimeout(limit); resolve(line); } };
            lines.forEach((line) => this.post(line));
        });
    }
}

async function startHere() {
    const engine = await Parley();
    const client = new Client((line) => engine.postMessage(line));
    engine.onmessage = (line) => client.receive(line);
    return client;
}

const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

const tests = {
    async "uci names the engine and what it can do"(client) {
        await client.ask("uciok", "uci");
        check("id name", client.lines.some((line) => line.startsWith("id name Parley")));
        check("one thread", client.lines.some((line) => /name Threads .* max 1$/.test(line)));
    },
    async "bench has the signature"(client) {
        const answer = await client.ask("Nodes searched", "bench");
        check("signature", answer.split(" ").pop() === signature, answer);
    },
    async "stop and isready are answered within 50 ms"(client) {
        const times = [];
        for (let i = 0; i < 10; ++i) {
            client.post("position startpos moves e2e4");
            client.post("go infinite");
            await sleep(200 + 37 * i);
            for (const [word, line] of [["readyok", "isready"], ["bestmove", "stop"]]) {
                const start = performance.now();
                await client.ask(word, line);
                times.push(performance.now() - start);
            }
        }
        const longest = Math.max(...times);
        console.log(`isready and stop: longest ${longest.toFixed(1)} ms`);
        check("50 ms", longest < 50 * slow, longest);
    },
    async "time limits are kept"(client) {
        for (const [line, least, most] of [["go movetime 300", 200, 400],
                                           ["go wtime 1000 btime 1000", 5, 700]]) {
            const start = performance.now();
            await client.ask("bestmove", "position startpos", line);
            const time = performance.now() - start;
            check(line, time >= least && time < most + 200 * (slow - 1), `${time} ms`);
        }
    },
    async "two games with ucinewgame search the same"(client) {
        const found = [];
        for (let game = 0; game < 2; ++game) {
            client.post("ucinewgame");
            for (const moves of ["", " moves e2e4 e7e5", " moves e2e4 e7e5 g1f3 b8c6"]) {
                client.lines = [];
                await client.ask("bestmove", `position startpos${moves}`, "go depth 8");
                found[game] += client.lines.pop() + client.lines.pop().replace(/ nps.*time \d+/, "");
            }
        }
        check("the same lines", found[0] === found[1], found.join("\n"));
    },
    async "options"(client) {
        client.lines = [];
        await client.ask("readyok", "setoption name Hash value 32", "setoption name MultiPV value 3",
                         "setoption name UCI_ShowWDL value true", "isready");
        check("no complaint", client.lines.length === 1, client.lines);
        await client.ask("bestmove", "position startpos", "go depth 5");
        check("three lines", client.lines.some((line) => line.includes("multipv 3")));
        check("WDL", client.lines.some((line) => line.includes(" wdl ")));
        client.lines = [];
        await client.ask("readyok", "setoption name Threads value 2", "isready");
        check("a second thread is refused", client.lines[0]?.includes("Threads stays at 1"), client.lines);
        client.lines = [];
        await client.ask("readyok", "setoption name EvalFile value none.nnue", "isready");
        check("a file that is not there", client.lines[0]?.includes("none.nnue"), client.lines);
        await client.ask("readyok", "setoption name MultiPV value 1", "setoption name UCI_ShowWDL value false",
                         "setoption name Hash value 16", "isready");
    },
    async "bad input is survived"(client) {
        for (const line of ["", "xyzzy", "go depth", "position fen 8/8", "position startpos moves e2e5",
                            "setoption", "setoption name Hash value -1", "♞ \u0000 \ud800", "go depth x",
                            "x".repeat(1_000_000)])
            client.post(line);
        await client.ask("readyok", "stop", "isready");
        await client.ask("bestmove", "position startpos", "go depth 4");
    },
    async "several lines in a message, pondering, a second go"(client) {
        await client.ask("bestmove", "position startpos moves e2e4\ngo ponder movetime 100\r\nisready\nponderhit");
        client.lines = [];
        await client.ask("readyok", "go infinite", "go infinite", "stop", "isready");
        await sleep(300);
        check("a best move for each go", client.lines.filter((line) => line.startsWith("bestmove")).length === 2,
              client.lines);
        await client.ask("info string perft was stopped", "go perft 9", "stop");
        await client.ask("readyok", "isready");
    },
};

function run(...words) {
    return spawnSync(process.execPath, [program, ...words], { encoding: "utf8", timeout: 60_000 * slow });
}

function testProgram() {
    const input = "uci\nposition startpos\ngo depth 5\n";
    const all = spawnSync(process.execPath, [program], { input, encoding: "utf8", timeout: 60_000 });
    check("the end of the input waits for the search", /uciok[^]*bestmove/.test(all.stdout) && all.status === 0,
          all.stdout + all.stderr);
    check("a command as arguments", run("go", "depth", "4").stdout.includes("bestmove"));
    check("commands as arguments", run("position startpos moves e2e4", "go depth 4").stdout.includes("bestmove"));
    check("bench", run("bench").stdout.includes(`Nodes searched: ${signature}`));
    check("quit", spawnSync(process.execPath, [program], { input: "go infinite\nquit\n" }).status === 0);
}

async function testNodeWorker() {
    const worker = new Worker(program);
    const client = new Client((line) => worker.postMessage(line));
    worker.on("message", (line) => client.receive(line));
    await client.ask("uciok", "uci");
    await client.ask("bestmove", "go depth 6");
    const ended = new Promise((resolve) => { worker.on("exit", resolve); });
    worker.postMessage("quit");
    await ended;
}

/// Any web server will do: no headers beyond the types.
function serve() {
    const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
    const server = http.createServer((request, response) => {
        const file = path.join(folder, path.basename(request.url));
        if (request.url === "/")
            return response.setHeader("Content-Type", "text/html").end("<!doctype html><title>x</title>");
        if (!existsSync(file))
            return response.writeHead(404).end();
        response.setHeader("Content-Type", types[path.extname(file)] ?? "text/plain");
        return createReadStream(file).pipe(response);
    });
    return new Promise((resolve) => { server.listen(0, "127.0.0.1", () => resolve(server)); });
}

/// In the page: a game's worth of commands to a worker; the longest times for stop and isready.
async function inPage() {
    const worker = new Worker("parley.js");
    const lines = [];
    const ask = (word, ...says) => new Promise((resolve) => {
        worker.onmessage = (event) => {
            lines.push(event.data);
            if (event.data.startsWith(word))
                resolve(event.data);
        };
        says.forEach((line) => worker.postMessage(line));
    });
    await ask("uciok", "uci");
    const bench = await ask("Nodes searched", "bench");
    const times = [];
    for (let i = 0; i < 5; ++i) {
        worker.postMessage("go infinite");
        await new Promise((resolve) => { setTimeout(resolve, 250 + 30 * i); });
        for (const [word, line] of [["readyok", "isready"], ["bestmove", "stop"]]) {
            const start = performance.now();
            await ask(word, line);
            times.push(performance.now() - start);
        }
    }
    return { bench, longest: Math.max(...times), lines: lines.length,
             isolated: self.crossOriginIsolated, speed: lines.find((line) => line.startsWith("Nodes/second")) };
}

async function testBrowser() {
    const { browser, missing } = await openBrowser();
    if (missing) {
        console.log(`not run in a browser: ${missing}`);
        return;
    }
    const server = await serve();
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        const result = await page.evaluate(inPage);
        console.log(`Chromium: longest ${result.longest.toFixed(1)} ms, ${result.speed}`);
        check("bench in Chromium", result.bench.endsWith(` ${signature}`), result.bench);
        check("50 ms in Chromium", result.longest < 50 * slow, result.longest);
        check("without isolation", result.isolated === false);
    } finally {
        await browser.close();
        server.close();
    }
}

/// What an engine needs with the default hash table.
async function testMemory() {
    const engine = await Parley();
    const client = new Client((line) => engine.postMessage(line));
    engine.onmessage = (line) => client.receive(line);
    await client.ask("bestmove", "go movetime 1000");
    console.log(`memory: ${engine.memoryBytes() / 2 ** 20} MB`);
    check("less than 64 MB", engine.memoryBytes() < 64 * 2 ** 20, engine.memoryBytes());
    const refused = await client.ask("info string", "setoption name Hash value 1025", "isready");
    check("a hash beyond the limit", refused.includes("Hash stays at"), refused);
    engine.postMessage("quit");
}

const client = await startHere();
for (const [name, test] of Object.entries(tests)) {
    console.log(name);
    await test(client).catch((error) => check(name, false, error.message));
}
console.log("memory");
await testMemory().catch((error) => check("memory", false, error.message));
console.log("node parley.js");
testProgram();
console.log("a worker of Node.js");
await testNodeWorker().catch((error) => check("a worker of Node.js", false, error.message));
console.log("a worker in Chromium");
await testBrowser().catch((error) => check("a worker in Chromium", false, error.message));
console.log(failures ? `${failures} failures` : "all passed");
process.exit(failures ? 1 : 0);
