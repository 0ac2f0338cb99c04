#include "uci/uci_writer.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "engine/analysis/explain/wording.hpp"
#include "engine/general_interface.hpp"
#include "engine/options.hpp"

#include "uci/uci_options.hpp"
#include "uci/uci_parser.hpp"

namespace uci {

namespace {

std::string score_text(engine::Score score) {
    if (!engine::is_mate(score))
        return fmt::format("cp {}", engine::centipawns(score));
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    return fmt::format("mate {}", score > 0 ? moves : -moves);
}

std::string pv_text(const std::vector<core::Move>& pv, core::CastlingStyle style) {
    std::string text;
    for (const core::Move move : pv)
        text.append(" ").append(core::to_uci(move, style));
    return text;
}

std::string_view bound_text(engine::Bound bound) {
    if (bound == engine::Bound::lower)
        return " lowerbound";
    return bound == engine::Bound::upper ? " upperbound" : "";
}

std::string wdl_text(const std::optional<engine::Wdl>& wdl) {
    return wdl ? fmt::format(" wdl {} {} {}", wdl->win, wdl->draw, wdl->loss) : "";
}

std::uint64_t per_second(std::uint64_t nodes, engine::Milliseconds time) {
    return nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(1, time.count()));
}

/// One overload for each response.
struct Writer {
    std::string operator()(const engine::Info& info) const {
        if (info.pv.empty())
            return fmt::format("info depth {} score {}{}", info.depth, score_text(info.score),
                               wdl_text(info.wdl));
        return fmt::format(
            "info depth {} seldepth {} multipv {} score {}{}{} nodes {} nps {} hashfull {} "
            "tbhits {} time {} pv{}",
            info.depth, info.seldepth, info.multipv, score_text(info.score), bound_text(info.bound),
            wdl_text(info.wdl), info.nodes, per_second(info.nodes, info.time), info.hashfull,
            info.tbhits, info.time.count(), pv_text(info.pv, info.castling));
    }

    std::string operator()(const engine::CurrentMove& current) const {
        return fmt::format("info currmove {} currmovenumber {}",
                           core::to_uci(current.move, current.castling), current.currmovenumber);
    }

    std::string operator()(const engine::BestMove& best) const {
        if (!best.move)
            return "bestmove (none)";
        std::string text = "bestmove " + core::to_uci(*best.move, best.castling);
        if (best.ponder)
            text += " ponder " + core::to_uci(*best.ponder, best.castling);
        return text;
    }

    std::string operator()(const engine::Snapshot& snapshot) const {
        switch (static_cast<DisplayKind>(snapshot.id)) {
            case DisplayKind::fen: return core::fen(snapshot.game.position());
            case DisplayKind::evaluation: return evaluation(snapshot);
            default: return diagram(snapshot);
        }
    }

    std::string operator()(const engine::Refused& refused) const {
        return info_string(refused.reason);
    }
    std::string operator()(const engine::Notice& notice) const { return info_string(notice.text); }
    std::string operator()(const engine::Synced& /*marker*/) const { return {}; }

    std::string operator()(const engine::PerftReport& report) const {
        std::string text;
        for (const auto& [move, leaves] : report.leaves)
            text += fmt::format("{}: {}\n", core::to_uci(move, report.castling), leaves);
        return text + fmt::format("\nNodes searched: {}", report.total);
    }

    std::string operator()(const engine::Explained& answer) const {
        using engine::explain::Language;
        return info_string(engine::explain::joined(
            engine::explain::words_of(answer.explanation, answer.position, Language::english)));
    }

    std::string operator()(const engine::BenchReport& report) const {
        return fmt::format("Total time (ms): {}\nNodes searched: {}\nNodes/second: {}",
                           report.time.count(), report.nodes,
                           per_second(report.nodes, report.time));
    }

private:
    static std::string evaluation(const engine::Snapshot& snapshot) {
        const auto& position = snapshot.game.position();
        if (position.in_check() || !snapshot.evaluation || !snapshot.wdl)
            return "Evaluation: none, the side to move is in check";
        const bool white = position.side_to_move() == core::Color::white;
        const int sign = white ? 1 : -1;
        const auto& [win, draw, loss] = *snapshot.wdl;
        return fmt::format(
            "{}\nEvaluation: {:+.2f} (pawns, from White's view)\n"
            "White wins {:.1f} %, drawn {:.1f} %, Black wins {:.1f} %",
            contributions(snapshot, sign), sign * *snapshot.evaluation / 100.0,
            (white ? win : loss) / 10.0, draw / 10.0, (white ? loss : win) / 10.0);
    }

    /// The board, and below each piece what it contributes, in pawns from White's view.
    static std::string contributions(const engine::Snapshot& snapshot, int sign) {
        const auto& position = snapshot.game.position();
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            std::string pieces = fmt::format(" {} ", rank + 1);
            std::string numbers = "   ";
            for (int file = 0; file < 8; ++file) {
                const auto square = core::Square::at(file, rank);
                const auto piece = position.piece_on(square);
                const auto score = snapshot.contributions[static_cast<std::size_t>(square.index())];
                pieces += fmt::format("{:^7}", piece ? piece->letter() : '.');
                numbers += score
                             ? fmt::format("{:^7}", fmt::format("{:+.2f}", sign * *score / 100.0))
                             : fmt::format("{:7}", "");
            }
            text += fmt::format("{}\n{}\n", pieces, numbers);
        }
        return text + "      a      b      c      d      e      f      g      h\n";
    }

    static std::string diagram(const engine::Snapshot& snapshot) {
        const auto& position = snapshot.game.position();
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            text += fmt::format(" {} ", rank + 1);
            for (int file = 0; file < 8; ++file) {
                const auto piece = position.piece_on(core::Square::at(file, rank));
                text += fmt::format(" {}", piece ? piece->letter() : '.');
            }
            text += '\n';
        }
        text += "    a b c d e f g h\n\n";
        std::string checkers;
        for (const core::Square square : position.checkers())
            checkers += " " + square.name();
        return text
             + fmt::format("Fen: {}\nKey: {:016X}\nCheckers:{}\nLegal moves: {}",
                           core::fen(position), position.key(), checkers,
                           core::count_legal_moves(position));
    }
};

std::string option_line(const engine::OptionDescription& option) {
    using Kind = engine::OptionDescription::Kind;
    switch (option.kind) {
        case Kind::spin:
            return fmt::format("option name {} type spin default {} min {} max {}\n", option.name,
                               option.default_value, option.min, option.max);
        case Kind::check:
            return fmt::format("option name {} type check default {}\n", option.name,
                               option.default_value != 0);
        case Kind::combo:
            return fmt::format("option name {} type combo default {} var {}\n", option.name,
                               option.choices[static_cast<std::size_t>(option.default_value)],
                               fmt::join(option.choices, " var "));
        case Kind::string:
            return fmt::format("option name {} type string default <empty>\n", option.name);
        default: return fmt::format("option name {} type button\n", option.name);
    }
}

}  // namespace

std::string identification() {
    using engine::GeneralInterface;
    std::string text = fmt::format("id name {} {}\nid author {}\n", GeneralInterface::name(),
                                   GeneralInterface::version(), GeneralInterface::author());
    for (const auto& option : engine::option_descriptions())
        text += option_line(option);
    for (const auto& option : uci_option_descriptions())
        text += fmt::format("option name {} type string default {}\n", option.name,
                            option.default_value);
    return text + "uciok";
}

std::string help_text() {
    return R"(Parley speaks UCI, the Universal Chess Interface. Usual commands:
  uci                                  identify the engine and list its options
  isready                              wait until all commands are handled; answered by readyok
  setoption name NAME value VALUE      set an option
  ucinewgame                           start a new game: clear what was learned from the last one
  position startpos [moves e2e4 ...]   set up a position
  position fen FEN [moves e2e4 ...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves e2e4 ...]
  stop, ponderhit, quit, debug on|off
Beyond UCI:
  d        show the position           eval      its static evaluation
  fen      its FEN                     go perft N   count the leaves of the move tree
  why [MOVE]      what is wrong with a move, or what is good about the best one: only what is proved
  bench [DEPTH]   search fixed positions: the signature of this version
  help     this text)";
}

std::string format(const engine::Response& response) {
    return std::visit(Writer{}, response);
}

std::string info_string(std::string_view text) {
    return "info string " + std::string{text};
}

}  // namespace uci
