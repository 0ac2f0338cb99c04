// The page of `parley serve`. It knows no rules of chess: the message "game" holds everything that
// is shown, the legal moves included. It sends JSON messages over one WebSocket and reconnects when
// the connection is lost. Where a comment is @NAME@, embed.cmake inserts the file name.js.

const files = "ABCDEFGH";
// @BOARD@

const element = (id) => document.getElementById(id);
const otherColour = (colour) => (colour === "white" ? "black" : "white");
const nameOf = (colour) => (colour === "white" ? "White" : "Black");

// @SITE@
// @SAY@
// @TEXTS@

// The state of the page. `game` is the last message of that type.

const state = {
    id: site.currentGame(),
    game: null,
    plan: null,             // {opponent, colour, limits}: who plays this game, and how strong; {clock}: times
                            // that a new game is to have; {rematches}: as in the last message "game"
    ownSeats: new Set(),    // colours that we play
    seatsRequested: false,    // whether we have asked for them over this connection
    flipped: false,
    selected: null,         // square of the piece to move
    focused: "E2",
    positions: [],          // {fen, last_move} after each ply, as far as they are known
    viewed: null,           // plies before the position that is shown, unless that is the present one
    variation: null,        // {from, line, positions, at}: the line of the analysis that is shown, which begins
                            // after `from` plies, and how many of its moves have been made
    wanted: null,           // what is to be shown, while the server is asked for it: plies or {from, line, count}
    premove: null,          // {from, to, choice, piece}: the move that we make when it is our turn
    premoveDroppedAt: null, // ply at which that was not legal
    promotionChoice: null,  // chosen, but not sent yet
    promptedAt: null,       // ply at which the server asked for a promotion choice
    engineAskedAt: null,    // ply at which we asked the engine for a move
    droppedOn: null,        // square on which the user has dropped a piece; its move is not animated
    hint: null,             // {from, to, choice, ply, step, reasons}: see coach.js
    hintAskedAt: null,      // ply at which we asked for it
    checking: null,         // {from, to, choice, ply, timer}: the move that is checked before it is made
    evaluation: null,       // {score, depth, line, lines, ply}, the score for White
    review: null,           // the last message of that type about this game
    reviewAsked: false,     // whether we have asked for it, to open it when it is ready
    names: null,            // {white, black}: the players of a game in PGN
    loadAsked: null,        // what is being loaded: "PGN" or "FEN"
};

const playerKey = loadPlayerKey();

// @CONNECTION@
// @MESSAGES@
// @VIEWS@
// @PLAY@
// @PREMOVES@
// @SQUARES@
// @ARROWS@
// @COACH@
// @ANALYSIS@
// @SIDE@
// @CLOCKS@
// @OFFERS@
// @MATERIAL@
// @PGN@
// @ACTIONS@
// @EDITOR@
// @SOUND@
// @NOTIFICATIONS@
// @SETTINGS@

function start() {
    startSettings();
    startEditor();
    restoreSetup();
    startClocks();
    startOffers();
    startViews();
    startAnalysisSettings();
    startPremoves();
    startNotifications();
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
        mayLift: maySelect,
        lift,
        drop,
    });
    element("setup").addEventListener("submit", startGame);
    element("flip").addEventListener("click", flipBoard);
    element("hint").addEventListener("click", askForHint);
    element("take-back").addEventListener("click", () => {
        send({ message_type: "take_back", plies: pliesToTakeBack() });
    });
    element("move-now").addEventListener("click", () => send({ message_type: "move_now" }));
    element("resign").addEventListener("click", resign);
    element("review").addEventListener("click", review);
    element("load").addEventListener("click", openLoading);
    element("load-text").addEventListener("click", load);
    element("rematch").addEventListener("click", offerRematch);
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
