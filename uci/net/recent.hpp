#pragma once

#include <deque>
#include <map>
#include <optional>

namespace uci::net {

/// Remembers values by their keys, and forgets the oldest when there are too many.
template <typename Key, typename Value>
class Recent {
public:
    explicit Recent(std::size_t most) : most_{most} {}

    std::optional<Value> find(const Key& key) const {
        const auto found = values_.find(key);
        return found == values_.end() ? std::nullopt : std::optional{found->second};
    }
    void set(const Key& key, const Value& value) {
        if (!values_.insert_or_assign(key, value).second)
            return;
        order_.push_back(key);
        if (order_.size() > most_) {
            values_.erase(order_.front());
            order_.pop_front();
        }
    }
    void forget(const Key& key) { values_.erase(key); }

private:
    std::size_t most_;
    std::map<Key, Value> values_;
    std::deque<Key> order_;  ///< in which they came
};

}  // namespace uci::net
