// The dialog in which a position is set up. The server says whether a game can begin there.

const editor = { board: {}, piece: "K" };  // letters on squares; the piece that a click puts down, "" for none
const palette = [..."KQRBNP", "", ..."kqrbnp"];
const castlingRights = ["K", "Q", "k", "q"];

const nameOfPiece = (letter) => say(`${colourOf(letter)} ${pieceNames[letter.toLowerCase()]}`);

function openEditor() {
    const [, turn, castling] = viewedPosition().fen.split(" ");
    editor.board = piecesOf(viewedPosition().fen);
    element("editor-turn").value = turn;
    for (const right of castlingRights)
        element(`castling-${right}`).checked = castling.includes(right);
    element("editor-error").textContent = "";
    buildEditor();
    element("editor").showModal();
}

function buildEditor() {
    element("editor-board").replaceChildren(...squaresInOrder().flat().map((square) => {
        const button = makeSquare(square);
        button.removeAttribute("role");
        delete button.dataset.square;
        button.dataset.place = square;
        button.addEventListener("click", () => putPiece(square));
        return button;
    }));
    element("palette").replaceChildren(...palette.map((letter) => {
        const button = document.createElement("button");
        button.type = "button";
        button.value = letter;
        button.setAttribute("aria-label", letter ? nameOfPiece(letter) : say("remove a piece"));
        button.append(letter ? drawPiece(letter) : "✕");
        button.addEventListener("click", () => { editor.piece = letter; showEditor(); });
        return button;
    }));
    showEditor();
}

function putPiece(square) {
    if (editor.piece && editor.board[square] !== editor.piece)
        editor.board[square] = editor.piece;
    else
        delete editor.board[square];
    showEditor();
}

function showEditor() {
    for (const button of element("editor-board").children) {
        const letter = editor.board[button.dataset.place];
        const square = button.dataset.place.toLowerCase();
        button.setAttribute("aria-label", letter ? `${square}, ${nameOfPiece(letter)}` : square);
        button.replaceChildren(...(letter ? [drawPiece(letter)] : []));
    }
    for (const button of element("palette").children)
        button.setAttribute("aria-pressed", String(button.value === editor.piece));
}

function fenOfEditor() {
    const rows = [...ranks].reverse().map((rank) => [...files]
        .map((file) => editor.board[file + rank] ?? "1").join("")
        .replace(/1+/g, (empty) => empty.length));
    const castling = castlingRights.filter((right) => element(`castling-${right}`).checked).join("");
    return `${rows.join("/")} ${element("editor-turn").value} ${castling || "-"} - 0 1`;
}

function fillEditor(fen) {
    editor.board = piecesOf(fen);
    const isStart = Object.keys(editor.board).length > 0;
    for (const right of castlingRights)
        element(`castling-${right}`).checked = isStart;
    showEditor();
}

function playFromEditor() {
    element("editor-error").textContent = "";
    state.loadAsked = "FEN";
    state.names = null;
    send({ message_type: "new_game", fen: fenOfEditor() });
}

function startEditor() {
    element("set-up").addEventListener("click", openEditor);
    element("empty-board").addEventListener("click", () => fillEditor("8/8/8/8/8/8/8/8"));
    element("full-board").addEventListener("click",
        () => fillEditor("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    element("play-position").addEventListener("click", playFromEditor);
}
