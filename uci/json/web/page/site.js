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
    hasFriends: true,
    loadsGames: true,
    openReview(id) {
        location.assign(`/game/${id}/review`);
    },
};

// localStorage: the key with which this browser takes seats, and for each of the last games who plays it.

const maxStoredGames = 50;

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
    /// Makes a game the last one, and forgets those before the last ones. Games that earlier versions have
    /// stored are in no list, and count as the oldest.
    keepLastGames(id) {
        const list = this.read("games");
        const listed = Array.isArray(list) ? list.filter((one) => one !== id) : [];
        const unlisted = this.storedGames().filter((one) => one !== id && !listed.includes(one));
        const games = [...unlisted, ...listed, id];
        for (const forgotten of games.slice(0, -maxStoredGames))
            this.remove(forgotten);
        this.write("games", games.slice(-maxStoredGames));
    },
    storedGames() {
        try {
            return Object.keys(localStorage)
                .map((name) => name.match(/^parley ([0-9a-f]{32})$/)?.[1])
                .filter(Boolean);
        } catch {
            return [];
        }
    },
    remove(name) {
        try {
            localStorage.removeItem(`parley ${name}`);
        } catch {
            // As for write().
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
