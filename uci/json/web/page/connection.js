// The connection

const connection = { text: "connecting", socket: null, attempts: 0, timer: null, lastMessageAt: 0,
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
    state.hintAskedAt = null;
    clearPrompt();
    send({ message_type: "follow_game" });
    startAnalysis();
}

/// Reconnects with growing delays, unless the game is gone.
async function onDisconnect() {
    connection.socket = null;
    endCheck();
    showConnection("connection lost, reconnecting", true);
    show();
    const isGone = await isGameGone(state.id);
    if (connection.socket)
        return;  // a new game was started meanwhile
    if (isGone) {
        showConnection("no game", false);
        showStatus(say("This game no longer exists. Start a new one."));
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

/// Shows how the connection is, in a text that say() knows; without one the last again.
function showConnection(text = connection.text, lost = element("connection").classList.contains("lost")) {
    connection.text = text;
    element("connection").textContent = say(text);
    element("connection").classList.toggle("lost", lost);
    element("connection").classList.toggle("usual", text === "connected");
}
