// The clocks beside the players, and the choice of a time control. The server keeps the clocks; the page
// counts down from what the last message "game" says.

const lowTime = 20_000;

const clocks = {
    receivedAt: 0,     // performance.now() of the last message "game"
    timer: null,
    hasWarned: false,  // that our time is nearly over
    hasAsked: false,   // whether a time is over
};

/// What a player's clock shows now, in milliseconds.
function timeLeft(colour) {
    const { clock } = state.game;
    const used = clock.runs === colour ? performance.now() - clocks.receivedAt : 0;
    return Math.max(0, clock[`${colour}_time`] - used);
}

/// 1:02:03, 4:05, and 0:09.8 in the last seconds; rounded up, so that 0:00 means that nothing is left.
function clockText(milliseconds) {
    const showsTenths = milliseconds < lowTime && !prefersReducedMotion();
    const tenths = Math.ceil(milliseconds / 100);
    const seconds = showsTenths ? Math.floor(tenths / 10) : Math.ceil(milliseconds / 1000);
    const pad = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const start = hours > 0 ? `${hours}:${pad(minutes)}` : `${minutes}`;
    return `${start}:${pad(seconds % 60)}${showsTenths ? `.${tenths % 10}` : ""}`;
}

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function receiveClocks() {
    clocks.receivedAt = performance.now();
    clocks.hasAsked = false;
    if (!state.game.clock?.runs || state.game.played.length < 2)
        clocks.hasWarned = false;
}

function showClocks() {
    clearInterval(clocks.timer);
    clocks.timer = null;
    countDown();
    if (state.game.clock?.runs)
        clocks.timer = setInterval(countDown, 100);
}

function countDown() {
    showClock("upper-clock", state.flipped ? "white" : "black");
    showClock("lower-clock", state.flipped ? "black" : "white");
    const { clock } = state.game;
    // Without a server the end of the time is noticed only when somebody asks.
    if (clock?.runs && timeLeft(clock.runs) === 0 && !clocks.hasAsked) {
        clocks.hasAsked = true;
        send({ message_type: "clock" });
    }
}

function showClock(id, colour) {
    const { clock } = state.game;
    const place = element(id);
    place.hidden = !clock;
    if (!clock)
        return;
    const left = timeLeft(colour);
    const [label, time] = place.children;
    setText(label, `${say(colour === "white" ? "White's clock" : "Black's clock")}: `);
    setText(time, clockText(left));
    place.classList.toggle("runs", clock.runs === colour);
    place.classList.toggle("low", left < lowTime);
    if (left < lowTime && clock.runs === colour && isOurs(colour) && !clocks.hasWarned) {
        clocks.hasWarned = true;
        setText(element("time-warning"), say("20 seconds left."));
        playSound("low_time");
    }
}

/// Does not touch what is the same: screen readers would read it again.
function setText(place, text) {
    if (place.textContent !== text)
        place.textContent = text;
}

const isOurs = (colour) => state.ownSeats.has(colour) && !isEngineSide(colour);

/// With clocks the engine divides its own time.
function engineLimits() {
    const { milliseconds, ...others } = state.plan.limits;
    return state.game.clock ? others : state.plan.limits;
}

// The choice of a time control

const ownTimeFields = ["own-minutes", "own-seconds", "other-minutes", "other-seconds"];

/// The time control of the form for a player of a colour, as members of a message; null for none.
function chosenTimeControl(colour) {
    const choice = element("time").value;
    if (!choice)
        return null;
    const [minutes, seconds, otherMinutes, otherSeconds] = choice === "own"
        ? ownTimeFields.map((id) => Number(element(id).value))
        : [...choice.split("+"), ...choice.split("+")].map(Number);
    const other = otherColour(colour);
    return {
        [`${colour}_time`]: Math.round(60_000 * minutes),
        [`${colour}_increment`]: Math.round(1000 * seconds),
        [`${other}_time`]: Math.round(60_000 * otherMinutes),
        [`${other}_increment`]: Math.round(1000 * otherSeconds),
    };
}

function showTimeChoice() {
    const choice = element("time").value;
    const againstEngine = element("opponent").value === "engine";
    const perMove = "milliseconds" in JSON.parse(element("strength").value);
    element("own-time").hidden = element("own-time").disabled = choice !== "own";
    element("time-note").hidden = !(choice && againstEngine && perMove);
}

function storeTimeChoice() {
    storage.write("time", [element("time").value,
                           ...ownTimeFields.map((id) => element(id).value)]);
}

function restoreTimeChoice() {
    const stored = storage.read("time");
    if (Array.isArray(stored)) {
        ["time", ...ownTimeFields].forEach((id, index) => {
            element(id).value = stored[index];
        });
    }
    if (element("time").selectedIndex < 0)
        element("time").value = "";
    showTimeChoice();
}

/// Gives a new game its clocks, once.
function requestClocks(game) {
    const { clock } = state.plan;
    if (!clock)
        return;
    state.plan = { ...state.plan, clock: null };
    if (!game.clock && game.played.length === 0)
        send({ message_type: "clock", ...clock });
}

function startClocks() {
    restoreTimeChoice();
    for (const id of ["time", "opponent", "strength"])
        element(id).addEventListener("change", showTimeChoice);
}
