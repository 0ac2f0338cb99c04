// Reads each game of a file with chess.js: its moves, comments and headers.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { packageFolder } from "./packages.mjs";

const folder = packageFolder("chess.js");
const { Chess } = await import(pathToFileURL(path.join(folder, "dist", "esm", "chess.js")));

const games = fs.readFileSync(process.argv[2], "utf8").split(/\n\n(?=\[Event )/);
let evaluations = 0;
for (const pgn of games) {
    const chess = new Chess();
    chess.loadPgn(pgn);
    const event = pgn.match(/\[Event "([^"]*)"\]/)[1];
    if (chess.getHeaders().Event !== event)
        throw new Error(`${event}: another header`);
    if (chess.history().length === 0)
        throw new Error(`${event}: no moves`);
    evaluations += chess.getComments().filter(({ comment }) => comment?.includes("[%eval ")).length;
}
if (evaluations === 0)
    throw new Error("no evaluations");
console.log(`${games.length} games, ${evaluations} evaluations`);
