# Writes the files of the page into a source file.
# usage: cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake

# How much stands in one literal: not every compiler takes a long one.
set(longest_literal 8000)

# literal(NAME VARIABLE): the content of a file as C++ writes it.
function(literal name variable)
    file(READ ${FOLDER}/${name} rest)
    set(text "")
    string(LENGTH "${rest}" length)
    while(length GREATER longest_literal)
        string(SUBSTRING "${rest}" 0 ${longest_literal} part)
        string(SUBSTRING "${rest}" ${longest_literal} -1 rest)
        string(APPEND text "\n    R\"page(${part})page\"")
        string(LENGTH "${rest}" length)
    endwhile()
    set(${variable} "${text}\n    R\"page(${rest})page\"" PARENT_SCOPE)
endfunction()

literal(index.html html)
literal(page.css css)
literal(page.js js)

file(WRITE ${OUTPUT} "// Made from the files in uci/net/page: change those.
#include \"uci/net/page/page.hpp\"

#include <algorithm>
#include <array>

namespace uci::net::page {

namespace {

constexpr std::string_view html = ${html};

constexpr std::string_view css = ${css};

constexpr std::string_view js = ${js};

constexpr std::array files{
    File{\"/\", \"text/html; charset=utf-8\", html},
    File{\"/page.css\", \"text/css; charset=utf-8\", css},
    File{\"/page.js\", \"text/javascript; charset=utf-8\", js},
};

}  // namespace

const File* find(std::string_view path) {
    const auto* const found = std::find_if(files.begin(), files.end(),
                                           [&](const File& file) { return file.path == path; });
    return found == files.end() ? nullptr : found;
}

}  // namespace uci::net::page
")
