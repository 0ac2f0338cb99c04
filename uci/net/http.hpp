#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

// HTTP as far as a command in a GET needs it. Texts in, texts out; no sockets.
namespace uci::net {

/// What a request says before its body.
struct RequestHead {
    std::string method;
    std::string target;
    bool is_http_1_0 = false;
    std::optional<std::string> host;
    std::optional<std::string> origin;
    std::string fetch_site;  ///< Sec-Fetch-Site, as browsers send it
};

/// What goes back, without the headers that every response has.
struct ResponseText {
    int status = 200;
    std::string body;
    bool without_body = false;  ///< an answer to HEAD
    bool is_http_1_0 = false;
};

/// Whether a line, without its LF, is the first of an HTTP request: "GET /... HTTP/1.1" and CR.
/// Of GET and HEAD only those for a path on this server are.
bool is_request_line(std::string_view line);

/// The head of a request, up to and with its empty line; or what is wrong with it.
core::Result<RequestHead> read_head(std::string_view head);

/// The command that a path stands for: without the leading slash, + and %20 for a blank. Nothing
/// when an escape is cut or a letter must not stand in a URL.
std::optional<std::string> command_of(std::string_view target);

/// Whether a request may change something: not when another site's page sent it, nor, on a server
/// that only this machine reaches, under a name that is not this machine's.
bool is_trusted(const RequestHead& head, bool local_only);

/// The present time as HTTP writes it.
std::string http_date();

/// The response as it goes over the wire; its body is the text and CRLF.
std::string write_response(const ResponseText& response);

}  // namespace uci::net
