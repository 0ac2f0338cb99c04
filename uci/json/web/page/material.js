// What was captured, and who has more: beside each player.

const values = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const fullArmy = { p: 8, n: 2, b: 2, r: 2, q: 1 };

function countsOf(fen) {
    const counts = { white: {}, black: {} };
    for (const letter of Object.values(piecesOf(fen))) {
        const own = counts[colourOf(letter)];
        own[letter.toLowerCase()] = (own[letter.toLowerCase()] ?? 0) + 1;
    }
    return counts;
}

/// The letters of the pieces that a colour has lost since the start, queens first.
function lostPieces(colour, counts, startFen) {
    const start = startFen ? countsOf(startFen)[colour] : fullArmy;
    const now = counts[colour];
    const missing = Object.fromEntries(["q", "r", "b", "n", "p"].map(
        (letter) => [letter, (start[letter] ?? 0) - (now[letter] ?? 0)]));
    // Promoted pieces are more than there were; each was a pawn.
    for (const letter of ["q", "r", "b", "n"])
        missing.p += Math.min(0, missing[letter]);
    return ["q", "r", "b", "n", "p"].flatMap((letter) => Array(Math.max(0, missing[letter])).fill(letter));
}

function advantage(colour, counts) {
    const sum = (own) => Object.entries(own).reduce(
        (total, [letter, count]) => total + (values[letter] ?? 0) * count, 0);
    return sum(counts[colour]) - sum(counts[otherColour(colour)]);
}

/// What a colour has captured, as small pieces, and its advantage in pawns.
function materialElement(colour) {
    const { fen } = viewedPosition();
    const counts = countsOf(fen);
    const other = otherColour(colour);
    const lost = lostPieces(other, counts, state.game.start_fen);
    const place = document.createElement("span");
    place.className = "material";
    if (lost.length > 0) {
        const names = lost.map((letter) => say(`${other} ${pieceNames[letter]}`)).join(", ");
        place.setAttribute("role", "img");
        place.setAttribute("aria-label", say("captured: {pieces}", { pieces: names }));
    }
    place.append(...lost.map((letter) => drawPiece(other === "white" ? letter.toUpperCase() : letter)));
    const more = advantage(colour, counts);
    return more > 0 ? [place, `+${more}`] : [place];
}
