// What the buttons and dialogs beside the board do.

// A new game

function startGame(event) {
    event.preventDefault();
    const leaves = state.ownSeats.size > 0 && state.game?.played.length > 0 && !state.game.end;
    if (leaves && !confirm(say("Leave this game and start a new one?")))
        return;
    const choice = element("colour").value;
    const colour = choice === "random" ? ["white", "black"][Math.floor(Math.random() * 2)] : choice;
    state.plan = {
        opponent: element("opponent").value,
        colour,
        limits: JSON.parse(element("strength").value),
        clock: chosenTimeControl(colour),
    };
    storeTimeChoice();
    storage.write("setup", [element("opponent").value, choice, element("strength").value]);
    Object.assign(state, { id: null, game: null, selected: null, promotionChoice: null,
                           engineAskedAt: null, hint: null, hintAskedAt: null, evaluation: null, review: null,
                           positions: [], viewed: null, variation: null, wanted: null, premove: null,
                           reviewAsked: false, names: null, flipped: colour === "black" });
    state.ownSeats.clear();
    endCheck();
    disableGameButtons();
    site.leaveGame();
    disconnect();
    buildBoard();
    connect();
}

/// Until the next message "game" there is none that they could be about.
function disableGameButtons() {
    for (const id of ["take-back", "hint", "move-now", "resign", "review", "copy-pgn", "copy-fen", "load", "set-up"])
        element(id).disabled = true;
}

function flipBoard() {
    state.flipped = !state.flipped;
    buildBoard();
    show();
}

function resign() {
    if (!confirm(say("Resign this game?")))
        return;
    const player = state.plan.colour ?? [...state.ownSeats][0];
    send({ message_type: "resignation", player });
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
        return givenName(colour) || say(isOurs ? "You" : nameOf(colour));
    });
    send({ message_type: "start_review", white, black, language });
    show();
}

function openLoading() {
    element("loading-error").textContent = "";
    element("loading").showModal();
}

/// Sends what was pasted: a position to play on from, or a game.
function load() {
    const text = element("loaded").value.trim();
    const isFen = /^[1-8pnbrqk]+(\/[1-8pnbrqk]+){7} [wb]( |$)/i.test(text);
    const message = isFen ? { message_type: "new_game", fen: text }
        : { message_type: "load_pgn", pgn: text };
    const tooLong = new TextEncoder().encode(JSON.stringify(message)).length > maxMessageSize;
    element("loading-error").textContent = tooLong ? say("That is too long. Leave its comments out.") : "";
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
    element("editor").close();
}

/// Copies a text and says so on the button.
async function copy(text, button) {
    const [label] = button.childNodes;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        copyBySelection(text);
    }
    if (button.dataset.copied)
        return;
    button.dataset.copied = "true";
    button.replaceChildren(say("Copied"));
    setTimeout(() => { button.replaceChildren(label); delete button.dataset.copied; }, 1500);
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
