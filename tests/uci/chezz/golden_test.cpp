#include "tests/uci/chezz/games.hpp"

using namespace uci::chezz;
using namespace uci::chezz::codec;

TEST_CASE("golden games have chezz's bytes in each format", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto game = tests::chezz_game(golden.moves);
        CAPTURE(golden.name);
        CHECK(game.fen_with_en_passant_target() == golden.fen);
        for (const auto& [form, text] : golden.hex)
            CHECK(uci::util::hex(tests::bytes_of(game, form)) == text);
    }
}

TEST_CASE("chezz's bytes decode to the golden games", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        for (const auto& [form, text] : golden.hex) {
            CAPTURE(golden.name, text);
            const auto bytes = uci::util::read_hex(text);
            REQUIRE(bytes);
            const auto decoded = decode(*bytes);
            REQUIRE(decoded);
            const bool same_bytes = form == StateFormat::server_with_capture_bug
                                 && text == golden.hex.at(StateFormat::server);
            CHECK(decoded->format == (same_bytes ? StateFormat::server : form));
            CHECK(decoded->game.moves() == tests::chezz_game(golden.moves).moves());
            CHECK(decoded->game.fen_with_en_passant_target() == golden.fen);
        }
    }
}

TEST_CASE("moves are written as in the golden games", "[chezz]") {
    for (const auto& golden : tests::golden_games()) {
        const auto game = tests::chezz_game(golden.moves);
        std::vector<std::string> texts;
        for (const core::Move move : game.moves())
            texts.push_back(move_text(move));
        CHECK(texts == golden.moves);
    }
}

TEST_CASE("check and mate in each ply's bytes agree with chezz's message", "[chezz]") {
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
