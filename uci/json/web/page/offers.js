// Offers of a draw and rematches.

const offers = {
    declined: null,  // {kind, name}: of the last offer and who declined it, until the game goes on
    drawAt: null,    // our moves at our last offer of a draw: the server takes one for each move
};

function opponentName(colour) {
    return isEngineSide(colour) ? "Parley" : opponentWord(colour);
}

function opponentWord(colour) {
    return givenName(colour) || say(state.ownSeats.size > 0 ? "Your friend" : nameOf(colour));
}

/// The colour for which we offer and answer.
function ownColour() {
    return state.plan.colour ?? [...state.ownSeats][0] ?? "white";
}

/// How many moves we have made.
function ownMoves() {
    const { played, turn } = state.game;
    return Math.floor((played.length + (turn === ownColour() ? 0 : 1)) / 2);
}

/// Who has declined: the message "game" has no offer any more, but the game has not changed.
function followOffers(game, previous) {
    const goesOn = previous?.id === game.id && game.played.length >= previous.played.length;
    if (!goesOn)
        offers.drawAt = null;
    if (!goesOn || game.played.length > previous.played.length)
        offers.declined = null;
    else if (isOurs(previous.draw_offer) && !game.draw_offer && !game.end)
        onDrawDeclined({ player: otherColour(previous.draw_offer) });
    else if (isOurs(previous.rematch_offer) && !game.rematch_offer && game.end)
        offers.declined = { kind: "rematch", name: opponentName(otherColour(previous.rematch_offer)) };
}

function onDrawDeclined({ player }) {
    if (!isOurs(player))
        offers.declined = { kind: "draw", name: opponentName(player) };
    show();
}

/// Whether there is somebody to offer something.
function hasOpponent() {
    const { game } = state;
    const other = otherColour(ownColour());
    return state.ownSeats.size > 0 && (isEngineSide(other) || (game.seats_taken.includes(other)
        && !state.ownSeats.has(other)));
}

/// The offer of a draw or of a rematch that is for us: "draw" or "rematch".
function offerForUs() {
    const { game } = state;
    const isForUs = (colour) => Boolean(colour) && isOurs(otherColour(colour));
    if (isForUs(game.draw_offer))
        return "draw";
    return isForUs(game.rematch_offer) ? "rematch" : null;
}

function offerText() {
    const { game } = state;
    const name = opponentName(otherColour(ownColour()));
    const offer = offerForUs();
    if (offer)
        return say(offer === "draw" ? "{name} offers a draw." : "{name} offers a rematch.", { name });
    if (isOurs(game.draw_offer))
        return say("You offer a draw.");
    if (isOurs(game.rematch_offer))
        return say("You offer a rematch.");
    if (!offers.declined)
        return "";
    return say(offers.declined.kind === "draw" ? "{name} declines the draw." : "{name} declines the rematch.",
               { name: offers.declined.name });
}

function showOffers() {
    const { game } = state;
    const text = offerText();
    const offer = offerForUs();
    element("offer").hidden = !text;
    setText(element("offer-text"), text);
    element("accept").hidden = element("decline").hidden = !offer;
    element("accept").disabled = element("decline").disabled = !isConnected();
    element("draw").disabled = Boolean(game.end) || game.thinking || !isConnected() || !hasOpponent()
        || game.played.length < 2 || Boolean(game.draw_offer) || offers.drawAt === ownMoves();
    element("rematch").disabled = !isConnected() || isOurs(game.rematch_offer)
        || offers.declined?.kind === "rematch";
}

function offerDraw() {
    offers.drawAt = ownMoves();
    const to = isEngineSide(otherColour(ownColour())) ? { to: "engine" } : {};
    send({ message_type: "offer_draw", player: ownColour(), ...to });
}

function answerOffer(answer) {
    const offer = offerForUs();
    if (offer)
        send({ message_type: `${answer}_${offer}`, player: ownColour() });
}

function offerRematch() {
    setEvaluation(null);
    send({ message_type: "offer_rematch", player: ownColour() });
}

/// After a rematch the players have changed colours, here too.
function followRematch(game) {
    const before = state.plan.rematches ?? 0;
    const after = game.rematches ?? 0;
    if (before === after)
        return;
    state.plan = { ...state.plan, rematches: after };
    if ((after - before) % 2 !== 0 && state.plan.colour) {
        state.plan.colour = otherColour(state.plan.colour);
        state.ownSeats = new Set([...state.ownSeats].map(otherColour));
        state.flipped = state.plan.colour === "black";
        state.focused = state.flipped ? "E7" : "E2";
        state.engineAskedAt = null;
        buildBoard();
    }
    storage.write(game.id, state.plan);
}

function startOffers() {
    element("draw").addEventListener("click", offerDraw);
    element("accept").addEventListener("click", () => answerOffer("accept"));
    element("decline").addEventListener("click", () => answerOffer("decline"));
}
