// Tells users that it is their turn when they do not look: by the title of the page, and by a notification
// if they have switched that on.

/// Whether the user, who plays, is to move.
function isUserTurn(game) {
    return !game.end && !game.thinking && isOurs(game.turn);
}

function showTitle(game) {
    document.title = isConnected() && isUserTurn(game) ? `${say("Your move")} - Parley` : "Parley";
}

const notification = { shown: null };
const mayNotify = () => globalThis.Notification?.permission === "granted";

/// What a notification says of what has happened between two messages "game"; empty for none.
function newsOf(game, previous) {
    if (game.end)
        return previous.end || state.ownSeats.size === 0 ? "" : statusText(game);
    const hasMoved = game.played.length > previous.played.length;
    if (!hasMoved || !isUserTurn(game) || isUserTurn(previous))
        return "";
    return `${saySan(game.played.at(-1))}. ${say("It is your move.")}`;
}

function notify(game, previous) {
    const text = newsOf(game, previous);
    if (!text || !document.hidden || !element("notify").checked || !mayNotify())
        return;
    try {
        notification.shown = new Notification("Parley", { body: text, tag: game.id, lang: language });
        notification.shown.onclick = () => { focus(); notification.shown?.close(); };
    } catch {
        refuseNotifications();  // some browsers on phones have the class, but no objects of it
    }
}

function refuseNotifications() {
    element("notify").checked = false;
    storage.write("notify", false);
    element("notify-note").hidden = false;
}

/// Asks for the browser's permission, which is only possible after a click.
async function toggleNotifications() {
    const field = element("notify");
    storage.write("notify", field.checked);
    element("notify-note").hidden = true;
    if (!field.checked || mayNotify())
        return;
    await globalThis.Notification?.requestPermission();
    if (!mayNotify())
        refuseNotifications();
}

function startNotifications() {
    element("notify").checked = storage.read("notify") === true && mayNotify();
    element("notify").addEventListener("change", toggleNotifications);
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden)
            notification.shown?.close();
    });
}
