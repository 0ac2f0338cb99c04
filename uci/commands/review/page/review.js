// The page that `parley annotate --html` writes. It knows no rules of chess: the data hold every
// position that can be shown. Their text comes from PGN files and is only ever set as text.
"use strict";

const files = "abcdefgh";
// The language of the explanations in the data.
const { lang: language } = document.documentElement;
// @BOARD@
// @SAY@
// @TEXTS@
const marks = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const judgements = ["inaccuracy", "mistake", "blunder"];

const element = (id) => document.getElementById(id);
const games = JSON.parse(element("data").textContent);

const state = {
    game: null,
    ply: 0,            // moves played before the position that is shown
    preview: null,     // {board, uci}: a position beside the game
    flipped: false,
    focused: "e2",     // the square in the tab order
    lesson: null,      // {side, plies, index, found, answer, selected, promotions}
};

/// make("p", {className: "quiet"}, "text", element...)
function make(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

function button(text, action, properties = {}) {
    const made = make("button", { type: "button", ...properties }, text);
    made.addEventListener("click", action);
    return made;
}

// Words about a game

const tag = (game, name) => game.tags[name] ?? "";
const playerName = (game, side) => tag(game, side === "white" ? "White" : "Black")
    || say(nameOf(side));
const isKnown = (text) => text !== "" && !/^[?. ]*$/.test(text);

function title(game) {
    return `${playerName(game, "white")} – ${playerName(game, "black")}`;
}

function aboutText(game) {
    const facts = ["Event", "Site", "Date"].map((name) => tag(game, name)).filter(isKnown);
    if (game.opening)
        facts.push(`${game.opening.eco} ${game.opening.name}`);
    facts.push(game.result === "*" ? say("unfinished") : game.result);
    return facts.join(" · ");
}

/// Whether White makes the move that follows after so many.
const isWhites = (game, ply) => (ply % 2 === 0) === game.white_begins;
const sideOf = (game, ply) => (isWhites(game, ply) ? "white" : "black");
const nameOf = (side) => (side === "white" ? "White" : "Black");

function moveNumber(game, ply) {
    return game.number + Math.floor((ply + (game.white_begins ? 0 : 1)) / 2);
}

function numberedMove(game, ply, san) {
    return `${moveNumber(game, ply)}${isWhites(game, ply) ? "." : "..."} ${saySan(san)}`;
}

function scoreText(score) {
    if ("mate" in score)
        return score.mate === 0 ? "#" : `${score.mate < 0 ? "-" : ""}M${Math.abs(score.mate)}`;
    if (!("eval" in score))
        return "";
    return `${score.eval >= 0 ? "+" : "−"}${sayNumber(Math.abs(score.eval), 2)}`;
}

/// The position after so many moves: the start has a score and a board, as moves have.
const positionAt = (game, ply) => (ply === 0 ? game : game.moves[ply - 1]);
const chanceOf = (side, position) => (side === "white" ? position.chance : 100 - position.chance);
const percent = (number) => `${Math.round(number)} %`;

const named = (judgement) =>
    say(judgement === "inaccuracy" ? "an inaccuracy" : `a ${judgement}`);
const isMistake = (move) => judgements.includes(move.judgement);

function count(game, side, judgement) {
    return game.moves.filter((move, ply) => sideOf(game, ply) === side
                             && move.judgement === judgement).length;
}

// The board

function buildBoard() {
    const rows = squaresInOrder().map((squares) => {
        const row = make("div", {}, ...squares.map(makeSquare));
        row.setAttribute("role", "row");
        return row;
    });
    element("board").replaceChildren(...rows);
    element("evaluation").classList.toggle("flipped", state.flipped);
}

function makeSquare(name) {
    const isDark = (files.indexOf(name[0]) + ranks.indexOf(name[1])) % 2 === 0;
    const square = button("", () => activate(name),
                          { className: isDark ? "square dark" : "square" });
    square.setAttribute("role", "gridcell");
    square.dataset.square = name;
    return square;
}

function coordinatesOf(name) {
    const coordinates = [];
    if (name[0] === (state.flipped ? "h" : "a"))
        coordinates.push(make("span", { className: "coordinate rank" }));
    if (name[1] === (state.flipped ? "8" : "1"))
        coordinates.push(make("span", { className: "coordinate file" }));
    // Drawn by the style sheet: as text they would be part of the square's name.
    for (const one of coordinates)
        one.dataset.text = one.classList.contains("rank") ? name[1] : name[0];
    return coordinates;
}

/// The position that is shown, and the move that led to it.
function shownPosition() {
    return state.preview ?? positionAt(state.game, state.ply);
}

function showBoard() {
    const position = shownPosition();
    const board = piecesOf(position.board);
    const moved = position.uci ? [position.uci.slice(0, 2), position.uci.slice(2, 4)] : [];
    const moves = lessonMoves();
    const selected = state.lesson?.selected;
    for (const square of element("board").querySelectorAll(".square")) {
        const name = square.dataset.square;
        const piece = board[name];
        const classes = {
            moved: moved.includes(name),
            movable: moves.some((uci) => uci.startsWith(name)),
            selected: name === selected,
            target: Boolean(selected) && moves.some((uci) => uci.startsWith(selected + name)),
        };
        for (const [one, on] of Object.entries(classes))
            square.classList.toggle(one, on);
        square.tabIndex = name === state.focused ? 0 : -1;
        square.replaceChildren(...(piece ? [drawPiece(piece)] : []), ...coordinatesOf(name));
        const words = [name];
        if (piece)
            words.push(say(`${colourOf(piece)} ${pieceNames[piece.toLowerCase()]}`));
        if (classes.selected)
            words.push(say("selected"));
        if (classes.target)
            words.push(say("legal target"));
        square.setAttribute("aria-label", words.join(", "));
    }
    showEvaluation();
}

function showEvaluation() {
    const position = positionAt(state.game, state.ply);
    const bar = element("evaluation");
    bar.style.setProperty("--white", `${position.chance ?? 50}%`);
    bar.setAttribute("aria-label",
                     say("Evaluation {score}", { score: scoreText(position) || say("unknown") }));
    bar.title = scoreText(position);
}

function showPlayers() {
    const { game } = state;
    for (const [id, side] of [["upper", state.flipped ? "white" : "black"],
                              ["lower", state.flipped ? "black" : "white"]]) {
        const elo = tag(game, side === "white" ? "WhiteElo" : "BlackElo");
        const accuracy = game[`${side}_accuracy`];
        element(id).replaceChildren(
            make("span", { className: `dot ${side}`, title: say(nameOf(side)) }),
            make("span", { className: "name" }, playerName(game, side)),
            isKnown(elo) ? make("span", { className: "quiet" }, elo) : "",
            accuracy === undefined ? ""
                : make("span", { className: "accuracy" },
                       say("accuracy {accuracy}", { accuracy: `${sayNumber(accuracy, 1)} %` })));
    }
}

/// Arrow keys move the focus as the board is seen.
function moveFocus(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const squares = squaresInOrder();
    const row = squares.findIndex((line) => line.includes(state.focused));
    const column = squares[row].indexOf(state.focused);
    const [down, right] = steps[event.key];
    state.focused = squares[row + down]?.[column + right] ?? state.focused;
    showBoard();
    element("board").querySelector(`[data-square="${state.focused}"]`).focus();
}

// Graph of White's winning chances

function buildGraph() {
    const { game } = state;
    const count = Math.max(game.moves.length, 1);
    const points = [];
    for (let ply = 0; ply <= game.moves.length; ++ply)
        points.push([1000 * ply / count, 100 - (positionAt(game, ply).chance ?? 50)]);
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 1000 100");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    const area = document.createElementNS(space, "polygon");
    area.setAttribute("class", "share");
    area.setAttribute("points", `0,100 ${points.map((point) => point.join(",")).join(" ")} 1000,100`);
    const even = document.createElementNS(space, "line");
    even.setAttribute("class", "even");
    for (const [name, value] of Object.entries({ x1: 0, x2: 1000, y1: 50, y2: 50 }))
        even.setAttribute(name, value);
    svg.append(area, even);
    const dots = game.moves.flatMap((move, ply) => {
        if (!isMistake(move))
            return [];
        const dot = make("i", { className: move.judgement });
        dot.style.setProperty("--x", `${100 * (ply + 1) / count}%`);
        dot.style.setProperty("--y", `${Math.min(94, Math.max(6, 100 - move.chance))}%`);
        return [dot];
    });
    element("graph").replaceChildren(svg, make("b", { id: "here" }), ...dots);
    element("graph").setAttribute("aria-label",
                                  say("White's winning chance after each of {count} plies",
                                      { count: game.moves.length }));
}

function showPlaceInGraph() {
    const count = Math.max(state.game.moves.length, 1);
    element("here").style.setProperty("--x", `${100 * state.ply / count}%`);
}

function clickGraph(event) {
    const box = element("graph").getBoundingClientRect();
    goTo(Math.round((event.clientX - box.left) / box.width * state.game.moves.length));
}

// Moves

function buildMoves() {
    const { game } = state;
    const items = [];
    const first = game.white_begins ? 0 : -1;
    for (let ply = first; ply < game.moves.length; ply += 2) {
        const number = moveNumber(game, Math.max(ply, 0));
        items.push(make("li", {}, make("span", { className: "number" }, `${number}.`),
                        moveButton(ply), ply + 1 < game.moves.length ? moveButton(ply + 1) : ""));
    }
    element("moves").replaceChildren(...items);
}

function moveButton(ply) {
    if (ply < 0)
        return make("span", { className: "quiet" }, "…");
    const move = state.game.moves[ply];
    const made = button(saySan(move.san), () => goTo(ply + 1), { className: "move" });
    made.dataset.ply = ply + 1;
    if (isMistake(move)) {
        made.append(make("span", { className: `judgement ${move.judgement}` }, marks[move.judgement]));
        made.setAttribute("aria-label",
                          `${numberedMove(state.game, ply, move.san)}, ${say(move.judgement)}`);
    }
    if (move.comment)
        made.append(make("span", { className: "noted", title: say("has a comment") }, " ✎"));
    return made;
}

function showPlaceInMoves() {
    const moves = [...element("moves").querySelectorAll(".move")];
    for (const move of moves) {
        const isCurrent = Number(move.dataset.ply) === state.ply;
        move.classList.toggle("current", isCurrent);
        move.classList.toggle("later", Number(move.dataset.ply) > state.ply);
        move.tabIndex = isCurrent || (state.ply === 0 && move === moves[0]) ? 0 : -1;
        if (isCurrent)
            move.setAttribute("aria-current", "step");
        else
            move.removeAttribute("aria-current");
    }
    const area = element("moves-area");
    const current = moves.find((move) => move.classList.contains("current"));
    if (!current) {
        area.scrollTop = 0;
        return;
    }
    const top = current.getBoundingClientRect().top - area.getBoundingClientRect().top;
    if (top < 0 || top > area.clientHeight - current.clientHeight)
        area.scrollTop += top - area.clientHeight / 2;
}

// Remarks on the move that led to the position

function lineOf(game, ply, line) {
    const parts = line.map((step, index) => {
        const number = index === 0 || isWhites(game, ply + index);
        const text = number ? numberedMove(game, ply + index, step.san) : saySan(step.san);
        return button(text, () => show({ preview: step }), { className: "move" });
    });
    return parts.flatMap((part) => [part, " "]);
}

/** Why a move is worse: sentences, and the line that proves them. */
function remarkOfExplanation(game, ply, { sentences, line = [], offset = 0 }) {
    return make("p", { className: "explanation" }, `${sentences.join(" ")} `,
                ...lineOf(game, ply - 1 + offset, line));
}

function chancesText(move, position, side) {
    const [before, after] = [chanceOf(side, position), chanceOf(side, move)].map(percent);
    const chances = say(side === "white" ? "White's winning chance: {before} → {after}"
        : "Black's winning chance: {before} → {after}", { before, after });
    const accuracy = move.accuracy === undefined ? ""
        : `, ${say("accuracy {accuracy}", { accuracy: percent(move.accuracy) })}`;
    const depth = say("{score}, depth {depth}.", { score: scoreText(move), depth: move.depth });
    return `${depth} ${chances}${accuracy}.`;
}

function remarksOnMove() {
    const { game, ply } = state;
    if (ply === 0) {
        const found = game.moves.filter(isMistake).length;
        return [make("h2", {}, title(game)),
                make("p", {}, say("{count} plies, {found} of them marked.",
                                  { count: game.moves.length, found })),
                game.comment ? make("p", { className: "comment" }, game.comment) : null,
                make("p", { className: "quiet" },
                     say("Keys: ← → step, Home and End, n next mistake, f flip."))];
    }
    const move = game.moves[ply - 1];
    const before = positionAt(game, ply - 1);
    const side = sideOf(game, ply - 1);
    const remarks = [];
    const heading = make("h2", {}, numberedMove(game, ply - 1, move.san));
    if (isMistake(move))
        heading.append(make("span", { className: move.judgement },
                            `${marks[move.judgement]} ${say(move.judgement)}`));
    remarks.push(heading);
    if (move.chance !== undefined && before.chance !== undefined)
        remarks.push(make("p", {}, chancesText(move, before, side)));
    if (move.explanation)
        remarks.push(remarkOfExplanation(game, ply, move.explanation));
    if (move.better?.length)
        remarks.push(make("p", {}, `${say("Better:")} `, ...lineOf(game, ply - 1, move.better)));
    if (move.comment)
        remarks.push(make("p", { className: "comment" }, move.comment));
    return remarks;
}

// Learning from mistakes: the reader looks for a better move in the place of each.

function startLesson(side) {
    const { game } = state;
    const plies = game.moves.flatMap((move, ply) =>
        (isMistake(move) && move.lesson && sideOf(game, ply) === side ? [ply] : []));
    if (plies.length === 0)
        return;
    state.flipped = side === "black";
    buildBoard();
    showPlayers();
    openLesson({ side, plies, index: 0, found: 0 });
}

function openLesson(lesson) {
    state.lesson = { ...lesson, answer: null, selected: null, promotions: null };
    // After the last one its position stays.
    show({ ply: lesson.plies[lesson.index] ?? state.ply, preview: null });
}

const lessonMove = () => state.game.moves[state.lesson.plies[state.lesson.index]];

/// The moves that the reader can choose now.
function lessonMoves() {
    const { lesson } = state;
    if (!lesson || lesson.answer || lesson.shown || lesson.index >= lesson.plies.length)
        return [];
    return Object.keys(lessonMove().lesson.moves);
}

function activate(square) {
    state.focused = square;
    const { lesson } = state;
    const moves = lessonMoves();
    if (moves.length === 0)
        return showBoard();
    const chosen = lesson.selected
        ? moves.filter((uci) => uci.startsWith(lesson.selected + square)) : [];
    if (chosen.length === 1)
        return answer(chosen[0]);
    if (chosen.length > 1) {
        lesson.promotions = chosen;
        return show({});
    }
    const selectable = square !== lesson.selected && moves.some((uci) => uci.startsWith(square));
    lesson.selected = selectable ? square : null;
    lesson.promotions = null;
    return show({});
}

/// How good an answer is: "best", "good", "played", "known" to be worse, or "other".
function judge(uci) {
    const move = lessonMove();
    const chosen = move.lesson.moves[uci];
    if (uci === move.better?.[0]?.uci)
        return "best";
    if (uci === move.uci)
        return "played";
    if (!chosen.judgement)
        return "other";
    return chosen.judgement === "fine" ? "good" : "known";
}

function answer(uci) {
    const { lesson } = state;
    const verdict = judge(uci);
    if ((verdict === "best" || verdict === "good") && !lesson.shown)
        ++lesson.found;
    Object.assign(lesson, { answer: { uci, verdict }, selected: null, promotions: null });
    show({ preview: { board: lessonMove().lesson.moves[uci].board, uci } });
}

function verdictOn({ uci, verdict }) {
    const move = lessonMove();
    const chosen = move.lesson.moves[uci];
    const score = scoreText(chosen);
    const inScore = score ? ` (${score})` : "";
    const best = saySan(move.better[0].san);
    const values = { move: saySan(chosen.san), score: inScore, best };
    const plain = (className, text) => make("p", { className }, text);
    switch (verdict) {
    case "best":
        return plain("good", say("Right: {move} is the best move.", values));
    case "good":
        return plain("good", say("Right: {move} is good{score}. Parley prefers {best}.", values));
    case "played":
        return plain(move.judgement,
                     say("Wrong: {move} was played, and is {judgement}.",
                         { ...values, judgement: say(`the ${move.judgement}`) }));
    case "known":
        return plain(chosen.judgement, say("Wrong: {move} is {judgement} too{score}.",
                                           { ...values, judgement: named(chosen.judgement) }));
    default:
        return plain("mistake",
                     say("Wrong: {move} is not among the best moves that Parley found.", values));
    }
}

function remarksInLesson() {
    const { game, lesson } = state;
    if (lesson.index >= lesson.plies.length)
        return [make("h2", {}, say("Done")),
                make("p", {}, say("You found {found} of {count} better moves.",
                                  { found: lesson.found, count: lesson.plies.length })),
                make("div", { className: "choices" }, button(say("Back to the game"), endLesson))];
    const ply = lesson.plies[lesson.index];
    const move = lessonMove();
    const played = numberedMove(game, ply, move.san);
    const remarks = [
        make("h2", {}, `${say(`Find a better move for ${nameOf(lesson.side)}`)} `,
             make("span", { className: "quiet" },
                  say("{number} of {count}", { number: lesson.index + 1, count: lesson.plies.length }))),
        make("p", {}, say("{move} was {judgement}.", { move: played, judgement: named(move.judgement) })),
    ];
    const choices = make("div", { className: "choices" });
    if (lesson.promotions)
        choices.append(...lesson.promotions.map(
            (uci) => button(say(`Promote to ${pieceNames[uci[4]]}`), () => answer(uci))));
    const verdict = lesson.answer?.verdict;
    const isRight = verdict === "best" || verdict === "good";
    if (lesson.answer)
        remarks.push(verdictOn(lesson.answer));
    if (isRight || lesson.shown)
        remarks.push(make("p", {}, `${say("Best:")} `, ...lineOf(game, ply, move.better)));
    if (lesson.answer && !isRight)
        choices.append(button(say("Try again"), () => tryAgain(), { className: "main" }));
    if (!isRight && !lesson.shown)
        choices.append(button(say("Show it"), () => showAnswer()));
    choices.append(button(say(lesson.index + 1 < lesson.plies.length ? "Next" : "Finish"),
                          () => openLesson({ ...lesson, index: lesson.index + 1, shown: false }),
                          isRight || lesson.shown ? { className: "main" } : {}));
    choices.append(button(say("Leave"), endLesson));
    remarks.push(choices);
    return remarks;
}

function tryAgain() {
    state.lesson.answer = null;
    show({ preview: null });
}

function showAnswer() {
    const [best] = lessonMove().better;
    Object.assign(state.lesson, { shown: true, answer: null, selected: null, promotions: null });
    show({ preview: best });
}

function endLesson() {
    state.lesson = null;
    show({ preview: null });
}

// Everything together

function showRemarks() {
    const remarks = state.lesson ? remarksInLesson() : remarksOnMove();
    element("remark").replaceChildren(...remarks.filter(Boolean));
}

function showSteps() {
    const { ply, game, lesson } = state;
    const atStart = ply === 0 && !state.preview;
    element("first").disabled = atStart;
    element("back").disabled = atStart;
    element("forward").disabled = ply >= game.moves.length;
    element("last").disabled = ply >= game.moves.length;
    element("next-mistake").disabled = !game.moves.some(isMistake);
    // The graph and the later moves would tell too much.
    document.body.classList.toggle("learning",
        Boolean(lesson) && lesson.index < lesson.plies.length);
}

function show(change) {
    Object.assign(state, change);
    showBoard();
    showPlaceInGraph();
    showPlaceInMoves();
    showRemarks();
    showSteps();
}

function goTo(ply) {
    state.lesson = null;
    show({ ply: Math.min(Math.max(ply, 0), state.game.moves.length), preview: null });
}

/// A step back from a position beside the game leads to the game.
function step(plies) {
    goTo(state.preview && plies < 0 ? state.ply : state.ply + plies);
}

function goToNextMistake() {
    const { game, ply } = state;
    const next = game.moves.findIndex((move, index) => index >= ply && isMistake(move));
    const found = next >= 0 ? next : game.moves.findIndex(isMistake);
    if (found >= 0)
        goTo(found + 1);
}

function flip() {
    state.flipped = !state.flipped;
    buildBoard();
    showPlayers();
    showBoard();
}

function showSummary() {
    const { game } = state;
    const sides = ["white", "black"];
    const row = (name, cells, type) => {
        const head = make("th", { scope: "row" }, name);
        return make("tr", {}, head, ...cells.map((cell) => make("td", { className: type ?? "" }, cell)));
    };
    const heads = sides.map((side) => make("th", { scope: "col", title: playerName(game, side) },
                                           playerName(game, side)));
    const accuracy = sides.map((side) => game[`${side}_accuracy`])
        .map((value) => (value === undefined ? "–" : `${sayNumber(value, 1)} %`));
    const plural = { inaccuracy: "Inaccuracies", mistake: "Mistakes", blunder: "Blunders" };
    element("summary").replaceChildren(
        make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
        make("tbody", {}, row(say("Accuracy"), accuracy),
             ...judgements.map((one) => row(`${say(plural[one])} ${marks[one]}`,
                                            sides.map((side) => count(game, side, one)), one))));
    for (const side of sides) {
        const mistakes = judgements.reduce((sum, one) => sum + count(game, side, one), 0);
        element(`learn-${side}`).disabled = mistakes === 0;
        element(`learn-${side}`).hidden = Boolean(game.player) && game.player !== side;
    }
}

function openGame(index) {
    state.game = games[index];
    Object.assign(state, { ply: 0, preview: null, lesson: null,
                           flipped: state.game.player === "black" });
    document.title = say("{game} – game review", { game: title(state.game) });
    element("about").textContent = aboutText(state.game);
    buildBoard();
    buildGraph();
    buildMoves();
    showPlayers();
    showSummary();
    show({});
}

function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select"))
        return;
    const onBoard = event.target.closest("#board");
    const keys = {
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        Home: () => goTo(0),
        End: () => goTo(state.game.moves.length),
        n: goToNextMistake,
        f: flip,
    };
    if (onBoard && state.lesson && event.key.startsWith("Arrow"))
        moveFocus(event);
    else if (event.key === "Escape" && state.lesson)
        endLesson();
    else if (keys[event.key])
        keys[event.key]();
    else
        return;
    event.preventDefault();
}

/** `parley serve` gives the page of a game's review under the address of the game. */
function linkToGame() {
    const address = location.pathname.match(/^(\/game\/[0-9a-f]+)\/review$/)?.[1];
    if (!address)
        return;
    element("play").href = address;
    element("play").hidden = false;
}

function start() {
    collectTexts();
    translatePage();
    linkToGame();
    if (games.length === 0) {
        element("about").textContent = say("There is no game in this review.");
        document.querySelector("main").hidden = true;
        element("choice").hidden = true;
        return;
    }
    element("games").replaceChildren(...games.map((game, index) => make(
        "option", { value: String(index) },
        `${games.length > 1 ? `${index + 1}. ` : ""}${title(game)} ${game.result}`)));
    element("choice").hidden = games.length === 1;
    element("games").addEventListener("change", (event) => openGame(Number(event.target.value)));
    element("graph").addEventListener("click", clickGraph);
    element("first").addEventListener("click", () => goTo(0));
    element("back").addEventListener("click", () => step(-1));
    element("forward").addEventListener("click", () => step(1));
    element("last").addEventListener("click", () => goTo(state.game.moves.length));
    element("next-mistake").addEventListener("click", goToNextMistake);
    element("flip").addEventListener("click", flip);
    for (const side of ["white", "black"])
        element(`learn-${side}`).addEventListener("click", () => startLesson(side));
    document.addEventListener("keydown", onKey);
    openGame(0);
}

start();
