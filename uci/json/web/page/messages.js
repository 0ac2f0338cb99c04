// Messages from the server

const handlers = {
    game: onGame,
    promotion_prompt: onPromotionPrompt,
    seat_taken: onSeatTaken,
    seat_left: (message) => { state.ownSeats.delete(message.player); show(); },
    engine_move: onEngineMove,
    hint: onHint,
    explanation: onExplanation,
    analysis: onAnalysis,
    positions: onPositions,
    draw_declined: onDrawDeclined,
    review: onReview,
    failure: onFailure,
};

function onMessage(message) {
    connection.lastMessageAt = Date.now();
    handlers[message.message_type]?.(message);
}

/// The engine may be to move: another page that asked it for that may be gone, or the server restarted.
function onSeatTaken({ player }) {
    state.ownSeats.add(player);
    show();
    requestEngineMove();
}

function onGame(game) {
    const previous = state.game;
    const first = previous?.id !== game.id;
    // What is known of a ply may not fit the game that goes on from an earlier one.
    if (game.played.length < (previous?.played.length ?? 0))
        Object.assign(state, { hint: null, hintAskedAt: null, evaluation: null, engineAskedAt: null, premove: null });
    if (game.fen !== previous?.fen)
        Object.assign(state, { review: null, reviewAsked: false });
    keepPosition(game, previous);
    state.game = game;
    receiveClocks();
    if (state.loadAsked)
        onLoaded();
    if (first)
        openGame(game);
    followRematch(game);
    followOffers(game, previous);
    requestSeats();
    if (state.selected && !maySelect(state.selected))
        state.selected = null;
    if (first || game.end)
        state.premove = null;
    show();
    if (!first && isPresent() && game.played.length === previous.played.length + 1)
        animateLastMove(game);
    const sound = first ? null : soundOf(game, previous);
    if (sound)
        playSound(sound);
    if (!first)
        notify(game, previous);
    playPremove();
    requestEngineMove();
}

function animateLastMove({ last_move: { from, to } }) {
    if (to !== state.droppedOn)
        slidePiece(squareElement(from), squareElement(to));
    state.droppedOn = null;
}

/// Sets the page up for a game that it has not shown before.
function openGame(game) {
    state.id = game.id;
    if (site.currentGame() !== game.id)
        site.enterGame(game.id);
    state.plan = state.plan ?? storage.read(game.id) ?? guestPlan(game);
    requestClocks(game);
    storage.write(game.id, state.plan);
    storage.keepLastGames(game.id);
    state.flipped = state.plan.colour === "black";
    state.focused = state.flipped ? "E7" : "E2";
    buildBoard();
}

/// Someone who opens the link of a game plays the free colour, if there is exactly one.
function guestPlan(game) {
    const colour = game.seats_taken.length === 1 ? otherColour(game.seats_taken[0]) : null;
    return { opponent: "friend", colour, limits: { milliseconds: 1000 }, rematches: game.rematches };
}

/// Takes the engine's seat too, so that nobody else moves for it.
function requestSeats() {
    const { opponent, colour } = state.plan;
    if (state.seatsRequested || !colour)
        return;
    state.seatsRequested = true;
    const players = opponent === "engine" ? [colour, otherColour(colour)] : [colour];
    for (const player of players)
        sendTakeSeat(player);
}

function onReview(message) {
    state.review = message;
    if (message.state === "ready" && state.reviewAsked)
        site.openReview(state.id);
    if (message.state !== "running")
        state.reviewAsked = false;
    show();
}

function reviewText({ state: stage, step, done, total }) {
    if (stage === "failed")
        return say("Parley has too much to do. Ask for the review again later.");
    if (stage === "ready")
        return say("The review is ready.");
    return say(step === "positions" ? "Reviewing the game: position {done} of {total}."
        : "Looking for words: search {done} of {total}.", { done, total });
}

function onFailure({ message }) {
    if (state.loadAsked) {
        element("editor-error").textContent = say("No game can begin with this position.");
        element("loading-error").textContent = say("Parley cannot read that, or it is no game of chess.");
        state.loadAsked = null;
    }
    if (state.reviewAsked) {
        state.reviewAsked = false;
        state.review = { state: "failed" };
    }
    state.promotionChoice = null;
    state.hintAskedAt = null;
    if (state.checking && !element("warning").open)
        playChecked();
    clearPrompt();
    const engineAskedAt = state.engineAskedAt;
    state.engineAskedAt = null;
    if (engineAskedAt !== null)
        setTimeout(requestEngineMove, 1000);
    show();
    if (message.includes("stored"))
        showStatus("Parley cannot store the game now. Try again in a moment.");
}
