#include "engine/analysis/epd/task.hpp"

#include <algorithm>

#include "core/epd.hpp"
#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

namespace engine::epd {

namespace {

using core::Error;
using core::Move;
using core::Position;
using core::Result;
using core::Words;

/// The words of a list that has blanks, commas or both between them.
std::vector<std::string> words_of(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    std::vector<std::string> words;
    for (Words rest{text}; const auto word = rest.next();)
        words.emplace_back(*word);
    return words;
}

Result<std::vector<Move>> read_moves(const Position& position, const std::string& operands) {
    std::vector<Move> moves;
    for (const auto& word : words_of(operands)) {
        // Well-known suites write "Qd1 +".
        if (word.find_first_not_of("+#!?") == std::string::npos)
            continue;
        const auto move = core::read_move(position, word);
        if (!move)
            return move.error();
        moves.push_back(*move);
    }
    if (moves.empty())
        return Error{"a move is missing"};
    return moves;
}

/// The first operation with this opcode, whose case does not matter.
const core::EpdOperation* find(const core::Epd& epd, std::string_view opcode) {
    const auto found = std::find_if(
        epd.operations.begin(), epd.operations.end(),
        [&](const auto& operation) { return core::lowercase(operation.opcode) == opcode; });
    return found == epd.operations.end() ? nullptr : &*found;
}

/// The position with the counters that operations give.
Result<Position> position_of(const core::Epd& epd) {
    const auto* halfmove_clock = find(epd, "hmvc");
    const auto* fullmove_number = find(epd, "fmvn");
    if (!halfmove_clock && !fullmove_number)
        return epd.position;
    Words fields{epd.fen};
    std::string fen;
    for (int field = 0; field < 4; ++field)
        fen += std::string{fields.next().value_or("")} + ' ';
    fen +=
        halfmove_clock ? halfmove_clock->operands : std::to_string(epd.position.halfmove_clock());
    fen += ' ';
    fen += fullmove_number ? fullmove_number->operands
                           : std::to_string(epd.position.fullmove_number());
    return core::read_fen(fen);
}

/// "NAME=NUMBER" as points; the name is the last word before the sign.
struct PointsText {
    std::string move;
    int points = 0;
};
std::optional<PointsText> read_points_text(std::string_view text) {
    const auto equals = text.rfind('=');
    if (equals == std::string_view::npos)
        return std::nullopt;
    Words number{text.substr(equals + 1)};
    const auto points = core::read_integer(number.next().value_or(""));
    const auto names = words_of(std::string{text.substr(0, equals)});
    constexpr std::int64_t most = 1'000'000;
    if (!points || *points < 0 || *points > most || names.empty())
        return std::nullopt;
    return PointsText{names.back(), static_cast<int>(*points)};
}

/// The points of a comment like "Nf3=10, e4=5". A comment without a legal move is only a comment.
Result<std::vector<MovePoints>> read_comment(const Position& position, std::string_view comment) {
    std::vector<MovePoints> points;
    std::optional<Error> error;
    while (!comment.empty()) {
        const auto end = std::min(comment.find(','), comment.size());
        if (const auto text = read_points_text(comment.substr(0, end))) {
            if (const auto move = core::read_move(position, text->move))
                points.push_back({*move, text->points});
            else
                error = move.error();
        }
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
    if (error && !points.empty())
        return *error;
    return points;
}

/// The points of moves in `c9` (coordinates) with the numbers in `c8`.
Result<std::vector<MovePoints>> read_lists(const Position& position,
                                           const std::string& moves,
                                           const std::string& numbers) {
    const auto read = read_moves(position, moves);
    if (!read)
        return read.error();
    const auto words = words_of(numbers);
    std::vector<MovePoints> points;
    for (std::size_t i = 0; i < std::min(words.size(), read->size()); ++i) {
        const auto number = core::read_integer(words[i]);
        if (!number || *number < 0 || *number > 1'000'000)
            return Error{core::quoted(words[i]) + " is not a number of points"};
        points.push_back({(*read)[i], static_cast<int>(*number)});
    }
    if (points.size() != read->size() || points.size() != words.size())
        return Error{"c8 and c9 have different lengths"};
    return points;
}

Result<std::vector<MovePoints>> read_points(const core::Epd& epd, const Position& position) {
    const auto* numbers = find(epd, "c8");
    const auto* moves = find(epd, "c9");
    if (numbers && moves)
        return read_lists(position, moves->operands, numbers->operands);
    const auto* comment = find(epd, "c0");
    return comment ? read_comment(position, comment->operands) : std::vector<MovePoints>{};
}

/// Adds what one operation says.
std::optional<Error> add(const core::EpdOperation& operation, Task& task) {
    const auto opcode = core::lowercase(operation.opcode);
    if (opcode == "bm" || opcode == "am") {
        const auto moves = read_moves(task.position, operation.operands);
        if (!moves)
            return Error{opcode + ": " + moves.reason()};
        auto& list = opcode == "bm" ? task.best_moves : task.avoid_moves;
        list.insert(list.end(), moves->begin(), moves->end());
    }
    else if (opcode == "dm") {
        const auto moves = core::read_integer(operation.operands);
        if (!moves || *moves < 1 || *moves > max_ply)
            return Error{"dm: " + core::quoted(operation.operands) + " is not a number of moves"};
        task.mate_in = static_cast<int>(*moves);
    }
    else if (opcode == "id" && task.id.empty()) {
        task.id = operation.operands;
    }
    return std::nullopt;
}

bool contains(const std::vector<Move>& moves, Move move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace

int Task::most_points() const {
    int most = 0;
    for (const auto& [move, number] : points)
        most = std::max(most, number);
    return most;
}

Result<Task> read_task(std::string_view line) {
    const auto epd = core::read_epd(line);
    if (!epd)
        return epd.error();
    const auto position = position_of(*epd);
    if (!position)
        return position.error();
    Task task;
    task.position = *position;
    for (const auto& operation : epd->operations) {
        if (const auto error = add(operation, task))
            return *error;
    }
    auto points = read_points(*epd, *position);
    if (!points)
        return points.error();
    task.points = std::move(*points);
    return task;
}

bool is_comment(std::string_view line) {
    const auto word = Words{line}.next();
    return !word || word->starts_with('#') || word->starts_with("//");
}

TaskScore score_answer(const Task& task, Move move, Score score) {
    TaskScore result;
    for (const auto& [with_points, number] : task.points) {
        if (with_points == move)
            result.points = std::max(result.points, number);
    }
    const bool only_points = task.best_moves.empty() && task.avoid_moves.empty() && !task.mate_in;
    const bool is_mated_soon = is_mate(score) && score > 0 && task.mate_in
                            && (plies_to_mate(score) + 1) / 2 <= *task.mate_in;
    result.solved = task.is_scored() && (task.best_moves.empty() || contains(task.best_moves, move))
                 && !contains(task.avoid_moves, move) && (!task.mate_in || is_mated_soon)
                 && (!only_points || result.points == task.most_points());
    return result;
}

}  // namespace engine::epd
