// What the user may do now, moves and promotions.

function canActFor(colour) {
    const noneTaken = state.game.seats_taken.length === 0;
    return noneTaken || state.ownSeats.has(colour);
}

function isEngineSide(colour) {
    return state.plan?.opponent === "engine" && colour !== state.plan.colour;
}

/// Whether the user may move now.
function canMove() {
    const game = state.game;
    return Boolean(game) && isConnected() && isPresent() && !game.end && !game.thinking
        && !game.promoting && !currentCheck() && canActFor(game.turn) && !isEngineSide(game.turn);
}

/// Whether the piece on a square can be chosen, for a move now or in advance.
function maySelect(square) {
    return canMove() ? Boolean(state.game.moves[square]) : mayPremoveFrom(square);
}

/// Whether nobody else plays in this game.
function isOnlyPlayer() {
    return state.game.seats_taken.every((colour) => state.ownSeats.has(colour));
}

/// How many plies "Take back" takes back: up to the user's last move, with the engine's answer. 0: it
/// is not possible.
function pliesToTakeBack() {
    const { game } = state;
    if (!isConnected() || game.thinking || game.promoting || !isOnlyPlayer())
        return 0;
    const withEngine = state.plan?.opponent === "engine" && game.turn === state.plan.colour;
    const plies = withEngine ? 2 : 1;
    return game.played.length >= plies ? plies : 0;
}

function requestEngineMove() {
    const game = state.game;
    const due = game && !game.end && !game.thinking && !game.promoting && isEngineSide(game.turn)
        && state.ownSeats.has(game.turn) && state.engineAskedAt !== game.played.length;
    if (!due)
        return;
    state.engineAskedAt = game.played.length;
    send({ message_type: "engine_move", player: game.turn, ...engineLimits() });
}

function pieceOn(square) {
    return piecesOf(state.game.fen)[square];
}

function isPromotion(from, to) {
    return pieceOn(from)?.toLowerCase() === "p" && (to[1] === "8" || to[1] === "1");
}

async function move(from, to) {
    state.selected = null;
    state.hint = null;
    show();
    const promotes = isPromotion(from, to);
    const choice = promotes ? await choosePiece(state.game.turn, to, true) : null;
    if (promotes && !choice)
        return;
    makeMove({ from, to, choice });
}

function makeMove({ from, to, choice }) {
    if (warns())
        checkMove({ from, to, choice });
    else
        sendMove({ from, to, choice });
}

function sendMove({ from, to, choice }) {
    state.promotionChoice = choice;
    send({ message_type: "peice move", from, to });
}

/// The server asks for the promotion choice, which usually has been made before.
async function onPromotionPrompt() {
    if (state.promptedAt === state.game.played.length)
        return;
    state.promptedAt = state.game.played.length;
    const { turn, promoting } = state.game;
    const promotionChoice = state.promotionChoice ?? await choosePiece(turn, promoting?.to, false);
    state.promotionChoice = null;
    if (promotionChoice) {
        send({ message_type: "piece_promotion_choice", piece_choice: promotionChoice });
    } else if (state.promptedAt !== null) {
        // Browsers let users close any dialog, but the game needs an answer: ask again.
        state.promptedAt = null;
        show();
    }
}

/// Allows the next prompt, unless the dialog is still open.
function clearPrompt() {
    if (!element("promotion").open)
        state.promptedAt = null;
}

/// Closes the dialog when another page has made the choice.
function closeStalePrompt() {
    if (state.promptedAt !== null && state.promptedAt !== state.game.played.length) {
        state.promptedAt = null;
        element("promotion").close();
    }
}
