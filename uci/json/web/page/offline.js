// The site of the page without a server: `parley serve --offline-copy` writes it for any web server that
// has files. The engine runs in a worker, in WebAssembly, and takes the messages of `parley serve`.
// There is one game at a time; this browser keeps its record, which the engine writes after each change.

const gameId = "offline";
const storageName = "parley offline game";

/// The record of the game; null for a new one.
let record = readRecord();

function readRecord() {
    try {
        return localStorage.getItem(storageName);
    } catch {
        return null;
    }
}

function storeRecord(changed) {
    record = changed;
    try {
        if (record)
            localStorage.setItem(storageName, record);
        else
            localStorage.removeItem(storageName);
    } catch {
        // Storage may be disabled; the game then ends with the page.
    }
}

/// What the page needs of a WebSocket, with the engine at its other end.
class EngineSocket {
    constructor() {
        this.readyState = WebSocket.CONNECTING;
        this.worker = new Worker("parley.js", { name: "game" });
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.fail(event);
        if (record)
            this.worker.postMessage(record);
        setTimeout(() => this.open());
    }
    open() {
        if (this.readyState !== WebSocket.CONNECTING)
            return;
        this.readyState = WebSocket.OPEN;
        this.onopen();
    }
    send(text) {
        this.worker.postMessage(text);
    }
    receive(text) {
        if ("message_type" in JSON.parse(text))
            this.onmessage({ data: text });
        else
            storeRecord(text);
    }
    close() {
        this.end();
        setTimeout(() => this.onclose());
    }
    end() {
        this.readyState = WebSocket.CLOSED;
        this.worker.terminate();
    }
    /// The engine could not be started, and could not be a second time.
    fail(event) {
        this.end();
        document.getElementById("status").textContent =
            event.message?.replace(/^Uncaught (Error: )?/, "") ?? "parley.js cannot be loaded.";
    }
}

globalThis.parleySite = {
    connect: () => new EngineSocket(),
    currentGame: () => (record ? gameId : null),
    enterGame() {},
    leaveGame: () => storeRecord(null),
    isGameGone: async () => false,
    loadsGames: true,
};

// A friend would need a server to play over.
document.querySelector("#opponent [value=friend]").remove();
