# Writes a network into a source file, for compilers without an assembler that could include it.
# usage: cmake -DFILE=... -DOUTPUT=... -P embed.cmake

file(SIZE ${FILE} size)
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(........................................)" "\\1\n" bytes "${bytes}")

file(WRITE ${OUTPUT} "// Made from ${FILE}: change that.
#include <cstdint>

extern \"C\" {
extern const unsigned char parley_network[];
extern const std::uint64_t parley_network_size;
alignas(64) const unsigned char parley_network[] = {
${bytes}};
const std::uint64_t parley_network_size = ${size};
}
")
