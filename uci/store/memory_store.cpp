#include "uci/store/memory_store.hpp"

namespace uci::store {

using core::Result;

template <typename Key>
std::string* MemoryStore::Table<Key>::find(const Key& key, Time now) {
    const auto found = entries_.find(key);
    const bool lives = found != entries_.end() && found->second.until > now;
    return lives ? &found->second.record : nullptr;
}

template <typename Key>
bool MemoryStore::Table<Key>::add(const Key& key,
                                  const std::string& record,
                                  Time until,
                                  std::int64_t capacity) {
    if (entries_.contains(key))
        return false;
    while (!order_.empty() && static_cast<std::int64_t>(entries_.size()) >= capacity)
        remove_first();
    entries_.emplace(key, Entry{record, until});
    order_.emplace(until, key);
    return true;
}

template <typename Key>
void MemoryStore::Table<Key>::renew(const Key& key, Time until) {
    auto& entry = entries_.at(key);
    order_.erase({entry.until, key});
    entry.until = until;
    order_.emplace(until, key);
}

template <typename Key>
bool MemoryStore::Table<Key>::remove(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end())
        return false;
    order_.erase({found->second.until, key});
    entries_.erase(found);
    return true;
}

template <typename Key>
void MemoryStore::Table<Key>::remove_expired(Time now) {
    while (!order_.empty() && order_.begin()->first <= now)
        remove_first();
}

template <typename Key>
void MemoryStore::Table<Key>::remove_first() {
    entries_.erase(order_.begin()->second);
    order_.erase(order_.begin());
}

MemoryStore::MemoryStore(MemoryConfig config, Clock clock)
    : config_{config},
      clock_{std::move(clock)} {}

Result<std::optional<std::string>> MemoryStore::find_game(std::int64_t id) {
    const auto* const record = games_.find(id, clock_());
    return record ? std::optional{*record} : std::nullopt;
}

Result<bool> MemoryStore::add_game(std::int64_t id, const std::string& record) {
    remove_expired();
    return games_.add(id, record, clock_() + config_.retention.new_game, config_.capacity.games);
}

Result<bool> MemoryStore::replace_game(std::int64_t id,
                                       const std::string& before,
                                       const std::string& after) {
    auto* const record = games_.find(id, clock_());
    if (!record || *record != before)
        return false;
    *record = after;
    games_.renew(id, clock_() + config_.retention.game);
    return true;
}

Result<bool> MemoryStore::remove_game(std::int64_t id) {
    return games_.remove(id);
}

Result<std::optional<std::string>> MemoryStore::find_session(const std::string& id) {
    const auto* const record = sessions_.find(id, clock_());
    if (!record)
        return std::optional<std::string>{};
    sessions_.renew(id, clock_() + config_.retention.session);
    return std::optional{*record};
}

Result<bool> MemoryStore::add_session(const std::string& id, const std::string& record) {
    remove_expired();
    return sessions_.add(id, record, clock_() + config_.retention.new_session,
                         config_.capacity.sessions);
}

Result<std::optional<std::string>> MemoryStore::find_document(const std::string& id) {
    const auto* const record = documents_.find(id, clock_());
    return record ? std::optional{*record} : std::nullopt;
}

Result<bool> MemoryStore::put_document(const std::string& id,
                                       const std::optional<std::string>& before,
                                       const std::string& after) {
    remove_expired();
    const auto until = clock_() + config_.retention.document;
    auto* const record = documents_.find(id, clock_());
    if (!record)
        return documents_.add(id, after, until, config_.capacity.documents);
    if (*record != before)
        return false;
    *record = after;
    documents_.renew(id, until);
    return true;
}

Result<bool> MemoryStore::remove_document(const std::string& id) {
    return documents_.remove(id);
}

void MemoryStore::remove_expired() {
    games_.remove_expired(clock_());
    sessions_.remove_expired(clock_());
    documents_.remove_expired(clock_());
}

}  // namespace uci::store
