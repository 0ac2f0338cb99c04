// Fixtures of the browser tests: the server, a proxy that can cut its connections, a browser, and
// a player who clicks.
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
export const slow = Number(process.env.PARLEY_SLOW ?? 1);

/// The file of a package from the build folder, NODE_PATH or the system; undefined when there is none.
export function findPackage(name) {
    const require = createRequire(import.meta.url);
    const global = spawnSync("npm", ["root", "-g"], { encoding: "utf8" }).stdout?.trim();
    const paths = [path.join(root, "build"), root, ...(global ? [path.dirname(global)] : [])];
    try {
        return require.resolve(name, { paths });
    } catch {
        return undefined;
    }
}

/// playwright-core; undefined when there is none.
function findPlaywright() {
    const file = findPackage("playwright-core");
    return file && createRequire(import.meta.url)(file);
}

function findChromium() {
    const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"];
    return names.filter(Boolean).find((name) => !spawnSync(name, ["--version"]).error);
}

/// A headless browser with more arguments, or the reason why there is none: {browser} or {missing}.
export async function openBrowser(more = []) {
    const playwright = findPlaywright();
    if (!playwright)
        return { missing: "no playwright-core; npm install --prefix build playwright-core" };
    const name = findChromium();
    if (!name)
        return { missing: "no Chromium; on Debian, apt install chromium" };
    const found = spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" });
    const browser = await playwright.chromium.launch({
        executablePath: found.stdout.trim(),
        args: ["--no-sandbox", "--disable-gpu", ...more],
    });
    return { browser };
}

/// `parley serve` on a free port or on a given one, with its games in memory or where that is said, and with
/// more arguments.
export async function startServer(program, store = "memory", wantedPort = 0, more = []) {
    const server = spawn(program, ["serve", "--port", `${wantedPort}`, "--bind", "127.0.0.1",
                                   "--store", store, ...more],
                         { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    server.stderr.on("data", (data) => { log += data; });
    await until(() => /port \d+/.test(log) || server.exitCode !== null, "the server", 20);
    const port = Number(log.match(/port (\d+)/)?.[1]);
    return { port, stop: () => server.kill("SIGTERM"), kill: () => server.kill("SIGKILL"),
             log: () => log,
             hasEnded: () => server.exitCode !== null || server.signalCode !== null };
}

/// Forwards connections to the server, until they are cut.
export async function startProxy(port) {
    const connections = new Set();
    let isCut = false;
    const proxy = net.createServer((client) => {
        if (isCut)
            return client.destroy();
        const server = net.connect(port, "127.0.0.1");
        for (const [one, other] of [[client, server], [server, client]]) {
            connections.add(one);
            one.pipe(other);
            one.on("error", () => other.destroy());
            one.on("close", () => { connections.delete(one); other.destroy(); });
        }
        return undefined;
    });
    await new Promise((resolve) => { proxy.listen(0, "127.0.0.1", resolve); });
    return {
        port: proxy.address().port,
        cut() {
            isCut = true;
            connections.forEach((one) => one.destroy());
        },
        restore() { isCut = false; },
        stop() { this.cut(); proxy.close(); },
    };
}

export function check(condition, failure) {
    if (!condition)
        throw new Error(failure);
}

/// Waits for a condition; throws an Error that names it after the timeout.
export async function until(condition, name, seconds = 30) {
    const deadline = Date.now() + 1000 * seconds * slow;
    while (Date.now() < deadline) {
        if (await condition())
            return;
        await new Promise((resolve) => { setTimeout(resolve, 25); });
    }
    throw new Error(`timeout after ${seconds * slow} s: ${name}`);
}

/// A user of the page.
export class Player {
    /// Opens an address in a browser context of its own, with its own cookies and storage.
    static async open(browser, address, options = {}) {
        const player = new Player();
        player.context = await browser.newContext({ viewport: { width: 1000, height: 760 },
                                                    ...options });
        player.page = await player.context.newPage();
        player.page.setDefaultTimeout(60_000 * slow);
        player.errors = [];
        player.accepts = true;  // what it answers to confirm()
        player.page.on("dialog", (dialog) => (player.accepts ? dialog.accept() : dialog.dismiss()));
        player.page.on("pageerror", (error) => player.errors.push(error.message));
        player.page.on("console", (line) => {
            if (line.type() === "error")
                player.errors.push(line.text());
        });
        await player.page.goto(address);
        return player;
    }

    async close() {
        await this.context.close();
    }

    square(name) {
        return this.page.locator(`[data-square="${name}"]`);
    }

    async click(...squares) {
        for (const name of squares)
            await this.square(name).click();
    }

    /// Presses the mouse on a square and lets it go on another one; null: beside the board.
    async drag(from, to) {
        const centre = async (name) => {
            const { x, y, width, height } = await this.square(name).boundingBox();
            return [x + width / 2, y + height / 2];
        };
        await this.page.mouse.move(...await centre(from));
        await this.page.mouse.down();
        await this.page.mouse.move(...(to ? await centre(to) : [2, 2]), { steps: 4 });
        await this.page.mouse.up();
    }

    /// Clicks a piece as soon as it may move there, and then the target.
    async choose(from, to) {
        await until(async () => {
            await this.click(from);
            return (await this.marked("target")).includes(to);
        }, `${to} as a target of ${from}`);
        await this.click(to);
    }

    /// Moves a piece and waits until it has left its square.
    async move(from, to) {
        await this.choose(from, to);
        await this.waitForPiece("", from);
    }

    pieceOn(name) {
        return this.square(name).getAttribute("data-piece");
    }

    async waitForPiece(piece, square) {
        await until(async () => await this.pieceOn(square) === piece, `${piece} on ${square}`);
    }

    text(id) {
        return this.page.locator(`#${id}`).innerText();
    }

    async waitForText(id, pattern, seconds = 30) {
        let text = "";
        try {
            await until(async () => pattern.test(text = await this.text(id)), "", seconds);
        } catch {
            throw new Error(`#${id} is "${text}", not ${pattern}`);
        }
    }

    /// The moves in the list, in SAN.
    moves() {
        return this.page.locator("#moves .move").allInnerTexts();
    }

    /// The squares with a CSS class.
    async marked(mark) {
        const squares = await this.page.locator(`.square.${mark}`).all();
        const names = await Promise.all(squares.map((one) => one.getAttribute("data-square")));
        return names.sort();
    }

    async startGame(opponent, colour, strength) {
        await this.page.locator("#opponent").selectOption(opponent);
        await this.page.locator("#colour").selectOption(colour);
        if (strength)
            await this.page.locator("#strength").selectOption(strength);
        const before = this.address();
        await this.page.locator("#start").click();
        await until(() => this.game() && this.address() !== before, "a new game");
        await this.waitForText("status", /./);
    }

    /// Gives the user a name, and waits until the server knows it.
    async rename(name) {
        await this.page.locator("#settings-button").click();
        await this.page.locator("#name").fill(name);
        await this.page.locator("#settings button").click();
        await until(async () => (await this.text("lower")).includes(name), `the name ${name}`);
    }

    address() {
        return this.page.url();
    }

    game() {
        return this.address().match(/\/game\/([0-9a-f]{32})$/)?.[1];
    }
}

/// Runs a test, closes the players that it has opened and empties their list. `checkAfter` may find more
/// faults. Null, or why it failed.
export async function failureOf(test, players, checkAfter = () => {}) {
    try {
        await test();
        const errors = players.flatMap((player) => player.errors);
        check(errors.length === 0, `browser errors: ${errors.join("; ")}`);
        checkAfter();
        return null;
    } catch (error) {
        return error.message;
    } finally {
        await Promise.all(players.splice(0).map((player) => player.context.close()));
    }
}

/// Runs the tests whose names match, each by `run`, which gives null or why it failed. Prints a line for
/// each and returns how many failed.
export async function runTests(tests, pattern, run) {
    let failures = 0;
    for (const [name, test] of Object.entries(tests).filter(([one]) => pattern.test(one))) {
        const start = Date.now();
        const failure = await run(test);
        failures += failure === null ? 0 : 1;
        const seconds = ((Date.now() - start) / 1000).toFixed(2);
        console.log(`${failure === null ? "ok  " : "FAIL"} ${seconds.padStart(6)} s  ${name}`);
        if (failure !== null)
            console.log(`       ${failure}`);
    }
    return failures;
}
