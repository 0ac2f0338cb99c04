#include "uci/json/request.hpp"

#include <array>

#include "core/text.hpp"

#include "engine/score.hpp"
#include "engine/strength_level.hpp"

#include "uci/json/json_values.hpp"
#include "uci/json/message_type.hpp"
#include "uci/json/strict_object.hpp"

namespace uci::json {

namespace {

std::optional<core::Square> square_in(const StrictObject& object, const std::string& name) {
    const auto* text = object.text(name);
    return text == nullptr ? std::nullopt : core::Square::read(core::lowercase(*text));
}

std::optional<Request> read_piece_move(const StrictObject& object) {
    const auto from = square_in(object, "from");
    const auto to = square_in(object, "to");
    if (!from || !to)
        return std::nullopt;
    return PieceMove{*from, *to};
}

std::optional<core::PieceType> piece_choice_in(const StrictObject& object) {
    using core::PieceType;
    const auto* text = object.text("piece_choice");
    if (text == nullptr)
        return std::nullopt;
    for (const PieceType type :
         {PieceType::queen, PieceType::rook, PieceType::knight, PieceType::bishop}) {
        if (*text == core::name(type))
            return type;
    }
    return std::nullopt;
}

std::optional<Request> read_promotion_choice(const StrictObject& object) {
    const auto piece = piece_choice_in(object);
    if (!piece)
        return std::nullopt;
    return PromotionChoice{*piece};
}

/// An optional number in a message: it may be missing, but not out of range.
struct OptionalNumber {
    bool is_valid = true;
    std::optional<std::uint64_t> value;
};

OptionalNumber number_in(const StrictObject& object,
                         const std::string& name,
                         std::uint64_t max,
                         std::uint64_t min = 1) {
    if (!object.has(name))
        return {};
    const auto* number = object.number(name);
    if (number == nullptr || *number < min || *number > max)
        return {false, std::nullopt};
    return {true, *number};
}

/// White's and Black's time in a message, which may be missing.
struct OptionalTimeControl {
    bool is_valid = true;
    std::optional<TimeControl> control;
};

OptionalTimeControl time_control_in(const StrictObject& object) {
    constexpr auto max_base = std::uint64_t{engine::Milliseconds{max_base_time}.count()};
    constexpr auto max_bonus = std::uint64_t{engine::Milliseconds{max_increment}.count()};
    OptionalTimeControl read;
    TimeControl control;
    std::size_t times = 0;
    for (const core::Color player : {core::Color::white, core::Color::black}) {
        const std::string name{color_name(player)};
        const auto base = number_in(object, name + "_time", max_base);
        const auto increment = number_in(object, name + "_increment", max_bonus, 0);
        read.is_valid = read.is_valid && base.is_valid && increment.is_valid
                     && (base.value || !increment.value);
        times += base.value ? 1 : 0;
        control[index_of(player)] = {engine::Milliseconds{base.value.value_or(0)},
                                     engine::Milliseconds{increment.value.value_or(0)}};
    }
    read.is_valid = read.is_valid && times != 1;
    if (read.is_valid && times == 2)
        read.control = control;
    return read;
}

std::optional<Request> read_new_game(const StrictObject& object) {
    const auto clock = time_control_in(object);
    const auto* fen = object.text("fen");
    if (!clock.is_valid || (object.has("fen") && fen == nullptr))
        return std::nullopt;
    NewGame request{std::nullopt, clock.control};
    if (fen != nullptr)
        request.fen = *fen;
    return request;
}

std::optional<Request> read_clock(const StrictObject& object) {
    const auto clock = time_control_in(object);
    if (!clock.is_valid)
        return std::nullopt;
    return ClockRequest{clock.control};
}

std::optional<Request> read_load_pgn(const StrictObject& object) {
    const auto* pgn = object.text("pgn");
    if (pgn == nullptr)
        return std::nullopt;
    return LoadPgn{*pgn};
}

std::optional<Request> read_get_legal_moveset(const StrictObject& /*object*/) {
    return GetLegalMoveset{};
}

template <typename EndOfGame>
std::optional<Request> read_end_of_game(const StrictObject& object) {
    const auto player = object.color("player");
    if (!player)
        return std::nullopt;
    return EndOfGame{*player};
}

/// More than any game has.
constexpr std::uint64_t max_plies = 100'000;

std::optional<engine::Limits> limits_in(const StrictObject& object) {
    const auto max_time = static_cast<std::uint64_t>(max_think_time.count());
    const auto time = number_in(object, "milliseconds", max_time);
    const auto nodes = number_in(object, "nodes", UINT64_MAX);
    const auto depth = number_in(object, "depth", static_cast<std::uint64_t>(engine::max_ply));
    if (!time.is_valid || !nodes.is_valid || !depth.is_valid)
        return std::nullopt;
    const auto default_time = nodes.value || depth.value ? max_think_time : default_think_time;
    engine::Limits limits;
    limits.movetime = time.value ? engine::Milliseconds{*time.value} : default_time;
    limits.nodes = nodes.value;
    if (depth.value)
        limits.depth = static_cast<int>(*depth.value);
    return limits;
}

std::optional<Request> read_take_back(const StrictObject& object) {
    const auto plies = number_in(object, "plies", max_plies);
    if (!plies.is_valid)
        return std::nullopt;
    return TakeBack{static_cast<int>(plies.value.value_or(1))};
}

std::optional<Request> read_engine_move(const StrictObject& object) {
    auto limits = limits_in(object);
    const auto player = object.color("player");
    const auto elo = number_in(object, "elo", engine::max_elo, engine::min_elo);
    if (!limits || !elo.is_valid || (object.has("player") && !player))
        return std::nullopt;
    if (elo.value) {
        limits->elo = static_cast<int>(*elo.value);
        if (!object.has("milliseconds"))
            limits->movetime = max_think_time;
    }
    const bool names_limit =
        elo.value || object.has("milliseconds") || object.has("nodes") || object.has("depth");
    return EngineMove{std::move(*limits), player, names_limit};
}

std::optional<Request> read_hint(const StrictObject& object) {
    auto limits = limits_in(object);
    if (!limits)
        return std::nullopt;
    return Hint{std::move(*limits)};
}

std::optional<Request> read_explain(const StrictObject& object) {
    Explain request;
    request.from = square_in(object, "from");
    request.to = square_in(object, "to");
    const auto ply = number_in(object, "ply", max_plies, 0);
    request.ply = ply.value;
    const auto piece = piece_choice_in(object);
    request.promotes_to = piece.value_or(request.promotes_to);
    const auto language = read_language(object);
    const bool has_move = request.from && request.to;
    const bool names_move = object.has("from") || object.has("to") || object.has("piece_choice");
    if (has_move != names_move || (has_move && ply.value) || !ply.is_valid || !language
        || object.has("piece_choice") != piece.has_value())
        return std::nullopt;
    request.language = *language;
    return request;
}

std::optional<Request> read_tablebase(const StrictObject& /*object*/) {
    return Tablebase{};
}

// The published interface misspells "peice move"; both spellings are accepted.
constexpr std::array message_types{
    MessageType<Request>{"peice move", read_piece_move},
    MessageType<Request>{"piece move", read_piece_move},
    MessageType<Request>{"peice_move", read_piece_move},
    MessageType<Request>{"piece_move", read_piece_move},
    MessageType<Request>{"piece_promotion_choice", read_promotion_choice},
    MessageType<Request>{"new_game", read_new_game},
    MessageType<Request>{"clock", read_clock},
    MessageType<Request>{"load_pgn", read_load_pgn},
    MessageType<Request>{"get_legal_moveset", read_get_legal_moveset},
    MessageType<Request>{"resignation", read_end_of_game<Resignation>},
    MessageType<Request>{"timeout", read_end_of_game<Timeout>},
    MessageType<Request>{"take_back", read_take_back},
    MessageType<Request>{"engine_move", read_engine_move},
    MessageType<Request>{"hint", read_hint},
    MessageType<Request>{"explain", read_explain},
    MessageType<Request>{"tablebase", read_tablebase},
};

}  // namespace

std::optional<engine::explain::Language> read_language(const StrictObject& object) {
    if (!object.has("language"))
        return engine::explain::Language::english;
    const auto* code = object.text("language");
    return code == nullptr ? std::nullopt : engine::explain::language_named(*code);
}

std::optional<Request> read_request(std::string_view message) {
    return read_as_one_of(message_types, message);
}

}  // namespace uci::json
