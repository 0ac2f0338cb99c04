// What the browser tests are made of: the program, a way to cut its connections, a browser, and
// a player who clicks.
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
export const slow = Number(process.env.PARLEY_SLOW ?? 1);

/// playwright-core from the build folder, NODE_PATH or the system; undefined when it is nowhere.
function findPlaywright() {
    const require = createRequire(import.meta.url);
    const global = spawnSync("npm", ["root", "-g"], { encoding: "utf8" }).stdout?.trim();
    const paths = [path.join(root, "build"), root, ...(global ? [path.dirname(global)] : [])];
    try {
        return require(require.resolve("playwright-core", { paths }));
    } catch {
        return undefined;
    }
}

function findChromium() {
    const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"];
    return names.filter(Boolean).find((name) => !spawnSync(name, ["--version"]).error);
}

/// A browser without a window; undefined when something is missing for it.
export async function openBrowser() {
    const playwright = findPlaywright();
    const name = findChromium();
    if (!playwright || !name)
        return undefined;
    const found = spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" });
    return playwright.chromium.launch({ executablePath: found.stdout.trim(),
                                        args: ["--no-sandbox", "--disable-gpu"] });
}

/// `parley serve` on a port of its own.
export async function startServer(program) {
    const server = spawn(program, ["serve", "--port", "0", "--bind", "127.0.0.1"],
                         { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    server.stderr.on("data", (data) => { said += data; });
    await until(() => /port \d+/.test(said) || server.exitCode !== null, "the server", 20);
    const port = Number(said.match(/port (\d+)/)?.[1]);
    return { port, end: () => server.kill("SIGTERM"), says: () => said,
             hasEnded: () => server.exitCode !== null };
}

/// Passes connections on to the server, until they are cut.
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
        end() { this.cut(); proxy.close(); },
    };
}

export function check(holds, sentence) {
    if (!holds)
        throw new Error(sentence);
}

/// Waits until something holds; an Error that names it when that takes too long.
export async function until(holds, name, seconds = 30) {
    const deadline = Date.now() + 1000 * seconds * slow;
    while (Date.now() < deadline) {
        if (await holds())
            return;
        await new Promise((resolve) => { setTimeout(resolve, 25); });
    }
    throw new Error(`after ${seconds * slow} s still not: ${name}`);
}

/// A person in front of the page.
export class Player {
    /// Opens an address in a browser of its own, which shares nothing with those of others.
    static async come(browser, address, options = {}) {
        const player = new Player();
        player.context = await browser.newContext({ viewport: { width: 1000, height: 760 },
                                                    ...options });
        player.page = await player.context.newPage();
        player.page.setDefaultTimeout(60_000 * slow);
        player.complaints = [];
        player.says = true;  // when the page asks whether it shall do something
        player.page.on("dialog", (dialog) => (player.says ? dialog.accept() : dialog.dismiss()));
        player.page.on("pageerror", (error) => player.complaints.push(error.message));
        player.page.on("console", (line) => {
            if (line.type() === "error")
                player.complaints.push(line.text());
        });
        await player.page.goto(address);
        return player;
    }

    async leave() {
        await this.context.close();
    }

    square(name) {
        return this.page.locator(`[data-square="${name}"]`);
    }

    async click(...squares) {
        for (const name of squares)
            await this.square(name).click();
    }

    pieceOn(name) {
        return this.square(name).getAttribute("data-piece");
    }

    async sees(piece, square) {
        await until(async () => await this.pieceOn(square) === piece, `${piece} on ${square}`);
    }

    text(id) {
        return this.page.locator(`#${id}`).innerText();
    }

    async reads(id, wanted, seconds = 30) {
        let text = "";
        try {
            await until(async () => wanted.test(text = await this.text(id)), "", seconds);
        } catch {
            throw new Error(`#${id} says "${text}", not ${wanted}`);
        }
    }

    /// The moves played, in SAN.
    moves() {
        return this.page.locator("#moves span").allInnerTexts();
    }

    async marked(mark) {
        const squares = await this.page.locator(`.square.${mark}`).all();
        const names = await Promise.all(squares.map((one) => one.getAttribute("data-square")));
        return names.sort();
    }

    async begin(opponent, colour, strength) {
        await this.page.locator("#opponent").selectOption(opponent);
        await this.page.locator("#colour").selectOption(colour);
        if (strength)
            await this.page.locator("#strength").selectOption(strength);
        const before = this.address();
        await this.page.locator("#begin").click();
        await until(() => this.game() && this.address() !== before, "a new game");
        await this.reads("status", /./);
    }

    address() {
        return this.page.url();
    }

    game() {
        return this.address().match(/\/game\/([0-9a-f]{32})$/)?.[1];
    }
}
