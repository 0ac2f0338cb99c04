// The analysis: its lines and the evaluation bar. A click on a move of a line shows the position after it.

function onAnalysis(message) {
    if (message.ply === state.game?.played.length && element("analysis").checked)
        setEvaluation(message);
}

function onEngineMove(message) {
    // Arrives before the game message that contains the move.
    const ply = state.game.played.length;
    const sign = state.game.turn === "white" ? 1 : -1;
    setEvaluation({ score: scoreForWhite(message.score, sign), ply: ply + 1 });
}

function scoreForWhite(score, sign) {
    return "mate_in" in score ? { mate_in: sign * score.mate_in }
        : { centipawns: sign * score.centipawns };
}

function setEvaluation(evaluation) {
    state.evaluation = evaluation;
    showEvaluation();
}

function toggleAnalysis() {
    const on = element("analysis").checked;
    storage.write("analysis", on);
    if (on)
        startAnalysis();
    else
        send({ message_type: "stop_analysis" });
    leaveLine();
    setEvaluation(on ? state.evaluation : null);
}

const lineCount = () => Number(element("line-count").value);

/// Asks for the analysis with as many lines as are chosen, if it is on.
function startAnalysis() {
    if (element("analysis").checked)
        send({ message_type: "start_analysis", lines: lineCount() });
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

/// The evaluation, unless the analysis is off or the game has ended since.
function currentEvaluation() {
    const { evaluation, game } = state;
    const isPast = game?.end && evaluation?.ply !== game.played.length;
    return element("analysis").checked && !isPast ? evaluation : null;
}

function showEvaluation() {
    const bar = element("evaluation");
    const evaluation = currentEvaluation();
    bar.classList.toggle("known", Boolean(evaluation));
    element("analysis-lines").hidden = element("line-choice").hidden = !element("analysis").checked;
    if (state.game)
        showArrows();
    showLines(evaluation);
    if (!evaluation) {
        bar.setAttribute("aria-label", say("no evaluation"));
        return;
    }
    bar.style.setProperty("--white", `${whitePercentage(evaluation.score)}%`);
    bar.setAttribute("aria-label", say("evaluation {score}", { score: scoreText(evaluation.score) }));
    bar.title = scoreText(evaluation.score);
}

// The lines

/// The lines of an evaluation, the best first; none if it is not that of an analysis.
function linesOf(evaluation) {
    if (!evaluation?.line)
        return [];
    return (evaluation.lines ?? [evaluation]).slice(0, lineCount());
}

/// Changes what is there instead of replacing it: reports come so often that a click would meet an element
/// that is gone.
function showLines(evaluation) {
    const list = element("analysis-lines");
    const lines = linesOf(evaluation);
    list.classList.toggle("several", lineCount() > 1);
    list.style.setProperty("--count", lineCount());
    fitChildren(list, lines.length, makeLine);
    lines.forEach((line, rank) => fillLine(list.children[rank], line, rank, evaluation.ply));
}

function fitChildren(parent, count, make) {
    while (parent.children.length > count)
        parent.lastElementChild.remove();
    while (parent.children.length < count)
        parent.append(make(parent.children.length));
}

function makeLine() {
    const item = document.createElement("li");
    const score = document.createElement("span");
    score.className = "score";
    const moves = document.createElement("span");
    item.append(score, " ", moves);
    return item;
}

function makeLineMove(index) {
    const place = document.createElement("span");
    const move = document.createElement("button");
    move.type = "button";
    move.className = "move";
    move.tabIndex = index === 0 ? 0 : -1;
    place.append(move, " ");
    return place;
}

function fillLine(item, { score, depth, line }, rank, ply) {
    const [label, moves] = item.children;
    // A mate that was found stays, however deep the search goes on. Others have the depth of the best line.
    const hasDepth = rank === 0 && !("mate_in" in score);
    setText(label, say(hasDepth ? "{score}, depth {depth}:" : "{score}:", { score: scoreText(score), depth }));
    fitChildren(moves, line.length, makeLineMove);
    const { variation } = state;
    const isShown = variation?.from === ply && variation.line === line.join(" ");
    line.forEach((san, index) => {
        const move = moves.children[index].firstChild;
        setText(move, moveNumber(ply, index, index === 0) + saySan(san));
        if (isShown && variation.at === index + 1)
            move.setAttribute("aria-current", "step");
        else
            move.removeAttribute("aria-current");
    });
}

/// The number before a move of a line that begins after so many plies: "12.", or "12..." for Black, who has
/// one only where no move of White stands before.
function moveNumber(ply, index, isFirst) {
    const [, turn, , , , number] = state.positions[ply]?.fen.split(" ") ?? [];
    const half = index + (turn === "w" ? 0 : 1);
    const isWhite = half % 2 === 0;
    if (!number || !(isWhite || isFirst))
        return "";
    return `${Number(number) + Math.floor(half / 2)}${isWhite ? "." : "..."}`;
}

function onLineClick(event) {
    const move = event.target.closest("button");
    if (!move)
        return;
    const rank = [...element("analysis-lines").children].indexOf(move.closest("li"));
    const index = [...move.closest("li").children[1].children].indexOf(move.parentElement);
    const { evaluation } = state;
    viewLine(evaluation.ply, linesOf(evaluation)[rank].line, index + 1);
}

function startAnalysisSettings() {
    element("analysis").addEventListener("change", toggleAnalysis);
    element("analysis-lines").addEventListener("click", onLineClick);
    keepSetting("line-count", startAnalysis);
    element("line-count").addEventListener("change", showEvaluation);
}
