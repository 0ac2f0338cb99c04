// The languages of the pages. A text is in English where it is used, and that is its key here. What is in
// braces is replaced: say("{side}: you", { side }). A page has `language`, "en" or one of these, and adds its
// own texts in a file texts.js. A new language needs a table there and here, and an option of #language in
// index.html; tests/browser/coach.mjs and review.mjs name the texts that a page lacks.

const translations = {
    de: {
        "Game": "Partie",
        "Chess board": "Schachbrett",
        "Moves": "Züge",
        "First position": "Anfangsstellung",
        "First position (Home)": "Anfangsstellung (Pos1)",
        "One move back": "Einen Zug zurück",
        "One move back (←)": "Einen Zug zurück (←)",
        "One move on": "Einen Zug vor",
        "One move on (→)": "Einen Zug vor (→)",
        "White": "Weiß",
        "Black": "Schwarz",
        "queen": "Dame",
        "rook": "Turm",
        "bishop": "Läufer",
        "knight": "Springer",
        "Leave": "Verlassen",
        "white pawn": "weißer Bauer",
        "white knight": "weißer Springer",
        "white bishop": "weißer Läufer",
        "white rook": "weißer Turm",
        "white queen": "weiße Dame",
        "white king": "weißer König",
        "black pawn": "schwarzer Bauer",
        "black knight": "schwarzer Springer",
        "black bishop": "schwarzer Läufer",
        "black rook": "schwarzer Turm",
        "black queen": "schwarze Dame",
        "black king": "schwarzer König",
        "selected": "ausgewählt",
        "legal target": "mögliches Zielfeld",
    },
};

/// The letters of the pieces in notation, in the order of "KQRBN".
const pieceLetters = { de: "KDTLS" };

/// A text in the language of the page, with its values.
function say(english, values = {}) {
    const text = translations[language]?.[english] ?? english;
    return text.replace(/\{(\w+)\}/g, (name, key) => values[key] ?? name);
}

/// A move or a variation in SAN, with the language's letters for the pieces.
function saySan(san) {
    const letters = pieceLetters[language];
    return letters ? san.replace(/[KQRBN]/g, (letter) => letters["KQRBN".indexOf(letter)]) : san;
}

function sayNumber(number, digits) {
    return number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// The texts of index.html: where they are, and what they are in English.

const translated = [];

function collectTexts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.nodeType === Node.TEXT_NODE) {
            if (node.data.trim() in translations.de)
                translated.push({ node, english: node.data });
            continue;
        }
        for (const name of ["aria-label", "title"]) {
            if (node.getAttribute(name))
                translated.push({ node, name, english: node.getAttribute(name) });
        }
    }
}

function translatePage() {
    document.documentElement.lang = language;
    for (const { node, name, english } of translated) {
        if (name)
            node.setAttribute(name, say(english));
        else
            node.data = english.replace(english.trim(), () => say(english.trim()));
    }
}
