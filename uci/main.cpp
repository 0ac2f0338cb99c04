#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "uci/command_line.hpp"
#include "uci/protocol_interpreter.hpp"

int main(int count, char** arguments) {
    try {
        return uci::interpret({arguments + 1, arguments + count});
    }
    catch (const std::exception& error) {  // no memory, no thread
        static_cast<void>(std::fprintf(stderr, "parley: %s\n", error.what()));
        return uci::exit_failure;
    }
}
