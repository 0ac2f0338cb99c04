#include "engine/general_interface.hpp"

#include "engine/build_info.hpp"
#include "engine/main_task.hpp"

namespace engine {

GeneralInterface::GeneralInterface() {
    task_.start([this] { MainTask{queue_}.run(); });
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
