/// The name of a player as the server knows it; empty without one.
function givenName(colour) {
    return state.game.names?.[colour] ?? "";
}

/// The game as PGN: the tags that every reader expects, and the moves.
function pgnOf(game) {
    const results = { white: "1-0", black: "0-1", draw: "1/2-1/2" };
    const result = game.end ? results[game.end.victor] : "*";
    const playerName = (colour) => (isEngineSide(colour) ? "Parley" : givenName(colour) || "?");
    const tags = [["Event", "?"], ["Site", location.host],
                  ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
                  ["Round", "-"], ["White", playerName("white")], ["Black", playerName("black")],
                  ["Result", result]];
    if (timeControlOf(game.clock))
        tags.push(["TimeControl", timeControlOf(game.clock)]);
    if (game.start_fen)
        tags.push(["SetUp", "1"], ["FEN", game.start_fen]);
    const lines = [];
    for (const word of [...movesWithClocks(game), result]) {
        if (lines.length > 0 && lines.at(-1).length + word.length < 80)
            lines[lines.length - 1] += ` ${word}`;
        else
            lines.push(word);
    }
    const quoted = (value) => `"${value.replace(/[\\"]/g, "\\$&")}"`;
    return `${tags.map(([name, value]) => `[${name} ${quoted(value)}]`).join("\n")}\n\n${lines.join("\n")}\n`;
}

/// The moves with their numbers; in a game with clocks each is followed by what its player had left.
function movesWithClocks(game) {
    const { moves, number, blackBegins } = moveList(game);
    const left = game.clock?.left ?? [];
    return moves.map((san, index) => {
        const ply = index + (blackBegins ? 1 : 0);
        const hasNumber = ply % 2 === 0 || index === 0 || left.length > 0;
        const prefix = hasNumber ? `${number + Math.floor(ply / 2)}.${ply % 2 === 0 ? "" : ".."} ` : "";
        return prefix + san + (index < left.length ? ` { [%clk ${clockOfPgn(left[index])}] }` : "");
    });
}

/// Milliseconds as hours, minutes and seconds: 0:04:59.
function clockOfPgn(milliseconds) {
    const seconds = Math.round(milliseconds / 1000);
    const twoDigits = (value) => String(value).padStart(2, "0");
    return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

/// The value of the tag TimeControl: seconds, and more for each move. Empty without clocks, and when the
/// players have different times, which PGN cannot tell.
function timeControlOf(clock) {
    if (!clock || clock.white_base !== clock.black_base || clock.white_increment !== clock.black_increment)
        return "";
    const seconds = (milliseconds) => String(milliseconds / 1000);
    const increment = clock.white_increment > 0 ? `+${seconds(clock.white_increment)}` : "";
    return seconds(clock.white_base) + increment;
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
