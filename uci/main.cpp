#include <string>
#include <vector>

#include "uci/protocol_interpreter.hpp"

int main(int count, char** arguments) {
    return uci::interpret({arguments + 1, arguments + count});
}
