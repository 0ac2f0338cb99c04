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
    const targets = canMove() && state.selected ? game.moves[state.selected] ?? [] : [];
    const ahead = state.selected ? premoveTargets(state.selected) : [];
    const { premove: planned } = state;
    const hint = hintMarks();
    const checked = isPresent() ? currentCheck() : null;
    if (checked) {
        board[checked.to] = board[checked.from];
        delete board[checked.from];
    }
    for (const button of element("board").querySelectorAll(".square")) {
        const square = button.dataset.square;
        const marks = {
            movable: maySelect(square),
            target: targets.includes(square),
            ahead: ahead.includes(square),
            planned: square === planned?.from || square === planned?.to,
            selected: square === state.selected,
            last: square === last?.from || square === last?.to,
            check: isPresent() && square === game.check?.king_space,
            hint: square === hint.from || square === hint.to,
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
        words.push(say(`${colourOf(piece)} ${pieceNames[piece.toLowerCase()]}`));
    const names = { selected: "selected", target: "legal target", ahead: "pre-move target",
                    planned: "pre-move", check: "check" };
    for (const [mark, name] of Object.entries(names)) {
        if (marks[mark])
            words.push(say(name));
    }
    button.setAttribute("aria-label", words.join(", "));
}

function activate(square) {
    state.focused = square;
    if (!canMove())
        return activatePremove(square);
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
    if (premoveTargets(from).includes(to)) {
        premove(from, to);
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
        leaveLine();
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
