/// The name that the user has given, for a colour that the user plays; empty for others.
function ownName(colour) {
    return colour === state.plan.colour && state.ownSeats.has(colour) ? element("name").value.trim() : "";
}

/// The game as PGN: the tags that every reader expects, and the moves.
function pgnOf(game) {
    const results = { white: "1-0", black: "0-1", draw: "1/2-1/2" };
    const result = game.end ? results[game.end.victor] : "*";
    const playerName = (colour) => (isEngineSide(colour) ? "Parley" : ownName(colour) || "?");
    const tags = [["Event", "?"], ["Site", location.host],
                  ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
                  ["Round", "-"], ["White", playerName("white")], ["Black", playerName("black")],
                  ["Result", result]];
    if (game.start_fen)
        tags.push(["SetUp", "1"], ["FEN", game.start_fen]);
    const { moves, number, blackBegins } = moveList(game);
    const words = moves.map((san, index) => {
        const ply = index + (blackBegins ? 1 : 0);
        if (ply % 2 === 0)
            return `${number + ply / 2}. ${san}`;
        return index === 0 ? `${number}... ${san}` : san;
    });
    const lines = [];
    for (const word of [...words, result]) {
        if (lines.length > 0 && lines.at(-1).length + word.length < 80)
            lines[lines.length - 1] += ` ${word}`;
        else
            lines.push(word);
    }
    const quoted = (value) => `"${value.replace(/[\\"]/g, "\\$&")}"`;
    return `${tags.map(([name, value]) => `[${name} ${quoted(value)}]`).join("\n")}\n\n${lines.join("\n")}\n`;
}

/// The moves, the number of the first one, and whether Black makes it.
function moveList({ played, fen, turn }) {
    const blackBegins = (turn === "black") === (played.length % 2 === 0);
    const next = Number(fen.split(" ")[5]);
    const number = next - Math.floor((played.length + (blackBegins ? 1 : 0)) / 2);
    return { moves: played, number, blackBegins };
}

/// The text of a PGN tag; empty without it.
function tagOf(pgn, name) {
    return pgn.match(new RegExp(`^\\s*\\[${name}\\s+"((?:[^"\\\\]|\\\\.)*)"\\]`, "m"))?.[1]
        .replace(/\\(.)/g, "$1") ?? "";
}
