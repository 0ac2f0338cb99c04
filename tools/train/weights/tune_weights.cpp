// Tunes the evaluation's weights on games that Parley has played.
//
// The score of each quiet position, as a share of a win, is brought nearer to the game's result
// and to what the search said (logistic regression). How a score depends on a weight is measured
// by changing the weight a little, so the evaluation is written once and needs no trace of its
// terms; it is nearly linear in its weights, and a few rounds take care of the rest.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/datagen/game_record.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/evaluate/weights.hpp"

namespace {

namespace weights = engine::weights;
using engine::Tapered;

/// A position, and the share of a win that the player to move may expect there.
struct Sample {
    core::Position position = core::Position::start();
    double result = 0;  ///< 0, 0.5 or 1
    double score = 0;   ///< what the search said, centipawns
};

/// A variable of weights.hpp: its numbers, and its value in C++.
struct Variable {
    std::string name;
    std::span<int> numbers;
    int step = 0;  ///< by how much one of them is changed to see what it does
    std::string (*text)(const void*) = nullptr;
};

std::string text_of(int value) {
    return std::to_string(value);
}

std::string text_of(const Tapered& value) {
    return fmt::format("{{{}, {}}}", value.middlegame, value.endgame);
}

template <typename Value, std::size_t size>
std::string text_of(const std::array<Value, size>& values) {
    std::string text;
    for (const auto& value : values)
        text += (text.empty() ? "" : ", ") + text_of(value);
    return "{{" + text + "}}";
}

template <typename Value>
Variable variable(const char* name, Value& value, int step = 24) {
    static_assert(sizeof(Value) % sizeof(int) == 0);
    return {name, std::span{reinterpret_cast<int*>(&value), sizeof(Value) / sizeof(int)}, step,
            [](const void* data) { return text_of(*static_cast<const Value*>(data)); }};
}

std::vector<Variable> all_variables() {
#define PARLEY_VARIABLE(name, ...) variable(#name, weights::name __VA_OPT__(, ) __VA_ARGS__)
    return {
        PARLEY_VARIABLE(material),
        PARLEY_VARIABLE(piece_square),
        PARLEY_VARIABLE(mobility),
        PARLEY_VARIABLE(bishop_pair),
        PARLEY_VARIABLE(rook_on_open_file),
        PARLEY_VARIABLE(rook_on_half_open_file),
        PARLEY_VARIABLE(knight_outpost),
        PARLEY_VARIABLE(bishop_outpost),
        PARLEY_VARIABLE(pawn_on_bishop_color, 6),
        PARLEY_VARIABLE(minor_behind_pawn),
        PARLEY_VARIABLE(doubled_pawn),
        PARLEY_VARIABLE(isolated_pawn),
        PARLEY_VARIABLE(backward_pawn),
        PARLEY_VARIABLE(connected_pawn),
        PARLEY_VARIABLE(passed_pawn),
        PARLEY_VARIABLE(passed_enemy_king, 6),
        PARLEY_VARIABLE(passed_own_king, 6),
        PARLEY_VARIABLE(free_passed_pawn),
        PARLEY_VARIABLE(guided_passed_pawn),
        PARLEY_VARIABLE(blocked_passed_pawn),
        PARLEY_VARIABLE(threat_by_pawn),
        PARLEY_VARIABLE(threat_by_minor),
        PARLEY_VARIABLE(threat_by_rook),
        PARLEY_VARIABLE(minor_against_minor),
        PARLEY_VARIABLE(threat_of_pawn),
        PARLEY_VARIABLE(hanging_piece),
        PARLEY_VARIABLE(hanging_pawn),
        PARLEY_VARIABLE(attacker_danger, 6),
        PARLEY_VARIABLE(attacked_square_danger, 3),
        PARLEY_VARIABLE(safe_check_danger, 6),
        PARLEY_VARIABLE(no_queen_relief, 6),
        PARLEY_VARIABLE(weak_shield_danger, 3),
        PARLEY_VARIABLE(shield_pawn),
        PARLEY_VARIABLE(storm_pawn),
        PARLEY_VARIABLE(open_file_at_king),
        PARLEY_VARIABLE(tempo),
        PARLEY_VARIABLE(pawnless_scale, 6),
        PARLEY_VARIABLE(hopeless_scale, 2),
        PARLEY_VARIABLE(opposite_bishops_scale, 6),
        PARLEY_VARIABLE(opposite_bishops_and_pieces_scale, 6),
        PARLEY_VARIABLE(scale_without_pawns, 6),
        PARLEY_VARIABLE(scale_per_pawn, 2),
    };
#undef PARLEY_VARIABLE
}

/// One number of a variable.
struct Weight {
    int* number = nullptr;
    int step = 0;
};

std::vector<Weight> all_weights(const std::vector<Variable>& variables) {
    std::vector<Weight> all;
    for (const auto& variable : variables) {
        for (int& number : variable.numbers)
            all.push_back({&number, variable.step});
    }
    return all;
}

double share(double score, double scale) {
    return 1 / (1 + std::exp(-score / scale));
}

/// How much a score changes with a weight, for the weights that it depends on.
struct Slope {
    std::uint32_t weight = 0;
    float value = 0;
};

/// A score near the present weights: what it is, and how it changes with them.
struct Row {
    double score = 0;
    std::vector<Slope> slopes;
};

void in_parallel(std::size_t count, const auto& work) {
    const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::size_t part = 0; part < parts; ++part)
        threads.emplace_back(
            [&, part] { work(part, count * part / parts, count * (part + 1) / parts); });
    for (auto& thread : threads)
        thread.join();
}

std::vector<Row> measure(const std::vector<Sample>& samples, const std::vector<Weight>& all) {
    std::vector<Row> rows(samples.size());
    in_parallel(samples.size(), [&](std::size_t, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            rows[i].score = engine::evaluate(samples[i].position);
    });
    for (std::uint32_t weight = 0; weight < all.size(); ++weight) {
        const auto& [number, step] = all[weight];
        // Up and down in turns, so that what rounding adds evens out.
        const int change = weight % 2 == 0 ? step : -step;
        *number += change;
        in_parallel(samples.size(), [&](std::size_t, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const double effect = engine::evaluate(samples[i].position) - rows[i].score;
                if (effect != 0)
                    rows[i].slopes.push_back({weight, static_cast<float>(effect / change)});
            }
        });
        *number -= change;
    }
    return rows;
}

/// What is learnt from: samples with their targets.
struct Lesson {
    std::vector<Row> rows;
    std::vector<double> targets;
};

double prediction_of(const Row& row, const std::vector<double>& changes) {
    double score = row.score;
    for (const auto& [weight, value] : row.slopes)
        score += static_cast<double>(value) * changes[weight];
    return score;
}

double loss_of(const Lesson& lesson, const std::vector<double>& changes, double scale) {
    double sum = 0;
    for (std::size_t i = 0; i < lesson.rows.size(); ++i) {
        const double error =
            share(prediction_of(lesson.rows[i], changes), scale) - lesson.targets[i];
        sum += error * error;
    }
    return sum / static_cast<double>(lesson.rows.size());
}

/// The gradient of the mean cross-entropy in the changes of the weights.
std::vector<double> gradient_of(const Lesson& lesson,
                                const std::vector<double>& changes,
                                double scale) {
    std::vector<std::vector<double>> parts(std::max(1U, std::thread::hardware_concurrency()),
                                           std::vector<double>(changes.size()));
    in_parallel(lesson.rows.size(), [&](std::size_t part, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const Row& row = lesson.rows[i];
            const double error = share(prediction_of(row, changes), scale) - lesson.targets[i];
            for (const auto& [weight, value] : row.slopes)
                parts[part][weight] += error * static_cast<double>(value);
        }
    });
    std::vector<double> sum(changes.size());
    for (const auto& part : parts) {
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += part[i] / static_cast<double>(lesson.rows.size());
    }
    return sum;
}

/// Adam over all rows at once, with a pull back to where each weight was.
std::vector<double> learn(const Lesson& lesson, std::size_t weight_count, double scale) {
    constexpr int steps = 400;
    constexpr double rate = 1.0;
    constexpr double pull = 2e-8;
    std::vector<double> changes(weight_count);
    std::vector<double> mean(weight_count);
    std::vector<double> square(weight_count);
    for (int step = 1; step <= steps; ++step) {
        const auto gradient = gradient_of(lesson, changes, scale);
        const double now = rate * (1 - static_cast<double>(step) / (steps + 1));
        for (std::size_t i = 0; i < weight_count; ++i) {
            const double slope = gradient[i] + pull * changes[i] * scale;
            mean[i] = 0.9 * mean[i] + 0.1 * slope;
            square[i] = 0.999 * square[i] + 0.001 * slope * slope;
            const double mean_now = mean[i] / (1 - std::pow(0.9, step));
            const double square_now = square[i] / (1 - std::pow(0.999, step));
            changes[i] -= now * mean_now / (std::sqrt(square_now) + 1e-12);
        }
    }
    return changes;
}

/// The centipawns that make a score's share fit the results best.
double fitting_scale(const std::vector<Sample>& samples) {
    double best = 0;
    double least = 1e9;
    for (double scale = 60; scale < 600; scale += 5) {
        double sum = 0;
        for (const auto& sample : samples) {
            const double error = share(sample.score, scale) - sample.result;
            sum += error * error;
        }
        if (sum < least) {
            least = sum;
            best = scale;
        }
    }
    return best;
}

void add_game(const engine::GameRecord& game, std::vector<Sample>& samples) {
    core::Position position = game.start;
    for (const auto& ply : game.moves) {
        const bool white = position.side_to_move() == core::Color::white;
        if (engine::is_usable(position, ply)) {
            const double result = static_cast<double>(game.result) / 2;
            samples.push_back({position, white ? result : 1 - result,
                               static_cast<double>(white ? ply.score : -ply.score)});
        }
        position = position.after(ply.move);
    }
}

/// Every tenth game is set apart, to see whether what was learnt holds for others.
struct Samples {
    std::vector<Sample> learning;
    std::vector<Sample> checking;
};

Samples read_samples(const std::filesystem::path& folder, std::size_t most) {
    Samples samples;
    std::size_t games = 0;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        if (entry.path().extension() == ".vf")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
        std::ifstream file{path, std::ios::binary};
        const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
        engine::GameReader reader{bytes};
        while (!reader.at_end()) {
            const auto game = reader.next();
            if (!game)
                break;  // it is being written
            add_game(*game, ++games % 10 == 0 ? samples.checking : samples.learning);
        }
    }
    std::mt19937_64 random{1};
    std::shuffle(samples.learning.begin(), samples.learning.end(), random);
    if (samples.learning.size() > most)
        samples.learning.resize(most);
    return samples;
}

Lesson lesson_of(const std::vector<Sample>& samples,
                 const std::vector<Weight>& all,
                 double scale,
                 double result_part) {
    Lesson lesson{measure(samples, all), {}};
    for (const auto& sample : samples)
        lesson.targets.push_back(result_part * sample.result
                                 + (1 - result_part) * share(sample.score, scale));
    return lesson;
}

/// Puts the present values into the text of weights.hpp.
std::string rewritten(std::string text, const std::vector<Variable>& variables) {
    for (const auto& variable : variables) {
        const std::string value = variable.text(variable.numbers.data());
        const std::regex pattern{"( " + variable.name + ")( = |\\{)[^;]*;"};
        const std::string by = value.starts_with('{') ? "$1" + value + ";" : "$1 = " + value + ";";
        text = std::regex_replace(text, pattern, by);
    }
    return text;
}

void write(const std::filesystem::path& path, const std::vector<Variable>& variables) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    std::ofstream{path} << rewritten(text.str(), variables);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3 || count > 5) {
        fmt::print(
            stderr,
            "usage: tune-weights FOLDER WEIGHTS.HPP [POSITIONS [RESULT-PART]]\n\n"
            "Learns from the games in a folder that `parley datagen` filled, and puts the\n"
            "weights into engine/evaluate/weights.hpp. Of the positions' targets the games'\n"
            "results make a part (default 0.5), what the search said the rest.\n");
        return 1;
    }
    const std::size_t most = count > 3 ? std::stoul(arguments[3]) : 400'000;
    const double result_part = count > 4 ? std::stod(arguments[4]) : 0.5;
    const auto samples = read_samples(arguments[1], most);
    const auto variables = all_variables();
    const auto all = all_weights(variables);
    const double scale = fitting_scale(samples.learning);
    fmt::print("{} positions to learn from, {} to check with, {} weights, scale {} cp\n",
               samples.learning.size(), samples.checking.size(), all.size(), scale);
    constexpr int rounds = 2;
    for (int round = 1; round <= rounds; ++round) {
        const auto lesson = lesson_of(samples.learning, all, scale, result_part);
        const auto check = lesson_of(samples.checking, all, scale, result_part);
        const auto changes = learn(lesson, all.size(), scale);
        const std::vector<double> none(all.size());
        fmt::print("round {}: loss {:.6f} to {:.6f}, checked {:.6f} to {:.6f}\n", round,
                   loss_of(lesson, none, scale), loss_of(lesson, changes, scale),
                   loss_of(check, none, scale), loss_of(check, changes, scale));
        static_cast<void>(std::fflush(stdout));
        for (std::size_t i = 0; i < all.size(); ++i)
            *all[i].number += static_cast<int>(std::lround(changes[i]));
        write(arguments[2], variables);
    }
    return 0;
}
