// What the program needs of JavaScript, within the module that Emscripten makes (--pre-js): lines in,
// lines out, and a return to the event loop while nothing is to be done.

Module["lines"] = [];  // not read yet
Module["inputEnded"] = false;
Module["postMessage"] = function (text) {
    Module["lines"].push(...String(text).split(/\r?\n/));
    wake();
};
Module["endInput"] = function () {
    Module["inputEnded"] = true;
    wake();
};

let resumeProgram = null;  // while it waits for an event
let timer;

function wake() {
    if (!resumeProgram)
        return;
    clearTimeout(timer);
    const resume = resumeProgram;
    resumeProgram = null;
    soon(resume);
}

// Calls a function after the events that wait now. setTimeout() would wait 4 ms in a browser.
let soon;
if (typeof setImmediate === "function") {
    soon = setImmediate;
} else {
    const channel = new MessageChannel();
    let next = null;
    channel.port1.onmessage = () => next();
    soon = (call) => {
        next = call;
        channel.port2.postMessage(null);
    };
}

// Resumes the program after a moment (0), after the next event (negative), or after the next event
// and at most that many milliseconds.
Module["pause"] = function (milliseconds, resume) {
    if (milliseconds === 0) {
        soon(resume);
        return;
    }
    resumeProgram = resume;
    if (Module["lines"].length > 0 || Module["inputEnded"])
        wake();
    else if (milliseconds > 0)
        timer = setTimeout(wake, milliseconds);
};
