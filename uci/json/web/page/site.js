// Where the games are, and what this browser keeps of them.

// How the page reaches its games, and their addresses. offline.js has a site without a server.
const site = globalThis.parleySite ?? {
    connect(id) {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        return new WebSocket(`${scheme}://${location.host}${id ? `/game/${id}` : "/socket"}`);
    },
    currentGame() {
        const found = location.pathname.match(/^\/game\/([0-9a-f]{32})$/);
        return found ? found[1] : null;
    },
    enterGame(id) {
        history.replaceState(null, "", `/game/${id}`);
    },
    leaveGame() {
        history.pushState(null, "", "/");
    },
    async isGameGone(id) {
        return Boolean(id) && (await fetch(`/game/${id}`, { method: "HEAD" })).status === 404;
    },
    loadsGames: true,
    openReview(id) {
        location.assign(`/game/${id}/review`);
    },
};

// localStorage: the key with which this browser takes seats, and for each game who plays it.

const storage = {
    read(name) {
        try {
            return JSON.parse(localStorage.getItem(`parley ${name}`));
        } catch {
            return null;
        }
    },
    write(name, value) {
        try {
            localStorage.setItem(`parley ${name}`, JSON.stringify(value));
        } catch {
            // Storage may be disabled; the game works without it as long as the page is open.
        }
    },
};

function loadPlayerKey() {
    let key = storage.read("key");
    if (!key) {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        storage.write("key", key);
    }
    return key;
}
