#include <emscripten/emscripten.h>
#include <string_view>

#include "engine/general_interface.hpp"

#include "uci/uci_dialect.hpp"
#include "uci/wasm/host_transport.hpp"

// The program in WebAssembly: UCI alone, in lines from and to JavaScript. With the argument
// "sequential" each command is finished before the next one is read.

EM_JS(void, parley_ended, (), { Module["ended"](); });

int main(int count, char** arguments) {
    const bool sequential = count > 1 && std::string_view{arguments[1]} == "sequential";
    {
        engine::GeneralInterface engine;
        uci::wasm::HostTransport transport;
        uci::UciDialect{
            engine, sequential ? uci::ExecutionMode::sequential : uci::ExecutionMode::asynchronous}
            .run(transport);
    }
    parley_ended();
    return 0;
}
