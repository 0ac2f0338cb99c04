// Which position the board shows: the present one, one of the past, or one of a line of the analysis.

const isPresent = () => state.viewed === null && !state.variation;
const viewedPly = () => state.viewed ?? state.game.played.length;

function viewedPosition() {
    const { variation } = state;
    if (variation)
        return variation.positions[variation.at];
    return state.viewed === null ? state.game : state.positions[state.viewed];
}

/// Adds the present position to those of the past, if the game has gone on from them.
function keepPosition(game, previous) {
    const goesOn = previous?.id === game.id && previous.start_fen === game.start_fen
        && game.played.length >= previous.played.length
        && previous.played.every((san, ply) => san === game.played[ply]);
    if (!goesOn)
        Object.assign(state, { positions: [], viewed: null, variation: null, wanted: null });
    state.positions[game.played.length] = { fen: game.fen, last_move: game.last_move };
}

function onPositions({ from, line, positions }) {
    if (line !== undefined) {
        onLinePositions({ from, line, positions });
        return;
    }
    positions.forEach((position, index) => { state.positions[from + index] = position; });
    if (typeof state.wanted === "number")
        view(state.wanted);
}

/// Shows the position after so many plies; the server is asked for what the page has not seen.
function view(ply) {
    const last = state.game.played.length;
    const wanted = Math.min(Math.max(ply, 0), last);
    const isKnown = wanted === last || Boolean(state.positions[wanted]);
    state.wanted = isKnown ? null : wanted;
    if (!isKnown) {
        send({ message_type: "get_positions", from: Math.max(0, wanted - 200) });
        return;
    }
    leavePresent({ viewed: wanted === last ? null : wanted, variation: null });
}

/// Shows the position after so many moves of a line, given in SAN, that begins after `from` plies. The
/// server knows the positions.
function viewLine(from, moves, count) {
    const line = moves.join(" ");
    state.wanted = { from, line, count };
    send({ message_type: "get_positions", from, line });
}

function onLinePositions({ from, line, positions }) {
    const { wanted } = state;
    if (wanted?.line !== line || wanted.from !== from)
        return;
    state.wanted = null;
    leavePresent({ viewed: null, variation: { from, line, positions, at: wanted.count } });
    // On a phone the lines are far below the board.
    element("board").scrollIntoView({ block: "nearest" });
}

function leavePresent(shown) {
    Object.assign(state, shown, { selected: null });
    if (!isPresent())
        state.premove = null;
    show();
}

/// Shows a position before or behind the one that is shown. A line ends at both of its ends.
function step(count) {
    const { variation } = state;
    if (!variation) {
        view(viewedPly() + count);
        return;
    }
    const at = variation.at + count;
    if (at < 1) {
        view(variation.from);
    } else if (at < variation.positions.length) {
        variation.at = at;
        show();
    }
}

/// Steps through the moves, unless the keys have a meaning where the focus is.
function onKey(event) {
    const steps = { ArrowLeft: () => step(-1), ArrowRight: () => step(1),
                    Home: () => view(0), End: () => view(Infinity), Escape: leaveLine };
    if (!state.game || !steps[event.key] || event.ctrlKey || event.altKey || event.metaKey
        || event.target.closest("#board, select, input, textarea, dialog"))
        return;
    event.preventDefault();
    steps[event.key]();
}

function leaveLine() {
    if (state.variation)
        view(Infinity);
}

function showSteps() {
    const { variation } = state;
    const isFirst = !variation && viewedPly() === 0;
    const isLast = variation ? variation.at === variation.positions.length - 1 : state.viewed === null;
    element("first").disabled = element("back").disabled = isFirst;
    element("forward").disabled = isLast;
    element("last").disabled = isPresent();
}

/// What the status says of a position that is not the present one.
function viewText() {
    const { variation, viewed } = state;
    if (variation) {
        const { from, line, positions, at } = variation;
        const move = moveNumber(from, at - 1, true) + saySan(line.split(" ")[at - 1]);
        return say("Line: {move} ({at} of {count}).", { move, at, count: positions.length - 1 });
    }
    const { game } = state;
    return joined(say("Looking back: ply {ply} of {count}.", { ply: viewed, count: game.played.length }),
                  isUserTurn(game) && say("It is your move."));
}

function startViews() {
    element("first").addEventListener("click", () => view(0));
    element("back").addEventListener("click", () => step(-1));
    element("forward").addEventListener("click", () => step(1));
    element("last").addEventListener("click", () => view(Infinity));
    document.addEventListener("keydown", onKey);
}
