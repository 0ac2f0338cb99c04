#include "core/chess960.hpp"

#include <fstream>
#include <set>

#include "tests/core/positions.hpp"
#include "tests/test_data.hpp"

using namespace core;

TEST_CASE("number 518 of Chess960 is standard chess", "[chess960]") {
    CHECK(chess960_start(518, 518) == Position::start());
}

TEST_CASE("the first and the last position match Scharnagl's numbering", "[chess960]") {
    CHECK(fen(chess960_start(0, 959))
          == fen(tests::position_of("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1")));
}

TEST_CASE("the 960 numbers give 960 different legal starts", "[chess960]") {
    std::set<std::string> known;
    std::ifstream file{tests::data_path("chess960.epd")};
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line.front() != '#')
            known.insert(fen(tests::position_of(line.substr(0, line.find(';')))));
    }
    REQUIRE(known.size() == static_cast<std::size_t>(chess960_count));
    std::set<std::string> made;
    for (int number = 0; number < chess960_count; ++number)
        made.insert(fen(chess960_start(number, number)));
    CHECK(made == known);
}

TEST_CASE("White and Black can have different starts", "[chess960]") {
    const auto position = chess960_start(518, 0);
    CHECK(fen(position).substr(0, 43) == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    CHECK(position.castling_rooks().count() == 4);
}
