// The page of `parley serve`. It knows no rules of chess: everything it shows comes from the
// message "game", and what may be played stands there too. All it says are JSON messages over one
// WebSocket, which it opens again when it is lost.

const files = "ABCDEFGH";
const ranks = "12345678";
const pieceNames = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

const element = (id) => document.getElementById(id);
const otherColour = (colour) => (colour === "white" ? "black" : "white");
const nameOf = (colour) => (colour === "white" ? "White" : "Black");

// What this browser remembers: a key that shows which seats are its own, and for each game
// against whom it is played.

const memory = {
    read(name) {
        try {
            return JSON.parse(localStorage.getItem(`parley ${name}`));
        } catch {
            return null;
        }
    },
    write(name, value) {
        try {
            localStorage.setItem(`parley ${name}`, JSON.stringify(value));
        } catch {
            // Without a memory the game can be played all the same, as long as the page is open.
        }
    },
};

function ownKey() {
    let key = memory.read("key");
    if (!key) {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        memory.write("key", key);
    }
    return key;
}

// What is known and what is being done. `game` is the last message of that type.

const state = {
    id: gameInAddress(),
    game: null,
    plan: null,         // {opponent, colour, limits}: how this browser plays the game
    seats: new Set(),   // colours that are ours
    claimed: false,     // whether we asked for them since the connection stands
    turned: false,
    selected: null,     // the square whose piece shall move
    focused: "E2",
    choice: null,       // what a pawn becomes, while the server does not know it yet
    prompted: null,     // after how many moves we were asked for that
    asked: null,        // after how many moves the engine was asked for one
    advice: null,       // {from, to, ply}
    evaluation: null,   // {score, depth, line, ply}, the score for White
};

const ownKeyOfBrowser = ownKey();

function gameInAddress() {
    const found = location.pathname.match(/^\/game\/([0-9a-f]{32})$/);
    return found ? found[1] : null;
}

// The connection

const connection = { socket: null, attempts: 0, timer: null, heardAt: 0, waiting: false };
const longestPause = 5000;
const betweenSigns = 15000;
const longestSilence = 25000;

function connect() {
    clearTimeout(connection.timer);
    connection.waiting = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = state.id ? `/game/${state.id}` : "/socket";
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    connection.socket = socket;
    connection.heardAt = Date.now();
    socket.onopen = () => socket === connection.socket && begin();
    socket.onmessage = (event) => socket === connection.socket && hear(JSON.parse(event.data));
    socket.onclose = () => socket === connection.socket && lose();
}

function disconnect() {
    const socket = connection.socket;
    connection.socket = null;
    clearTimeout(connection.timer);
    socket?.close();
}

const isConnected = () => connection.socket?.readyState === WebSocket.OPEN;

function say(message) {
    if (isConnected())
        connection.socket.send(JSON.stringify(message));
}

function begin() {
    connection.attempts = 0;
    showConnection("connected", false);
    state.seats.clear();
    state.claimed = false;
    state.asked = null;
    forgetPrompt();
    say({ message_type: "follow_game" });
    if (element("analysis").checked)
        say({ message_type: "start_analysis" });
}

/// Tries again, soon at first, then less often; unless the game is no longer there.
async function lose() {
    connection.socket = null;
    showConnection("connection lost, trying again", true);
    show();
    const isGone = await hasGone(state.id);
    if (connection.socket)
        return;  // a new game was begun meanwhile
    if (isGone) {
        showConnection("connected", false);
        announce("This game is no longer here. Begin a new one.");
        return;
    }
    const pause = Math.min(longestPause, 250 * 2 ** connection.attempts);
    connection.attempts += 1;
    connection.waiting = true;
    connection.timer = setTimeout(connect, pause);
}

async function hasGone(id) {
    try {
        return Boolean(id) && (await fetch(`/game/${id}`, { method: "HEAD" })).status === 404;
    } catch {
        return false;
    }
}

/// A connection may be lost without a word: who is silent for too long has gone.
function watch() {
    if (!isConnected())
        return;
    const silence = Date.now() - connection.heardAt;
    if (silence > longestSilence)
        connection.socket.close();
    else if (silence > betweenSigns)
        say({ message_type: "follow_game" });
}

function hurry() {
    if (connection.waiting)
        connect();
}

function showConnection(text, lost) {
    element("connection").textContent = text;
    element("connection").classList.toggle("lost", lost);
}

// What is heard

const hearers = {
    game: hearGame,
    promotion_prompt: answerPrompt,
    seat_taken: (message) => { state.seats.add(message.player); show(); },
    seat_left: (message) => { state.seats.delete(message.player); show(); },
    engine_move: hearEngineMove,
    hint: hearHint,
    analysis: hearAnalysis,
    failure: hearFailure,
};

function hear(message) {
    connection.heardAt = Date.now();
    hearers[message.message_type]?.(message);
}

function hearGame(game) {
    const first = state.game?.id !== game.id;
    state.game = game;
    if (first)
        enter(game);
    takeSeats();
    if (state.selected && !game.moves[state.selected])
        state.selected = null;
    show();
    askEngine();
}

/// A game that this page has not seen before.
function enter(game) {
    state.id = game.id;
    if (gameInAddress() !== game.id)
        history.replaceState(null, "", `/game/${game.id}`);
    state.plan = state.plan ?? memory.read(game.id) ?? joiningPlan(game);
    memory.write(game.id, state.plan);
    state.turned = state.plan.colour === "black";
    state.focused = state.turned ? "E7" : "E2";
    layBoard();
}

/// Who comes by a link takes the seat that is free, if only one is taken.
function joiningPlan(game) {
    const colour = game.seats_taken.length === 1 ? otherColour(game.seats_taken[0]) : null;
    return { opponent: "friend", colour, limits: { milliseconds: 1000 } };
}

/// The engine's seat is taken too, so that nobody else moves for it.
function takeSeats() {
    const { opponent, colour } = state.plan;
    if (state.claimed || !colour)
        return;
    state.claimed = true;
    const wanted = opponent === "engine" ? [colour, otherColour(colour)] : [colour];
    for (const player of wanted)
        say({ message_type: "take_seat", player, key: ownKeyOfBrowser });
}

function hearEngineMove(message) {
    // Heard before the game that it leads to.
    const ply = state.game.played.length;
    const sign = state.game.turn === "white" ? 1 : -1;
    setEvaluation({ score: forWhite(message.score, sign), ply: ply + 1 });
}

function forWhite(score, sign) {
    return "mate_in" in score ? { mate_in: sign * score.mate_in }
        : { centipawns: sign * score.centipawns };
}

function hearHint(message) {
    state.advice = { from: message.from, to: message.to, ply: state.game.played.length };
    show();
}

/// The hint, as long as no move was made since.
function presentAdvice() {
    return state.advice?.ply === state.game.played.length ? state.advice : null;
}

function hearAnalysis(message) {
    if (message.ply === state.game?.played.length && element("analysis").checked)
        setEvaluation(message);
}

function hearFailure() {
    state.choice = null;
    forgetPrompt();
    const asked = state.asked;
    state.asked = null;
    if (asked !== null)
        setTimeout(askEngine, 1000);
    show();
}

// What is asked for

function isOurs(colour) {
    const free = state.game.seats_taken.length === 0;
    return free || state.seats.has(colour);
}

function isEngines(colour) {
    return state.plan?.opponent === "engine" && colour !== state.plan.colour;
}

/// Whether the player at this page may move now.
function mayMove() {
    const game = state.game;
    return Boolean(game) && isConnected() && !game.end && !game.thinking
        && !game.promoting && isOurs(game.turn) && !isEngines(game.turn);
}

function askEngine() {
    const game = state.game;
    const due = game && !game.end && !game.thinking && !game.promoting && isEngines(game.turn)
        && state.seats.has(game.turn) && state.asked !== game.played.length;
    if (!due)
        return;
    state.asked = game.played.length;
    say({ message_type: "engine_move", player: game.turn, ...state.plan.limits });
}

function pieceOn(square) {
    return boardOf(state.game.fen)[square];
}

function isPromotion(from, to) {
    return pieceOn(from)?.toLowerCase() === "p" && (to[1] === "8" || to[1] === "1");
}

async function move(from, to) {
    state.selected = null;
    state.advice = null;
    show();
    const promotes = isPromotion(from, to);
    state.choice = promotes ? await choosePiece(state.game.turn, to, true) : null;
    if (promotes && !state.choice)
        return;
    say({ message_type: "peice move", from, to });
}

/// The server asks what the pawn becomes. Mostly the player has said it before.
async function answerPrompt() {
    if (state.prompted === state.game.played.length)
        return;
    state.prompted = state.game.played.length;
    const { turn, promoting } = state.game;
    const choice = state.choice ?? await choosePiece(turn, promoting?.to, false);
    state.choice = null;
    if (choice) {
        say({ message_type: "piece_promotion_choice", piece_choice: choice });
    } else if (state.prompted !== null) {
        // A browser lets nobody be kept in a dialog, but the game cannot go on without an answer.
        state.prompted = null;
        show();
    }
}

/// The server may have to ask again; unless the player is still being asked.
function forgetPrompt() {
    if (!element("promotion").open)
        state.prompted = null;
}

/// Another page may have said it meanwhile.
function endPrompt() {
    if (state.prompted !== null && state.prompted !== state.game.played.length) {
        state.prompted = null;
        element("promotion").close();
    }
}

// The board

/// The pieces on their squares: {"E1": "K", ...}.
function boardOf(fen) {
    const board = {};
    fen.split(" ")[0].split("/").forEach((row, index) => {
        let file = 0;
        for (const letter of row) {
            if (/\d/.test(letter))
                file += Number(letter);
            else
                board[files[file++] + ranks[7 - index]] = letter;
        }
    });
    return board;
}

function drawPiece(letter) {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#${pieceNames[letter.toLowerCase()]}`);
    drawing.setAttribute("class", `piece ${colourOf(letter)}`);
    drawing.setAttribute("aria-hidden", "true");
    drawing.append(use);
    return drawing;
}

function colourOf(letter) {
    return letter === letter.toUpperCase() ? "white" : "black";
}

function squaresInOrder() {
    const rows = state.turned ? [...ranks] : [...ranks].reverse();
    const columns = state.turned ? [...files].reverse() : [...files];
    return rows.map((rank) => columns.map((file) => file + rank));
}

/// Builds the 64 squares anew: when the page opens and when the board is turned.
function layBoard() {
    const rows = squaresInOrder().map((squares) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        row.append(...squares.map(makeSquare));
        return row;
    });
    element("board").replaceChildren(...rows);
    element("evaluation").classList.toggle("turned", state.turned);
}

function makeSquare(square) {
    const button = document.createElement("button");
    const isDark = (files.indexOf(square[0]) + ranks.indexOf(square[1])) % 2 === 0;
    button.type = "button";
    button.setAttribute("role", "gridcell");
    button.className = isDark ? "square dark" : "square";
    button.dataset.square = square;
    if (square[1] === (state.turned ? "8" : "1"))
        button.dataset.file = square[0].toLowerCase();
    if (square[0] === (state.turned ? "H" : "A"))
        button.dataset.rank = square[1];
    return button;
}

const squareElement = (square) => element("board").querySelector(`[data-square="${square}"]`);

function showBoard() {
    const game = state.game;
    if (!game)
        return;
    const board = boardOf(game.fen);
    const may = mayMove();
    const targets = may && state.selected ? game.moves[state.selected] ?? [] : [];
    const advice = presentAdvice();
    for (const button of element("board").querySelectorAll(".square")) {
        const square = button.dataset.square;
        const marks = {
            movable: may && Boolean(game.moves[square]),
            target: targets.includes(square),
            selected: square === state.selected,
            last: square === game.last_move?.from || square === game.last_move?.to,
            check: square === game.check?.king_space,
            advised: square === advice?.from || square === advice?.to,
        };
        for (const [mark, on] of Object.entries(marks))
            button.classList.toggle(mark, on);
        showSquare(button, square, board[square], marks);
    }
}

function showSquare(button, square, piece, marks) {
    button.tabIndex = square === state.focused ? 0 : -1;
    if (button.dataset.piece !== (piece ?? "")) {
        button.dataset.piece = piece ?? "";
        button.replaceChildren(...(piece ? [drawPiece(piece)] : []));
    }
    const words = [square.toLowerCase()];
    if (piece)
        words.push(`${colourOf(piece)} ${pieceNames[piece.toLowerCase()]}`);
    for (const mark of ["selected", "target", "check"]) {
        if (marks[mark])
            words.push(mark === "target" ? "can be moved to" : mark);
    }
    button.setAttribute("aria-label", words.join(", "));
}

function activate(square) {
    state.focused = square;
    if (!mayMove())
        return showBoard();
    const targets = state.game.moves[state.selected] ?? [];
    if (state.selected && targets.includes(square))
        return move(state.selected, square);
    const selectable = state.game.moves[square] && square !== state.selected;
    state.selected = selectable ? square : null;
    return showBoard();
}

/// The arrow keys go over the board as it is seen; only one square is in the order of the Tab key.
function moveFocus(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape") {
        state.selected = null;
        showBoard();
        return;
    }
    const step = steps[event.key];
    if (!step)
        return;
    event.preventDefault();
    const squares = squaresInOrder();
    const row = squares.findIndex((line) => line.includes(state.focused));
    const column = squares[row].indexOf(state.focused);
    state.focused = squares[row + step[0]]?.[column + step[1]] ?? state.focused;
    showBoard();
    squareElement(state.focused).focus();
}

/// Asks what a pawn becomes; nothing when the player thinks better of it.
function choosePiece(colour, square, mayCancel) {
    const dialog = element("promotion");
    const place = (squareElement(square) ?? element("board")).getBoundingClientRect();
    const board = element("board").getBoundingClientRect();
    dialog.style.setProperty("--x", `${board.left + board.width / 2}px`);
    dialog.style.setProperty("--y", `${place.top + place.height / 2}px`);
    for (const button of dialog.querySelectorAll("button")) {
        const letter = button.value === "knight" ? "n" : button.value[0];
        button.replaceChildren(drawPiece(colour === "white" ? letter.toUpperCase() : letter));
    }
    return new Promise((resolve) => {
        dialog.onclick = (event) => {
            const button = event.target.closest("button");
            if (button)
                dialog.close(button.value);
        };
        dialog.oncancel = (event) => mayCancel || event.preventDefault();
        dialog.onclose = () => resolve(dialog.returnValue || null);
        dialog.returnValue = "";
        dialog.showModal();
    });
}

// Beside the board

function announce(text) {
    element("status").textContent = text;
}

function describe(game) {
    if (game.end)
        return describeEnd(game.end);
    if (!isConnected())
        return "Waiting for the connection.";
    if (game.thinking)
        return "Parley is thinking.";
    const check = game.check ? " Check!" : "";
    const advice = presentAdvice();
    if (advice)
        return `Parley would play ${advice.from.toLowerCase()} to ${advice.to.toLowerCase()}.`;
    if (mayMove() && state.seats.size > 0)
        return `Your move.${check}`;
    if (state.plan?.opponent === "friend" && state.seats.size === 1 && game.seats_taken.length < 2)
        return "Waiting for your friend.";
    return `${nameOf(game.turn)} to move.${check}`;
}

function describeEnd(end) {
    const reason = end.reason.replaceAll("_", " ");
    return end.victor === "draw" ? `A draw: ${reason}.` : `${nameOf(end.victor)} wins: ${reason}.`;
}

function playerText(colour) {
    const game = state.game;
    if (isEngines(colour) && state.seats.has(colour))
        return `${nameOf(colour)}: Parley`;
    if (state.seats.has(colour))
        return `${nameOf(colour)}: you`;
    if (!game.seats_taken.includes(colour))
        return `${nameOf(colour)}: free`;
    return `${nameOf(colour)}: ${state.seats.size > 0 ? "your friend" : "taken"}`;
}

function showPlayer(place, colour) {
    const game = state.game;
    const line = element(place);
    line.replaceChildren(playerText(colour));
    line.classList.toggle("moves", game.turn === colour && !game.end);
    const ours = state.seats.has(colour);
    const free = !game.seats_taken.includes(colour);
    if (state.plan.opponent === "engine" || !(ours || free))
        return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = ours ? "Leave" : `Play ${nameOf(colour)}`;
    button.onclick = () => (ours ? leaveSeat(colour) : takeSeat(colour));
    line.append(button);
}

function takeSeat(player) {
    state.plan = { ...state.plan, opponent: "friend", colour: player };
    memory.write(state.id, state.plan);
    say({ message_type: "take_seat", player, key: ownKeyOfBrowser });
}

function leaveSeat(player) {
    state.plan = { ...state.plan, colour: null };
    memory.write(state.id, state.plan);
    for (const seat of state.seats)
        say({ message_type: "leave_seat", player: seat });
}

function showMoves() {
    const { played, fen, turn } = state.game;
    const [, , , , , number] = fen.split(" ");
    const blackBegan = (turn === "black") === (played.length % 2 === 0);
    const line = blackBegan ? ["...", ...played] : played;
    const first = Number(number) - Math.floor(line.length / 2);
    const list = element("moves");
    list.start = Math.max(1, first);
    const items = [];
    for (let i = 0; i < line.length; i += 2) {
        const item = document.createElement("li");
        for (const text of line.slice(i, i + 2)) {
            const move = document.createElement("span");
            move.textContent = text;
            item.append(move, " ");
        }
        items.push(item);
    }
    list.replaceChildren(...items);
    list.querySelector("li:last-child span:last-of-type")?.classList.add("latest");
    list.scrollTop = list.scrollHeight;
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

/// How much of the bar is White's, in percent.
function shareOfWhite(score) {
    if ("mate_in" in score)
        return score.mate_in > 0 ? 100 : 0;
    return 100 / (1 + Math.exp(-0.004 * score.centipawns));
}

function showEvaluation() {
    const bar = element("evaluation");
    const known = state.evaluation;
    bar.classList.toggle("known", Boolean(known));
    const line = element("line");
    line.hidden = !element("analysis").checked;
    if (!known) {
        line.textContent = "";
        bar.setAttribute("aria-label", "no evaluation");
        return;
    }
    bar.style.setProperty("--white", `${shareOfWhite(known.score)}%`);
    bar.setAttribute("aria-label", `evaluation ${scoreText(known.score)}`);
    bar.title = scoreText(known.score);
    if (known.line)
        line.textContent =
            `${scoreText(known.score)}, depth ${known.depth}: ${known.line.join(" ")}`;
}

function show() {
    const game = state.game;
    if (!game)
        return;
    showBoard();
    showPlayer("upper", state.turned ? "white" : "black");
    showPlayer("lower", state.turned ? "black" : "white");
    showMoves();
    showEvaluation();
    announce(describe(game));
    const isFriendly = state.plan?.opponent === "friend";
    element("share").hidden = !(isFriendly && game.seats_taken.length < 2 && state.seats.size > 0);
    element("link").value = location.href;
    element("resign").disabled =
        Boolean(game.end) || state.seats.size === 0 || game.thinking || !isConnected();
    element("hint").disabled = !mayMove();
    element("rematch").hidden = !game.end || (state.seats.size === 0 && game.seats_taken.length > 0);
    if (game.promoting && isOurs(game.turn) && isConnected())
        answerPrompt();
    else
        endPrompt();
}

// A new game

function beginGame(event) {
    event.preventDefault();
    const wanted = element("colour").value;
    const colour = wanted === "either" ? ["white", "black"][Math.floor(Math.random() * 2)] : wanted;
    state.plan = {
        opponent: element("opponent").value,
        colour,
        limits: JSON.parse(element("strength").value),
    };
    memory.write("setup", [element("opponent").value, wanted, element("strength").value]);
    Object.assign(state, { id: null, game: null, selected: null, choice: null, asked: null,
                           advice: null, evaluation: null, turned: colour === "black" });
    state.seats.clear();
    history.pushState(null, "", "/");
    disconnect();
    layBoard();
    connect();
}

function turnBoard() {
    state.turned = !state.turned;
    layBoard();
    show();
}

function switchAnalysis() {
    const on = element("analysis").checked;
    memory.write("analysis", on);
    say({ message_type: on ? "start_analysis" : "stop_analysis" });
    setEvaluation(on ? state.evaluation : null);
}

function resign() {
    if (!confirm("Resign this game?"))
        return;
    const player = state.plan.colour ?? [...state.seats][0];
    say({ message_type: "resignation", player });
}

function playAgain() {
    state.asked = null;
    setEvaluation(null);
    say({ message_type: "new_game" });
}

async function copyLink() {
    element("link").select();
    try {
        await navigator.clipboard.writeText(element("link").value);
        element("copy").textContent = "Copied";
    } catch {
        document.execCommand("copy");
    }
}

function recallSetup() {
    const setup = memory.read("setup");
    ["opponent", "colour", "strength"].forEach((id, index) => {
        const options = [...element(id).options].map((option) => option.value);
        if (setup && options.includes(setup[index]))
            element(id).value = setup[index];
    });
    element("analysis").checked = memory.read("analysis") === true;
}

function firstPlan() {
    return { opponent: "engine", colour: "white", limits: JSON.parse(element("strength").value) };
}

function start() {
    recallSetup();
    if (!state.id)
        state.plan = firstPlan();
    layBoard();
    element("board").addEventListener("click", (event) => {
        const button = event.target.closest(".square");
        if (button)
            activate(button.dataset.square);
    });
    element("board").addEventListener("keydown", moveFocus);
    element("setup").addEventListener("submit", beginGame);
    element("flip").addEventListener("click", turnBoard);
    element("analysis").addEventListener("change", switchAnalysis);
    element("hint").addEventListener("click", () => {
        announce("Parley is looking for a move.");
        say({ message_type: "hint", ...(state.plan?.limits ?? {}) });
    });
    element("resign").addEventListener("click", resign);
    element("rematch").addEventListener("click", playAgain);
    element("copy").addEventListener("click", copyLink);
    addEventListener("online", hurry);
    addEventListener("visibilitychange", hurry);
    addEventListener("popstate", () => location.reload());
    setInterval(watch, 5000);
    connect();
}

start();
