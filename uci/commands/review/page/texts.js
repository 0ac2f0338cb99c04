// The German texts of the review; see say.js beside the page of `parley serve`.

Object.assign(translations.de, {
    "Game review": "Partieauswertung",
    "{game} – game review": "{game} – Partieauswertung",
    "Back to the game": "Zurück zur Partie",
    "There is no game in this review.": "In dieser Auswertung ist keine Partie.",
    "unfinished": "unbeendet",

    // The board and the steps
    "Position": "Stellung",
    "Evaluation": "Bewertung",
    "Evaluation {score}": "Bewertung {score}",
    "unknown": "unbekannt",
    "Last position": "Endstellung",
    "Last position (End)": "Endstellung (Ende)",
    "Next mistake": "Nächster Fehler",
    "Next mistake (n)": "Nächster Fehler (n)",
    "Flip": "Drehen",
    "Flip the board (f)": "Brett drehen (f)",
    "Winning chances": "Gewinnchancen",
    "White's winning chance after each of {count} plies":
        "Gewinnchance von Weiß nach jedem von {count} Halbzügen",
    "has a comment": "mit Kommentar",

    // Remarks
    "Remarks": "Anmerkungen",
    "{count} plies, {found} of them marked.": "{count} Halbzüge, {found} davon markiert.",
    "Keys: ← → step, Home and End, n next mistake, f flip.":
        "Tasten: ← → ein Zug zurück oder vor, Pos1 und Ende, n nächster Fehler, f Brett drehen.",
    "inaccuracy": "Ungenauigkeit",
    "mistake": "Fehler",
    "blunder": "Patzer",
    "{score}, depth {depth}.": "{score}, Tiefe {depth}.",
    "White's winning chance: {before} → {after}": "Gewinnchance von Weiß: {before} → {after}",
    "Black's winning chance: {before} → {after}": "Gewinnchance von Schwarz: {before} → {after}",
    "accuracy {accuracy}": "Genauigkeit {accuracy}",
    "Better:": "Besser:",

    // Summary
    "Summary": "Zusammenfassung",
    "Accuracy": "Genauigkeit",
    "Inaccuracies": "Ungenauigkeiten",
    "Mistakes": "Fehler",
    "Blunders": "Patzer",
    "Learn from White's mistakes": "Aus den Fehlern von Weiß lernen",
    "Learn from Black's mistakes": "Aus den Fehlern von Schwarz lernen",

    // Learning from mistakes
    "Find a better move for White": "Finde einen besseren Zug für Weiß",
    "Find a better move for Black": "Finde einen besseren Zug für Schwarz",
    "{number} of {count}": "{number} von {count}",
    "{move} was {judgement}.": "{move} war {judgement}.",
    "an inaccuracy": "eine Ungenauigkeit",
    "a mistake": "ein Fehler",
    "a blunder": "ein Patzer",
    "the inaccuracy": "die Ungenauigkeit",
    "the mistake": "der Fehler",
    "the blunder": "der Patzer",
    "Promote to queen": "In eine Dame umwandeln",
    "Promote to rook": "In einen Turm umwandeln",
    "Promote to bishop": "In einen Läufer umwandeln",
    "Promote to knight": "In einen Springer umwandeln",
    "Right: {move} is the best move.": "Richtig: {move} ist der beste Zug.",
    "Right: {move} is good{score}. Parley prefers {best}.":
        "Richtig: {move} ist gut{score}. Parley zieht {best} vor.",
    "Wrong: {move} was played, and is {judgement}.": "Falsch: {move} wurde gespielt und ist {judgement}.",
    "Wrong: {move} is {judgement} too{score}.": "Falsch: {move} ist auch {judgement}{score}.",
    "Wrong: {move} is not among the best moves that Parley found.":
        "Falsch: {move} gehört nicht zu den besten Zügen, die Parley gefunden hat.",
    "Best:": "Am besten:",
    "Try again": "Noch einmal",
    "Show it": "Lösung zeigen",
    "Next": "Weiter",
    "Finish": "Fertig",
    "Done": "Geschafft",
    "You found {found} of {count} better moves.": "Du hast {found} von {count} besseren Zügen gefunden.",
});
