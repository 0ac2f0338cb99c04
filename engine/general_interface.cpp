#include "engine/general_interface.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "engine/build_info.hpp"
#include "engine/main_task.hpp"

namespace engine {

GeneralInterface::GeneralInterface() {
    task_.start([this] {
        try {
            // A MainTask takes megabytes, and time that the answer to `uci` need not wait for.
            if (queue_.wait_until_needed())
                MainTask{queue_}.run();
            else
                queue_.close();
        }
        catch (const std::bad_alloc&) {
            static_cast<void>(std::fputs("parley: not enough memory\n", stderr));
            std::_Exit(EXIT_FAILURE);
        }
    });
}

GeneralInterface::~GeneralInterface() {
    quit();
}

std::string_view GeneralInterface::name() {
    return "Parley";
}

std::string_view GeneralInterface::version() {
    return engine::version();
}

std::string_view GeneralInterface::author() {
    return "the Parley authors";
}

}  // namespace engine
