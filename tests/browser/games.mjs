// Games that begin after some moves, in a browser that has stored something.
import { Player, check } from "./harness.mjs";

/// Sends messages to a new game of a server; its id.
export async function makeGame(server, moves = [], fen = "") {
    let id = "";
    const messages = [{ message_type: "new_game", ...(fen ? { fen } : {}) },
                      ...moves.map((move) => ({ message_type: "peice move", from: move.slice(0, 2),
                                                to: move.slice(2) }))];
    for (const message of messages) {
        const response = await fetch(`http://127.0.0.1:${server.port}/${id ? `game/${id}` : "message"}`,
                                     { method: "POST", body: JSON.stringify(message) });
        check(response.ok, `${await response.text()} to ${JSON.stringify(message)}`);
        id = response.headers.get("Parley-Game");
    }
    return id;
}

/// Opens a game after some moves, against the engine unless `plan` says otherwise, or an `id`'s. `stored` is
/// what the browser has kept, and `script` runs before those of the page.
export async function openGame({ browser, server, players },
                               { moves, fen, id, stored = {}, plan = {}, script, ...options } = {}) {
    const game = id ?? await makeGame(server, moves, fen);
    const site = `http://127.0.0.1:${server.port}`;
    const kept = { [game]: { opponent: "engine", colour: "white", limits: { depth: 1 }, ...plan }, ...stored };
    const localStorage = Object.entries(kept)
        .map(([name, value]) => ({ name: `parley ${name}`, value: JSON.stringify(value) }));
    const player = await Player.open(browser, "about:blank", {
        locale: "en-US", ...options, storageState: { cookies: [], origins: [{ origin: site, localStorage }] },
    });
    players.push(player);
    if (script)
        await player.page.addInitScript(script);
    await player.page.goto(`${site}/game/${game}`);
    await player.waitForText("status", /[^.]\./);
    return player;
}
