#include "engine/analysis/explain/texts.hpp"

#include <algorithm>
#include <array>

namespace engine::explain {

namespace {

constexpr std::size_t languages = 2;
using Row = std::array<std::string_view, languages>;

struct TextRow {
    Text id{};
    Row texts;
};

constexpr std::array table{
    // id                       English, German
    TextRow{Text::mate_allowed, {"{move} allows mate in {n}", "{move} lässt ein Matt in {n} zu"}},
    TextRow{Text::material_lost, {"{move} loses {what}", "{move} verliert {what}"}},
    TextRow{Text::threat_overlooked,
            {"{move} does not stop {first}, which wins {what}",
             "{move} pariert nicht die Drohung {first}, die {what} gewinnt"}},
    TextRow{Text::draw_allowed,
            {"{move} allows {first}, which ends the game in a draw",
             "{move} lässt {first} zu, womit die Partie remis ist"}},
    TextRow{Text::mate_missed,
            {"{move} misses mate in {n} with {better}",
             "{move} verpasst das Matt in {n} mit {better}"}},
    TextRow{Text::mate_delayed,
            {"{move} takes longer: {better} mates in {n}",
             "{move} dauert länger: Mit {better} ist es Matt in {n}"}},
    TextRow{Text::material_missed,
            {"{move} misses {better}, which wins {what}",
             "{move} verpasst {better}, was {what} gewinnt"}},
    TextRow{Text::mates, {"{move} mates in {n}", "{move} setzt in {n} Zügen matt"}},
    TextRow{Text::is_mate, {"{move} is mate", "{move} setzt matt"}},
    TextRow{Text::material_won, {"{move} wins {what}", "{move} gewinnt {what}"}},
    TextRow{Text::threat_stopped,
            {"{move} stops {first}, which would win {what}",
             "{move} verhindert {first}, was {what} gewinnen würde"}},
    TextRow{Text::mate_stopped,
            {"{move} stops {first}, which would mate in {n}",
             "{move} verhindert {first} mit Matt in {n}"}},
    TextRow{Text::only_mate_stopped, {"{move} stops {first}", "{move} verhindert {first}"}},
    TextRow{Text::stalemate, {"{move} is stalemate", "{move} setzt patt"}},
    TextRow{Text::repetition,
            {"{move} repeats the position for the third time, which is a draw",
             "{move} führt zum Remis durch dreimalige Stellungswiederholung"}},
    TextRow{Text::fifty_moves,
            {"{move} is a draw by the fifty-move rule",
             "{move} führt nach der 50-Züge-Regel zum Remis"}},
    TextRow{Text::no_mating_material,
            {"{move} leaves neither side enough material to mate",
             "Nach {move} hat keine Seite mehr genug Material zum Mattsetzen"}},
    TextRow{Text::win_given_up,
            {"{move} gives up the win: this ending is drawn with best play",
             "{move} vergibt den Gewinn: Dieses Endspiel ist bei bestem Spiel remis"}},
    TextRow{Text::ending_lost,
            {"{move} leads to an ending that is lost with best play",
             "{move} führt in ein Endspiel, das bei bestem Spiel verloren ist"}},

    TextRow{Text::undefended, {"no answer recaptures", "{Piece} hängt"}},
    TextRow{Text::moved_into_attack,
            {"it can be captured on its new square",
             "Auf dem neuen Feld kann {piece} geschlagen werden"}},
    TextRow{
        Text::pinned_defender,
        {"{b} is pinned and cannot recapture", "{B} ist gefesselt und kann nicht zurückschlagen"}},
    TextRow{Text::defender_left,
            {"the move takes away the defence of {a}", "{A} verliert einen Verteidiger"}},
    TextRow{Text::line_opened,
            {"the move opens the line to {a}", "Der Zug öffnet den Weg zum Angriff auf {oa}"}},
    TextRow{Text::overloaded,
            {"{a} cannot defend both {b} and {c}",
             "{A} ist überlastet und kann nicht sowohl {ob} als auch {oc} decken"}},
    TextRow{
        Text::defender_removed,
        {"{first} removes the defender of {b}", "{first} schlägt den Verteidiger, der {ob} deckt"}},
    TextRow{Text::fork, {"{first} attacks {list}", "Die Gabel {first} greift {list} an"}},
    TextRow{Text::skewer,
            {"{first} attacks {b}, and {c} behind it",
             "Der Spieß {first} trifft {ob} und dahinter {oc}"}},
    TextRow{Text::pin, {"{first} attacks {b}, which shields {c}", "{first} fesselt {ob} an {oc}"}},
    TextRow{Text::pinned_piece,
            {"{first} attacks {a}, which is pinned",
             "{A} ist gefesselt und wird durch {first} angegriffen"}},
    TextRow{
        Text::discovered_attack,
        {"{first} uncovers the attack of {a} on {b}", "Nach dem Abzug {first} greift {a} {ob} an"}},
    TextRow{Text::double_attack,
            {"{first} attacks {a} with a discovered check",
             "{first} gibt Abzugsschach und greift {oa} an"}},
    TextRow{Text::trapped,
            {"after {first} no move saves {a}", "Nach {first} ist {a} nicht mehr zu retten"}},
    TextRow{Text::promotion, {"the pawn promotes on {sb}", "Der Bauer wird auf {sb} umgewandelt"}},
    TextRow{Text::back_rank,
            {"the king is shut in on its back rank",
             "Der König ist eingesperrt, es ist ein Grundreihenmatt"}},

    TextRow{Text::better,
            {"Better is {better}: {side} wins {x} %, not {y} %",
             "Besser ist {better}: {x} % statt {y} % Gewinnchance für {side}"}},
    TextRow{Text::better_was_named,
            {"With it {side} wins {x} %, not {y} %",
             "Damit hätte {side} {x} % statt {y} % Gewinnchance"}},
    TextRow{Text::only_legal, {"It is the only legal move", "Es ist der einzige legale Zug"}},
    TextRow{Text::only_legal_move,
            {"{move} is the only legal move", "{move} ist der einzige legale Zug"}},
    TextRow{Text::is_only_move, {"It is the only move: {why}", "Es ist der einzige Zug: {why}"}},
    TextRow{Text::only_move,
            {"{move} is the only move: {why}", "{move} ist der einzige Zug: {why}"}},
    TextRow{Text::others_allow_mate,
            {"every other one allows mate", "Jeder andere lässt ein Matt zu"}},
    TextRow{Text::others_lose_material,
            {"every other one loses {what}", "Jeder andere verliert {what}"}},
    TextRow{Text::others_allow_mate_or_lose,
            {"every other one allows mate or loses {what}",
             "Jeder andere lässt ein Matt zu oder verliert {what}"}},
    TextRow{Text::best,
            {"{move} is the best move: {side} wins {x} %",
             "{move} ist der beste Zug: {x} % Gewinnchance für {side}"}},
    TextRow{Text::good,
            {"{move} is about as good as {better}: {side} wins {y} %, or {x} %",
             "{move} ist etwa so gut wie {better}: {y} % oder {x} % Gewinnchance für {side}"}},
    TextRow{Text::worse, {"{move} is not the best move", "{move} ist nicht der beste Zug"}},

    TextRow{Text::exchange, {"the exchange", "die Qualität"}},
    TextRow{Text::one_pawn, {"at least a pawn", "mindestens einen Bauern"}},
    TextRow{Text::pawns,
            {"material worth at least {n} pawns", "Material im Wert von mindestens {n} Bauern"}},
    TextRow{Text::piece_on_square, {"{piece} on {square}", "{piece} auf {square}"}},
    TextRow{Text::and_between, {" and ", " und "}},
    TextRow{Text::white, {"White", "Weiß"}},
    TextRow{Text::black, {"Black", "Schwarz"}},
};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].id) != i)
            return false;
    }
    return true;
}

static_assert(table.size() == static_cast<std::size_t>(Text::black) + 1 && is_in_order());

constexpr std::array<Row, 6> subjects{
    Row{"the pawn", "der Bauer"},    Row{"the knight", "der Springer"},
    Row{"the bishop", "der Läufer"}, Row{"the rook", "der Turm"},
    Row{"the queen", "die Dame"},    Row{"the king", "der König"}};
constexpr std::array<Row, 6> objects{
    Row{"the pawn", "den Bauern"},   Row{"the knight", "den Springer"},
    Row{"the bishop", "den Läufer"}, Row{"the rook", "den Turm"},
    Row{"the queen", "die Dame"},    Row{"the king", "den König"}};
constexpr Row codes{"en", "de"};
constexpr Row letters{"KQRBN", "KDTLS"};

}  // namespace

std::optional<Language> language_named(std::string_view code) {
    for (const auto language : {Language::english, Language::german}) {
        if (code_of(language) == code)
            return language;
    }
    return std::nullopt;
}

std::string_view code_of(Language language) {
    return codes[static_cast<std::size_t>(language)];
}

std::string_view text(Text id, Language language) {
    return table[static_cast<std::size_t>(id)].texts[static_cast<std::size_t>(language)];
}

std::string_view subject(core::PieceType type, Language language) {
    return subjects[core::index_of(type)][static_cast<std::size_t>(language)];
}

std::string_view object(core::PieceType type, Language language) {
    return objects[core::index_of(type)][static_cast<std::size_t>(language)];
}

std::string_view piece_letters(Language language) {
    return letters[static_cast<std::size_t>(language)];
}

}  // namespace engine::explain
