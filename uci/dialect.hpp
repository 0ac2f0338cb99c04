#pragma once

#include <memory>
#include <string_view>

#include "uci/transport/transport.hpp"

namespace engine {
class GeneralInterface;
namespace tablebase {
class Tablebases;
}
}  // namespace engine

namespace uci {

/// A protocol spoken over lines of text. A dialect owns a conversation from its first line to its
/// last.
class Dialect {
public:
    Dialect() = default;
    virtual ~Dialect() = default;
    Dialect(const Dialect&) = delete;
    Dialect& operator=(const Dialect&) = delete;
    Dialect(Dialect&&) = delete;
    Dialect& operator=(Dialect&&) = delete;

    /// Holds the conversation in the calling thread until the input ends. Then it ends the engine
    /// (GeneralInterface::quit()) and joins its own threads.
    virtual void run(transport::Transport& transport) = 0;
};

/// How a conversation is to be held. Dialects ignore options that are not theirs.
struct DialectOptions {
    bool write_misspelt_catpure = false;  ///< JSON: also write "en_passant_catpure"
    /// JSON: what the message tablebase is answered from; null for none.
    std::shared_ptr<const engine::tablebase::Tablebases> tablebases = nullptr;
};

/// An entry of the registry in dialects.cpp.
struct DialectInfo {
    std::string_view name;
    std::string_view summary;  ///< what it is, for --help
    /// Whether a conversation that begins with this line is in this dialect.
    bool (*recognises)(std::string_view first_line);
    std::unique_ptr<Dialect> (*make)(engine::GeneralInterface& engine,
                                     const DialectOptions& options);
};

}  // namespace uci
