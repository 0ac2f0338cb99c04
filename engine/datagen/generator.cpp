#include "engine/datagen/generator.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "core/paths.hpp"

#include "engine/bench.hpp"
#include "engine/datagen/folder_lock.hpp"
#include "engine/tasking.hpp"

namespace engine::datagen {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t games_per_write = 32;
constexpr Milliseconds progress_interval{100};
/// Deep enough that every part of the search takes part, singular extensions included, so that a
/// change of search or evaluation changes the nodes; and still quick.
constexpr int fingerprint_depth = 10;
/// The version of everything beside the search that decides a game: openings, limits, adjudication,
/// sidelines.
constexpr int rules_version = 5;

/// The nodes of a bench: programs that play differently have different ones.
std::uint64_t fingerprint() {
    static const std::uint64_t nodes = [] {
        SearchListener listener;
        return run_bench(fingerprint_depth, evaluate::Evaluate{}, listener)->nodes;
    }();
    return nodes;
}

std::string describe(const DatagenOptions& options) {
    std::ostringstream text;
    text << "rules " << rules_version << "\nseed " << options.rules.seed << "\nnodes "
         << options.rules.nodes << "\nchess960 percent " << options.rules.chess960_percent
         << "\nsideline percent " << options.rules.sideline_percent << "\ngames per file "
         << options.games_per_file << "\nengine's bench " << fingerprint_depth << ": "
         << fingerprint() << " nodes\n";
    if (const auto& tables = options.rules.tablebases)
        text << "endgame tables " << tables->count(tablebase::TableKind::wdl) << ", up to "
             << tables->largest() << " men\n";
    return text.str();
}

std::optional<std::string> read_text(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file)
        return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Writes the folder's rules, or checks that its games were played by the same ones.
std::optional<core::Error> prepare_folder(const DatagenOptions& options) {
    std::error_code failure;
    const auto path = options.folder / "rules.txt";
    const std::string rules = describe(options);
    const auto found = read_text(path);
    if (found && *found != rules)
        return core::Error{core::utf8_text(path) + ": the games there were played by other rules:\n"
                           + *found + "and not:\n" + rules
                           + "choose another folder, or the same rules"};
    if (!found) {
        if (fs::exists(game_file(options.folder, 0), failure))
            return core::Error{core::utf8_text(options.folder)
                               + " has games, but no rules.txt that says how they were played"};
        std::ofstream file{path, std::ios::binary};
        if (!(file << rules << std::flush))
            return core::Error{core::utf8_text(path) + " cannot be written"};
    }
    return std::nullopt;
}

/// What the threads share: the next file, and the progress of all.
struct Shared {
    std::atomic<std::uint64_t> next_file{0};
    std::atomic<std::uint64_t> games{0};
    std::atomic<std::uint64_t> plies{0};
    std::atomic<std::uint64_t> training_positions{0};
    std::atomic<std::uint64_t> earlier_games{0};
    std::atomic<int> running{0};
    std::atomic<bool> stop{false};

    DatagenProgress progress() const { return {games, plies, training_positions, earlier_games}; }
};

/// One thread of a run. It fills a file with games, then takes the next one.
class Generator {
public:
    Generator(const DatagenOptions& options, Shared& shared)
        : options_{options},
          shared_{shared},
          self_play_{options.rules} {}

    /// Starts the thread. It ends when all games are played, or soon after Shared::stop is set.
    void start() {
        task_.start([this] { work(); });
    }
    void wait() { task_.wait(); }
    const std::optional<core::Error>& error() const { return error_; }

private:
    void work() {
        while (!shared_.stop && !error_) {
            const std::uint64_t number = shared_.next_file++;
            if (options_.games > 0 && number * options_.games_per_file >= options_.games)
                break;
            error_ = fill(number);
        }
        // An error of one thread ends the others, so that it is reported at once.
        if (error_)
            shared_.stop = true;
        --shared_.running;
    }
    std::optional<core::Error> fill(std::uint64_t number);
    /// What a file holds already: whole games only, with their sidelines, and their checksum.
    struct Existing {
        std::uint64_t games = 0;
        Checksum checksum;
    };
    core::Result<Existing> resume(const fs::path& path) const;
    void count(const GameRecord& game);

    const DatagenOptions& options_;
    Shared& shared_;
    SelfPlay self_play_;
    std::optional<core::Error> error_;
    Task task_;
};

std::optional<core::Error> Generator::fill(std::uint64_t number) {
    const auto path = game_file(options_.folder, number);
    const auto existing = resume(path);
    if (!existing)
        return existing.error();
    shared_.earlier_games += existing->games;

    const std::uint64_t first = number * options_.games_per_file;
    std::uint64_t last = first + options_.games_per_file;
    if (options_.games > 0)
        last = std::min(last, options_.games);
    if (first + existing->games >= last)
        return std::nullopt;
    std::ofstream file{path, std::ios::binary | std::ios::app};
    Checksum checksum = existing->checksum;
    std::string bytes;
    const auto write = [&] {
        checksum = checksum.extended_by(bytes);
        file << bytes << std::flush;
        bytes.clear();
        return file && write_checksum(path, checksum);
    };
    for (std::uint64_t game = first + existing->games; game < last && !shared_.stop; ++game) {
        const auto played = self_play_.play(game, shared_.stop);
        if (!played)
            break;
        // The game comes last: where sidelines have no game behind them, a run was cut off.
        for (const auto& sideline : played->sidelines) {
            count(sideline);
            bytes += write_game(sideline);
        }
        count(played->game);
        bytes += write_game(played->game);
        if ((game + 1) % games_per_write == 0 && !write())
            return core::Error{core::utf8_text(path) + " cannot be written"};
    }
    if (!write())
        return core::Error{core::utf8_text(path) + " cannot be written"};
    return std::nullopt;
}

/// Reads what a file holds already. An incomplete game at its end is cut off, with its sidelines.
core::Result<Generator::Existing> Generator::resume(const fs::path& path) const {
    const auto bytes = read_game_file(path);
    if (!bytes)
        return core::Error{bytes.reason() + "; without it and its .crc its games are played again"};
    if (!*bytes)
        return Existing{};
    GameReader reader{**bytes};
    Existing existing;
    std::size_t end = 0;
    while (!reader.at_end()) {
        const auto game = reader.next();
        if (!game)
            break;
        if (!game->result)
            continue;
        ++existing.games;
        end = reader.offset();
    }
    std::error_code failure;
    if (end < (*bytes)->size())
        fs::resize_file(path, end, failure);
    if (failure)
        return core::Error{core::utf8_text(path) + " cannot be truncated: " + failure.message()};
    if (existing.games > options_.games_per_file)
        return core::Error{core::utf8_text(path) + " has more than "
                           + std::to_string(options_.games_per_file) + " games"};
    existing.checksum = Checksum{}.extended_by(std::string_view{**bytes}.substr(0, end));
    return existing;
}

void Generator::count(const GameRecord& game) {
    std::uint64_t training_positions = 0;
    core::Position position = game.start;
    for (const auto& ply : game.moves) {
        training_positions += is_training_position(position, ply) ? 1U : 0U;
        position = position.after(ply.move);
    }
    shared_.games += game.result ? 1U : 0U;
    shared_.plies += game.moves.size();
    shared_.training_positions += training_positions;
}

/// Starts the threads and reports progress until they end.
core::Result<DatagenProgress> run(
    const DatagenOptions& options,
    const std::function<bool(const DatagenProgress&)>& shall_continue) {
    Shared shared;
    std::vector<std::unique_ptr<Generator>> generators;
    generators.reserve(static_cast<std::size_t>(options.threads));
    for (int i = 0; i < options.threads; ++i)
        generators.push_back(std::make_unique<Generator>(options, shared));
    shared.running = options.threads;
    for (const auto& generator : generators)
        generator->start();
    while (shared.running > 0) {
        std::this_thread::sleep_for(progress_interval);
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

core::Result<DatagenProgress> generate(
    const DatagenOptions& options,
    const std::function<bool(const DatagenProgress&)>& shall_continue) {
    std::error_code failure;
    fs::create_directories(options.folder, failure);
    const auto lock = FolderLock::acquire(options.folder);
    if (!lock)
        return lock.error();
    if (const auto error = prepare_folder(options))
        return *error;
    try {
        return run(options, shall_continue);
    }
    catch (const std::bad_alloc&) {
        return core::Error{"not enough memory for so many threads"};
    }
    catch (const std::system_error&) {
        return core::Error{"the system cannot start so many threads"};
    }
}

}  // namespace engine::datagen
