#include "engine/options.hpp"

#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "core/text.hpp"

#include "engine/threading.hpp"
#include "engine/tunable.hpp"

namespace engine {

namespace {

/// An option, the member of Options that holds its value, and the effect of a change.
struct Entry {
    OptionDescription description;
    int Options::*number = nullptr;
    bool Options::*flag = nullptr;
    OptionEffect effect = OptionEffect::none;
};

using Kind = OptionDescription::Kind;

constexpr Options defaults;
// In the order of book::Variety.
constexpr std::array<std::string_view, 3> varieties{"best", "weighted", "even"};
// In MB. The memory of the machine is the real limit.
constexpr int max_hash = sizeof(void*) == 4 ? 1'024 : 33'554'432;

constexpr std::array entries{
    Entry{{"Hash", Kind::spin, defaults.hash, 1, max_hash},
          &Options::hash,
          nullptr,
          OptionEffect::resize_tt},
    Entry{{"Clear Hash", Kind::button}, nullptr, nullptr, OptionEffect::clear_tt},
    Entry{{"HashFile", Kind::string}, nullptr, nullptr, OptionEffect::set_hash_file},
    Entry{{"SaveHash", Kind::button}, nullptr, nullptr, OptionEffect::save_hash},
    Entry{{"LoadHash", Kind::button}, nullptr, nullptr, OptionEffect::load_hash},
    Entry{{"Threads", Kind::spin, defaults.threads, 1, max_search_threads},
          &Options::threads,
          nullptr,
          OptionEffect::change_threads},
    Entry{{"MultiPV", Kind::spin, defaults.multipv, 1, 256}, &Options::multipv},
    Entry{{"Ponder", Kind::check, defaults.ponder}, nullptr, &Options::ponder},
    Entry{{"Move Overhead", Kind::spin, defaults.move_overhead, 0, 10'000},
          &Options::move_overhead},
    Entry{{"EvalFile", Kind::string}, nullptr, nullptr, OptionEffect::load_network},
    Entry{{"SyzygyPath", Kind::string}, nullptr, nullptr, OptionEffect::load_tablebases},
    Entry{{"SyzygyProbeDepth", Kind::spin, defaults.syzygy_probe_depth, 1, 100},
          &Options::syzygy_probe_depth},
    Entry{{"SyzygyProbeLimit", Kind::spin, defaults.syzygy_probe_limit, 0, 7},
          &Options::syzygy_probe_limit},
    // The results in the transposition table were found under the other rule.
    Entry{{"Syzygy50MoveRule", Kind::check, defaults.syzygy_fifty_moves},
          nullptr,
          &Options::syzygy_fifty_moves,
          OptionEffect::clear_tt},
    Entry{{"OwnBook", Kind::check, defaults.own_book}, nullptr, &Options::own_book},
    Entry{{"Book File", Kind::string}, nullptr, nullptr, OptionEffect::load_book},
    Entry{{"Book Depth", Kind::spin, defaults.book_depth, 0, 255}, &Options::book_depth},
    Entry{{"Book Variety", Kind::combo, defaults.book_variety, 0, 0, varieties},
          &Options::book_variety},
    Entry{{"UCI_Chess960", Kind::check, defaults.chess960}, nullptr, &Options::chess960},
    Entry{{"UCI_AnalyseMode", Kind::check, defaults.analyse_mode}, nullptr, &Options::analyse_mode},
    Entry{{"UCI_LimitStrength", Kind::check, defaults.limit_strength},
          nullptr,
          &Options::limit_strength},
    Entry{{"UCI_Elo", Kind::spin, defaults.elo, min_elo, max_elo}, &Options::elo},
    Entry{{"Skill Level", Kind::spin, defaults.skill_level, 0, max_skill}, &Options::skill_level},
    Entry{{"Level Seed", Kind::spin, defaults.level_seed, 0, INT_MAX}, &Options::level_seed},
    Entry{{"UCI_ShowWDL", Kind::check, defaults.show_wdl}, nullptr, &Options::show_wdl},
};

OptionDescription description_of(const Tunable& tunable) {
    return {tunable.name, Kind::spin, tunable.default_value, tunable.min, tunable.max};
}

core::Result<OptionEffect> set_number(int& setting,
                                      const OptionDescription& description,
                                      OptionEffect effect,
                                      std::string_view text) {
    const auto number = core::read_integer(text);
    if (!number || *number < description.min || *number > description.max)
        return core::Error{std::string{description.name} + " stays at " + std::to_string(setting)
                           + ": " + core::quoted(text) + " is not a whole number from "
                           + std::to_string(description.min) + " to "
                           + std::to_string(description.max)};
    setting = static_cast<int>(*number);
    return effect;
}

core::Result<OptionEffect> set_choice(int& setting, const Entry& entry, std::string_view text) {
    const auto choices = entry.description.choices;
    const auto word = core::lowercase_no_blanks(text);
    std::string list;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i] == word) {
            setting = static_cast<int>(i);
            return entry.effect;
        }
        if (i > 0)
            list += ", ";
        list += choices[i];
    }
    return core::Error{std::string{entry.description.name} + " stays at "
                       + std::string{choices[static_cast<std::size_t>(setting)]} + ": "
                       + core::quoted(text) + " is not one of " + list};
}

core::Result<OptionEffect> set_flag(Options& options, const Entry& entry, std::string_view text) {
    const auto word = core::lowercase_no_blanks(text);
    if (word != "true" && word != "false")
        return core::Error{std::string{entry.description.name} + " stays at "
                           + (options.*entry.flag ? "true" : "false") + ": " + core::quoted(text)
                           + " is neither true nor false"};
    options.*entry.flag = word == "true";
    return entry.effect;
}

}  // namespace

std::span<const OptionDescription> option_descriptions() {
    static const auto descriptions = [] {
        std::vector<OptionDescription> result;
        result.reserve(entries.size() + std::size(tunables()));
        for (const Entry& entry : entries)
            result.push_back(entry.description);
        for (const Tunable& tunable : tunables())
            result.push_back(description_of(tunable));
        return result;
    }();
    return descriptions;
}

core::Result<OptionEffect> set_option(Options& options,
                                      std::string_view name,
                                      std::string_view value) {
    const auto wanted = core::lowercase_no_blanks(name);
    for (const Entry& entry : entries) {
        if (core::lowercase_no_blanks(entry.description.name) != wanted)
            continue;
        switch (entry.description.kind) {
            case Kind::spin:
                return set_number(options.*entry.number, entry.description, entry.effect, value);
            case Kind::check: return set_flag(options, entry, value);
            case Kind::combo: return set_choice(options.*entry.number, entry, value);
            case Kind::button:
            case Kind::string: return entry.effect;
        }
    }
    for (const Tunable& tunable : tunables()) {
        if (tunable.name == wanted)
            return set_number(*tunable.value, description_of(tunable), OptionEffect::none, value);
    }
    return core::Error{"unknown option " + core::quoted(name)};
}

}  // namespace engine
