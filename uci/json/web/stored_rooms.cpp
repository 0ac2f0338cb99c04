#include "uci/json/web/stored_rooms.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/paths.hpp"

#include "uci/json/web/game_id.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_record.hpp"
#include "uci/store/redis_environment.hpp"
#include "uci/store/store_factory.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::json::web {

namespace {

using core::Error;
using core::Result;
using store::Store;

constexpr const char* default_file = "serve.sqlite";
/// A name that no other server has.
std::string make_server_name() {
    util::SecureRandom randomness;
    return make_game_id(randomness);
}

constexpr const char* until_it_ends = "memory until it ends";

/// An own record is replaced, whether or not its save was reported as failed.
Result<bool> put(Store& store, const RoomSave& save, const std::string& server) {
    if (!save.is_uncertain)
        return store.put_document(save.id, save.before, save.after);
    const auto found = store.find_document(save.id);
    if (!found)
        return found.error();
    const bool is_own = *found && is_written_by(**found, server);
    return store.put_document(save.id, is_own ? *found : save.before, save.after);
}

/// In the store's thread.
Result<RoomStore::Found> find_room(Store& store, const std::string& id) {
    auto text = store.find_document(id);
    if (!text)
        return text.error();
    if (!*text)
        return RoomStore::Found{};
    return std::make_shared<const StoredRoom>(read_stored_room(**std::move(text)));
}

std::optional<std::string> environment(const std::string& name) {
    // No other thread changes it.
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    return value ? std::optional<std::string>{value} : std::nullopt;
}

store::StoreConfig store_config() {
    store::StoreConfig config;
    config.sqlite.retention.document = max_idle_time;
    config.sqlite.capacity.documents = max_games;
    config.redis.address = store::read_redis_address(environment);
    config.redis.retention.document = max_idle_time;
    config.redis.sender = make_server_name();
    config.redis.max_documents = max_games;
    config.redis.document_key = [](const std::string& id) { return "parley.serve.game." + id; };
    config.redis.lease_key = [](const std::string& name) { return "parley.serve.server." + name; };
    return config;
}

/// The file in the user's folder, which is made. Error: there is none, or it cannot be made.
Result<std::string> make_default_file() {
    const auto folder = util::user_data_folder();
    if (folder.empty())
        return Error{"this user has no folder for data"};
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{core::utf8_text(folder) + ": " + failed.message()};
    return core::utf8_text(folder / default_file);
}

Result<OpenedStore> open_configured(const store::StoreConfig& config) {
    if (config.backend == store::Backend::memory)
        return OpenedStore{nullptr, until_it_ends};
    auto opened = store::open(config);
    if (!opened)
        return opened.error();
    OpenedStore result{std::move(*opened), store::describe(config)};
    if (config.backend == store::Backend::redis)
        result.redis = config.redis;
    return result;
}

Result<OpenedStore> open_default() {
    const auto file = make_default_file();
    if (!file)
        return file.error();
    return open_configured(store::resolve(*file, store_config()));
}

}  // namespace

StoredRooms::StoredRooms(store::AsyncStore& store) : store_{store}, server_{make_server_name()} {}

void StoredRooms::save(RoomSave save, OnDone callback) {
    store_.submit_change<bool>([save = std::move(save), server = server_](
                                   Store& store) { return put(store, save, server); },
                               std::move(callback));
}

void StoredRooms::find(const std::string& id, OnFound callback) {
    store_.submit<Found>([id](Store& store) { return find_room(store, id); }, std::move(callback));
}

void StoredRooms::remove(const std::string& id, OnDone callback) {
    store_.submit_change<bool>([id](Store& store) { return store.remove_document(id); },
                               std::move(callback));
}

void StoredRooms::check_server(const std::string& name, OnDone callback) {
    store_.submit<bool>([name](Store& store) { return store.has_lease(name); },
                        std::move(callback));
}

std::chrono::milliseconds StoredRooms::SharedTime::now() const {
    const auto passed = std::chrono::steady_clock::now() - at;
    return time + std::chrono::duration_cast<std::chrono::milliseconds>(passed);
}

std::optional<std::chrono::milliseconds> StoredRooms::shared_time() const {
    return shared_time_ ? std::optional{shared_time_->now()} : std::nullopt;
}

void StoredRooms::renew_lease() {
    if (is_ending_)
        return;
    using Renewed = std::optional<SharedTime>;
    store_.submit<Renewed>(
        [name = server_, known = shared_time_](Store& store) -> Result<Renewed> {
            const auto own = known ? std::optional{known->now()} : std::nullopt;
            const auto time = store.renew_lease({name, server_lease, own});
            if (!time)
                return time.error();
            return *time ? Renewed{{**time, std::chrono::steady_clock::now()}} : std::nullopt;
        },
        [this](const Result<Renewed>& renewed) {
            // It never goes back, as a clock would that is charged with it.
            if (renewed && *renewed && (!shared_time_ || (*renewed)->now() > shared_time_->now()))
                shared_time_ = *renewed;
        });
}

void StoredRooms::end_lease() {
    is_ending_ = true;
    store_.submit<bool>([name = server_](Store& store) { return store.end_lease(name); },
                        [](const Result<bool>&) {});
}

void StoredRooms::maintain() {
    store_.maintain();
}

void StoredRooms::check(std::function<void(std::optional<Error>)> callback) {
    find(std::string(2 * sizeof(util::Token128), '0'),
         [this, callback = std::move(callback)](const Result<Found>& found) {
             const auto error = found ? store_.failed_change() : std::optional{found.error()};
             callback(error ? std::optional{Error{"store: " + error->reason}} : std::nullopt);
         });
}

Result<OpenedStore> open_store(const std::string& option) {
    if (!option.empty())
        return open_configured(store::resolve(option, store_config()));
    if (!store::has_sqlite())
        return OpenedStore{nullptr, std::string{until_it_ends} + " (built without SQLite)"};
    auto opened = open_default();
    if (opened)
        return opened;
    util::log_error("games cannot be kept in a file and are lost when the server ends: "
                    + opened.reason() + "; --store FILE names another one");
    return OpenedStore{nullptr, until_it_ends};
}

std::string store_help() {
    return store::option_help(
        store::has_sqlite()
            ? "serve.sqlite in the folder parley of $XDG_DATA_HOME or ~/.local/share"
            : "memory");
}

}  // namespace uci::json::web
