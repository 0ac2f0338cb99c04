#include "engine/general_interface.hpp"

#include <utility>

#include "engine/main_task.hpp"

namespace engine {

GeneralInterface::GeneralInterface() {
    task_.start([this] { MainTask{link_}.run(); });
}

GeneralInterface::~GeneralInterface() {
    quit();
}

std::string_view GeneralInterface::name() {
    return "Parley";
}

std::string_view GeneralInterface::version() {
    return PARLEY_VERSION;
}

std::string_view GeneralInterface::author() {
    return "the Parley authors";
}

void GeneralInterface::set_option(std::string name, std::string value) {
    link_.post(SetOption{std::move(name), std::move(value)});
}

void GeneralInterface::new_game() {
    link_.post(NewGame{});
}

void GeneralInterface::set_game(std::optional<std::string> fen, std::vector<std::string> moves) {
    link_.post(SetGame{std::move(fen), std::move(moves)});
}

void GeneralInterface::set_game(core::Game game) {
    link_.post(TakeGame{std::move(game)});
}

void GeneralInterface::go(Limits limits) {
    link_.post(Go{std::move(limits)});
}

void GeneralInterface::stop() {
    link_.post(Stop{});
}

void GeneralInterface::ponder_hit() {
    link_.post(PonderHit{});
}

void GeneralInterface::ask(std::string subject) {
    link_.post(Ask{std::move(subject)});
}

void GeneralInterface::perft(int depth) {
    link_.post(Perft{depth});
}

void GeneralInterface::bench(std::optional<int> depth) {
    link_.post(Bench{depth});
}

void GeneralInterface::echo(std::string text) {
    link_.send(Echo{std::move(text)});
}

void GeneralInterface::quit() {
    link_.post(Quit{});
}

void GeneralInterface::wait_until_ready() {
    link_.wait_until_ready();
}

void GeneralInterface::wait_until_idle() {
    link_.wait_until_idle();
}

void GeneralInterface::wait_until_idle(Milliseconds longest) {
    link_.wait_until_idle(longest);
}

void GeneralInterface::wait_for_counts(Milliseconds longest) {
    link_.wait_for_counts(longest);
}

std::optional<Response> GeneralInterface::next_response() {
    return link_.next_response();
}

}  // namespace engine
