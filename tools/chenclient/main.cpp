// Sends one command to a ChenServer and prints its answer.

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr const char* usage = R"(usage: chenclient HOST PORT COMMAND...

Sends the command to a ChenServer (parley -p PORT) and prints its answer. Several words are one
command: chenclient localhost 2000 move e4 e5

Exit status: 0 for an answer, 1 for an answer that is an error, 2 when there is no answer.)";

enum Status { answered = 0, refused = 1, no_answer = 2 };

/// The codes of errors are words in capitals; results and OK are not among them.
bool is_error(std::string_view answer) {
    const auto word = answer.substr(0, answer.find(' '));
    return word != "OK" && !word.empty() && std::all_of(word.begin(), word.end(), [](char letter) {
               return (letter >= 'A' && letter <= 'Z') || letter == '_';
           });
}

int complain(std::string_view what, const error_code& error) {
    fmt::print(stderr, "chenclient: {}: {}\n", what, error.message());
    return no_answer;
}

int ask(const std::string& host, const std::string& port, const std::string& command) {
    asio::io_context io;
    tcp::resolver resolver{io};
    tcp::socket socket{io};
    error_code error;
    const auto places = resolver.resolve(host, port, error);
    if (error)
        return complain("cannot find " + host + " port " + port, error);
    asio::connect(socket, places, error);
    if (error)
        return complain("cannot connect to " + host + " port " + port, error);
    asio::write(socket, asio::buffer(command + '\n'), error);
    if (error)
        return complain("cannot send", error);
    std::string answer;
    const auto size = asio::read_until(socket, asio::dynamic_buffer(answer), '\n', error);
    if (error)
        return complain("incomplete answer", error);
    answer.resize(size - 1);
    fmt::print("{}\n", answer);
    return is_error(answer) ? refused : answered;
}

int run(const std::vector<std::string>& words) {
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
        fmt::print("{}\n", usage);
        return answered;
    }
    if (words.size() < 3) {
        fmt::print(stderr, "{}\n", usage);
        return no_answer;
    }
    std::string command = words[2];
    for (std::size_t i = 3; i < words.size(); ++i)
        command += ' ' + words[i];
    return ask(words[0], words[1], command);
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return run({arguments + 1, arguments + count});
    }
    catch (const std::exception& error) {
        static_cast<void>(std::fputs(error.what(), stderr));
        return no_answer;
    }
}
