#include "uci/store/redis_tls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace uci::store {

namespace {

using core::Error;
using core::Result;

/// poll() takes an int.
constexpr std::chrono::milliseconds longest_wait{60'000};
constexpr const char* closed = "it closed the connection";
constexpr const char* demand = "it demands a client certificate";
constexpr const char* refusal = "it refuses the client certificate";

using Context = std::shared_ptr<SSL_CTX>;

std::string text_of_errno(int error) {
    return std::generic_category().message(error);
}

void forget_errors() {
    ERR_clear_error();
    errno = 0;
}

/// The reason of OpenSSL's first error.
std::string openssl_reason() {
    const auto code = ERR_peek_error();
    if (ERR_GET_LIB(code) == ERR_LIB_SYS)
        return text_of_errno(ERR_GET_REASON(code));
    const char* const reason = ERR_reason_error_string(code);
    return reason != nullptr ? reason : "unknown error";
}

Error file_error(const std::string& what, const std::string& file) {
    return Error{"the " + what + " in the file '" + file + "' cannot be used: " + openssl_reason()};
}

/// Refuses a key that needs a passphrase, which OpenSSL would ask for on the terminal.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*is_written*/, void* /*data*/) {
    return 0;
}

std::optional<Error> load_authorities(SSL_CTX& context, const std::string& file) {
    if (file.empty())
        SSL_CTX_set_default_verify_paths(&context);
    else if (SSL_CTX_load_verify_locations(&context, file.c_str(), nullptr) != 1)
        return file_error("certificates of trusted authorities", file);
    return std::nullopt;
}

std::optional<Error> load_client_certificate(SSL_CTX& context, const TlsSettings& settings) {
    const auto& file = settings.certificate_file;
    if (file.empty())
        return settings.key_file.empty() ? std::nullopt
                                         : std::optional{Error{"a key needs a certificate"}};
    if (SSL_CTX_use_certificate_chain_file(&context, file.c_str()) != 1)
        return file_error("client certificate", file);
    const auto& key_file = settings.key_file.empty() ? file : settings.key_file;
    SSL_CTX_set_default_passwd_cb(&context, no_passphrase);
    // This also compares the key with the certificate.
    if (SSL_CTX_use_PrivateKey_file(&context, key_file.c_str(), SSL_FILETYPE_PEM) != 1)
        return file_error("client's key", key_file);
    return std::nullopt;
}

Result<Context> make_context(const TlsSettings& settings) {
    ERR_clear_error();
    Context context{SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
    if (!context)
        return Error{"TLS cannot be used: " + openssl_reason()};
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_mode(context.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context.get(), 1);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    if (const auto error = load_authorities(*context, settings.ca_file))
        return *error;
    if (const auto error = load_client_certificate(*context, settings))
        return *error;
    return context;
}

/// The context of these settings, made anew when a file has changed, as a renewed certificate's.
Result<Context> context_of(const TlsSettings& settings) {
    auto& cache = *settings.cache;
    const std::array files{settings.ca_file, settings.certificate_file, settings.key_file};
    decltype(cache.file_times) times{};
    std::transform(files.begin(), files.end(), times.begin(), [](const std::string& file) {
        std::error_code unknown;
        return std::filesystem::last_write_time(file, unknown);
    });
    const std::lock_guard lock{cache.mutex};
    if (cache.context && cache.file_times == times)
        return cache.context;
    auto context = make_context(settings);
    if (context) {
        cache.context = *context;
        cache.file_times = times;
    }
    return context;
}

/// Called when the server asks for a client certificate.
int note_request(SSL* /*ssl*/, void* is_asked) {
    *static_cast<bool*>(is_asked) = true;
    return 1;
}

/// Whom the certificate must be for. False if OpenSSL refuses the name.
bool expect_host(SSL* ssl, const std::string& host) {
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1)
        return true;
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // What SSL_set_tlsext_host_name() is, without its cast.
    return SSL_set1_host(ssl, host.c_str()) == 1
        && SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                    const_cast<char*>(host.c_str()))
               == 1;
}

std::string certificate_failure(long verdict, const std::string& host) {
    switch (verdict) {
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH: return "its certificate is not for '" + host + "'";
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return "its certificate is not signed by a trusted authority";
        default:
            return std::string{"its certificate is not accepted: "}
                 + X509_verify_cert_error_string(verdict);
    }
}

/// An error that OpenSSL reports itself, after the certificate was accepted.
std::string protocol_failure(unsigned long code) {
    switch (ERR_GET_REASON(code)) {
#if defined(SSL_R_UNEXPECTED_EOF_WHILE_READING)
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: return closed;
#endif
        case SSL_R_WRONG_VERSION_NUMBER:
        case SSL_R_PACKET_LENGTH_TOO_LONG: return "it does not speak TLS";
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
        case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            return "it refuses the TLS handshake: " + openssl_reason();
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED: return demand;
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
        case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
            return std::string{refusal} + ": " + openssl_reason();
        default: return "TLS fails: " + openssl_reason();
    }
}

#if !defined(MSG_NOSIGNAL)
constexpr int MSG_NOSIGNAL = 0;  // macOS has SO_NOSIGPIPE in its place
#endif

/// Sends what it can. Unlike OpenSSL's own function it raises no SIGPIPE.
int send_quietly(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    int socket = -1;
    BIO_get_fd(bio, &socket);
    const auto sent = send(socket, data, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (sent < 0 && BIO_sock_should_retry(-1) != 0)
        BIO_set_retry_write(bio);
    return static_cast<int>(sent);
}

/// OpenSSL's method for sockets, with send_quietly().
const BIO_METHOD* quiet_socket() {
    static const BIO_METHOD* const method = [] {
        const BIO_METHOD* const usual = BIO_s_socket();
        BIO_METHOD* const quiet = BIO_meth_new(BIO_TYPE_SOCKET, "quiet socket");
        BIO_meth_set_write(quiet, send_quietly);
        BIO_meth_set_read(quiet, BIO_meth_get_read(usual));
        BIO_meth_set_ctrl(quiet, BIO_meth_get_ctrl(usual));
        BIO_meth_set_create(quiet, BIO_meth_get_create(usual));
        BIO_meth_set_destroy(quiet, BIO_meth_get_destroy(usual));
        return quiet;
    }();
    return method;
}

/// Lets the SSL use a socket that it does not own. False: no memory.
bool attach(SSL* ssl, int socket) {
    BIO* const bio = BIO_new(quiet_socket());
    if (bio == nullptr)
        return false;
    BIO_set_fd(bio, socket, BIO_NOCLOSE);
    SSL_set_bio(ssl, bio, bio);
#if defined(SO_NOSIGPIPE)
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return true;
}

void make_non_blocking(int socket) {
    const int flags = fcntl(socket, F_GETFL, 0);
    fcntl(socket, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace

std::optional<Error> check_tls(const TlsSettings& settings) {
    const auto context = context_of(settings);
    return context ? std::nullopt : std::optional{context.error()};
}

void RedisTls::FreeSsl::operator()(ssl_st* ssl) const {
    SSL_free(ssl);
}

RedisTls::RedisTls(int socket, std::string host, Ssl ssl)
    : socket_{socket},
      host_{std::move(host)},
      ssl_{std::move(ssl)} {}

RedisTls::~RedisTls() = default;

Result<std::unique_ptr<RedisTls>> RedisTls::start(int socket,
                                                  const std::string& host,
                                                  const TlsSettings& settings) {
    const auto context = context_of(settings);
    if (!context)
        return context.error();
    Ssl ssl{SSL_new(context->get())};
    if (!ssl || !expect_host(ssl.get(), host) || !attach(ssl.get(), socket))
        return Error{"TLS cannot be used: " + openssl_reason()};
    SSL_set_connect_state(ssl.get());
    make_non_blocking(socket);
    std::unique_ptr<RedisTls> tls{new RedisTls{socket, host, std::move(ssl)}};
    SSL_set_cert_cb(tls->ssl_.get(), note_request, &tls->is_asked_);
    return tls;
}

Result<RedisTls::Progress> RedisTls::handshake() {
    forget_errors();
    return progress(SSL_do_handshake(ssl_.get()), 0);
}

Result<RedisTls::Progress> RedisTls::read(std::span<char> buffer) {
    forget_errors();
    std::size_t size = 0;
    const int result = SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &size);
    has_read_ = has_read_ || result > 0;
    return progress(result, size);
}

Result<RedisTls::Progress> RedisTls::write(std::string_view text) {
    forget_errors();
    std::size_t size = 0;
    const int result = SSL_write_ex(ssl_.get(), text.data(), text.size(), &size);
    return progress(result, size);
}

bool RedisTls::is_quiet() {
    forget_errors();
    char byte = 0;
    std::size_t size = 0;
    const int result = SSL_peek_ex(ssl_.get(), &byte, 1, &size);
    return SSL_get_error(ssl_.get(), result) == SSL_ERROR_WANT_READ;
}

Result<RedisTls::Progress> RedisTls::progress(int result, std::size_t size) {
    if (result > 0)
        return Progress{State::done, size};
    switch (SSL_get_error(ssl_.get(), result)) {
        case SSL_ERROR_WANT_READ: return Progress{State::wants_read};
        case SSL_ERROR_WANT_WRITE: return Progress{State::wants_write};
        default: return Error{failure(result)};
    }
}

/// Why the operation that has just returned this has failed.
std::string RedisTls::failure(int result) const {
    const int system_error = errno;
    const int error = SSL_get_error(ssl_.get(), result);
    const auto verdict = SSL_get_verify_result(ssl_.get());
    std::string reason = closed;
    if (error == SSL_ERROR_SYSCALL && system_error != 0)
        reason = text_of_errno(system_error);
    else if (error == SSL_ERROR_SSL && verdict != X509_V_OK)
        reason = certificate_failure(verdict, host_);
    else if (error == SSL_ERROR_SSL)
        reason = protocol_failure(ERR_peek_error());
    // A server that does not accept the client says so by a general alert, or with TLS 1.3 after
    // the handshake; that may get lost.
    const bool is_handshake = SSL_is_init_finished(ssl_.get()) == 0;
    const bool is_lost = error == SSL_ERROR_SYSCALL || reason == closed;
    const bool is_refused = error == SSL_ERROR_SSL
                         && ERR_GET_REASON(ERR_peek_error()) == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE;
    if (is_asked_ && !has_read_ && (is_refused || (is_lost && !is_handshake)))
        return SSL_get_certificate(ssl_.get()) == nullptr ? demand : refusal;
    return is_handshake && reason == closed ? "it ended the TLS handshake" : reason;
}

bool RedisTls::wait(State state, Clock::time_point latest) const {
    const short events = state == State::wants_write ? POLLOUT : POLLIN;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - Clock::now());
        if (left.count() <= 0)
            return false;
        pollfd waiting{socket_, events, 0};
        const auto time = std::min(left, longest_wait);
        const int found = poll(&waiting, 1, static_cast<int>(time.count()));
        if (found > 0 || (found < 0 && errno != EINTR))
            return true;  // the operation itself finds what is wrong
    }
}

}  // namespace uci::store
