// Beside the board

function showStatus(text) {
    element("status").textContent = text;
}

function statusText(game) {
    const review = state.review ? reviewText(state.review) : "";
    if (game.end)
        return `${endText(game.end)} ${review}`.trim();
    if (review && isConnected())
        return review;
    if (state.viewed !== null && isConnected()) {
        const isOurTurn = !game.thinking && state.ownSeats.has(game.turn) && !isEngineSide(game.turn);
        const present = isOurTurn ? " It is your move." : "";
        return `Looking back: ply ${state.viewed} of ${game.played.length}.${present}`;
    }
    if (!isConnected())
        return "Waiting for the connection.";
    if (game.thinking)
        return "Parley is thinking.";
    const check = game.check ? " Check!" : "";
    const hint = currentHint();
    if (hint)
        return `Parley would play ${hint.from.toLowerCase()} to ${hint.to.toLowerCase()}.`;
    if (canMove() && state.ownSeats.size > 0)
        return `Your move.${check}`;
    const againstFriend = state.plan?.opponent === "friend";
    if (againstFriend && state.ownSeats.size === 1 && game.seats_taken.length < 2)
        return "Waiting for your friend.";
    return `${nameOf(game.turn)} to move.${check}`;
}

function endText(end) {
    const reason = end.reason.replaceAll("_", " ");
    return end.victor === "draw" ? `A draw: ${reason}.` : `${nameOf(end.victor)} wins: ${reason}.`;
}

function playerText(colour) {
    const game = state.game;
    if (isEngineSide(colour) && state.ownSeats.has(colour))
        return `${nameOf(colour)}: Parley`;
    if (state.ownSeats.has(colour))
        return `${nameOf(colour)}: you`;
    if (!game.seats_taken.includes(colour))
        return `${nameOf(colour)}: free`;
    return `${nameOf(colour)}: ${state.ownSeats.size > 0 ? "your friend" : "taken"}`;
}

function showPlayer(place, colour) {
    const game = state.game;
    const line = element(place);
    line.replaceChildren(playerText(colour));
    line.classList.toggle("moves", game.turn === colour && !game.end);
    const ours = state.ownSeats.has(colour);
    const free = !game.seats_taken.includes(colour);
    if (state.plan.opponent === "engine" || !(ours || free))
        return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = ours ? "Leave" : `Play ${nameOf(colour)}`;
    button.onclick = () => (ours ? leaveSeats() : takeSeat(colour));
    line.append(button);
}

function takeSeat(player) {
    state.plan = { ...state.plan, opponent: "friend", colour: player };
    storage.write(state.id, state.plan);
    send({ message_type: "take_seat", player, key: playerKey });
}

function leaveSeats() {
    state.plan = { ...state.plan, colour: null };
    storage.write(state.id, state.plan);
    for (const player of state.ownSeats)
        send({ message_type: "leave_seat", player });
}

function showMoves() {
    const { moves, number, blackBegins } = moveList(state.game);
    const line = blackBegins ? ["...", ...moves] : moves;
    const list = element("moves");
    list.start = Math.max(1, number);
    const items = [];
    for (let i = 0; i < line.length; i += 2) {
        const item = document.createElement("li");
        for (const [index, text] of line.slice(i, i + 2).entries())
            item.append(moveElement(text, i + index + (blackBegins ? 0 : 1)), " ");
        items.push(item);
    }
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...items);
    const current = list.querySelector("[aria-current]");
    if (hadFocus)
        (current ?? list).focus({ preventScroll: true });
    if (state.viewed === null)
        list.scrollTop = list.scrollHeight;
    else if (current)
        list.scrollTop = current.offsetTop - list.clientHeight / 2;
    element("first").disabled = element("back").disabled = viewedPly() === 0;
    element("forward").disabled = element("last").disabled = state.viewed === null;
}

/// A move of the list; the position after it is shown by a click.
function moveElement(text, ply) {
    if (text === "...") {
        const gap = document.createElement("span");
        gap.textContent = text;
        return gap;
    }
    const move = document.createElement("button");
    move.type = "button";
    move.className = "move";
    move.textContent = text;
    const isCurrent = ply === viewedPly();
    move.tabIndex = isCurrent ? 0 : -1;
    if (isCurrent)
        move.setAttribute("aria-current", "step");
    move.onclick = () => view(ply);
    return move;
}

function showOpening({ opening }) {
    element("opening").hidden = !opening;
    element("opening").textContent = opening ? `${opening.eco} ${opening.name}` : "";
}

function setEvaluation(evaluation) {
    state.evaluation = evaluation;
    showEvaluation();
}

function scoreText(score) {
    if ("mate_in" in score)
        return `${score.mate_in < 0 ? "-" : ""}M${Math.abs(score.mate_in)}`;
    return `${score.centipawns >= 0 ? "+" : "-"}${(Math.abs(score.centipawns) / 100).toFixed(2)}`;
}

/// White's share of the evaluation bar in percent.
function whitePercentage(score) {
    if ("mate_in" in score)
        return score.mate_in > 0 ? 100 : 0;
    return 100 / (1 + Math.exp(-0.004 * score.centipawns));
}

function showEvaluation() {
    const bar = element("evaluation");
    const evaluation = element("analysis").checked ? state.evaluation : null;
    bar.classList.toggle("known", Boolean(evaluation));
    const line = element("line");
    line.hidden = !element("analysis").checked;
    if (!evaluation) {
        line.textContent = "";
        bar.setAttribute("aria-label", "no evaluation");
        return;
    }
    bar.style.setProperty("--white", `${whitePercentage(evaluation.score)}%`);
    bar.setAttribute("aria-label", `evaluation ${scoreText(evaluation.score)}`);
    bar.title = scoreText(evaluation.score);
    if (evaluation.line) {
        const { score, depth, line: moves } = evaluation;
        line.textContent = `${scoreText(score)}, depth ${depth}: ${moves.join(" ")}`;
    }
}

function show() {
    const game = state.game;
    if (!game)
        return;
    showBoard();
    showPlayer("upper", state.flipped ? "white" : "black");
    showPlayer("lower", state.flipped ? "black" : "white");
    showClocks();
    showOffers();
    showMoves();
    showEvaluation();
    showStatus(statusText(game));
    showOpening(game);
    document.title = canMove() && state.ownSeats.size > 0 ? "Your move - Parley" : "Parley";
    element("copy-pgn").disabled = element("copy-fen").disabled = false;
    const plays = state.ownSeats.size > 0;
    const againstFriend = state.plan?.opponent === "friend";
    element("share").hidden = !(againstFriend && plays && game.seats_taken.length < 2);
    element("link").value = location.href;
    element("resign").disabled =
        Boolean(game.end) || !plays || game.thinking || !isConnected();
    element("take-back").disabled = pliesToTakeBack() === 0;
    element("hint").disabled = !canMove();
    const analyses = againstFriend && isOnlyPlayer() && !game.promoting;
    element("review").hidden =
        !(game.end || analyses) || game.played.length === 0 || !site.openReview;
    element("load").hidden = !site.loadsGames;
    element("load").disabled =
        !isConnected() || game.thinking || Boolean(game.promoting) || !isOnlyPlayer();
    element("review").disabled = !isConnected() || state.reviewAsked;
    element("rematch").hidden = !game.end || (!plays && game.seats_taken.length > 0);
    if (game.promoting && canActFor(game.turn) && isConnected())
        onPromotionPrompt();
    else
        closeStalePrompt();
}
