// The site of the page without a server: `parley serve --offline-copy` writes it for any web server that
// has files. The engine runs in a worker, in WebAssembly, and takes the messages of `parley serve`.
// There is one game at a time; its moves are kept in this browser.

const gameId = "offline";
const storageName = "parley offline moves";
const pieces = { Q: "queen", R: "rook", B: "bishop", N: "knight" };

/// The moves of the game, each as the messages that make it.
let moves = readMoves();

function readMoves() {
    try {
        const stored = JSON.parse(localStorage.getItem(storageName));
        return Array.isArray(stored) ? stored : [];
    } catch {
        return [];
    }
}

function storeMoves(changed) {
    moves = changed;
    try {
        localStorage.setItem(storageName, JSON.stringify(moves));
    } catch {
        // Storage may be disabled; the game then ends with the page.
    }
}

function messagesOf({ from, to }, san) {
    const move = { message_type: "peice move", from, to };
    const promotion = san.match(/=([QRBN])/);
    return promotion
        ? [move, { message_type: "piece_promotion_choice", piece_choice: pieces[promotion[1]] }]
        : [move];
}

function storeGame({ played, last_move: last }) {
    if (played.length < moves.length)
        storeMoves(moves.slice(0, played.length));
    else if (played.length === moves.length + 1)
        storeMoves([...moves, messagesOf(last, played.at(-1))]);
}

/// What the page needs of a WebSocket, with the engine at its other end.
class EngineSocket {
    constructor() {
        this.readyState = WebSocket.CONNECTING;
        this.worker = new Worker("parley.js", { name: "game" });
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.fail(event);
        for (const message of moves.flat())
            this.worker.postMessage(JSON.stringify(message));
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
        const message = JSON.parse(text);
        if (message.message_type === "game")
            storeGame(message);
        this.onmessage({ data: text });
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
    currentGame: () => (moves.length > 0 ? gameId : null),
    enterGame() {},
    leaveGame: () => storeMoves([]),
    isGameGone: async () => false,
};

// A friend would need a server to play over, and clocks one that keeps them.
document.querySelector("#opponent [value=friend]").remove();
const time = document.getElementById("time");
time.closest("label").hidden = true;
time.replaceChildren(time.options[0]);
