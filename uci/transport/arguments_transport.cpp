#include "uci/transport/arguments_transport.hpp"

#include <algorithm>

namespace uci::transport {

namespace {

std::vector<std::string> split_commands(const std::vector<std::string>& arguments) {
    const bool several = std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) {
        return argument.find(' ') != std::string::npos;
    });
    if (several)
        return arguments;
    std::string command;
    for (const auto& argument : arguments)
        command += (command.empty() ? "" : " ") + argument;
    return {command};
}

}  // namespace

ArgumentsTransport::ArgumentsTransport(const std::vector<std::string>& arguments)
    : commands_{split_commands(arguments)} {}

std::optional<std::string> ArgumentsTransport::read_line() {
    if (next_ == commands_.size())
        return std::nullopt;
    return commands_[next_++];
}

}  // namespace uci::transport
