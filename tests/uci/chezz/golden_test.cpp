#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;

TEST_CASE("golden games have chezz's bytes in each form", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto game = tests::chezz_game(golden.moves);
        CAPTURE(golden.name);
        CHECK(game.fen_after_double_step() == golden.fen);
        for (const auto& [form, text] : golden.hex)
            CHECK(hex(tests::bytes_of(game, form)) == text);
    }
}

TEST_CASE("chezz's bytes give the golden games", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        for (const auto& [form, text] : golden.hex) {
            CAPTURE(golden.name, text);
            const auto bytes = read_hex(text);
            REQUIRE(bytes);
            const auto state = decode(*bytes);
            REQUIRE(state);
            const bool flawless =
                form == Form::flawed_server && text == golden.hex.at(Form::server);
            CHECK(state->form == (flawless ? Form::server : form));
            CHECK(state->game.moves() == tests::chezz_game(golden.moves).moves());
            CHECK(state->game.fen_after_double_step() == golden.fen);
        }
    }
}

TEST_CASE("the words for moves are those of the golden games", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto game = tests::chezz_game(golden.moves);
        std::vector<std::string> words;
        for (const core::Move move : game.moves())
            words.push_back(move_text(move));
        CHECK(words == golden.moves);
    }
}

TEST_CASE("each ply tells of check and mate what chezz's message of it told", "[chezz]") {
    const std::map<std::string, int> status{{"", 0}, {"#", 1}, {"-", 2}};
    int messages = 0;
    for (const auto& golden : tests::golden_games()) {
        core::Game game;
        for (const auto& message : golden.messages) {
            const auto move = read_move_text(game.position(), message["uci"].get<std::string>());
            CAPTURE(golden.name, message.dump());
            REQUIRE(move);
            game.play(*move);
            const auto bytes = tests::bytes_of(game);
            CHECK(bytes[check_at] == message["checkedPlayer"].get<int>());
            CHECK(bytes[status_at] == status.at(message["mateStatus"].get<std::string>()));
            ++messages;
        }
    }
    CHECK(messages == 3727);
}
