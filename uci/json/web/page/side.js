// Beside the board

function showStatus(text) {
    element("status").textContent = text;
}

function statusText(game) {
    const review = state.review ? reviewText(state.review) : "";
    if (game.end)
        return [outcomeText(game.end), endText(game.end), review].filter(Boolean).join(" ");
    if (review && isConnected())
        return review;
    if (state.viewed !== null && isConnected()) {
        const isOurTurn = !game.thinking && state.ownSeats.has(game.turn) && !isEngineSide(game.turn);
        const past = say("Looking back: ply {ply} of {count}.",
                         { ply: state.viewed, count: game.played.length });
        return isOurTurn ? `${past} ${say("It is your move.")}` : past;
    }
    if (!isConnected())
        return say("Waiting for the connection.");
    if (game.thinking)
        return say("Parley is thinking.");
    if (currentCheck())
        return say("Parley checks your move.");
    if (isHintAwaited())
        return say("Parley is searching for a move.");
    const check = game.check ? ` ${say("Check!")}` : "";
    const hint = currentHint();
    if (hint)
        return hintText(hint);
    if (canMove() && state.ownSeats.size > 0)
        return `${say("Your move.")}${check}`;
    const againstFriend = state.plan?.opponent === "friend";
    if (againstFriend && state.ownSeats.size === 1 && game.seats_taken.length < 2)
        return say("Waiting for your friend.");
    const turn = say(game.turn === "white" ? "White to move." : "Black to move.");
    const isWatching = state.ownSeats.size === 0 && game.seats_taken.length === 2;
    return `${isWatching ? `${say("You are watching.")} ` : ""}${turn}${check}`;
}

function endText(end) {
    const texts = { draw: "A draw: {reason}.", white: "White wins: {reason}.", black: "Black wins: {reason}." };
    return say(texts[end.victor], { reason: say(end.reason.replaceAll("_", " ")) });
}

/// What the end means for the user, who plays one colour.
function outcomeText({ victor }) {
    const ours = [...state.ownSeats].filter((colour) => !isEngineSide(colour));
    if (ours.length !== 1 || victor === "draw")
        return "";
    return say(victor === ours[0] ? "You won!" : "You lost.");
}

function playerText(colour) {
    const game = state.game;
    const side = say(nameOf(colour));
    if (isEngineSide(colour) && state.ownSeats.has(colour))
        return say("{side}: Parley", { side });
    if (state.ownSeats.has(colour))
        return say("{side}: you", { side });
    if (!game.seats_taken.includes(colour))
        return say("{side}: free", { side });
    return say(state.ownSeats.size > 0 ? "{side}: your friend" : "{side}: taken", { side });
}

function showPlayer(place, colour) {
    const game = state.game;
    const line = element(place);
    line.replaceChildren(playerText(colour), ...materialElement(colour));
    line.classList.toggle("moves", game.turn === colour && !game.end);
    const ours = state.ownSeats.has(colour);
    // Who has a seat leaves it before taking the other one: it waits for the friend.
    const free = !game.seats_taken.includes(colour) && state.ownSeats.size === 0;
    if (state.plan.opponent === "engine" || !(ours || free))
        return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = say(ours ? "Leave" : `Play ${nameOf(colour)}`);
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
    move.textContent = saySan(text);
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
        return say(score.mate_in > 0 ? "mate in {moves} for White" : "mate in {moves} for Black",
                   { moves: Math.abs(score.mate_in) });
    return `${score.centipawns >= 0 ? "+" : "-"}${sayNumber(Math.abs(score.centipawns) / 100, 2)}`;
}

/// White's share of the evaluation bar in percent.
function whitePercentage(score) {
    if ("mate_in" in score)
        return score.mate_in > 0 ? 100 : 0;
    return 100 / (1 + Math.exp(-0.004 * score.centipawns));
}

/// The strength of the engine can be changed during a game.
function showLevel() {
    const { opponent, limits } = state.plan;
    element("level-choice").hidden = opponent !== "engine" || Boolean(state.game.end);
    element("level").value = JSON.stringify(limits);
}

function changeLevel() {
    state.plan = { ...state.plan, limits: JSON.parse(element("level").value) };
    storage.write(state.id, state.plan);
}

function showEvaluation() {
    const bar = element("evaluation");
    const isPast = state.game?.end && state.evaluation?.ply !== state.game.played.length;
    const evaluation = element("analysis").checked && !isPast ? state.evaluation : null;
    bar.classList.toggle("known", Boolean(evaluation));
    const line = element("line");
    line.hidden = !element("analysis").checked;
    if (state.game)
        showArrows();
    if (!evaluation) {
        line.textContent = "";
        bar.setAttribute("aria-label", say("no evaluation"));
        return;
    }
    bar.style.setProperty("--white", `${whitePercentage(evaluation.score)}%`);
    bar.setAttribute("aria-label", say("evaluation {score}", { score: scoreText(evaluation.score) }));
    bar.title = scoreText(evaluation.score);
    if (evaluation.line) {
        const { score, depth, line: moves } = evaluation;
        // A mate that was found stays, however deep the search goes on.
        const isMate = "mate_in" in score;
        line.textContent = say(isMate ? "{score}: {moves}" : "{score}, depth {depth}: {moves}",
                               { score: scoreText(score), depth, moves: saySan(moves.join(" ")) });
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
    showLevel();
    showStatus(statusText(game));
    showOpening(game);
    document.title = canMove() && state.ownSeats.size > 0 ? `${say("Your move")} - Parley` : "Parley";
    element("copy-pgn").disabled = element("copy-fen").disabled = false;
    const plays = state.ownSeats.size > 0;
    const againstFriend = state.plan?.opponent === "friend";
    element("share").hidden = !(againstFriend && plays && game.seats_taken.length < 2);
    element("link").value = location.href;
    // While Parley thinks, the server keeps it until after the move.
    element("resign").disabled = Boolean(game.end) || !plays || !isConnected();
    element("take-back").disabled = pliesToTakeBack() === 0;
    showHintButton();
    showReasons();
    closeStaleWarning();
    const analyses = againstFriend && isOnlyPlayer() && !game.promoting;
    element("review").hidden =
        !(game.end || analyses) || game.played.length === 0 || !site.openReview;
    element("load").hidden = element("set-up").hidden = !site.loadsGames;
    element("load").disabled = element("set-up").disabled =
        !isConnected() || game.thinking || Boolean(game.promoting) || !isOnlyPlayer();
    element("review").disabled = !isConnected() || state.reviewAsked;
    element("rematch").hidden = !game.end || (!plays && game.seats_taken.length > 0);
    if (game.promoting && canActFor(game.turn) && isConnected())
        onPromotionPrompt();
    else
        closeStalePrompt();
}
