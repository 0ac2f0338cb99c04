#include "uci/json/strict_object.hpp"

#include <set>
#include <vector>

#include <nlohmann/json.hpp>

namespace uci::json {

namespace {

/// SAX handler: collects the members of the outermost object. Returns false, which stops the
/// parser, as soon as a limit is exceeded or a name occurs twice.
class StrictObjectReader {
public:
    bool null() { return keep({}); }
    bool boolean(bool /*value*/) { return keep({}); }
    bool number_integer(std::int64_t /*negative*/) { return keep({}); }
    bool number_unsigned(std::uint64_t value) { return keep(value); }
    bool number_float(double /*value*/, const std::string& /*text*/) { return keep({}); }
    bool string(std::string& value) { return keep(std::move(value)); }
    bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

    bool start_object(std::size_t /*size*/) { return enter(); }
    bool end_object() { return leave(); }
    bool start_array(std::size_t /*size*/) { return !names_.empty() && enter(); }
    bool end_array() { return leave(); }
    bool key(const std::string& name) {
        name_ = name;
        return ++count_ <= max_members && names_.back().insert(name).second;
    }
    bool parse_error(std::size_t /*offset*/,
                     const std::string& /*last_token*/,
                     const nlohmann::json::exception& /*error*/) {
        return false;
    }

    const StrictObject& object() const { return object_; }

private:
    bool keep(StrictObject::Value value) {
        if (names_.size() == 1)
            object_.set(name_, std::move(value));
        return !names_.empty();
    }
    bool enter() {
        keep({});
        names_.emplace_back();
        return names_.size() <= static_cast<std::size_t>(max_nesting);
    }
    bool leave() {
        names_.pop_back();
        return true;
    }

    StrictObject object_;
    std::string name_;
    std::vector<std::set<std::string>> names_;  ///< of each open object; empty sets for arrays
    int count_ = 0;
};

}  // namespace

std::optional<core::Color> StrictObject::color(const std::string& name) const {
    const auto* value = text(name);
    if (value == nullptr || (*value != "white" && *value != "black"))
        return std::nullopt;
    return *value == "white" ? core::Color::white : core::Color::black;
}

std::optional<StrictObject> StrictObject::parse(std::string_view text) {
    if (text.size() > max_message_size)
        return std::nullopt;
    // The parser would take a zero byte for the end and skip a byte order mark.
    if (text.find('\0') != std::string_view::npos || text.substr(0, 1) == "\xEF")
        return std::nullopt;
    StrictObjectReader reader;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader))
        return std::nullopt;
    return reader.object();
}

}  // namespace uci::json
