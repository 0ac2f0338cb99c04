// How the engine is started, around the module that Emscripten makes (--extern-post-js): as a worker,
// as a program of Node.js, or by whoever calls the factory.

const isNode = typeof process === "object" && process.versions && process.versions.node
    && typeof require === "function";

// A program with one SIMD instruction.
const simdProgram = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1,
                                    8, 0, 65, 0, 253, 15, 253, 98, 11]);

/// Starts an engine. Resolves to {postMessage(line), onmessage, onexit, memoryBytes()}: the engine
/// calls onmessage(line) for each line, and onexit() after "quit".
function Parley(options) {
    if (!WebAssembly.validate(simdProgram)) {
        return Promise.reject(new Error("Parley needs WebAssembly with SIMD: Chrome 91, Firefox 89, Safari 16.4, "
                                        + "Node.js 16.4 or later, on a processor with SSE4.1 or NEON"));
    }
    const engine = { onmessage: null, onexit: null };
    const module = Object.assign({}, options, {
        writeLine: (text) => {
            for (const line of text.split("\n")) {
                if (engine.onmessage)
                    engine.onmessage(line);
            }
        },
        ended: () => { if (engine.onexit) engine.onexit(); },
    });
    // Emscripten would use fetch(), which takes no file names in Node.js.
    if (isNode && !module.wasmBinary)
        module.wasmBinary = require("fs").readFileSync(require("path").join(__dirname, "parley.wasm"));
    return createParleyModule(module).then((started) => {
        engine.postMessage = started.postMessage;
        engine.endInput = started.endInput;
        engine.memoryBytes = () => started.HEAPU8.length;
        return engine;
    });
}

{
    /// Starts an engine at once; lines that come before it has started wait.
    const start = (options, write, exit) => {
        const engine = Parley(options).then((started) => {
            started.onmessage = write;
            started.onexit = exit;
            return started;
        });
        return {
            started: engine,
            postMessage: (text) => engine.then((started) => started.postMessage(text)),
            endInput: () => engine.then((started) => started.endInput()),
        };
    };

    const runInWorker = (scope, close) => {
        // A worker with this name plays the games of Parley's page.
        const options = scope.name === "game" ? { arguments: ["game"] } : {};
        const engine = start(options, (line) => scope.postMessage(line), close);
        // An error that nobody handles reaches onerror of the worker's owner; a rejected promise does not.
        engine.started.catch((error) => setTimeout(() => { throw error; }));
        const receive = (event) => engine.postMessage(event && event.data !== undefined ? event.data : event);
        if (scope.on)
            scope.on("message", receive);
        else
            scope.onmessage = receive;
    };

    /// `node parley.js` is UCI on standard input and output; `node parley.js go depth 12` one command,
    /// and `node parley.js "position startpos" "go depth 12"` several.
    const runInNode = () => {
        const words = process.argv.slice(2);
        const commands = words.some((word) => word.includes(" ")) ? words : [words.join(" ")];
        const engine = start({ arguments: words.length > 0 ? ["sequential"] : [] },
                             (line) => process.stdout.write(line + "\n"),
                             () => process.stdout.write("", () => process.exit(0)));
        if (words.length > 0) {
            engine.postMessage(commands.join("\n"));
            engine.endInput();
            return;
        }
        let rest = "";
        process.stdin.setEncoding("utf8");
        process.stdin.on("data", (text) => {
            const end = (rest + text).lastIndexOf("\n");
            if (end >= 0)
                engine.postMessage((rest + text).slice(0, end));
            rest = (rest + text).slice(end + 1);
        });
        process.stdin.on("end", () => {
            if (rest)
                engine.postMessage(rest);
            engine.endInput();
        });
    };

    if (isNode) {
        const threads = require("worker_threads");
        Parley.runInNode = runInNode;
        if (require.main === module && threads.isMainThread)
            runInNode();
        else if (require.main === module)
            runInWorker(threads.parentPort, () => process.exit(0));
    } else if (typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope) {
        runInWorker(self, () => self.close());
    }
    if (typeof module === "object" && module.exports)
        module.exports = Parley;
}
