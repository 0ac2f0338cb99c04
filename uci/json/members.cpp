#include "uci/json/members.hpp"

#include <set>
#include <vector>

#include <nlohmann/json.hpp>

namespace uci::json {

namespace {

using Json = nlohmann::json;

/// Is told by the parser what it reads, keeps the members of the outermost object, and answers
/// false, which ends the reading, as soon as a limit is passed.
class Collector {
public:
    bool null() { return keep({}); }
    bool boolean(bool /*value*/) { return keep({}); }
    bool number_integer(std::int64_t /*negative*/) { return keep({}); }
    bool number_unsigned(std::uint64_t value) { return keep(value); }
    bool number_float(double /*value*/, const std::string& /*text*/) { return keep({}); }
    bool string(std::string& value) { return keep(std::move(value)); }
    bool binary(Json::binary_t& /*value*/) { return false; }

    bool start_object(std::size_t /*size*/) { return enter(); }
    bool end_object() { return leave(); }
    bool start_array(std::size_t /*size*/) { return !names_.empty() && enter(); }
    bool end_array() { return leave(); }
    bool key(const std::string& name) {
        name_ = name;
        return ++count_ <= most_members && names_.back().insert(name).second;
    }
    bool parse_error(std::size_t /*at*/,
                     const std::string& /*last*/,
                     const Json::exception& /*why*/) {
        return false;
    }

    const Members& members() const { return members_; }

private:
    bool keep(Value value) {
        if (names_.size() == 1)
            members_.set(name_, std::move(value));
        return !names_.empty();
    }
    bool enter() {
        keep({});
        names_.emplace_back();
        return names_.size() <= static_cast<std::size_t>(deepest_nesting);
    }
    bool leave() {
        names_.pop_back();
        return true;
    }

    Members members_;
    std::string name_;
    std::vector<std::set<std::string>> names_;  ///< of everything that is open; none in an array
    int count_ = 0;
};

}  // namespace

std::optional<core::Color> player_in(const Members& members) {
    const auto* player = members.text("player");
    if (player == nullptr || (*player != "white" && *player != "black"))
        return std::nullopt;
    return *player == "white" ? core::Color::white : core::Color::black;
}

std::optional<Members> read_members(std::string_view message) {
    if (message.size() > longest_message)
        return std::nullopt;
    // The parser would take a zero byte for the end and leave out a byte order mark.
    if (message.find('\0') != std::string_view::npos || message.substr(0, 1) == "\xEF")
        return std::nullopt;
    Collector collector;
    if (!Json::sax_parse(message.begin(), message.end(), &collector))
        return std::nullopt;
    return collector.members();
}

}  // namespace uci::json
