// What all pages with a board share. A page has `files`, its names of the files, and `state.flipped`.

const ranks = "12345678";
const pieceNames = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/// The pieces of a FEN on their squares: {"E1": "K", ...}.
function piecesOf(fen) {
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
    const rows = state.flipped ? [...ranks] : [...ranks].reverse();
    const columns = state.flipped ? [...files].reverse() : [...files];
    return rows.map((rank) => columns.map((file) => file + rank));
}

/// Slides the piece on a square there from the one it came from.
function slidePiece(from, to) {
    const piece = to.querySelector(".piece");
    if (!piece || matchMedia("(prefers-reduced-motion: reduce)").matches)
        return;
    const [start, end] = [from, to].map((square) => square.getBoundingClientRect());
    const transform = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
    piece.animate([{ transform, zIndex: 2 }, { transform: "none", zIndex: 2 }],
                  { duration: 150, easing: "ease-out" });
}

/// Lets pieces be dragged by mouse, pen or finger. `mayLift(square)` says whether a piece may be;
/// `lift(square)` is called when it begins to move, and `drop(from, to)` when it is let go: `to` is null
/// beside the board.
function enableDragging(board, { mayLift, lift, drop }) {
    const leastDistance = 4;  // pixels; less is a click
    let drag = null;          // {from, x, y, pointer, piece}: the last is what follows the pointer

    const squareAt = (event) => document.elementFromPoint(event.clientX, event.clientY)
        ?.closest("#board .square") ?? null;
    const markHovered = (square) => {
        board.querySelector(".hovered")?.classList.remove("hovered");
        square?.classList.add("hovered");
    };

    const begin = () => {
        const square = board.querySelector(`[data-square="${drag.from}"]`);
        const { width } = square.getBoundingClientRect();
        drag.piece = square.querySelector(".piece").cloneNode(true);
        drag.piece.classList.add("dragged");
        Object.assign(drag.piece.style, { width: `${width}px`, height: `${width}px` });
        document.body.append(drag.piece);
        board.setPointerCapture(drag.pointer);
        lift(drag.from);
        square.classList.add("lifted");
    };
    const end = () => {
        drag.piece?.remove();
        board.querySelector(".lifted")?.classList.remove("lifted");
        markHovered(null);
        drag = null;
    };
    // The browser reports the end of a drag as a click, too.
    const ignoreClick = () => {
        const ignore = (event) => event.stopPropagation();
        board.addEventListener("click", ignore, { capture: true, once: true });
        setTimeout(() => board.removeEventListener("click", ignore, { capture: true }));
    };

    board.addEventListener("pointerdown", (event) => {
        const square = event.target.closest(".square")?.dataset.square;
        if (drag)
            end();
        if (event.isPrimary && event.button === 0 && square && mayLift(square))
            drag = { from: square, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    });
    board.addEventListener("pointermove", (event) => {
        if (event.pointerId !== drag?.pointer)
            return;
        // Let go outside of the board, before it followed the pointer there.
        if (event.buttons === 0) {
            end();
            return;
        }
        const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
        if (!drag.piece && (distance < leastDistance || !mayLift(drag.from)))
            return;
        if (!drag.piece)
            begin();
        drag.piece.style.translate = `calc(${event.clientX}px - 50%) calc(${event.clientY}px - 50%)`;
        markHovered(squareAt(event));
    });
    board.addEventListener("pointerup", (event) => {
        if (event.pointerId !== drag?.pointer)
            return;
        const { from, piece } = drag;
        const to = squareAt(event)?.dataset.square ?? null;
        end();
        if (piece) {
            ignoreClick();
            drop(from, to);
        }
    });
    board.addEventListener("pointercancel", () => drag && end());
}
