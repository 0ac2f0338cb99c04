#include "uci/server/queue/job_codec.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/wording.hpp"
#include "engine/strength_level.hpp"

#include "uci/server/queue/object_reader.hpp"

namespace uci::server::queue {

namespace {

using core::Error;
using core::Result;
using engine::BestMove;
using engine::Info;
using engine::Milliseconds;
using engine::jobs::Job;
using engine::jobs::JobKind;
using engine::jobs::JobResult;
namespace explain = engine::explain;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> kind_names{"search", "explanation", "pause"};
constexpr std::array<std::string_view, 4> bound_names{"none", "upper", "lower", "exact"};
constexpr std::array<std::string_view, 3> verdict_names{"best", "good", "worse"};

constexpr std::int64_t many = 1'000'000'000'000'000;
constexpr std::int64_t long_time = 1'000'000'000;  // in milliseconds, 11 days
constexpr std::int64_t most_multipv = 256;
constexpr std::size_t most_iterations = 10'000;
constexpr std::size_t most_moves = 100'000;

std::string text_of(core::Move move) {
    return core::to_uci(move, core::CastlingStyle::king_takes_rook);
}

std::string text_of(const std::vector<core::Move>& moves) {
    std::string text;
    for (const auto move : moves) {
        if (!text.empty())
            text += ' ';
        text += text_of(move);
    }
    return text;
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Reads legal moves that follow each other from a position.
std::optional<std::vector<core::Move>> read_line(core::Position position, std::string_view text) {
    std::vector<core::Move> moves;
    core::Words words{text};
    while (const auto word = words.next()) {
        const auto move = core::read_move(position, *word);
        if (!move || moves.size() >= most_moves)
            return std::nullopt;
        position.play(*move);
        moves.push_back(*move);
    }
    return moves;
}

std::optional<core::Move> read_one(ObjectReader& reader,
                                   const char* key,
                                   const core::Position& position) {
    const auto* const text = reader.optional_text(key);
    if (text == nullptr)
        return std::nullopt;
    const auto move = core::read_move(position, *text);
    if (!move) {
        reader.fail(key, "is not a legal move");
        return std::nullopt;
    }
    return *move;
}

std::vector<core::Move> read_moves(ObjectReader& reader,
                                   const char* key,
                                   const core::Position& position) {
    const auto* const text = reader.optional_text(key);
    auto moves = read_line(position, text == nullptr ? std::string_view{} : *text);
    if (!moves)
        reader.fail(key, "has a move that is not legal");
    return moves.value_or(std::vector<core::Move>{});
}

Json json_of(const engine::Limits& limits) {
    Json json = Json::object();
    const auto add = [&](const char* key, const auto& value) {
        if (value)
            json[key] = *value;
    };
    const auto add_time = [&](const char* key, const std::optional<Milliseconds>& time) {
        if (time)
            json[key] = time->count();
    };
    add_time("wtime", limits.clocks[0].time);
    add_time("btime", limits.clocks[1].time);
    if (limits.has_clock()) {
        json["winc"] = limits.clocks[0].increment.count();
        json["binc"] = limits.clocks[1].increment.count();
    }
    add("movestogo", limits.movestogo);
    add_time("movetime", limits.movetime);
    add("depth", limits.depth);
    add("nodes", limits.nodes);
    add("mate", limits.mate);
    add("elo", limits.elo);
    if (limits.analysis)
        json["analysis"] = true;
    return json;
}

std::optional<int> as_int(std::optional<std::int64_t> number) {
    return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
}

std::optional<Milliseconds> as_time(std::optional<std::int64_t> number) {
    return number ? std::optional{Milliseconds{*number}} : std::nullopt;
}

engine::Limits read_limits(ObjectReader& outer) {
    engine::Limits limits;
    const auto* const json = outer.optional_object("limits");
    if (json == nullptr)
        return limits;
    ObjectReader reader{*json, "limits"};
    const std::array keys{std::pair{"wtime", "winc"}, std::pair{"btime", "binc"}};
    for (std::size_t color = 0; color < 2; ++color) {
        limits.clocks[color].time =
            as_time(reader.optional_integer(keys[color].first, -long_time, long_time));
        limits.clocks[color].increment =
            Milliseconds{reader.optional_integer(keys[color].second, 0, long_time).value_or(0)};
    }
    limits.movestogo = as_int(reader.optional_integer("movestogo", 1, 1'000));
    limits.movetime = as_time(reader.optional_integer("movetime", 0, long_time));
    limits.depth = as_int(reader.optional_integer("depth", 1, engine::max_ply));
    if (const auto nodes = reader.optional_integer("nodes", 1, many))
        limits.nodes = static_cast<std::uint64_t>(*nodes);
    limits.mate = as_int(reader.optional_integer("mate", 1, engine::max_ply));
    limits.elo = as_int(reader.optional_integer("elo", engine::min_elo, engine::max_elo));
    limits.analysis = reader.boolean("analysis");
    if (const auto error = reader.finish())
        outer.fail("limits", error->reason);
    return limits;
}

Json json_of(const Info& info) {
    return {{"depth", info.depth},
            {"seldepth", info.seldepth},
            {"multipv", info.multipv},
            {"score", info.score},
            {"bound", bound_names[static_cast<std::size_t>(info.bound)]},
            {"nodes", info.nodes},
            {"ms", info.time.count()},
            {"hashfull", info.hashfull},
            {"tbhits", info.tbhits},
            {"pv", text_of(info.pv)}};
}

Info read_info(ObjectReader& reader, const core::Position& position) {
    Info info;
    info.depth = static_cast<int>(reader.integer("depth", 0, engine::max_ply));
    info.seldepth = static_cast<int>(reader.integer("seldepth", 0, 10'000));
    info.multipv = static_cast<int>(reader.integer("multipv", 1, most_multipv));
    info.score = static_cast<int>(reader.integer("score", -engine::infinite, engine::infinite));
    info.bound = static_cast<engine::Bound>(reader.choice("bound", bound_names));
    info.nodes = static_cast<std::uint64_t>(reader.integer("nodes", 0, many));
    info.time = Milliseconds{reader.integer("ms", 0, long_time)};
    info.hashfull = static_cast<int>(reader.integer("hashfull", 0, 1'000));
    info.tbhits = static_cast<std::uint64_t>(reader.integer("tbhits", 0, many));
    info.pv = read_moves(reader, "pv", position);
    return info;
}

Json json_of(const std::vector<Info>& pvs) {
    Json json = Json::array();
    for (const auto& info : pvs)
        json.push_back(json_of(info));
    return json;
}

std::vector<Info> read_infos(ObjectReader& outer, const Job& job) {
    std::vector<Info> pvs;
    for (const auto& element : outer.array("pvs", most_multipv)) {
        ObjectReader reader{element, "pv"};
        pvs.push_back(read_info(reader, job.game.position()));
        if (const auto error = reader.finish())
            outer.fail("pvs", error->reason);
    }
    return pvs;
}

Json json_of(const engine::jobs::Iteration& iteration) {
    return {{"move", text_of(iteration.move)},
            {"score", iteration.score},
            {"depth", iteration.depth},
            {"nodes", iteration.nodes},
            {"ms", iteration.time.count()}};
}

std::vector<engine::jobs::Iteration> read_iterations(ObjectReader& outer, const Job& job) {
    std::vector<engine::jobs::Iteration> iterations;
    for (const auto& element : outer.array("iterations", most_iterations)) {
        ObjectReader reader{element, "iteration"};
        const auto move = read_one(reader, "move", job.game.position());
        if (!move)
            reader.fail("move", "is missing");
        iterations.push_back(
            {move.value_or(core::Move{}),
             static_cast<int>(reader.integer("score", -engine::infinite, engine::infinite)),
             static_cast<int>(reader.integer("depth", 0, engine::max_ply)),
             static_cast<std::uint64_t>(reader.integer("nodes", 0, many)),
             Milliseconds{reader.integer("ms", 0, long_time)}});
        if (const auto error = reader.finish())
            outer.fail("iterations", error->reason);
    }
    return iterations;
}

Json json_of(const explain::Claim& claim) {
    Json json{{"kind", name(claim.kind)},      {"motif", name(claim.motif)},
              {"amount", claim.amount},        {"plies", claim.plies},
              {"pv", text_of(claim.pv)},       {"squares", Json::array()},
              {"was_threat", claim.was_threat}};
    for (const auto square : claim.squares)
        json["squares"].push_back(square.name());
    if (claim.won_piece)
        json["won_piece"] = name(*claim.won_piece);
    return json;
}

/// The names of an enumeration's values, from the first to the last.
template <typename Enum>
std::vector<std::string_view> names_up_to(Enum last) {
    std::vector<std::string_view> names;
    for (int value = 0; value <= static_cast<int>(last); ++value)
        names.push_back(explain::name(static_cast<Enum>(value)));
    return names;
}

explain::Claim read_claim(ObjectReader& reader, const core::Position& position, core::Move move) {
    static const auto kinds = names_up_to(explain::Kind::mate_stopped);
    static const auto motifs = names_up_to(explain::Motif::back_rank);
    static const std::array pieces{name(core::PieceType::pawn),   name(core::PieceType::knight),
                                   name(core::PieceType::bishop), name(core::PieceType::rook),
                                   name(core::PieceType::queen),  name(core::PieceType::king)};
    explain::Claim claim;
    claim.kind = static_cast<explain::Kind>(reader.choice("kind", kinds));
    claim.motif = static_cast<explain::Motif>(reader.choice("motif", motifs));
    claim.amount = static_cast<int>(reader.integer("amount", 0, 1'000));
    claim.plies = static_cast<int>(reader.integer("plies", 0, engine::max_ply));
    for (const auto& element : reader.array("squares", core::Square::count)) {
        const auto square = element.is_string()
                              ? core::Square::read(element.get_ref<const std::string&>())
                              : std::nullopt;
        if (square)
            claim.squares.push_back(*square);
        else
            reader.fail("squares", "has an element that is no square");
    }
    claim.was_threat = reader.boolean("was_threat");
    if (reader.optional_text("won_piece") != nullptr)
        claim.won_piece = core::all_piece_types[reader.choice("won_piece", pieces)];
    const bool is_threat =
        claim.kind == explain::Kind::threat_stopped || claim.kind == explain::Kind::mate_stopped;
    if (is_threat && position.in_check())
        reader.fail("kind", "is not possible in check");
    if (!reader.has_failed())
        claim.pv = read_moves(reader, "pv", explain::root_of(claim, position, move));
    return claim;
}

Json json_of(const explain::Explanation& explanation) {
    Json json{{"move", text_of(explanation.move)},
              {"better", text_of(explanation.better)},
              {"verdict", verdict_names[static_cast<std::size_t>(explanation.verdict)]},
              {"score_of_move", explanation.score_of_move},
              {"score_of_better", explanation.score_of_better},
              {"only_legal", explanation.only_legal}};
    if (const auto& only = explanation.only_move)
        json["only_move"] = {
            {"mate", only->mate}, {"amount", only->amount}, {"plies", only->plies}};
    if (explanation.claim)
        json["claim"] = json_of(*explanation.claim);
    return json;
}

void read_only_move(ObjectReader& outer, explain::Explanation& explanation) {
    const auto* const json = outer.optional_object("only_move");
    if (json == nullptr)
        return;
    ObjectReader reader{*json, "only_move"};
    explanation.only_move = explain::OnlyMove{
        reader.boolean("mate"), static_cast<int>(reader.integer("amount", 0, 1'000)),
        static_cast<int>(reader.integer("plies", 0, engine::max_ply))};
    if (const auto error = reader.finish())
        outer.fail("only_move", error->reason);
}

explain::Explanation read_explanation(ObjectReader& reader, const core::Position& position) {
    explain::Explanation explanation;
    const auto move = read_one(reader, "move", position);
    const auto better = read_one(reader, "better", position);
    if (!move || !better) {
        reader.fail("move", "or 'better' is missing");
        return explanation;
    }
    explanation.move = *move;
    explanation.better = *better;
    explanation.verdict = static_cast<explain::Verdict>(reader.choice("verdict", verdict_names));
    const auto score = [&](const char* key) {
        return static_cast<int>(reader.integer(key, -engine::infinite, engine::infinite));
    };
    explanation.score_of_move = score("score_of_move");
    explanation.score_of_better = score("score_of_better");
    explanation.only_legal = reader.boolean("only_legal");
    read_only_move(reader, explanation);
    if (const auto* const json = reader.optional_object("claim")) {
        ObjectReader claim{*json, "claim"};
        explanation.claim = read_claim(claim, position, *move);
        if (const auto error = claim.finish())
            reader.fail("claim", error->reason);
    }
    return explanation;
}

BestMove read_best(ObjectReader& reader, const core::Position& position) {
    BestMove best;
    best.score = static_cast<int>(reader.integer("score", -engine::infinite, engine::infinite));
    best.move = read_one(reader, "best", position);
    if (best.move)
        best.ponder = read_one(reader, "ponder", position.after(*best.move));
    return best;
}

core::Game read_game(ObjectReader& reader) {
    core::Game game;
    const auto position = core::read_fen(reader.text("fen"));
    if (!position) {
        reader.fail("fen", position.reason());
        return game;
    }
    game = core::Game{*position};
    for (const auto move : read_moves(reader, "moves", *position))
        game.play(move);
    return game;
}

/// What a job must have to end by itself, and in a position that can be searched.
void check_job(ObjectReader& reader, const Job& job) {
    if (job.kind == JobKind::search && !job.limits.ends_by_itself())
        reader.fail("limits", "do not end the search");
    if (job.kind == JobKind::pause && !job.limits.movetime)
        reader.fail("limits", "have no movetime");
}

}  // namespace

std::string write_job(const Job& job) {
    Json json{{"kind", kind_names[static_cast<std::size_t>(job.kind)]},
              {"fen", core::fen(job.game.start())},
              {"limits", json_of(job.limits)}};
    if (!job.game.moves().empty())
        json["moves"] = text_of(job.game.moves());
    if (job.move)
        json["move"] = text_of(*job.move);
    if (job.kind == JobKind::search) {
        json["multipv"] = job.multipv;
        json["hash"] = job.megabytes;
        json["salt"] = job.salt;
    }
    for (const auto& [key, value] :
         {std::pair{"tables", job.uses_tables}, std::pair{"exact", job.wants_exact_pvs},
          std::pair{"iterations", job.wants_iterations}, std::pair{"reports", job.wants_reports}}) {
        if (value)
            json[key] = true;
    }
    return dumped(json);
}

Result<Job> read_job(std::string_view text) {
    ObjectReader reader{text, max_job_bytes, "job"};
    Job job;
    job.kind = static_cast<JobKind>(reader.choice("kind", kind_names));
    if (!reader.has_failed())
        job.game = read_game(reader);
    job.limits = read_limits(reader);
    job.move = read_one(reader, "move", job.game.position());
    if (job.kind == JobKind::search) {
        job.multipv = static_cast<int>(reader.integer("multipv", 1, most_multipv));
        job.megabytes = static_cast<std::size_t>(
            reader.integer("hash", 1, static_cast<std::int64_t>(max_table_megabytes)));
        job.salt = reader.unsigned_integer("salt");
    }
    job.uses_tables = reader.boolean("tables");
    job.wants_exact_pvs = reader.boolean("exact");
    job.wants_iterations = reader.boolean("iterations");
    job.wants_reports = reader.boolean("reports");
    check_job(reader, job);
    if (const auto error = reader.finish())
        return *error;
    return job;
}

std::string write_result(const JobResult& result) {
    Json json{{"score", result.best.score},
              {"nodes", result.nodes},
              {"ms", result.time.count()},
              {"pvs", json_of(result.pvs)}};
    if (result.best.move)
        json["best"] = text_of(*result.best.move);
    if (result.best.ponder)
        json["ponder"] = text_of(*result.best.ponder);
    if (!result.iterations.empty()) {
        json["iterations"] = Json::array();
        for (const auto& iteration : result.iterations)
            json["iterations"].push_back(json_of(iteration));
    }
    if (result.explanation)
        json["explanation"] = json_of(*result.explanation);
    return dumped(json);
}

Result<JobResult> read_result(std::string_view text, const Job& job) {
    ObjectReader reader{text, max_result_bytes, "result"};
    const auto& position = job.game.position();
    JobResult result;
    result.best = read_best(reader, position);
    result.nodes = static_cast<std::uint64_t>(reader.integer("nodes", 0, many));
    result.time = Milliseconds{reader.integer("ms", 0, long_time)};
    result.pvs = read_infos(reader, job);
    result.iterations = read_iterations(reader, job);
    if (const auto* const json = reader.optional_object("explanation")) {
        ObjectReader explanation{*json, "explanation"};
        result.explanation = read_explanation(explanation, position);
        if (const auto error = explanation.finish())
            reader.fail("explanation", error->reason);
    }
    if (job.kind == JobKind::search && result.pvs.size() != static_cast<std::size_t>(job.multipv))
        reader.fail("pvs", "are not as many as the job asks for");
    if (job.kind == JobKind::search && !result.best.move && core::count_legal_moves(position) > 0)
        reader.fail("best", "is missing");
    if (const auto error = reader.finish())
        return *error;
    return result;
}

std::string write_pvs(const std::vector<Info>& pvs) {
    return dumped({{"pvs", json_of(pvs)}});
}

Result<std::vector<Info>> read_pvs(std::string_view text, const Job& job) {
    ObjectReader reader{text, max_result_bytes, "report"};
    auto pvs = read_infos(reader, job);
    if (pvs.empty())
        reader.fail("pvs", "are missing");
    if (const auto error = reader.finish())
        return *error;
    return pvs;
}

}  // namespace uci::server::queue
