// Hints in three steps, and the warning before a blunder. Both are at full strength, whatever the
// strength of the opponent is.

// Hints: 1 which piece, 2 where it goes, 3 the move and why.

const minHintTime = 1000;
const pieceLetterOf = { knight: "n", bishop: "b", rook: "r", queen: "q" };

/// Asks for a hint, or for more of it.
function askForHint() {
    const hint = currentHint();
    if (!hint) {
        state.hintAskedAt = state.game.played.length;
        // Not less time than a strong opponent has.
        const milliseconds = Math.max(minHintTime, state.plan.limits.milliseconds ?? 0);
        send({ message_type: "hint", milliseconds });
    } else if (hint.step < 3) {
        hint.step += 1;
        if (hint.step === 3)
            explain(hint);
    }
    show();
}

function onHint({ from, to, piece_choice: choice }) {
    state.hint = { from, to, choice, ply: state.game.played.length, step: 1, reasons: null };
    state.hintAskedAt = null;
    show();
}

/// The hint, unless a move was made since.
function currentHint() {
    return state.hint?.ply === state.game.played.length ? state.hint : null;
}

const isHintAwaited = () => state.hintAskedAt === state.game.played.length;

/// What a hint tells of its move on the board.
function hintMarks() {
    const hint = isPresent() ? currentHint() : null;
    return { from: hint?.step === 3 ? hint.from : null, to: hint?.step >= 2 ? hint.to : null };
}

function hintText({ from, to, step }) {
    const names = { from: from.toLowerCase(), to: to.toLowerCase() };
    if (step === 3)
        return say("Parley would play {from} to {to}.", names);
    return step === 2 ? `${ideaText(from, to)} ${say("It goes to {to}.", names)}` : ideaText(from, to);
}

function ideaText(from, to) {
    const board = piecesOf(state.game.fen);
    const letter = board[from];
    const name = pieceNames[letter.toLowerCase()];
    const isCastling = name === "king" && Math.abs(files.indexOf(from[0]) - files.indexOf(to[0])) > 1;
    if (isCastling)
        return say("Think of castling.");
    const isOnly = Object.values(board).filter((one) => one === letter).length === 1;
    const piece = say(isOnly ? `your ${name}` : `one of your ${name}s`);
    return say(board[to] ? "Look at {piece}: it can take something." : "Look at {piece}.", { piece });
}

function showHintButton() {
    const button = element("hint");
    const step = currentHint()?.step ?? 0;
    button.disabled = !canMove() || step === 3 || isHintAwaited();
    button.textContent = say(["Hint", "Next hint", "Show the move", "Hint"][step]);
}

// Explanations of a move: for the last step of a hint, and before a move is made

function explain({ from, to, choice }) {
    const promotion = choice ? { piece_choice: choice } : {};
    send({ message_type: "explain", from, to, ...promotion, language });
}

function onExplanation(message) {
    const isAbout = (move) => move?.from === message.from && move.to === message.to;
    if (isAbout(state.checking))
        onChecked(message);
    const hint = currentHint();
    // A search that found another move to be better explains nothing.
    if (isAbout(hint) && message.verdict !== "worse")
        hint.reasons = message;
    show();
}

function showReasons() {
    const reasons = isPresent() && currentHint()?.step === 3 ? state.hint.reasons : null;
    element("reasons").hidden = !reasons;
    // A line of one move has been named in a sentence.
    const line = reasons?.line?.includes(" ") ? reasons.line : null;
    element("reasons").textContent = reasons ? textOfReasons(reasons.sentences, line) : "";
}

/// Sentences, and below them the line that proves them. No line break before a percent sign.
function textOfReasons(sentences, line) {
    return [sentences.join(" "), line].filter(Boolean).join("\n").replaceAll(" %", "\u00a0%");
}

// The warning before a blunder

const blunder = 20;  // percentage points of winning chance that a move loses
const maxCheckTime = 5000;

const warns = () => element("warn").checked && state.plan?.opponent === "engine"
    && state.ownSeats.has(state.plan.colour);

/// Sends a move, when it was checked and the user wants it.
function checkMove(move) {
    state.checking = { ...move, ply: state.game.played.length };
    // The game does not wait for an answer that does not come.
    state.checking.timer = setTimeout(playChecked, maxCheckTime);
    explain(move);
    show();
}

/// The move that is being checked, unless the game has gone on.
function currentCheck() {
    return state.checking?.ply === state.game?.played.length ? state.checking : null;
}

function endCheck() {
    clearTimeout(state.checking?.timer);
    state.checking = null;
}

function playChecked() {
    const move = currentCheck();
    endCheck();
    if (move)
        sendMove(move);
    show();
}

async function onChecked({ verdict, chance, better, sentences, line }) {
    clearTimeout(state.checking.timer);
    const move = currentCheck();
    const isBlunder = verdict === "worse" && better.chance - chance >= blunder;
    if (!move || !isBlunder || await isMeant(sentences[0], line, better.chance, chance))
        playChecked();
    else
        endCheck();
    show();
}

/// Asks whether the user means a move that loses much. It does not tell which one is better.
function isMeant(sentence, line, before, after) {
    const dialog = element("warning");
    element("warning-text").textContent = textOfReasons([sentence], line);
    element("warning-chance").textContent =
        say("Your chance to win falls from {before}\u00a0% to {after}\u00a0%.", { before, after });
    return new Promise((resolve) => {
        dialog.onclose = () => resolve(dialog.returnValue === "play");
        dialog.returnValue = "";
        dialog.showModal();
    });
}

/// Closes the warning when the game has gone on without the move.
function closeStaleWarning() {
    if (!state.checking || currentCheck())
        return;
    endCheck();
    element("warning").close();
}
