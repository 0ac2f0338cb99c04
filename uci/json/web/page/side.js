// Beside the board

function showStatus(text) {
    element("status").textContent = text;
}

const joined = (...sentences) => sentences.filter(Boolean).join(" ");

function statusText(game) {
    const review = state.review ? reviewText(state.review) : "";
    if (game.end)
        return joined(outcomeText(game.end), endText(game.end), review);
    if (review && isConnected())
        return review;
    if (!isPresent() && isConnected())
        return viewText();
    if (!isConnected())
        return say("Waiting for the connection.");
    if (game.thinking)
        return joined(say("Parley is thinking."), premoveText());
    if (currentCheck())
        return say("Parley checks your move.");
    if (isHintAwaited())
        return say("Parley is searching for a move.");
    const check = game.check && say("Check!");
    const hint = currentHint();
    if (hint)
        return hintText(hint);
    if (canMove() && state.ownSeats.size > 0)
        return joined(say("Your move."), check, premoveText());
    const againstFriend = state.plan?.opponent === "friend";
    if (againstFriend && state.ownSeats.size === 1 && game.seats_taken.length < 2)
        return joined(say("Waiting for your friend."), premoveText());
    const turn = say(game.turn === "white" ? "White to move." : "Black to move.");
    const isWatching = state.ownSeats.size === 0 && game.seats_taken.length === 2;
    return joined(isWatching && say("You are watching."), turn, check, premoveText());
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
    const name = givenName(colour);
    if (state.ownSeats.has(colour))
        return name ? say("{side}: {name} (you)", { side, name }) : say("{side}: you", { side });
    if (name)
        return `${side}: ${name}`;
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
    if (state.plan.opponent === "engine" || !(ours || free) || !site.hasFriends)
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
    sendTakeSeat(player);
}

/// Takes a seat, or tells the name of the user, who has it. The engine's seat has no name.
function sendTakeSeat(player) {
    const name = player === state.plan.colour ? shortened(element("name").value.trim(), 60) : "";
    send({ message_type: "take_seat", player, key: playerKey, ...(name ? { name } : {}) });
}

function renameSeats() {
    state.ownSeats.forEach(sendTakeSeat);
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
    if (isPresent())
        list.scrollTop = list.scrollHeight;
    else if (current)
        list.scrollTop = current.offsetTop - list.clientHeight / 2;
    showSteps();
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
    const isCurrent = ply === viewedPly() && !state.variation;
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
    showTitle(game);
    element("copy-pgn").disabled = element("copy-fen").disabled = false;
    const plays = state.ownSeats.size > 0;
    const againstFriend = state.plan?.opponent === "friend";
    element("share").hidden = !(againstFriend && plays && game.seats_taken.length < 2);
    element("link").value = location.href;
    element("resign").disabled = Boolean(game.end) || !plays || !isConnected();
    element("move-now").hidden = Boolean(game.end) || state.plan.opponent !== "engine" || !plays;
    element("move-now").disabled = !isConnected() || !game.thinking || !state.ownSeats.has(game.turn);
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
