#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/perft.hpp"
#include "core/pgn.hpp"

#include "tools/bench/benchmarks.hpp"

namespace tools::bench {

namespace {

using benchmark::RegisterBenchmark;
using benchmark::State;

void register_rules(const Inputs& inputs) {
    RegisterBenchmark("movegen/legal", [&inputs](State& state) {
        for_each_item(state, inputs.positions,
                      [](const auto& position) { return core::legal_moves(position).size(); });
    });
    RegisterBenchmark("movegen/noisy", [&inputs](State& state) {
        for_each_item(state, inputs.positions, [](const auto& position) {
            return core::legal_moves(position, core::MoveKinds::noisy).size();
        });
    });
    RegisterBenchmark("movegen/evasions", [&inputs](State& state) {
        for_each_item(state, inputs.evasions,
                      [](const auto& position) { return core::legal_moves(position).size(); });
    });
    RegisterBenchmark("movegen/is_legal", [&inputs](State& state) {
        for_each_item(state, inputs.steps,
                      [](const Step& step) { return core::is_legal(step.position, step.move); });
    });
    RegisterBenchmark("position/play", [&inputs](State& state) {
        for_each_item(state, inputs.steps,
                      [](const Step& step) { return step.position.after(step.move).key(); });
    });
    RegisterBenchmark("position/compute_key", [&inputs](State& state) {
        for_each_item(state, inputs.positions,
                      [](const auto& position) { return position.compute_key(); });
    });
    RegisterBenchmark("perft/5", [](State& state) {
        std::uint64_t leaves = 0;
        for ([[maybe_unused]] const auto iteration : state)
            leaves = core::perft(core::Position::start(), 5);
        count_items(state, leaves);
    })->Unit(benchmark::kMillisecond);
}

void register_notations(const Inputs& inputs) {
    RegisterBenchmark("fen/read", [&inputs](State& state) {
        std::vector<std::string> texts;
        for (const auto& position : inputs.positions)
            texts.push_back(core::fen(position));
        for_each_item(state, texts, [](const auto& text) { return core::read_fen(text)->key(); });
    });
    RegisterBenchmark("fen/write", [&inputs](State& state) {
        for_each_item(state, inputs.positions,
                      [](const auto& position) { return core::fen(position).size(); });
    });
    RegisterBenchmark("san/read", [&inputs](State& state) {
        std::vector<std::pair<core::Position, std::string>> texts;
        for (const Step& step : inputs.played)
            texts.emplace_back(step.position, core::san(step.position, step.move));
        for_each_item(state, texts,
                      [](const auto& text) { return *core::read_move(text.first, text.second); });
    });
    RegisterBenchmark("san/write", [&inputs](State& state) {
        for_each_item(state, inputs.played,
                      [](const Step& step) { return core::san(step.position, step.move).size(); });
    });
    RegisterBenchmark("pgn/read", [&inputs](State& state) {
        for_each_item(state, inputs.game_texts,
                      [](const auto& text) { return core::read_pgn(text)->game.moves().size(); });
    });
    RegisterBenchmark("pgn/read_annotated", [&inputs](State& state) {
        for_each_item(state, inputs.game_texts, [](const auto& text) {
            return core::read_annotated_game(text)->elements.size();
        });
    });
}

}  // namespace

void register_core(const Inputs& inputs) {
    register_rules(inputs);
    register_notations(inputs);
}

}  // namespace tools::bench
