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
