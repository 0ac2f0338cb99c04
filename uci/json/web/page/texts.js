// The languages of the page. A text is in English where it is used, and that is its key here. What is in
// braces is replaced: say("Playing {name}", { name }). A new language needs a table here and an option of
// #language in index.html; tests/browser/coach.mjs names the texts that it lacks.

const translations = {
    de: {
        // The header and the game
        "connecting": "Verbindung wird aufgebaut",
        "connected": "verbunden",
        "connection lost, reconnecting": "Verbindung verloren, neuer Versuch läuft",
        "no game": "keine Partie",
        "Settings": "Einstellungen",
        "Game": "Partie",
        "Chess board": "Schachbrett",
        "no evaluation": "keine Bewertung",
        "evaluation {score}": "Bewertung {score}",
        "Flip board": "Brett drehen",
        "Take back": "Zurücknehmen",
        "Hint": "Tipp",
        "More": "Mehr verraten",
        "Show the move": "Zug zeigen",
        "Resign": "Aufgeben",
        "Review": "Partie auswerten",
        "Play again": "Neue Partie",
        "Send this link to your friend:": "Schick diesen Link an deinen Gegner:",
        "Copy": "Kopieren",
        "Copied": "Kopiert",
        "Analysis": "Analyse",
        "Moves": "Züge",
        "First position": "Anfangsstellung",
        "First position (Home)": "Anfangsstellung (Pos1)",
        "One move back": "Einen Zug zurück",
        "One move back (←)": "Einen Zug zurück (←)",
        "One move on": "Einen Zug vor",
        "One move on (→)": "Einen Zug vor (→)",
        "Present position": "Aktuelle Stellung",
        "Present position (End)": "Aktuelle Stellung (Ende)",
        "Copy PGN": "PGN kopieren",
        "Copy FEN": "FEN kopieren",
        "Load": "Laden",

        // A new game
        "New game": "Neue Partie",
        "Opponent": "Gegner",
        "A friend": "Freund oder Freundin",
        "You play": "Du spielst",
        "White": "Weiß",
        "Black": "Schwarz",
        "Random": "Zufall",
        "Strength": "Spielstärke",
        "Beginner (Elo 600)": "Anfänger (Elo 600)",
        "Novice (Elo 1000)": "Einsteiger (Elo 1000)",
        "Casual player (Elo 1400)": "Hobbyspieler (Elo 1400)",
        "Club player (Elo 1800)": "Vereinsspieler (Elo 1800)",
        "Expert (Elo 2200)": "Meisteranwärter (Elo 2200)",
        "Grandmaster (Elo 2600)": "Großmeister (Elo 2600)",
        "Searches 1 ply": "Rechnet einen Halbzug",
        "Searches 300 positions": "Rechnet 300 Stellungen",
        "Full strength, 0.05 seconds per move": "Volle Stärke, 0,05 Sekunden pro Zug",
        "Full strength, 0.3 seconds per move": "Volle Stärke, 0,3 Sekunden pro Zug",
        "Full strength, 1 second per move": "Volle Stärke, 1 Sekunde pro Zug",
        "Full strength, 5 seconds per move": "Volle Stärke, 5 Sekunden pro Zug",
        "Strength of Parley, from its next move on": "Spielstärke von Parley ab seinem nächsten Zug",
        "Start game": "Partie beginnen",
        "Leave this game and start a new one?": "Diese Partie verlassen und eine neue beginnen?",
        "Resign this game?": "Diese Partie aufgeben?",

        // Dialogs
        "Promote to": "Umwandeln in",
        "queen": "Dame",
        "rook": "Turm",
        "bishop": "Läufer",
        "knight": "Springer",
        "Load a game or a position": "Partie oder Stellung laden",
        "PGN or FEN": "PGN oder FEN",
        "Cancel": "Abbrechen",
        "Close": "Schließen",
        "Parley cannot read that, or it is no game of chess.":
            "Parley kann das nicht lesen, oder es ist keine Schachpartie.",
        "That is too long. Leave its comments out.": "Das ist zu lang. Lass die Kommentare weg.",

        // The state of the game
        "This game no longer exists. Start a new one.": "Diese Partie gibt es nicht mehr. Beginne eine neue.",
        "Parley is searching for a move.": "Parley sucht einen Zug.",
        "Parley is thinking.": "Parley denkt nach.",
        "Parley checks your move.": "Parley prüft deinen Zug.",
        "Waiting for the connection.": "Warten auf die Verbindung.",
        "Waiting for your friend.": "Warten auf deinen Gegner.",
        "You are watching.": "Du schaust zu.",
        "Your move": "Du bist am Zug",
        "Your move.": "Du bist am Zug.",
        "Check!": "Schach!",
        "White to move.": "Weiß ist am Zug.",
        "Black to move.": "Schwarz ist am Zug.",
        "Looking back: ply {ply} of {count}.": "Rückblick: Halbzug {ply} von {count}.",
        "It is your move.": "Du bist am Zug.",
        "You won!": "Du hast gewonnen!",
        "You lost.": "Du hast verloren.",
        "White wins: {reason}.": "Weiß gewinnt: {reason}.",
        "Black wins: {reason}.": "Schwarz gewinnt: {reason}.",
        "A draw: {reason}.": "Remis: {reason}.",
        "checkmate": "Schachmatt",
        "stalemate": "Patt",
        "threefold repetition": "dreimalige Stellungswiederholung",
        "fifty move rule": "50-Züge-Regel",
        "agreement": "Einigung",
        "timeout insufficient material": "Zeitüberschreitung, doch der Gegner kann nicht mattsetzen",
        "resignation": "Aufgabe",
        "timeout": "Zeitüberschreitung",
        "The review is ready.": "Die Auswertung ist fertig.",
        "Parley has too much to do. Ask for the review again later.":
            "Parley hat zu viel zu tun. Versuch es später noch einmal.",
        "Reviewing the game: position {done} of {total}.":
            "Die Partie wird ausgewertet: Stellung {done} von {total}.",
        "Looking for words: search {done} of {total}.": "Erklärungen werden gesucht: {done} von {total}.",

        // The players
        "{side}: Parley": "{side}: Parley",
        "{side}: you": "{side}: du",
        "{side}: free": "{side}: frei",
        "{side}: your friend": "{side}: dein Gegner",
        "{side}: taken": "{side}: besetzt",
        "You": "Du",
        "Leave": "Verlassen",
        "Play White": "Weiß spielen",
        "Play Black": "Schwarz spielen",
        "captured: {pieces}": "geschlagen: {pieces}",

        // The squares
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
        "check": "Schach",

        // Scores
        "mate in {moves} for White": "Matt in {moves} für Weiß",
        "mate in {moves} for Black": "Matt in {moves} für Schwarz",
        "{score}, depth {depth}: {moves}": "{score}, Tiefe {depth}: {moves}",

        // Hints: what a piece is called after "Look at"
        "Look at {piece}.": "Sieh dir {piece} an.",
        "Look at {piece}: it can take something.": "Sieh dir {piece} an: Da ist etwas zu schlagen.",
        "Think of castling.": "Denk an die Rochade.",
        "your pawn": "deinen Bauern",
        "your knight": "deinen Springer",
        "your bishop": "deinen Läufer",
        "your rook": "deinen Turm",
        "your queen": "deine Dame",
        "your king": "deinen König",
        "one of your pawns": "einen deiner Bauern",
        "one of your knights": "einen deiner Springer",
        "one of your bishops": "einen deiner Läufer",
        "one of your rooks": "einen deiner Türme",
        "one of your queens": "eine deiner Damen",
        "It goes to {to}.": "Das Zielfeld ist {to}.",
        "Parley would play {from} to {to}.": "Parley würde von {from} nach {to} ziehen.",

        // The warning before a blunder
        "Are you sure?": "Bist du sicher?",
        "Your chance to win falls from {before}\u00a0% to {after}\u00a0%.":
            "Deine Gewinnchance fällt von {before}\u00a0% auf {after}\u00a0%.",
        "Take another move": "Anders ziehen",
        "Play it anyway": "Trotzdem ziehen",

        // Settings
        "Language": "Sprache",
        "Appearance": "Darstellung",
        "As the system": "Wie das System",
        "Light": "Hell",
        "Dark": "Dunkel",
        "Board": "Brett",
        "Wood": "Holz",
        "Green": "Grün",
        "Blue": "Blau",
        "Grey": "Grau",
        "Sound": "Töne",
        "Warn me before a blunder": "Vor groben Fehlern warnen",
        "Only against Parley. Each of your moves then takes up to two seconds longer.":
            "Nur gegen Parley. Jeder deiner Züge dauert dann bis zu zwei Sekunden länger.",
    },
};

/// The letters of the pieces in notation, in the order of "KQRBN".
const pieceLetters = { de: "KDTLS" };

const languages = ["en", ...Object.keys(translations)];

function initialLanguage() {
    const stored = storage.read("language");
    const wanted = [stored, ...(navigator.languages ?? [navigator.language])]
        .map((code) => String(code).slice(0, 2));
    return wanted.find((code) => languages.includes(code)) ?? "en";
}

let language = initialLanguage();

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

function setLanguage(code) {
    language = code;
    storage.write("language", code);
    translatePage();
    buildBoard();
    showConnection();
    show();
}
