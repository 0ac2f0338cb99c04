#include "uci/json/request.hpp"

#include <array>

#include "engine/score.hpp"

#include "uci/json/members.hpp"
#include "uci/json/message_type.hpp"

namespace uci::json {

namespace {

std::optional<core::Square> square_in(const Members& members, const std::string& name) {
    const auto* text = members.text(name);
    if (text == nullptr || text->size() != 2)
        return std::nullopt;
    std::string small = *text;
    if (small[0] >= 'A' && small[0] <= 'H')
        small[0] = static_cast<char>(small[0] - 'A' + 'a');
    return core::Square::read(small);
}

std::optional<Request> read_piece_move(const Members& members) {
    const auto from = square_in(members, "from");
    const auto to = square_in(members, "to");
    if (!from || !to)
        return std::nullopt;
    return PieceMove{*from, *to};
}

std::optional<Request> read_promotion_choice(const Members& members) {
    using core::PieceType;
    const auto* text = members.text("piece_choice");
    if (text == nullptr)
        return std::nullopt;
    for (const PieceType type :
         {PieceType::queen, PieceType::rook, PieceType::knight, PieceType::bishop}) {
        if (*text == core::name(type))
            return PromotionChoice{type};
    }
    return std::nullopt;
}

std::optional<Request> read_new_game(const Members& members) {
    if (!members.has("fen"))
        return NewGame{};
    const auto* fen = members.text("fen");
    if (fen == nullptr)
        return std::nullopt;
    return NewGame{*fen};
}

std::optional<Request> read_get_legal_moveset(const Members& /*members*/) {
    return GetLegalMoveset{};
}

template <typename EndOfGame>
std::optional<Request> read_end_of_game(const Members& members) {
    const auto player = player_in(members);
    if (!player)
        return std::nullopt;
    return EndOfGame{*player};
}

/// A number that a message may hold: nothing is fine, but not a value beyond its range.
struct OptionalNumber {
    bool is_fine = true;
    std::optional<std::uint64_t> value;
};

OptionalNumber number_in(const Members& members, const std::string& name, std::uint64_t most) {
    if (!members.has(name))
        return {};
    const auto* number = members.number(name);
    if (number == nullptr || *number < 1 || *number > most)
        return {false, std::nullopt};
    return {true, *number};
}

std::optional<engine::Limits> limits_in(const Members& members) {
    const auto longest = static_cast<std::uint64_t>(longest_thinking.count());
    const auto time = number_in(members, "milliseconds", longest);
    const auto nodes = number_in(members, "nodes", UINT64_MAX);
    const auto depth = number_in(members, "depth", static_cast<std::uint64_t>(engine::max_ply));
    if (!time.is_fine || !nodes.is_fine || !depth.is_fine)
        return std::nullopt;
    const auto otherwise = nodes.value || depth.value ? longest_thinking : usual_thinking;
    engine::Limits limits;
    limits.move_time = time.value ? engine::Milliseconds{*time.value} : otherwise;
    limits.nodes = nodes.value;
    if (depth.value)
        limits.depth = static_cast<int>(*depth.value);
    return limits;
}

std::optional<Request> read_engine_move(const Members& members) {
    auto limits = limits_in(members);
    const auto player = player_in(members);
    if (!limits || (members.has("player") && !player))
        return std::nullopt;
    return EngineMove{std::move(*limits), player};
}

std::optional<Request> read_hint(const Members& members) {
    auto limits = limits_in(members);
    if (!limits)
        return std::nullopt;
    return Hint{std::move(*limits)};
}

// The interface was published with a slip of the pen in "peice move"; both spellings count.
constexpr std::array message_types{
    MessageType<Request>{"peice move", read_piece_move},
    MessageType<Request>{"piece move", read_piece_move},
    MessageType<Request>{"peice_move", read_piece_move},
    MessageType<Request>{"piece_move", read_piece_move},
    MessageType<Request>{"piece_promotion_choice", read_promotion_choice},
    MessageType<Request>{"new_game", read_new_game},
    MessageType<Request>{"get_legal_moveset", read_get_legal_moveset},
    MessageType<Request>{"resignation", read_end_of_game<Resignation>},
    MessageType<Request>{"timeout", read_end_of_game<Timeout>},
    MessageType<Request>{"engine_move", read_engine_move},
    MessageType<Request>{"hint", read_hint},
};

}  // namespace

std::optional<Request> read_request(std::string_view message) {
    return read_as_one_of(message_types, message);
}

}  // namespace uci::json
