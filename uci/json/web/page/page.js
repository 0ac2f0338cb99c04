// The page of `parley serve`. It knows no rules of chess: the message "game" holds everything that
// is shown, the legal moves included. It sends JSON messages over one WebSocket and reconnects when
// the connection is lost.

const files = "ABCDEFGH";
// @BOARD@

// How the page reaches its games, and their addresses. offline.js has a site without a server.
const site = globalThis.parleySite ?? {
    connect(id) {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        return new WebSocket(`${scheme}://${location.host}${id ? `/game/${id}` : "/socket"}`);
    },
    currentGame() {
        const found = location.pathname.match(/^\/game\/([0-9a-f]{32})$/);
        return found ? found[1] : null;
    },
    enterGame(id) {
        history.replaceState(null, "", `/game/${id}`);
    },
    leaveGame() {
        history.pushState(null, "", "/");
    },
    async isGameGone(id) {
        return Boolean(id) && (await fetch(`/game/${id}`, { method: "HEAD" })).status === 404;
    },
    loadsGames: true,
    openReview(id) {
        location.assign(`/game/${id}/review`);
    },
};

const element = (id) => document.getElementById(id);
const otherColour = (colour) => (colour === "white" ? "black" : "white");
const nameOf = (colour) => (colour === "white" ? "White" : "Black");

// localStorage: the key with which this browser takes seats, and for each game who plays it.

const storage = {
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
            // Storage may be disabled; the game works without it as long as the page is open.
        }
    },
};

function loadPlayerKey() {
    let key = storage.read("key");
    if (!key) {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        storage.write("key", key);
    }
    return key;
}

// The state of the page. `game` is the last message of that type.

const state = {
    id: site.currentGame(),
    game: null,
    plan: null,             // {opponent, colour, limits}: who plays this game, and how strong
    ownSeats: new Set(),    // colours that we play
    seatsRequested: false,    // whether we have asked for them over this connection
    flipped: false,
    selected: null,         // square of the piece to move
    focused: "E2",
    positions: [],          // {fen, last_move} after each ply, as far as they are known
    viewed: null,           // plies before the position that is shown, unless that is the present one
    wanted: null,           // the same, while the server is asked for it
    promotionChoice: null,  // chosen, but not sent yet
    promptedAt: null,       // ply at which the server asked for a promotion choice
    engineAskedAt: null,    // ply at which we asked the engine for a move
    droppedOn: null,        // square on which the user has dropped a piece; its move is not animated
    hint: null,             // {from, to, ply}
    evaluation: null,       // {score, depth, line, ply}, the score for White
    review: null,           // the last message of that type about this game
    reviewAsked: false,     // whether we have asked for it, to open it when it is ready
    names: null,            // {white, black}: the players of a game in PGN
    loadAsked: null,        // what is being loaded: "PGN" or "FEN"
};

const playerKey = loadPlayerKey();

// The connection

const connection = { socket: null, attempts: 0, timer: null, lastMessageAt: 0,
                     reconnecting: false };
const maxMessageSize = 16384;
const maxReconnectDelay = 5000;
const pingInterval = 15000;
const idleTimeout = 25000;

function connect() {
    clearTimeout(connection.timer);
    connection.reconnecting = false;
    const socket = site.connect(state.id);
    connection.socket = socket;
    connection.lastMessageAt = Date.now();
    socket.onopen = () => socket === connection.socket && onConnect();
    socket.onmessage = (event) => socket === connection.socket && onMessage(JSON.parse(event.data));
    socket.onclose = () => socket === connection.socket && onDisconnect();
}

function disconnect() {
    const socket = connection.socket;
    connection.socket = null;
    clearTimeout(connection.timer);
    socket?.close();
}

const isConnected = () => connection.socket?.readyState === WebSocket.OPEN;

function send(message) {
    if (isConnected())
        connection.socket.send(JSON.stringify(message));
}

function onConnect() {
    connection.attempts = 0;
    showConnection("connected", false);
    state.ownSeats.clear();
    state.seatsRequested = false;
    state.engineAskedAt = null;
    clearPrompt();
    send({ message_type: "follow_game" });
    if (element("analysis").checked)
        send({ message_type: "start_analysis" });
}

/// Reconnects with growing delays, unless the game is gone.
async function onDisconnect() {
    connection.socket = null;
    showConnection("connection lost, reconnecting", true);
    show();
    const isGone = await isGameGone(state.id);
    if (connection.socket)
        return;  // a new game was started meanwhile
    if (isGone) {
        showConnection("no game", false);
        showStatus("This game no longer exists. Start a new one.");
        return;
    }
    const delay = Math.min(maxReconnectDelay, 250 * 2 ** connection.attempts);
    connection.attempts += 1;
    connection.reconnecting = true;
    connection.timer = setTimeout(connect, delay);
}

async function isGameGone(id) {
    try {
        return await site.isGameGone(id);
    } catch {
        return false;
    }
}

/// A connection can be lost without a close: sends a request when the server is silent, and closes
/// the connection when that is not answered.
function checkConnection() {
    if (!isConnected())
        return;
    const silence = Date.now() - connection.lastMessageAt;
    if (silence > idleTimeout)
        connection.socket.close();
    else if (silence > pingInterval)
        send({ message_type: "follow_game" });
}

function reconnectNow() {
    if (connection.reconnecting)
        connect();
}

function showConnection(text, lost) {
    element("connection").textContent = text;
    element("connection").classList.toggle("lost", lost);
}

// Messages from the server

const handlers = {
    game: onGame,
    promotion_prompt: onPromotionPrompt,
    seat_taken: (message) => { state.ownSeats.add(message.player); show(); },
    seat_left: (message) => { state.ownSeats.delete(message.player); show(); },
    engine_move: onEngineMove,
    hint: onHint,
    analysis: onAnalysis,
    positions: onPositions,
    review: onReview,
    failure: onFailure,
};

function onMessage(message) {
    connection.lastMessageAt = Date.now();
    handlers[message.message_type]?.(message);
}

function onGame(game) {
    const previous = state.game;
    const first = previous?.id !== game.id;
    // What is known of a ply may not fit the game that goes on from an earlier one.
    if (game.played.length < (previous?.played.length ?? 0))
        Object.assign(state, { hint: null, evaluation: null, engineAskedAt: null });
    if (game.fen !== previous?.fen)
        Object.assign(state, { review: null, reviewAsked: false });
    keepPosition(game, previous);
    state.game = game;
    if (state.loadAsked)
        onLoaded();
    if (first)
        openGame(game);
    requestSeats();
    if (state.selected && !game.moves[state.selected])
        state.selected = null;
    show();
    if (!first && state.viewed === null && game.played.length === previous.played.length + 1)
        animateLastMove(game);
    requestEngineMove();
}

// Positions of the past

/// Adds the present position to those of the past, if the game has gone on from them.
function keepPosition(game, previous) {
    const goesOn = previous?.id === game.id && previous.start_fen === game.start_fen
        && game.played.length >= previous.played.length
        && previous.played.every((san, ply) => san === game.played[ply]);
    if (!goesOn)
        Object.assign(state, { positions: [], viewed: null, wanted: null });
    state.positions[game.played.length] = { fen: game.fen, last_move: game.last_move };
}

function onPositions({ from, positions }) {
    positions.forEach((position, index) => { state.positions[from + index] = position; });
    if (state.wanted !== null)
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
    state.viewed = wanted === last ? null : wanted;
    state.selected = null;
    show();
}

const viewedPly = () => state.viewed ?? state.game.played.length;
const viewedPosition = () => (state.viewed === null ? state.game : state.positions[state.viewed]);

/// Steps through the moves, unless the keys have a meaning where the focus is.
function onKey(event) {
    const steps = { ArrowLeft: () => view(viewedPly() - 1), ArrowRight: () => view(viewedPly() + 1),
                    Home: () => view(0), End: () => view(Infinity) };
    if (!state.game || !steps[event.key] || event.ctrlKey || event.altKey || event.metaKey
        || event.target.closest("#board, select, input, textarea, dialog"))
        return;
    event.preventDefault();
    steps[event.key]();
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
    storage.write(game.id, state.plan);
    state.flipped = state.plan.colour === "black";
    state.focused = state.flipped ? "E7" : "E2";
    buildBoard();
}

/// Someone who opens the link of a game plays the free colour, if there is exactly one.
function guestPlan(game) {
    const colour = game.seats_taken.length === 1 ? otherColour(game.seats_taken[0]) : null;
    return { opponent: "friend", colour, limits: { milliseconds: 1000 } };
}

/// Takes the engine's seat too, so that nobody else moves for it.
function requestSeats() {
    const { opponent, colour } = state.plan;
    if (state.seatsRequested || !colour)
        return;
    state.seatsRequested = true;
    const players = opponent === "engine" ? [colour, otherColour(colour)] : [colour];
    for (const player of players)
        send({ message_type: "take_seat", player, key: playerKey });
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

function onHint(message) {
    state.hint = { from: message.from, to: message.to, ply: state.game.played.length };
    show();
}

/// The hint, unless a move was made since.
function currentHint() {
    return state.hint?.ply === state.game.played.length ? state.hint : null;
}

function onAnalysis(message) {
    if (message.ply === state.game?.played.length && element("analysis").checked)
        setEvaluation(message);
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
        return "Parley has too much to do. Ask for the review again later.";
    if (stage === "ready")
        return "The review is ready.";
    const part = `${done} of ${total}`;
    return step === "positions" ? `Reviewing the game: position ${part}.`
        : `Looking for words: search ${part}.`;
}

function onFailure() {
    if (state.loadAsked) {
        element("loading-error").textContent = "Parley cannot read that, or it is no game of chess.";
        state.loadAsked = null;
    }
    if (state.reviewAsked) {
        state.reviewAsked = false;
        state.review = { state: "failed" };
    }
    state.promotionChoice = null;
    clearPrompt();
    const engineAskedAt = state.engineAskedAt;
    state.engineAskedAt = null;
    if (engineAskedAt !== null)
        setTimeout(requestEngineMove, 1000);
    show();
}

// Requests

function canActFor(colour) {
    const noneTaken = state.game.seats_taken.length === 0;
    return noneTaken || state.ownSeats.has(colour);
}

function isEngineSide(colour) {
    return state.plan?.opponent === "engine" && colour !== state.plan.colour;
}

/// Whether the user may move now.
function canMove() {
    const game = state.game;
    return Boolean(game) && isConnected() && state.viewed === null && !game.end && !game.thinking
        && !game.promoting && canActFor(game.turn) && !isEngineSide(game.turn);
}

/// Whether nobody else plays in this game.
function isOnlyPlayer() {
    return state.game.seats_taken.every((colour) => state.ownSeats.has(colour));
}

/// How many plies "Take back" takes back: up to the user's last move, with the engine's answer. 0: it
/// is not possible.
function pliesToTakeBack() {
    const { game } = state;
    if (!isConnected() || game.thinking || game.promoting || !isOnlyPlayer())
        return 0;
    const withEngine = state.plan?.opponent === "engine" && game.turn === state.plan.colour;
    const plies = withEngine ? 2 : 1;
    return game.played.length >= plies ? plies : 0;
}

function requestEngineMove() {
    const game = state.game;
    const due = game && !game.end && !game.thinking && !game.promoting && isEngineSide(game.turn)
        && state.ownSeats.has(game.turn) && state.engineAskedAt !== game.played.length;
    if (!due)
        return;
    state.engineAskedAt = game.played.length;
    send({ message_type: "engine_move", player: game.turn, ...state.plan.limits });
}

function pieceOn(square) {
    return piecesOf(state.game.fen)[square];
}

function isPromotion(from, to) {
    return pieceOn(from)?.toLowerCase() === "p" && (to[1] === "8" || to[1] === "1");
}

async function move(from, to) {
    state.selected = null;
    state.hint = null;
    show();
    const promotes = isPromotion(from, to);
    state.promotionChoice = promotes ? await choosePiece(state.game.turn, to, true) : null;
    if (promotes && !state.promotionChoice)
        return;
    send({ message_type: "peice move", from, to });
}

/// The server asks for the promotion choice, which usually has been made before.
async function onPromotionPrompt() {
    if (state.promptedAt === state.game.played.length)
        return;
    state.promptedAt = state.game.played.length;
    const { turn, promoting } = state.game;
    const promotionChoice = state.promotionChoice ?? await choosePiece(turn, promoting?.to, false);
    state.promotionChoice = null;
    if (promotionChoice) {
        send({ message_type: "piece_promotion_choice", piece_choice: promotionChoice });
    } else if (state.promptedAt !== null) {
        // Browsers let users close any dialog, but the game needs an answer: ask again.
        state.promptedAt = null;
        show();
    }
}

/// Allows the next prompt, unless the dialog is still open.
function clearPrompt() {
    if (!element("promotion").open)
        state.promptedAt = null;
}

/// Closes the dialog when another page has made the choice.
function closeStalePrompt() {
    if (state.promptedAt !== null && state.promptedAt !== state.game.played.length) {
        state.promptedAt = null;
        element("promotion").close();
    }
}

// The board

/// Builds the 64 squares: when a game opens and when the board is flipped.
function buildBoard() {
    const rows = squaresInOrder().map((squares) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        row.append(...squares.map(makeSquare));
        return row;
    });
    element("board").replaceChildren(...rows);
    element("evaluation").classList.toggle("flipped", state.flipped);
}

function makeSquare(square) {
    const button = document.createElement("button");
    const isDark = (files.indexOf(square[0]) + ranks.indexOf(square[1])) % 2 === 0;
    button.type = "button";
    button.setAttribute("role", "gridcell");
    button.className = isDark ? "square dark" : "square";
    button.dataset.square = square;
    if (square[1] === (state.flipped ? "8" : "1"))
        button.dataset.file = square[0].toLowerCase();
    if (square[0] === (state.flipped ? "H" : "A"))
        button.dataset.rank = square[1];
    return button;
}

const squareElement = (square) => element("board").querySelector(`[data-square="${square}"]`);

function showBoard() {
    const game = state.game;
    if (!game)
        return;
    const { fen, last_move: last } = viewedPosition();
    const board = piecesOf(fen);
    const movable = canMove();
    const targets = movable && state.selected ? game.moves[state.selected] ?? [] : [];
    const hint = currentHint();
    for (const button of element("board").querySelectorAll(".square")) {
        const square = button.dataset.square;
        const marks = {
            movable: movable && Boolean(game.moves[square]),
            target: targets.includes(square),
            selected: square === state.selected,
            last: square === last?.from || square === last?.to,
            check: state.viewed === null && square === game.check?.king_space,
            hint: state.viewed === null && (square === hint?.from || square === hint?.to),
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
            words.push(mark === "target" ? "legal target" : mark);
    }
    button.setAttribute("aria-label", words.join(", "));
}

function activate(square) {
    state.focused = square;
    if (!canMove())
        return showBoard();
    const targets = state.game.moves[state.selected] ?? [];
    if (state.selected && targets.includes(square))
        return move(state.selected, square);
    const selectable = state.game.moves[square] && square !== state.selected;
    state.selected = selectable ? square : null;
    return showBoard();
}

function lift(square) {
    state.focused = square;
    state.selected = square;
    showBoard();
}

/// A piece that is put back stays selected.
function drop(from, to) {
    const isLegal = canMove() && (state.game.moves[from] ?? []).includes(to);
    if (isLegal) {
        state.droppedOn = to;
        move(from, to);
        return;
    }
    if (to !== from)
        state.selected = null;
    showBoard();
}

/// Arrow keys move the focus as the board is seen; only the focused square is in the tab order.
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

/// Asks for the piece of a promotion; null when the user cancels.
function choosePiece(colour, square, canCancel) {
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
        dialog.oncancel = (event) => canCancel || event.preventDefault();
        dialog.onclose = () => resolve(dialog.returnValue || null);
        dialog.returnValue = "";
        dialog.showModal();
    });
}

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

/// The game as PGN: the tags that every reader expects, and the moves.
function pgnOf(game) {
    const results = { white: "1-0", black: "0-1", draw: "1/2-1/2" };
    const result = game.end ? results[game.end.victor] : "*";
    const playerName = (colour) => (isEngineSide(colour) ? "Parley" : "?");
    const tags = [["Event", "?"], ["Site", location.host],
                  ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
                  ["Round", "-"], ["White", playerName("white")], ["Black", playerName("black")],
                  ["Result", result]];
    if (game.start_fen)
        tags.push(["SetUp", "1"], ["FEN", game.start_fen]);
    const { moves, number, blackBegins } = moveList(game);
    const words = moves.map((san, index) => {
        const ply = index + (blackBegins ? 1 : 0);
        if (ply % 2 === 0)
            return `${number + ply / 2}. ${san}`;
        return index === 0 ? `${number}... ${san}` : san;
    });
    const lines = [];
    for (const word of [...words, result]) {
        if (lines.length > 0 && lines.at(-1).length + word.length < 80)
            lines[lines.length - 1] += ` ${word}`;
        else
            lines.push(word);
    }
    return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${lines.join("\n")}\n`;
}

/// The moves, the number of the first one, and whether Black makes it.
function moveList({ played, fen, turn }) {
    const blackBegins = (turn === "black") === (played.length % 2 === 0);
    const next = Number(fen.split(" ")[5]);
    const number = next - Math.floor((played.length + (blackBegins ? 1 : 0)) / 2);
    return { moves: played, number, blackBegins };
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

// A new game

function startGame(event) {
    event.preventDefault();
    const choice = element("colour").value;
    const colour = choice === "random" ? ["white", "black"][Math.floor(Math.random() * 2)] : choice;
    state.plan = {
        opponent: element("opponent").value,
        colour,
        limits: JSON.parse(element("strength").value),
    };
    storage.write("setup", [element("opponent").value, choice, element("strength").value]);
    Object.assign(state, { id: null, game: null, selected: null, promotionChoice: null,
                           engineAskedAt: null, hint: null, evaluation: null, review: null,
                           positions: [], viewed: null, wanted: null,
                           reviewAsked: false, names: null, flipped: colour === "black" });
    state.ownSeats.clear();
    site.leaveGame();
    disconnect();
    buildBoard();
    connect();
}

function flipBoard() {
    state.flipped = !state.flipped;
    buildBoard();
    show();
}

function toggleAnalysis() {
    const on = element("analysis").checked;
    storage.write("analysis", on);
    send({ message_type: on ? "start_analysis" : "stop_analysis" });
    setEvaluation(on ? state.evaluation : null);
}

function resign() {
    if (!confirm("Resign this game?"))
        return;
    const player = state.plan.colour ?? [...state.ownSeats][0];
    send({ message_type: "resignation", player });
}

function rematch() {
    state.engineAskedAt = null;
    setEvaluation(null);
    send({ message_type: "new_game" });
}

function shortened(text, bytes) {
    const letters = [...text];
    while (new TextEncoder().encode(letters.join("")).length > bytes)
        letters.pop();
    return letters.join("");
}

function review() {
    state.reviewAsked = true;
    const [white, black] = ["white", "black"].map((colour) => {
        if (state.names?.[colour])
            return shortened(state.names[colour], 60);
        if (isEngineSide(colour))
            return "Parley";
        const isOurs = colour === state.plan.colour && state.ownSeats.has(colour);
        return isOurs ? "You" : nameOf(colour);
    });
    send({ message_type: "start_review", white, black });
    show();
}

function openLoading() {
    element("loading-error").textContent = "";
    element("loading").showModal();
}

/// The text of a PGN tag; empty without it.
function tagOf(pgn, name) {
    return pgn.match(new RegExp(`^\\s*\\[${name}\\s+"((?:[^"\\\\]|\\\\.)*)"\\]`, "m"))?.[1]
        .replace(/\\(.)/g, "$1") ?? "";
}

/// Sends what was pasted: a position to play on from, or a game.
function load() {
    const text = element("loaded").value.trim();
    const isFen = /^[1-8pnbrqk]+(\/[1-8pnbrqk]+){7} [wb]( |$)/i.test(text);
    const message = isFen ? { message_type: "new_game", fen: text }
        : { message_type: "load_pgn", pgn: text };
    const tooLong = new TextEncoder().encode(JSON.stringify(message)).length > maxMessageSize;
    element("loading-error").textContent = tooLong ? "That is too long. Leave its comments out." : "";
    if (tooLong || !text)
        return;
    state.loadAsked = isFen ? "FEN" : "PGN";
    state.names = isFen ? null
        : { white: tagOf(text, "White"), black: tagOf(text, "Black") };
    send(message);
}

/// A game that was loaded has no players: it is to be looked at, or to be played on by anybody.
function onLoaded() {
    if (state.loadAsked === "PGN")
        leaveSeats();
    if (state.loadAsked === "PGN" && state.plan.opponent === "engine") {
        state.plan = { ...state.plan, opponent: "friend" };
        storage.write(state.id, state.plan);
    }
    Object.assign(state, { loadAsked: null, hint: null, evaluation: null, engineAskedAt: null });
    element("loading").close();
}

/// Copies a text and says so on the button.
async function copy(text, button) {
    button.dataset.label ??= button.textContent;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        copyBySelection(text);
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}

/// For pages that came by plain HTTP from another machine: browsers have no clipboard for them.
function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
}

function restoreSetup() {
    // Earlier versions stored "either".
    const setup = storage.read("setup")?.map((value) => (value === "either" ? "random" : value));
    ["opponent", "colour", "strength"].forEach((id, index) => {
        const options = [...element(id).options].map((option) => option.value);
        if (setup && options.includes(setup[index]))
            element(id).value = setup[index];
    });
    element("analysis").checked = storage.read("analysis") === true;
}

function defaultPlan() {
    return { opponent: "engine", colour: "white", limits: JSON.parse(element("strength").value) };
}

function start() {
    restoreSetup();
    if (!state.id)
        state.plan = defaultPlan();
    buildBoard();
    element("board").addEventListener("click", (event) => {
        const button = event.target.closest(".square");
        if (button)
            activate(button.dataset.square);
    });
    element("board").addEventListener("keydown", moveFocus);
    enableDragging(element("board"), {
        mayLift: (square) => canMove() && Boolean(state.game.moves[square]),
        lift,
        drop,
    });
    element("setup").addEventListener("submit", startGame);
    element("flip").addEventListener("click", flipBoard);
    element("analysis").addEventListener("change", toggleAnalysis);
    element("hint").addEventListener("click", () => {
        showStatus("Parley is searching for a move.");
        send({ message_type: "hint", milliseconds: 1000 });
    });
    element("take-back").addEventListener("click", () => {
        send({ message_type: "take_back", plies: pliesToTakeBack() });
    });
    element("resign").addEventListener("click", resign);
    element("review").addEventListener("click", review);
    element("load").addEventListener("click", openLoading);
    element("first").addEventListener("click", () => view(0));
    element("back").addEventListener("click", () => view(viewedPly() - 1));
    element("forward").addEventListener("click", () => view(viewedPly() + 1));
    element("last").addEventListener("click", () => view(Infinity));
    document.addEventListener("keydown", onKey);
    element("load-text").addEventListener("click", load);
    element("rematch").addEventListener("click", rematch);
    element("copy").addEventListener("click", () => copy(element("link").value, element("copy")));
    element("copy-pgn").addEventListener("click",
                                         () => copy(pgnOf(state.game), element("copy-pgn")));
    element("copy-fen").addEventListener("click",
                                         () => copy(state.game.fen, element("copy-fen")));
    addEventListener("online", reconnectNow);
    addEventListener("visibilitychange", reconnectNow);
    addEventListener("popstate", () => location.reload());
    setInterval(checkConnection, 5000);
    connect();
}

start();
