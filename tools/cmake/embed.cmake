# Writes the bytes of a file into a source file that defines NAME and NAME_size with C linkage.
# usage: cmake -DFILE=... -DNAME=... -DOUTPUT=... -P embed.cmake

file(SIZE ${FILE} size)
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(........................................)" "\\1\n" bytes "${bytes}")

file(WRITE ${OUTPUT} "// Made from ${FILE}: change that.
#include <cstdint>

extern \"C\" {
extern const unsigned char ${NAME}[];
extern const std::uint64_t ${NAME}_size;
alignas(64) const unsigned char ${NAME}[] = {
${bytes}};
const std::uint64_t ${NAME}_size = ${size};
}
")
