#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "uci/command_line.hpp"
#include "uci/protocol_interpreter.hpp"
#include "uci/util/platform.hpp"

int main(int count, char** arguments) {
    try {
        return uci::interpret(uci::util::program_arguments(count, arguments));
    }
    catch (const std::exception& error) {  // no memory, no thread
        static_cast<void>(std::fprintf(stderr, "parley: %s\n", error.what()));
        return uci::exit_failure;
    }
}
