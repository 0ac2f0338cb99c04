#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "engine/strength_level.hpp"

namespace engine {

/// The options of the engine with their defaults.
struct Options {
    int hash = 16;                   ///< size of the transposition table in MB
    int threads = 1;                 ///< threads that search
    int multipv = 1;                 ///< how many principal variations are searched and reported
    int move_overhead = 10;          ///< milliseconds that each move loses on its way to the server
    bool ponder = false;             ///< the client may let the engine ponder
    bool chess960 = false;           ///< castling moves are written as king takes rook
    bool show_wdl = false;           ///< reports contain win, draw and loss probabilities
    bool analyse_mode = false;       ///< no book and no limited strength
    int syzygy_probe_depth = 1;      ///< least depth to probe positions with syzygy_probe_limit men
    int syzygy_probe_limit = 7;      ///< most men of positions that are probed
    bool syzygy_fifty_moves = true;  ///< wins that the fifty-move rule prevents are draws
    bool own_book = false;           ///< moves come from the book while it knows the position
    int book_depth = 255;            ///< plies from the start of the game in which it is asked
    int book_variety = 1;            ///< a book::Variety, in the order of its values
    bool limit_strength = false;     ///< plays with the strength of `elo`
    int elo = default_elo;           ///< min_elo to max_elo
    int skill_level = max_skill;     ///< 0 to max_skill, which is full strength
    int level_seed = 0;              ///< of the noise at a limited strength; 0: new in each game
};

/// An option as a client sees it.
struct OptionDescription {
    enum class Kind : unsigned char { spin, check, combo, button, string };

    std::string_view name;
    Kind kind = Kind::spin;
    int default_value = 0;  ///< the default; 0 or 1 for check, an index of `choices` for combo
    int min = 0;
    int max = 0;
    std::span<const std::string_view> choices{};  ///< of combo: in lower case, without blanks
};

/// All options, in the order in which a client gets them.
std::span<const OptionDescription> option_descriptions();

/// What must be done after an option was set.
enum class OptionEffect : unsigned char {
    none,
    resize_tt,
    clear_tt,
    change_threads,
    load_network,     ///< from the file named by the value
    load_tablebases,  ///< from the folders named by the value
    load_book,        ///< from the files named by the value
    set_hash_file,    ///< the value names the file of save_hash and load_hash
    save_hash,        ///< the transposition table, to that file
    load_hash         ///< the transposition table, from that file
};

/// Sets an option by its name (case and blanks do not matter) from a text. Error: what is wrong and
/// what is accepted; nothing has changed then.
core::Result<OptionEffect> set_option(Options& options,
                                      std::string_view name,
                                      std::string_view value);

}  // namespace engine
