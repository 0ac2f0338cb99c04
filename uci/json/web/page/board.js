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
function enableDragging(board, callbacks) {
    const dragging = new Dragging(board, callbacks);
    board.addEventListener("pointerdown", (event) => dragging.press(event));
    board.addEventListener("pointermove", (event) => dragging.move(event));
    board.addEventListener("pointerup", (event) => dragging.release(event));
    board.addEventListener("pointercancel", () => dragging.end());
}

class Dragging {
    static leastDistance = 4;  // pixels; less is a click

    constructor(board, { mayLift, lift, drop }) {
        Object.assign(this, { board, mayLift, lift, drop });
        this.drag = null;  // {from, x, y, pointer, piece}: the last is what follows the pointer
    }

    press(event) {
        const square = event.target.closest(".square")?.dataset.square;
        this.end();
        if (event.isPrimary && event.button === 0 && square && this.mayLift(square))
            this.drag = { from: square, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    }

    move(event) {
        const { drag } = this;
        if (event.pointerId !== drag?.pointer)
            return;
        // Let go outside of the board, before it followed the pointer there.
        if (event.buttons === 0) {
            this.end();
            return;
        }
        const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
        if (!drag.piece && (distance < Dragging.leastDistance || !this.mayLift(drag.from)))
            return;
        if (!drag.piece)
            this.begin();
        drag.piece.style.translate = `calc(${event.clientX}px - 50%) calc(${event.clientY}px - 50%)`;
        this.markHovered(this.squareAt(event));
    }

    release(event) {
        if (event.pointerId !== this.drag?.pointer)
            return;
        const { from, piece } = this.drag;
        const to = this.squareAt(event)?.dataset.square ?? null;
        this.end();
        if (piece) {
            this.ignoreClick();
            this.drop(from, to);
        }
    }

    begin() {
        const { drag, board } = this;
        const square = board.querySelector(`[data-square="${drag.from}"]`);
        const { width } = square.getBoundingClientRect();
        drag.piece = square.querySelector(".piece").cloneNode(true);
        drag.piece.classList.add("dragged");
        Object.assign(drag.piece.style, { width: `${width}px`, height: `${width}px` });
        document.body.append(drag.piece);
        board.setPointerCapture(drag.pointer);
        this.lift(drag.from);
        square.classList.add("lifted");
    }

    end() {
        if (!this.drag)
            return;
        this.drag.piece?.remove();
        this.board.querySelector(".lifted")?.classList.remove("lifted");
        this.markHovered(null);
        this.drag = null;
    }

    squareAt(event) {
        return document.elementFromPoint(event.clientX, event.clientY)?.closest("#board .square") ?? null;
    }

    markHovered(square) {
        this.board.querySelector(".hovered")?.classList.remove("hovered");
        square?.classList.add("hovered");
    }

    /// The browser reports the end of a drag as a click, too.
    ignoreClick() {
        const ignore = (event) => event.stopPropagation();
        this.board.addEventListener("click", ignore, { capture: true, once: true });
        setTimeout(() => this.board.removeEventListener("click", ignore, { capture: true }));
    }
}
