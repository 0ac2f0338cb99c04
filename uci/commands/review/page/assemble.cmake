# Makes one page from the files in this folder, with a Content-Security-Policy that lets nothing run
# but the script in it.
# BOARD is the folder of the page of `parley serve`, whose board and pieces this page has too.
# usage: cmake -DFOLDER=... -DBOARD=... -DOUTPUT=... -P assemble.cmake

cmake_minimum_required(VERSION 3.25)  # "@NAME@" in quotes is text, no variable

# sha256_source(TEXT VARIABLE): 'sha256-...' as CSP has it, the hash of a text in base64.
function(sha256_source text variable)
    string(SHA256 hex "${text}")
    set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    set(base64 "")
    # 32 bytes and a zero are 11 times 3 bytes, and 3 bytes are 4 letters.
    foreach(place RANGE 0 60 6)
        string(SUBSTRING "${hex}00" ${place} 6 part)
        foreach(shift IN ITEMS 18 12 6 0)
            math(EXPR letter "(0x${part} >> ${shift}) & 63")
            string(SUBSTRING ${letters} ${letter} 1 letter)
            string(APPEND base64 ${letter})
        endforeach()
    endforeach()
    string(SUBSTRING ${base64} 0 43 base64)
    set(${variable} "'sha256-${base64}='" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/review.html html)
file(READ ${FOLDER}/review.css css)
file(READ ${FOLDER}/review.js js)
file(READ ${BOARD}/pieces.svg pieces)
file(READ ${BOARD}/board.css board_css)
file(READ ${BOARD}/board.js board_js)
file(READ ${BOARD}/say.js say_js)
file(READ ${FOLDER}/texts.js texts_js)
string(REPLACE "/* @BOARD@ */\n" "${board_css}" css "${css}")
string(REPLACE "// @BOARD@\n" "${board_js}" js "${js}")
string(REPLACE "// @SAY@\n" "${say_js}" js "${js}")
string(REPLACE "// @TEXTS@\n" "${texts_js}" js "${js}")

sha256_source("${js}" script)
sha256_source("${css}" style)
set(policy "default-src 'none'; script-src ${script}; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'")

string(REPLACE "@POLICY@" "${policy}" html "${html}")
string(REPLACE "@PIECES@" "${pieces}" html "${html}")
string(REPLACE "@STYLE@" "${css}" html "${html}")
string(REPLACE "@SCRIPT@" "${js}" html "${html}")
file(WRITE ${OUTPUT} "${html}")
