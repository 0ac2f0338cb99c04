#if defined(PARLEY_SQLITE)

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <sqlite3.h>
#include <string>
#include <vector>

#include "uci/store/async_store.hpp"
#include "uci/store/sqlite_store.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

/// What the disk holds of SQLite's files, and what was written since each file's last flush. Used
/// by the store's thread, the checkpoint's and the test's.
class Disk {
public:
    void write(const std::string& file, std::size_t offset, std::string bytes) {
        const std::lock_guard lock{mutex_};
        files_[file].unflushed.push_back({offset, std::move(bytes), false});
    }
    void truncate(const std::string& file, std::size_t size) {
        const std::lock_guard lock{mutex_};
        files_[file].unflushed.push_back({size, {}, true});
    }
    void flush(const std::string& file) {
        const std::lock_guard lock{mutex_};
        auto& [content, unflushed] = files_[file];
        for (const auto& change : unflushed)
            apply(change, content);
        unflushed.clear();
    }
    void remove(const std::string& file) {
        const std::lock_guard lock{mutex_};
        files_.erase(file);
    }

    /// The files after a power failure now: of what was not flushed, some writes are there, some
    /// are there in part, and some are not.
    std::map<std::string, std::string> after_power_cut(std::mt19937& random) {
        constexpr std::size_t sector = 512;
        const std::lock_guard lock{mutex_};
        std::map<std::string, std::string> left;
        for (const auto& [name, file] : files_) {
            std::string content = file.content;
            for (Change change : file.unflushed) {
                const auto fate = random() % 3;
                if (fate == 0)
                    continue;
                if (fate == 1 && change.bytes.size() > sector)
                    change.bytes.resize(random() % (change.bytes.size() / sector) * sector);
                apply(change, content);
            }
            left[name] = std::move(content);
        }
        return left;
    }

private:
    struct Change {
        std::size_t offset;
        std::string bytes;
        bool truncates;  ///< to `offset` bytes
    };
    struct File {
        std::string content;
        std::vector<Change> unflushed;
    };

    static void apply(const Change& change, std::string& content) {
        if (change.truncates)
            return content.resize(std::min(content.size(), change.offset));
        content.resize(std::max(content.size(), change.offset + change.bytes.size()));
        std::copy(change.bytes.begin(), change.bytes.end(),
                  content.begin() + static_cast<std::ptrdiff_t>(change.offset));
    }

    std::mutex mutex_;  ///< guards files_
    std::map<std::string, File> files_;
};

/// SQLite's default file system, which tells a Disk what is written and flushed, and flushes
/// nothing itself. SQLite uses it while this object exists.
class RecordingVfs {
public:
    explicit RecordingVfs(Disk& disk) : vfs_{*sqlite3_vfs_find(nullptr)} {
        base = sqlite3_vfs_find(nullptr);
        recorder = &disk;
        vfs_.zName = "recording";
        vfs_.szOsFile = static_cast<int>(sizeof(File)) + base->szOsFile;
        vfs_.xOpen = open;
        vfs_.xDelete = remove;
        sqlite3_vfs_register(&vfs_, 1);
    }
    ~RecordingVfs() {
        sqlite3_vfs_register(base, 1);
        sqlite3_vfs_unregister(&vfs_);
    }
    RecordingVfs(const RecordingVfs&) = delete;
    RecordingVfs& operator=(const RecordingVfs&) = delete;
    RecordingVfs(RecordingVfs&&) = delete;
    RecordingVfs& operator=(RecordingVfs&&) = delete;

private:
    /// Behind it lies the default file system's own object.
    struct File : sqlite3_file {
        const char* name;
    };

    static sqlite3_file* real(sqlite3_file* file) {
        return reinterpret_cast<sqlite3_file*>(static_cast<File*>(file) + 1);
    }
    static std::string name(sqlite3_file* file) {
        const char* name = static_cast<File*>(file)->name;
        return name ? name : "";
    }
    static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
        static_cast<File*>(file)->name = name;
        const int status = base->xOpen(base, name, real(file), flags, out_flags);
        file->pMethods = real(file)->pMethods ? &methods : nullptr;
        return status;
    }
    static int remove(sqlite3_vfs*, const char* name, int sync_folder) {
        recorder->remove(name);
        return base->xDelete(base, name, sync_folder);
    }
    static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
        recorder->write(name(file), static_cast<std::size_t>(offset),
                        {static_cast<const char*>(data), static_cast<std::size_t>(size)});
        return real(file)->pMethods->xWrite(real(file), data, size, offset);
    }
    static int truncate(sqlite3_file* file, sqlite3_int64 size) {
        recorder->truncate(name(file), static_cast<std::size_t>(size));
        return real(file)->pMethods->xTruncate(real(file), size);
    }
    static int sync(sqlite3_file* file, int /*flags*/) {
        recorder->flush(name(file));
        return SQLITE_OK;
    }

    /// A method that only calls the default file system's.
    template <auto method>
    struct Forward;
    template <typename... Arguments,
              int (*sqlite3_io_methods::*method)(sqlite3_file*, Arguments...)>
    struct Forward<method> {
        static int call(sqlite3_file* file, Arguments... arguments) {
            return (real(file)->pMethods->*method)(real(file), arguments...);
        }
    };
    static void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }

    static inline sqlite3_vfs* base = nullptr;
    static inline Disk* recorder = nullptr;
    // Version 2: without memory mapping, which would write without a call.
    static constexpr sqlite3_io_methods methods{
        2,
        Forward<&sqlite3_io_methods::xClose>::call,
        Forward<&sqlite3_io_methods::xRead>::call,
        write,
        truncate,
        sync,
        Forward<&sqlite3_io_methods::xFileSize>::call,
        Forward<&sqlite3_io_methods::xLock>::call,
        Forward<&sqlite3_io_methods::xUnlock>::call,
        Forward<&sqlite3_io_methods::xCheckReservedLock>::call,
        Forward<&sqlite3_io_methods::xFileControl>::call,
        Forward<&sqlite3_io_methods::xSectorSize>::call,
        Forward<&sqlite3_io_methods::xDeviceCharacteristics>::call,
        Forward<&sqlite3_io_methods::xShmMap>::call,
        Forward<&sqlite3_io_methods::xShmLock>::call,
        shm_barrier,
        Forward<&sqlite3_io_methods::xShmUnmap>::call,
        nullptr,
        nullptr};

    sqlite3_vfs vfs_;
};

/// Clients that each have one game and make its next move when the last was acknowledged. The
/// record of a game is the number of its moves.
class Clients {
public:
    Clients(uci::store::AsyncStore& store, std::size_t count) : store_{store}, moves_(count, -1) {
        for (std::size_t game = 0; game < count; ++game)
            move(game);
    }

    int acknowledged() const { return acknowledged_; }
    /// The moves that the server has acknowledged in each game; -1: not even the game.
    const std::vector<int>& moves() const { return moves_; }

private:
    void move(std::size_t game) {
        const auto id = static_cast<std::int64_t>(game);
        const int last = moves_[game];
        store_.submit<bool>(
            [id, last](uci::store::Store& store) {
                const auto next = std::to_string(last + 1);
                return last < 0 ? store.add_game(id, next)
                                : store.replace_game(id, std::to_string(last), next);
            },
            [this, game](const core::Result<bool>& done) {
                REQUIRE(done);
                REQUIRE(*done);
                ++moves_[game];
                // Sometimes the log is copied into the file, as in a server once a second.
                if (++acknowledged_ % 40 == 0)
                    store_.submit<bool>(
                        [](uci::store::Store& store) {
                            store.remove_expired();
                            return core::Result<bool>{true};
                        },
                        [](const core::Result<bool>&) {});
                move(game);
            });
    }

    uci::store::AsyncStore& store_;
    std::vector<int> moves_;
    int acknowledged_ = 0;
};

uci::store::SqliteConfig config_in(const fs::path& folder) {
    return {(folder / "games.sqlite").string(), {}, {}};
}

}  // namespace

TEST_CASE("a power failure loses no acknowledged move", "[store]") {
    constexpr int rounds = 200;
    for (unsigned round = 0; round < rounds; ++round) {
        CAPTURE(round);
        std::mt19937 random{round};
        const tests::TemporaryFolder before;
        const tests::TemporaryFolder after;
        std::map<std::string, std::string> files;
        std::vector<int> acknowledged;
        {
            Disk disk;
            const RecordingVfs vfs{disk};
            boost::asio::io_context io;
            uci::store::AsyncStore store{
                io, std::make_unique<uci::store::SqliteStore>(config_in(before.path()))};
            const Clients clients{store, 1 + random() % 20};
            const int last = 1 + static_cast<int>(random() % 300);
            while (clients.acknowledged() < last)
                io.run_one();
            files = disk.after_power_cut(random);
            acknowledged = clients.moves();
        }
        for (const auto& [name, content] : files)
            std::ofstream{after.path() / fs::path{name}.filename(), std::ios::binary} << content;
        uci::store::SqliteStore store{config_in(after.path())};
        for (std::size_t game = 0; game < acknowledged.size(); ++game) {
            CAPTURE(game, acknowledged[game]);
            const auto found = store.find_game(static_cast<std::int64_t>(game));
            REQUIRE(found);
            // One more move may have been stored than acknowledged.
            CHECK((*found ? std::stoi(**found) : -1) >= acknowledged[game]);
        }
    }
}

#endif
