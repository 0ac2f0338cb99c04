#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

struct ssl_ctx_st;

namespace uci::store {

/// What RedisTls has read from the files of a TlsSettings. Thread-safe by its mutex.
struct TlsCache {
    std::mutex mutex{};  ///< guards what follows
    std::shared_ptr<ssl_ctx_st> context{};
    std::array<std::filesystem::file_time_type, 3> file_times{};  ///< when it was made
};

/// Files for TLS, in PEM. Empty: the system's trusted authorities, no client certificate, and a key
/// that is in the certificate's file.
struct TlsSettings {
    std::string ca_file{};
    std::string certificate_file{};
    std::string key_file{};
    /// Of all copies: reading a system's authorities takes time and memory.
    std::shared_ptr<TlsCache> cache = std::make_shared<TlsCache>();
};

}  // namespace uci::store
