#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace uci::util {

/// A map of limited size that drops the least recently used entry when it is full. Belongs to one
/// thread.
template <typename Key, typename Value>
class LruCache {
public:
    explicit LruCache(std::size_t capacity) : capacity_{capacity} {}

    /// The value of a key, which becomes the most recently used one.
    std::optional<Value> find(const Key& key) {
        const auto found = index_.find(key);
        if (found == index_.end())
            return std::nullopt;
        entries_.splice(entries_.end(), entries_, found->second);
        return found->second->second;
    }

    void set(const Key& key, const Value& value) {
        erase(key);
        index_[key] = entries_.insert(entries_.end(), {key, value});
        if (index_.size() > capacity_) {
            index_.erase(entries_.front().first);
            entries_.pop_front();
        }
    }

    void erase(const Key& key) {
        const auto found = index_.find(key);
        if (found == index_.end())
            return;
        entries_.erase(found->second);
        index_.erase(found);
    }

private:
    using Entries = std::list<std::pair<Key, Value>>;

    std::size_t capacity_;
    Entries entries_;  ///< the least recently used entry first
    std::map<Key, typename Entries::iterator> index_;
};

}  // namespace uci::util
