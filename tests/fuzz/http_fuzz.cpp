#include "uci/chenserver/http.hpp"

#include <cstdlib>

#include "uci/net/same_origin.hpp"
#include "uci/net/url.hpp"

namespace {

using namespace uci::chenserver;
using namespace uci::net;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

/// A path in which every byte is escaped stands for the same bytes.
void escape(const std::string& command) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string path = "/";
    for (const char letter : command) {
        const auto byte = static_cast<unsigned char>(letter);
        path += {'%', digits[byte / 16], digits[byte % 16]};
    }
    demand(decode_path(path) == command);
}

void read(const std::string& text) {
    const auto head = read_head(text);
    if (!head) {
        demand(!head.reason().empty());
        return;
    }
    demand(is_request_line(text.substr(0, text.find('\n'))));
    demand(text.starts_with(head->method + ' ' + head->target + ' '));
    static_cast<void>(decode_path(head->target));
    // An origin makes no request worse, and what may change something may also read.
    const SameOrigin strict;
    const SameOrigin public_server{{*read_origin("http://localhost:1")}};
    if (!strict.check_change(head->source)) {
        demand(!strict.check_host(head->source));
        demand(!public_server.check_change(head->source));
    }
}

/// Bodies tell their length, and no body adds a header.
void write(const std::string& body) {
    const auto text = write_response({200, body});
    demand(text.ends_with("\r\n\r\n" + body + "\r\n"));
    const auto length = "\r\nContent-Length: " + std::to_string(body.size() + 2) + "\r\n";
    demand(text.substr(0, text.size() - body.size()).find(length) != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{data, data + size};
    static_cast<void>(is_request_line(text));
    static_cast<void>(is_request_line(text.substr(0, text.find('\n'))));
    static_cast<void>(decode_path(text));
    escape(text);
    read(text);
    read("GET /status HTTP/1.1\r\n" + text + "\r\n\r\n");
    write(text);
    return 0;
}
