# Embeds the files of the page in a source file.
# usage: cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake

cmake_minimum_required(VERSION 3.25)  # "@NAME@" in quotes is text, no variable

# Characters in one string literal: compilers limit their length.
set(max_literal_size 8000)

file(READ ${FOLDER}/pieces.svg pieces)
file(READ ${FOLDER}/board.css board_css)
file(READ ${FOLDER}/clocks.css clocks_css)
file(READ ${FOLDER}/analysis.css analysis_css)

# page.js is assembled from these, in the places that it names.
set(parts board site say texts connection messages views play premoves squares arrows coach analysis side clocks
    offers material pgn actions editor sound notifications settings)

# literal(NAME VARIABLE): the content of a file as C++ string literals, and in VARIABLE_hash its hash.
function(literal name variable)
    file(READ ${FOLDER}/${name} rest)
    string(REPLACE "@PIECES@\n" "${pieces}" rest "${rest}")
    string(REPLACE "/* @BOARD@ */\n" "${board_css}" rest "${rest}")
    string(REPLACE "/* @CLOCKS@ */\n" "${clocks_css}" rest "${rest}")
    string(REPLACE "/* @ANALYSIS@ */\n" "${analysis_css}" rest "${rest}")
    foreach(part IN LISTS parts)
        string(TOUPPER ${part} place)
        file(READ ${FOLDER}/${part}.js content)
        string(REPLACE "// @${place}@\n" "${content}\n" rest "${rest}")
    endforeach()
    string(SHA256 hash "${rest}")
    string(SUBSTRING ${hash} 0 32 hash)
    set(${variable}_hash ${hash} PARENT_SCOPE)
    set(text "")
    string(LENGTH "${rest}" length)
    while(length GREATER max_literal_size)
        # Cut at the end of a line, so that no character is cut.
        string(SUBSTRING "${rest}" 0 ${max_literal_size} part)
        string(FIND "${part}" "\n" cut REVERSE)
        string(SUBSTRING "${rest}" 0 ${cut} part)
        string(SUBSTRING "${rest}" ${cut} -1 rest)
        string(APPEND text "\n    R\"page(${part})page\"")
        string(LENGTH "${rest}" length)
    endwhile()
    set(${variable} "${text}\n    R\"page(${rest})page\"" PARENT_SCOPE)
endfunction()

literal(index.html html)
literal(page.css css)
literal(page.js js)
literal(offline.js offline_js)

# The page without a server can lie in any folder of a site.
string(REPLACE "=\"/page." "=\"page." offline_html "${html}")
string(REPLACE "<script src=\"page.js\"" "<script src=\"offline.js\" type=\"module\"></script>
<script src=\"page.js\"" offline_html "${offline_html}")

file(WRITE ${OUTPUT} "// Generated from the files in uci/json/web/page.
#include \"uci/json/web/page/page.hpp\"

#include <algorithm>
#include <array>

namespace uci::json::web::page {

namespace {

constexpr std::string_view html = ${html};

constexpr std::string_view css = ${css};

constexpr std::string_view js = ${js};

constexpr std::string_view offline_html = ${offline_html};

constexpr std::string_view offline_js = ${offline_js};

constexpr std::array offline{
    OfflineFile{\"index.html\", offline_html},
    OfflineFile{\"page.css\", css},
    OfflineFile{\"page.js\", js},
    OfflineFile{\"offline.js\", offline_js},
};

constexpr std::array files{
    File{\"/\", \"text/html; charset=utf-8\", html, \"${html_hash}\"},
    File{\"/page.css\", \"text/css; charset=utf-8\", css, \"${css_hash}\"},
    File{\"/page.js\", \"text/javascript; charset=utf-8\", js, \"${js_hash}\"},
};

}  // namespace

const File* find(std::string_view path) {
    const auto* const found = std::find_if(files.begin(), files.end(),
                                           [&](const File& file) { return file.path == path; });
    return found == files.end() ? nullptr : found;
}

std::span<const OfflineFile> offline_files() {
    return offline;
}

}  // namespace uci::json::web::page
")
