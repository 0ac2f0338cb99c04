#include "uci/xboard/writer.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "engine/general_interface.hpp"

#include "uci/xboard/option.hpp"

namespace uci::xboard {

namespace {

int score_number(engine::Score score) {
    if (!engine::is_mate(score))
        return engine::centipawns(score);
    constexpr int mate_base = 100'000;
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    return score > 0 ? mate_base + moves : -mate_base - moves;
}

std::string pv_text(const std::vector<core::Move>& pv, core::Position position) {
    std::string text;
    for (const core::Move move : pv) {
        if (!core::is_legal(position, move))
            break;
        text += ' ' + core::san(position, move);
        position.play(move);
    }
    return text;
}

}  // namespace

std::vector<std::string> feature_lines() {
    using engine::GeneralInterface;
    std::vector<std::string> lines{
        "feature done=0",
        fmt::format("feature myname=\"{} {}\"", GeneralInterface::name(),
                    GeneralInterface::version()),
        "feature ping=1 setboard=1 playother=1 usermove=1 exclude=1 memory=1 smp=1 debug=1",
        "feature reuse=1 analyze=1 time=1 draw=1 san=0 colors=0 sigint=0 sigterm=0 nps=0 pause=0",
        "feature variants=\"normal,fischerandom\"",
        "feature egt=\"syzygy\""};
    for (const auto& declaration : option_declarations())
        lines.push_back(fmt::format("feature option=\"{}\"", declaration));
    lines.emplace_back("feature done=1");
    return lines;
}

std::string move_text(core::Move move, bool chess960) {
    if (chess960 && move.kind() == core::Move::Kind::castling)
        return move.to().file() > move.from().file() ? "O-O" : "O-O-O";
    return core::to_uci(move, core::CastlingStyle::king_moves_two);
}

std::string thinking_line(const engine::Info& info, const core::Position& position) {
    std::string_view bound;
    if (info.bound == engine::Bound::lower)
        bound = " !";
    else if (info.bound == engine::Bound::upper)
        bound = " ?";
    return fmt::format("{} {} {} {}{}{}", info.depth, score_number(info.score),
                       info.time.count() / 10, info.nodes, pv_text(info.pv, position), bound);
}

std::string result_text(const core::Game& game) {
    const bool white_to_move = game.position().side_to_move() == core::Color::white;
    switch (game.outcome()) {
        case core::Outcome::checkmate:
            return white_to_move ? "0-1 {Black mates}" : "1-0 {White mates}";
        case core::Outcome::stalemate: return "1/2-1/2 {Stalemate}";
        case core::Outcome::insufficient_material: return "1/2-1/2 {Insufficient material}";
        case core::Outcome::threefold_repetition: return "1/2-1/2 {Threefold repetition}";
        case core::Outcome::fifty_moves: return "1/2-1/2 {Fifty-move rule}";
        case core::Outcome::open: break;
    }
    return "*";
}

std::string error_line(std::string_view kind, std::string_view line) {
    return fmt::format("Error ({}): {}", kind, core::printable(line));
}

std::string without_failure_words(std::string text) {
    // Searched for with case, so another case is enough.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> phrases{
        {{"not found", "missing"},
         {"No such file", "no such file"},
         {"Permission denied", "permission denied"},
         {"can't alloc", "cannot allocate"},
         {"unknown host", "other host"}}};
    for (const auto& [bad, good] : phrases) {
        for (auto at = text.find(bad); at != std::string::npos; at = text.find(bad))
            text.replace(at, bad.size(), good);
    }
    return text;
}

}  // namespace uci::xboard
