#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "uci/command_line.hpp"
#include "uci/protocol_interpreter.hpp"
#include "uci/util/platform.hpp"

int main(int count, char** arguments) {
    try {
        return uci::interpret(uci::util::program_arguments(count, arguments));
    }
    catch (const std::bad_alloc&) {
        static_cast<void>(std::fputs("parley: not enough memory\n", stderr));
        return uci::exit_failure;
    }
    catch (const std::exception& error) {  // such as that of a thread that the system refuses
        static_cast<void>(std::fprintf(stderr, "parley: %s\n", error.what()));
        return uci::exit_failure;
    }
}
