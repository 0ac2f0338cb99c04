#include "engine/datagen/generator.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iomanip>
#include <memory>
#include <new>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/bench.hpp"
#include "engine/evaluate/nnue/embedded.hpp"
#include "engine/tasking.hpp"

namespace engine {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t games_between_writes = 32;
constexpr Milliseconds between_questions{100};
/// Deep enough that a change of search or evaluation shows in the nodes: what happens at large depths
/// only, such as singular extensions, happens in it. And soon done.
constexpr int fingerprint_depth = 10;
/// Of all that decides a game beside the search: openings, limits, adjudication.
constexpr int rules_version = 3;

std::optional<std::string> contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file)
        return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A number that tells one way to play from another; a program has one.
std::uint64_t fingerprint() {
    static const std::uint64_t nodes = [] {
        CommandsResponses nobody;
        return run_bench(fingerprint_depth, nobody, nnue::embedded_network())->nodes;
    }();
    return nodes;
}

std::string describe(const GenerationOrder& order) {
    std::ostringstream text;
    text << "rules " << rules_version << "\nseed " << order.rules.seed << "\nnodes "
         << order.rules.nodes << "\nchess960 percent " << order.rules.chess960_percent
         << "\ngames per file " << order.games_per_file << "\nengine's bench " << fingerprint_depth
         << ": " << fingerprint() << " nodes\n";
    return text.str();
}

/// Makes the folder, or makes sure that its games are of the same kind.
std::optional<core::Error> prepare_folder(const GenerationOrder& order) {
    std::error_code failure;
    fs::create_directories(order.folder, failure);
    const auto path = order.folder / "rules.txt";
    const std::string rules = describe(order);
    const auto found = contents(path);
    if (found && *found != rules)
        return core::Error{path.string() + " says that the games there came about differently:\n"
                           + *found + "and not:\n" + rules
                           + "choose another folder, or the same rules"};
    if (!found) {
        if (fs::exists(game_file(order.folder, 0), failure))
            return core::Error{order.folder.string()
                               + " has games, but no rules.txt that says how they came about"};
        std::ofstream file{path, std::ios::binary};
        if (!(file << rules << std::flush))
            return core::Error{path.string() + " cannot be written"};
    }
    return std::nullopt;
}

/// What the threads share: which file comes next, and how far all of them have come.
struct Shared {
    std::atomic<std::uint64_t> next_file{0};
    std::atomic<std::uint64_t> games{0};
    std::atomic<std::uint64_t> plies{0};
    std::atomic<std::uint64_t> usable{0};
    std::atomic<std::uint64_t> earlier_games{0};
    std::atomic<int> at_work{0};
    std::atomic<bool> stop{false};

    GenerationProgress progress() const { return {games, plies, usable, earlier_games}; }
};

/// One thread of the generation. It takes a file and fills it, then takes the next.
class Generator {
public:
    Generator(const GenerationOrder& order, Shared& shared)
        : order_{order},
          shared_{shared},
          self_play_{order.rules} {}

    /// Begins; ends by itself when all is done, or soon after it was told to stop.
    void start() {
        task_.start([this] { work(); });
    }
    void wait() { task_.wait(); }
    const std::optional<core::Error>& error() const { return error_; }

private:
    void work() {
        while (!shared_.stop && !error_) {
            const std::uint64_t number = shared_.next_file++;
            if (order_.games > 0 && number * order_.games_per_file >= order_.games)
                break;
            error_ = fill(number);
        }
        // Nobody shall work on for hours before the fault is told.
        if (error_)
            shared_.stop = true;
        --shared_.at_work;
    }
    std::optional<core::Error> fill(std::uint64_t number);
    core::Result<std::uint64_t> games_in(const fs::path& path) const;
    void count(const GameRecord& game);

    const GenerationOrder& order_;
    Shared& shared_;
    SelfPlay self_play_;
    std::optional<core::Error> error_;
    Task task_;
};

std::optional<core::Error> Generator::fill(std::uint64_t number) {
    const auto path = game_file(order_.folder, number);
    const auto found = games_in(path);
    if (!found)
        return found.error();
    shared_.earlier_games += *found;

    const std::uint64_t first = number * order_.games_per_file;
    std::uint64_t last = first + order_.games_per_file;
    if (order_.games > 0)
        last = std::min(last, order_.games);
    std::ofstream file;
    std::string bytes;
    for (std::uint64_t game = first + *found; game < last && !shared_.stop; ++game) {
        if (!file.is_open())
            file.open(path, std::ios::binary | std::ios::app);
        const auto record = self_play_.play(game, shared_.stop);
        if (!record)
            break;
        count(*record);
        bytes += write_game(*record);
        if ((game + 1) % games_between_writes == 0) {
            file << bytes << std::flush;
            bytes.clear();
        }
        if (!file)
            return core::Error{path.string() + " cannot be written"};
    }
    if (!bytes.empty() && !(file << bytes << std::flush))
        return core::Error{path.string() + " cannot be written"};
    return std::nullopt;
}

/// How many games a file holds already. A game that was cut off at its end is taken away.
core::Result<std::uint64_t> Generator::games_in(const fs::path& path) const {
    const auto bytes = contents(path);
    if (!bytes)
        return std::uint64_t{0};
    GameReader reader{*bytes};
    std::uint64_t games = 0;
    while (!reader.at_end() && reader.next())
        ++games;
    std::error_code failure;
    if (reader.offset() < bytes->size())
        fs::resize_file(path, reader.offset(), failure);
    if (failure)
        return core::Error{path.string() + " cannot be mended: " + failure.message()};
    if (games > order_.games_per_file)
        return core::Error{path.string() + " has more games than it should: did two runs fill it?"};
    return games;
}

void Generator::count(const GameRecord& game) {
    std::uint64_t usable = 0;
    core::Position position = game.start;
    for (const auto& ply : game.moves) {
        usable += is_usable(position, ply) ? 1U : 0U;
        position = position.after(ply.move);
    }
    ++shared_.games;
    shared_.plies += game.moves.size();
    shared_.usable += usable;
}

/// Starts the threads and asks until they are done.
core::Result<GenerationProgress> run(
    const GenerationOrder& order,
    const std::function<bool(const GenerationProgress&)>& shall_continue) {
    Shared shared;
    std::vector<std::unique_ptr<Generator>> generators;
    generators.reserve(static_cast<std::size_t>(order.threads));
    for (int i = 0; i < order.threads; ++i)
        generators.push_back(std::make_unique<Generator>(order, shared));
    shared.at_work = order.threads;
    for (const auto& generator : generators)
        generator->start();
    while (shared.at_work > 0) {
        std::this_thread::sleep_for(between_questions);
        if (!shall_continue(shared.progress()))
            shared.stop = true;
    }
    for (const auto& generator : generators) {
        generator->wait();
        if (generator->error())
            return *generator->error();
    }
    return shared.progress();
}

}  // namespace

fs::path game_file(const fs::path& folder, std::uint64_t number) {
    std::ostringstream name;
    name << "games-" << std::setw(6) << std::setfill('0') << number << ".vf";
    return folder / name.str();
}

core::Result<GenerationProgress> generate(
    const GenerationOrder& order,
    const std::function<bool(const GenerationProgress&)>& shall_continue) {
    if (const auto error = prepare_folder(order))
        return *error;
    try {
        return run(order, shall_continue);
    }
    catch (const std::bad_alloc&) {
        return core::Error{"not enough memory for so many threads"};
    }
    catch (const std::system_error&) {
        return core::Error{"the system does not give so many threads"};
    }
}

}  // namespace engine
