// Moves made in advance, while the opponent thinks. The page knows no rules: it takes what the piece could
// do on an empty board, and what the server says to be legal decides when it is our turn.

/// The colour that may move in advance now, or null: only who plays, and sees the present position.
function premoveColour() {
    const { game } = state;
    if (!game || game.end || !isConnected() || !isPresent())
        return null;
    const colour = otherColour(game.turn);
    return isOurs(colour) && !isOurs(game.turn) ? colour : null;
}

function mayPremoveFrom(square) {
    const colour = premoveColour();
    const piece = colour && pieceOn(square);
    return Boolean(piece) && colourOf(piece) === colour;
}

/// Whether a piece could go there on an empty board, or capture there; castling is the king's move.
function couldReach(piece, from, to) {
    const right = files.indexOf(to[0]) - files.indexOf(from[0]);
    const ahead = (Number(to[1]) - Number(from[1])) * (colourOf(piece) === "white" ? 1 : -1);
    const [x, y] = [Math.abs(right), Math.abs(ahead)];
    const isStraight = (x === 0) !== (y === 0);
    const isDiagonal = x === y && x > 0;
    const [first, second] = colourOf(piece) === "white" ? ["1", "2"] : ["8", "7"];
    return {
        p: (ahead === 1 && x <= 1) || (ahead === 2 && x === 0 && from[1] === second),
        n: x * y === 2,
        b: isDiagonal,
        r: isStraight,
        q: isStraight || isDiagonal,
        k: Math.max(x, y) === 1 || (y === 0 && x > 0 && from[1] === first && "CG".includes(to[0])),
    }[piece.toLowerCase()];
}

function premoveTargets(from) {
    return mayPremoveFrom(from) ? squaresInOrder().flat().filter((to) => couldReach(pieceOn(from), from, to)) : [];
}

/// A click on a square while the opponent is to move.
function activatePremove(square) {
    if (state.selected && premoveTargets(state.selected).includes(square)) {
        premove(state.selected, square);
        return;
    }
    const isSelected = state.selected === square;
    cancelPremove();
    state.selected = !isSelected && mayPremoveFrom(square) ? square : null;
    showBoard();
}

async function premove(from, to) {
    const { game } = state;
    const piece = pieceOn(from);
    Object.assign(state, { selected: null, premove: null });
    show();
    const promotes = isPromotion(from, to);
    const choice = promotes ? await choosePiece(colourOf(piece), to, true) : null;
    const isSameGame = state.game?.id === game.id && state.game.played.length >= game.played.length;
    if ((promotes && !choice) || !isSameGame || !isPresent() || state.game.end)
        return;
    state.premove = { from, to, choice, piece };
    playPremove();
    show();
}

/// Makes the move that was made in advance, if it is our turn; if it is not legal it is dropped.
function playPremove() {
    const { game, premove: planned } = state;
    if (!planned || !canMove())
        return;
    const isLegal = pieceOn(planned.from) === planned.piece
        && (game.moves[planned.from] ?? []).includes(planned.to);
    state.premove = null;
    if (isLegal)
        makeMove(planned);
    else
        state.premoveDroppedAt = game.played.length;
    show();
}

function cancelPremove() {
    if (!state.premove)
        return;
    state.premove = null;
    show();
}

function premoveText() {
    const { game, premove: planned } = state;
    if (planned) {
        return say("Pre-move: {from} to {to}.",
                   { from: planned.from.toLowerCase(), to: planned.to.toLowerCase() });
    }
    return state.premoveDroppedAt === game.played.length ? say("The pre-move was not possible.") : "";
}

/// Escape, a right click, and a click beside the board give up a move made in advance.
function startPremoves() {
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape")
            cancelPremove();
    });
    element("board").addEventListener("contextmenu", (event) => {
        if (!state.premove)
            return;
        event.preventDefault();
        cancelPremove();
    });
    document.addEventListener("click", (event) => {
        if (!event.target.closest("button, select, input, label, dialog, a"))
            cancelPremove();
    });
}
