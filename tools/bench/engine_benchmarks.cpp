#include <span>
#include <string>
#include <vector>

#include "core/split_mix.hpp"

#include "engine/evaluate/nnue/accumulator.hpp"
#include "engine/evaluate/nnue/embedded.hpp"
#include "engine/evaluate/nnue/forward.hpp"
#include "engine/search/see.hpp"
#include "engine/search/tt.hpp"

#include "tools/bench/benchmarks.hpp"

namespace tools::bench {

namespace {

using benchmark::RegisterBenchmark;
using benchmark::State;
using engine::nnue::Kernels;
using engine::nnue::Network;

/// The positions of a game, first to last: an AccumulatorStack refers to them.
std::vector<core::Position> positions_of(const core::Game& game) {
    std::vector<core::Position> positions{game.start()};
    for (const core::Move move : game.moves())
        positions.push_back(positions.back().after(move));
    return positions;
}

void refresh(State& state, const Inputs& inputs, const Network& network, const Kernels& kernels) {
    const auto accumulator = engine::nnue::aligned_values(network.hidden_size());
    for_each_item(state, inputs.positions, [&](const core::Position& position) {
        engine::nnue::refresh_accumulator(network, position, position.side_to_move(), kernels,
                                          accumulator.get());
        return accumulator[0];
    });
}

/// Evaluates each position of a game after the one before it, as along a line of the search: nearly
/// always an incremental update of both perspectives, and the forward pass.
void update(State& state, const Inputs& inputs, const Network& network, const Kernels& kernels) {
    std::vector<std::vector<core::Position>> lines;
    std::size_t plies = 0;
    for (const core::Game& game : inputs.games) {
        lines.push_back(positions_of(game));
        plies = std::max(plies, lines.back().size());
    }
    engine::nnue::AccumulatorStack stack{network, plies, kernels};
    for ([[maybe_unused]] const auto iteration : state) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            stack.reset(lines[i][0]);
            benchmark::DoNotOptimize(stack.evaluate(0));
            for (std::size_t ply = 1; ply < lines[i].size(); ++ply) {
                stack.push(ply, inputs.games[i].moves()[ply - 1], lines[i][ply]);
                benchmark::DoNotOptimize(stack.evaluate(ply));
            }
        }
    }
    count_items(state, inputs.played.size() + lines.size());
}

void forward(State& state, const Inputs& inputs, const Network& network, const Kernels& kernels) {
    using engine::nnue::pawns_of;
    const std::size_t size = network.hidden_size();
    const std::size_t count = inputs.positions.size();
    const auto accumulators = engine::nnue::aligned_values(2 * size * count);
    const auto pawn_pairs = engine::nnue::aligned_values(2 * size * count);
    std::fill_n(pawn_pairs.get(), 2 * size * count, engine::nnue::Value{0});
    for (std::size_t i = 0; i < count; ++i) {
        const core::Position& position = inputs.positions[i];
        for (const core::Color color : {core::Color::white, core::Color::black}) {
            const std::size_t start = (2 * i + core::index_of(color)) * size;
            engine::nnue::refresh_accumulator(network, position, color, kernels,
                                              &accumulators[start]);
            engine::nnue::change_pawn_pairs(
                network, kernels, engine::nnue::perspective_of(color, position.king(color)),
                {{}, &pawn_pairs[start]}, {pawns_of(position), &pawn_pairs[start]});
        }
    }
    const auto side = [&](std::size_t number) {
        return engine::nnue::Inputs{&accumulators[number * size], &pawn_pairs[number * size]};
    };
    for ([[maybe_unused]] const auto iteration : state) {
        for (std::size_t i = 0; i < count; ++i) {
            benchmark::DoNotOptimize(engine::nnue::forward(network, kernels, inputs.positions[i],
                                                           {side(2 * i), side(2 * i + 1)}));
        }
    }
    count_items(state, count);
}

void register_network(const Inputs& inputs) {
    const auto list = engine::nnue::runnable_kernels();
    const auto network = engine::nnue::embedded_network();
    for (const Kernels* const kernels : std::span{list.kernels}.first(list.count)) {
        const auto add = [&](const char* name, const auto& function) {
            const std::string full_name = std::string{"nnue/"} + name + "/" + kernels->name;
            RegisterBenchmark(full_name.c_str(), [=, &inputs](State& state) {
                function(state, inputs, *network, *kernels);
            });
        };
        add("refresh", refresh);
        add("update_and_forward", update);
        add("forward", forward);
    }
}

constexpr std::size_t keys_in_each_megabyte = 4'096;  // a sixteenth of the entries

/// Random keys, so that each meets another cluster.
std::vector<core::Key> keys_for(std::size_t megabytes) {
    std::vector<core::Key> keys(megabytes * keys_in_each_megabyte);
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = core::split_mix(i);
    return keys;
}

constexpr engine::search::TTData entry{
    core::Move::normal(core::Square{12}, core::Square{28}), 35, 20, 7, engine::Bound::exact, false};

void probe(State& state, std::size_t megabytes) {
    engine::search::TranspositionTable table{megabytes};
    const auto keys = keys_for(megabytes);
    for (const core::Key key : keys)
        table.store(key, 0, entry);
    for_each_item(state, keys, [&table](core::Key key) { return table.probe(key, 0); });
}

void store(State& state, std::size_t megabytes) {
    engine::search::TranspositionTable table{megabytes};
    const auto keys = keys_for(megabytes);
    for ([[maybe_unused]] const auto iteration : state) {
        for (const core::Key key : keys)
            table.store(key, 0, entry);
        benchmark::ClobberMemory();
    }
    count_items(state, keys.size());
}

void register_search(const Inputs& inputs) {
    RegisterBenchmark("search/see_ge", [&inputs](State& state) {
        for_each_item(state, inputs.captures, [](const Step& step) {
            return engine::search::see_ge(step.position, step.move, 0);
        });
    });
    // One table fits the processor's caches, the other does not.
    for (const std::size_t megabytes : {std::size_t{1}, std::size_t{256}}) {
        const std::string size = "/" + std::to_string(megabytes) + "_MB";
        RegisterBenchmark(("tt/probe" + size).c_str(),
                          [megabytes](State& state) { probe(state, megabytes); });
        RegisterBenchmark(("tt/store" + size).c_str(),
                          [megabytes](State& state) { store(state, megabytes); });
    }
}

}  // namespace

void register_engine(const Inputs& inputs) {
    register_search(inputs);
    register_network(inputs);
}

}  // namespace tools::bench
