#include <emscripten/emscripten.h>
#include <string_view>

#include "engine/general_interface.hpp"

#include "uci/json/web/offline_game.hpp"
#include "uci/uci_dialect.hpp"
#include "uci/wasm/host_transport.hpp"

// The program in WebAssembly: UCI, in lines from and to JavaScript. With the argument "sequential"
// each command is finished before the next one is read; with "game" the lines are JSON messages,
// and the program is what the page has in the place of `parley serve`.

EM_JS(void, parley_ended, (), { Module["ended"](); });

int main(int count, char** arguments) {
    const std::string_view mode = count > 1 ? arguments[1] : "";
    {
        engine::GeneralInterface engine;
        uci::wasm::HostTransport transport;
        if (mode == "game")
            uci::json::web::run_offline_game(engine, transport);
        else
            uci::UciDialect{engine, mode == "sequential" ? uci::ExecutionMode::sequential
                                                         : uci::ExecutionMode::asynchronous}
                .run(transport);
    }
    parley_ended();
    return 0;
}
