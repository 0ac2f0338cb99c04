#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace engine {

/// What a user can set, with the values it has when nobody does.
struct Options {
    int hash = 16;              ///< size of the transposition table in MB
    int threads = 1;            ///< threads that search
    int multi_pv = 1;           ///< how many best lines are searched and shown
    int move_overhead = 10;     ///< milliseconds lost on the way for each move
    bool ponder = false;        ///< the client may let the engine think in the opponent's time
    bool chess960 = false;      ///< castling is written as the king taking its rook
    bool show_chances = false;  ///< reports say how likely a win, a draw and a loss are
};

/// How an option is offered to a client.
struct OptionDescription {
    enum class Kind : unsigned char { whole_number, yes_or_no, button, text };

    std::string_view name;
    Kind kind = Kind::whole_number;
    int standard = 0;  ///< the default; 0 or 1 for yes_or_no
    int lowest = 0;
    int highest = 0;
};

/// Every option, in the order in which they are offered.
std::span<const OptionDescription> option_descriptions();

/// What must be done when an option has been set.
enum class OptionEffect : unsigned char {
    none,
    resize_table,
    clear_table,
    change_threads,
    load_network  ///< from the file that the value names
};

/// Sets an option by its name (capitals and blanks do not matter) from a text; or says what is
/// wrong and what would be accepted, and changes nothing.
core::Result<OptionEffect> set_option(Options& options,
                                      std::string_view name,
                                      std::string_view value);

}  // namespace engine
