// Sounds, made by oscillators. Browsers allow them after the first click, touch or key.

const sounds = {
    context: null,
    // Notes: start and length in seconds, frequency in hertz.
    notes: {
        move: [[0, 0.08, 260]],
        capture: [[0, 0.06, 330], [0.05, 0.09, 196]],
        check: [[0, 0.09, 523], [0.09, 0.14, 659]],
        end: [[0, 0.16, 392], [0.15, 0.16, 494], [0.3, 0.4, 587]],
        low_time: [[0, 0.1, 880], [0.18, 0.1, 880]],
    },
};

function startSound() {
    if (!globalThis.AudioContext || !element("sound").checked)
        return;
    sounds.context ??= new AudioContext();
    if (sounds.context.state === "suspended")
        sounds.context.resume();
}

function playSound(name) {
    const { context } = sounds;
    if (!context || context.state === "closed" || !element("sound").checked)
        return;
    for (const [start, length, frequency] of sounds.notes[name])
        playNote(context.currentTime + start, length, frequency);
}

function playNote(start, length, frequency) {
    const { context } = sounds;
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    oscillator.type = "triangle";
    oscillator.frequency.value = frequency;
    // Fades in and out: a tone that is cut off clicks.
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.15, start + 0.01);
    volume.gain.linearRampToValueAtTime(0, start + length);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
}

/// The sound of what has happened between two messages "game"; null for none.
function soundOf(game, previous) {
    if (game.end)
        return previous.end ? null : "end";
    if (game.played.length !== previous.played.length + 1)
        return null;
    const count = ({ fen }) => Object.keys(piecesOf(fen)).length;
    if (game.check)
        return "check";
    return count(game) < count(previous) ? "capture" : "move";
}
