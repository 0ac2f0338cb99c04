#include "uci/wasm/host_transport.hpp"

#include <cstdlib>
#include <emscripten/emscripten.h>
#include <memory>

// The next line, for free(); null when there is none yet.
EM_JS(char*, parley_take_line, (), {
    const lines = Module["lines"];
    return lines.length > 0 ? allocateUTF8(lines.shift()) : 0;
});
EM_JS(bool, parley_input_ended, (), { return Module["inputEnded"]; });
EM_JS(void, parley_write_line, (const char* text, int size), {
    Module["writeLine"](UTF8ToString(text, size));
});

namespace uci::wasm {

std::optional<std::string> HostTransport::read_line() {
    std::unique_lock lock{mutex_};
    std::unique_ptr<char, decltype(&std::free)> line{nullptr, std::free};
    line_arrived_.wait(lock, [&] {
        line.reset(parley_take_line());
        return line || parley_input_ended();
    });
    if (!line)
        return std::nullopt;
    return line.get();
}

void HostTransport::write_line(std::string_view line) {
    parley_write_line(line.data(), static_cast<int>(line.size()));
}

}  // namespace uci::wasm
