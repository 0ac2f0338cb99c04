# Builds for WebAssembly with Emscripten, whose own toolchain file does the work.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten
                OUTPUT_STRIP_TRAILING_WHITESPACE)
set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)
# Debian's Emscripten needs Debian's modules for Node.js, which other builds of Node.js do not find.
set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
