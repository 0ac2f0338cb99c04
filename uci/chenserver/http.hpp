#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/net/same_origin.hpp"

// The part of HTTP that a command in a GET request needs. Text in, text out; no sockets.
namespace uci::chenserver {

/// The head of a request.
struct RequestHead {
    std::string method;
    std::string target;
    bool is_http_1_0 = false;
    net::RequestOrigin source;
    bool is_from_browser = false;  ///< as far as its headers tell
    bool is_forwarded = false;     ///< by a proxy
};

/// A response without the headers that all responses have.
struct ResponseText {
    int status = 200;
    std::string body;
    bool without_body = false;  ///< the response to HEAD
    bool is_http_1_0 = false;
};

/// Whether a line, without its LF, is an HTTP request line: "GET /... HTTP/1.1" and CR. For GET and
/// HEAD the target must be a path.
bool is_request_line(std::string_view line);

/// Reads the head of a request including its empty line. Error: what is malformed.
core::Result<RequestHead> read_head(std::string_view head);

/// The response as sent; its body is the text and CRLF.
std::string write_response(const ResponseText& response);

}  // namespace uci::chenserver
