#include <filesystem>

#include "core/fen.hpp"

#include "tests/core/positions.hpp"
#include "tests/engine/tablebase/tables.hpp"
#include "tests/uci/json/client.hpp"

using namespace tests;
using uci::json::Audience;
using uci::json::ExplanationTask;
using uci::json::Session;
using uci::json::Spelling;

namespace {

using Texts = std::vector<std::string>;

/// The last message of an answer to a move.
std::string end_after(Session& session, std::string_view from, std::string_view to) {
    const auto messages = messages_after(session, move_request(from, to));
    REQUIRE(messages.size() == 2);
    CHECK(Json::parse(messages[0]).at("moves").empty());
    return messages[1];
}

std::string draw(const std::string& reason) {
    return R"({"message_type":"game_end","victor":"draw","reason":")" + reason + "\"}";
}

engine::BestMove found(const Session& session, std::string_view move, engine::Score score = 17) {
    return {move_of(session.game().position(), move), std::nullopt, {}, score};
}

/// Sends a request that needs a search; returns its limits.
engine::Limits search_started(Session& session, std::string_view message) {
    const auto result = session.handle_message(message);
    REQUIRE(std::holds_alternative<engine::Limits>(result));
    CHECK(session.is_thinking());
    return *std::get_if<engine::Limits>(&result);
}

Session table_session() {
    return Session{Spelling::correct, tables_in(table_folder())};
}

}  // namespace

TEST_CASE("a move is answered with its events", "[json]") {
    struct Case {
        const char* fen;
        const char* from;
        const char* to;
        const char* events;
    };
    const auto move =
        GENERATE(Case{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "E1", "E2", "{}"},
                 Case{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "E5", "D6",
                      R"({"capture":"D5","en_passant_capture":"D5"})"},
                 Case{"4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "E4", "D3",
                      R"({"capture":"D4","en_passant_capture":"D4"})"},
                 Case{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "E1", "G1",
                      R"({"also_move_rook":{"from":"H1","to":"F1"}})"},
                 Case{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "E1", "C1",
                      R"({"also_move_rook":{"from":"A1","to":"D1"}})"},
                 Case{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "E8", "G8",
                      R"({"also_move_rook":{"from":"H8","to":"F8"}})"},
                 Case{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "E8", "C8",
                      R"({"also_move_rook":{"from":"A8","to":"D8"}})"},
                 Case{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "E1", "G1",
                      R"({"also_move_rook":{"from":"H1","to":"F1"},)"
                      R"("check":{"in_check":"black","threats":["F1"],"king_space":"F8"}})"},
                 Case{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "A1", "A8",
                      R"({"capture":"A8",)"
                      R"("check":{"in_check":"black","threats":["A8"],"king_space":"E8"}})"},
                 Case{"8/8/4k3/8/4N3/8/8/4R1K1 w - - 0 1", "E4", "C5",
                      R"({"check":{"in_check":"black","threats":["C5","E1"],"king_space":"E6"}})"});
    CAPTURE(move.fen);
    auto session = session_at(move.fen);
    CHECK(events_in(messages_after(session, move_request(move.from, move.to))) == move.events);
}

TEST_CASE("the misspelt en passant key is added on request", "[json]") {
    auto session = session_at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Spelling::also_misspelt);
    CHECK(events_in(messages_after(session, move_request("E5", "D6")))
          == R"({"capture":"D5","en_passant_capture":"D5","en_passant_catpure":"D5"})");
}

TEST_CASE("castling as king takes rook is rejected", "[json]") {
    auto session = session_at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    CHECK(messages_after(session, move_request("E1", "H1")) == Texts{failure});
    CHECK(messages_after(session, move_request("E1", "A1")) == Texts{failure});
}

TEST_CASE("a promotion waits for the choice of the piece", "[json]") {
    const auto piece = GENERATE(as<std::string>{}, "queen", "rook", "knight", "bishop");
    CAPTURE(piece);
    auto session = session_at("1n2k3/P7/8/8/8/8/8/4K3 w - - 5 9");
    CHECK(messages_after(session, choice_request(piece)) == Texts{failure});
    const auto prompt = answer_to(session, move_request("A7", "B8"));
    CHECK(prompt.messages == Texts{request("promotion_prompt")});
    CHECK(prompt.audience == Audience::sender);
    CHECK(core::fen(session.game().position()) == "1n2k3/P7/8/8/8/8/8/4K3 w - - 5 9");
    const auto events = Json::parse(events_in(messages_after(session, choice_request(piece))));
    CHECK(events.at("capture") == "B8");
    CHECK(events.at("promote").dump() == R"({"space":"B8","piece":")" + piece + "\"}");
    CHECK(events.contains("check") == (piece == "queen" || piece == "rook"));
    CHECK(messages_after(session, choice_request(piece)) == Texts{failure});
}

TEST_CASE("before the promotion choice every other request is rejected", "[json]") {
    auto session = session_at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    CHECK(messages_after(session, move_request("A7", "A8")) == Texts{request("promotion_prompt")});
    const auto message =
        GENERATE(as<std::string>{}, R"({"message_type":"new_game"})",
                 R"({"message_type":"resignation","player":"white"})",
                 R"({"message_type":"timeout","player":"white"})",
                 R"({"message_type":"engine_move"})", R"({"message_type":"hint"})",
                 R"({"message_type":"take_back"})", R"({"message_type":"tablebase"})",
                 R"({"message_type":"explain"})", R"({"message_type":"load_pgn","pgn":"1. e4 e5"})",
                 R"({"message_type":"peice move","from":"E1","to":"E2"})",
                 R"({"message_type":"peice move","from":"A7","to":"A8"})", "nonsense");
    CAPTURE(message);
    CHECK(messages_after(session, message) == Texts{failure});
    CHECK(messages_after(session, request("get_legal_moveset"))
          == Texts{request("promotion_prompt")});
    CHECK(events_in(messages_after(session, choice_request("rook")))
          == R"({"promote":{"space":"A8","piece":"rook"},)"
             R"("check":{"in_check":"black","threats":["A8"],"king_space":"E8"}})");
}

TEST_CASE("checkmate, stalemate and the fifty-move rule end a game", "[json]") {
    auto mate = session_at("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    CHECK(end_after(mate, "A1", "A8")
          == R"({"message_type":"game_end","victor":"white","reason":"checkmate"})");
    auto stalemate = session_at("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    CHECK(end_after(stalemate, "F1", "F7") == draw("stalemate"));
    auto fifty = session_at("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    CHECK(end_after(fifty, "A1", "A2") == draw("fifty_move_rule"));
    auto promoted = session_at("7k/5P2/6K1/8/8/8/8/8 w - - 0 1");
    messages_after(promoted, move_request("F7", "F8"));
    const auto messages = messages_after(promoted, choice_request("rook"));
    CHECK(messages.size() == 2);
    CHECK(promoted.is_over());
}

TEST_CASE("insufficient material does not end a game; repetition and fifty moves do", "[json]") {
    auto session = session_at("7k/8/6K1/8/8/8/8/8 w - - 0 1");
    CHECK_FALSE(session.is_over());
    for (int i = 0; i < 2; ++i) {
        CHECK_FALSE(session.is_over());
        messages_after(session, move_request("G6", "H6"));
        messages_after(session, move_request("H8", "G8"));
        messages_after(session, move_request("H6", "G6"));
        CHECK_FALSE(session.is_over());
        messages_after(session, move_request("G8", "H8"));
    }
    CHECK(messages_after(session, request("get_legal_moveset")).back()
          == draw("threefold_repetition"));
    auto fifty = session_at("7k/8/6K1/8/8/8/8/8 w - - 99 80");
    CHECK(end_after(fifty, "G6", "F6") == draw("fifty_move_rule"));
}

TEST_CASE("an impossible en passant capture does not make positions different", "[json]") {
    auto session = session_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    messages_after(session, move_request("E2", "E4"));
    for (int i = 0; i < 2; ++i) {
        CHECK_FALSE(session.is_over());
        messages_after(session, move_request("E8", "D8"));
        messages_after(session, move_request("E1", "D1"));
        messages_after(session, move_request("D8", "E8"));
        messages_after(session, move_request("D1", "E1"));
    }
    CHECK(session.is_over());
}

TEST_CASE("a finished game accepts only what begins it anew or takes moves back", "[json]") {
    auto session = session_at("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    messages_after(session, move_request("A1", "A8"));
    const auto message = GENERATE(
        as<std::string>{}, R"({"message_type":"peice move","from":"A8","to":"A1"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":"queen"})",
        R"({"message_type":"resignation","player":"white"})", R"({"message_type":"engine_move"})",
        R"({"message_type":"timeout","player":"black"})", R"({"message_type":"hint"})",
        R"({"message_type":"tablebase"})", R"({"message_type":"explain"})",
        R"({"message_type":"explain","ply":1})", "");
    CAPTURE(message);
    CHECK(messages_after(session, message) == Texts{failure});
    const auto state = messages_after(session, request("get_legal_moveset"));
    REQUIRE(state.size() == 2);
    CHECK(state[0]
          == R"({"message_type":"next_legal_moveset","moves":{},"events":{"check":{"in_check":)"
             R"("black","threats":["A8"],"king_space":"H8"}}})");
    CHECK(messages_after(session, request("new_game")).size() == 1);
    CHECK_FALSE(session.is_over());
}

TEST_CASE("moves are taken back, also from a game that has ended", "[json]") {
    Session session;
    const auto before = messages_after(session, request("get_legal_moveset"));
    messages_after(session, move_request("E2", "E4"));
    const auto after_first = messages_after(session, move_request("E7", "E5"));
    messages_after(session, move_request("D2", "D4"));
    const auto take_back = [](int plies) {
        return R"({"message_type":"take_back","plies":)" + std::to_string(plies) + "}";
    };
    CHECK(answer_to(session, take_back(1)).audience == Audience::everyone);
    CHECK(messages_after(session, request("get_legal_moveset")) == after_first);
    CHECK(messages_after(session, take_back(3)) == Texts{failure});
    CHECK(messages_after(session, take_back(0)) == Texts{failure});
    CHECK(messages_after(session, take_back(2)) == before);
    CHECK(messages_after(session, request("take_back")) == Texts{failure});
    CHECK(session.game().moves().empty());

    auto mated = session_at("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    messages_after(mated, move_request("A1", "A8"));
    REQUIRE(mated.is_over());
    CHECK(messages_after(mated, request("take_back")).size() == 1);
    CHECK(mated.is_playing());
    messages_after(mated, move_request("A1", "A7"));
    messages_after(mated, R"({"message_type":"resignation","player":"white"})");
    CHECK(messages_after(mated, request("take_back")).size() == 1);
    CHECK(mated.is_playing());
}

TEST_CASE("resignation and timeout are accepted whoever is to move", "[json]") {
    struct Case {
        const char* fen;
        const char* message;
        std::string end;
    };
    const auto end = GENERATE(
        Case{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", R"({"message_type":"resignation","player":"white"})",
             R"({"message_type":"game_end","victor":"black","reason":"resignation"})"},
        Case{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", R"({"message_type":"resignation","player":"black"})",
             R"({"message_type":"game_end","victor":"white","reason":"resignation"})"},
        Case{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", R"({"message_type":"timeout","player":"black"})",
             R"({"message_type":"game_end","victor":"white","reason":"timeout"})"},
        Case{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", R"({"message_type":"timeout","player":"white"})",
             draw("timeout_insufficient_material")},
        Case{"3qk3/8/8/8/8/8/8/4K1N1 b - - 0 1", R"({"message_type":"timeout","player":"black"})",
             draw("timeout_insufficient_material")});
    CAPTURE(end.fen, end.message);
    auto session = session_at(end.fen);
    CHECK(messages_after(session, end.message) == Texts{end.end});
    CHECK(session.is_over());
    CHECK(messages_after(session, request("get_legal_moveset")).back() == end.end);
}

TEST_CASE("a new game may start from a finished position", "[json]") {
    auto mate = session_at("R6k/8/6K1/8/8/8/8/8 b - - 0 1");
    CHECK(mate.is_over());
    auto fifty = session_at("7k/8/6K1/8/8/8/8/R7 w - - 100 80");
    CHECK(fifty.is_over());
}

TEST_CASE("an unplayable FEN is rejected and the old game kept", "[json]") {
    Session session;
    messages_after(session, move_request("E2", "E4"));
    const auto before = messages_after(session, request("get_legal_moveset"));
    const auto fen = GENERATE(
        as<std::string>{}, "", "startpos", "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - -  0 1 2", "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",     // the side not to move is in check
        "1k6/8/8/8/8/8/8/1K4RR w H - 0 1",     // castling that is no king's move of two squares
        "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1",     // castling with a rook outside the corner
        "4k3/8/8/4q3/7q/8/2n5/4K3 w - - 0 1",  // three pieces give check
        "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999 1");  // a counter out of range
    CAPTURE(fen);
    const auto answer = answer_to(session, new_game_request(fen));
    CHECK(answer.messages == Texts{failure});
    CHECK(answer.audience == Audience::rejected_sender_only);
    CHECK(messages_after(session, request("get_legal_moveset")) == before);
}

TEST_CASE("an engine move is announced, then answered like any move", "[json]") {
    Session session;
    const auto limits = search_started(session, R"({"message_type":"engine_move","depth":3})");
    CHECK(limits.depth == 3);
    const auto answer = session.finish(found(session, "e2e4"));
    CHECK(answer.audience == Audience::everyone);
    REQUIRE(answer.messages.size() == 2);
    CHECK(answer.messages[0]
          == R"({"message_type":"engine_move","from":"E2","to":"E4","score":{"centipawns":17}})");
    Session other;
    CHECK(answer.messages[1] == messages_after(other, move_request("E2", "E4")).at(0));
    CHECK_FALSE(session.is_thinking());
    CHECK(messages_after(session, move_request("E7", "E5")).size() == 1);
}

TEST_CASE("castling, promotion and mate scores of the engine have their JSON forms", "[json]") {
    auto castling = session_at("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    search_started(castling, request("engine_move"));
    const auto castled = castling.finish(found(castling, "e1g1", -5)).messages;
    CHECK(castled.at(0)
          == R"({"message_type":"engine_move","from":"E1","to":"G1","score":{"centipawns":-5}})");
    auto session = session_at("7k/5P2/6K1/8/8/8/8/8 w - - 0 1");
    search_started(session, request("engine_move"));
    const auto mated = session.finish(found(session, "f7f8q", engine::mate_in(1))).messages;
    REQUIRE(mated.size() == 3);
    CHECK(mated[0]
          == R"({"message_type":"engine_move","from":"F7","to":"F8","piece_choice":"queen",)"
             R"("score":{"mate_in":1}})");
    CHECK(mated[2] == R"({"message_type":"game_end","victor":"white","reason":"checkmate"})");
    CHECK(session.is_over());
}

TEST_CASE("a hint goes to the sender and changes nothing", "[json]") {
    Session session;
    const auto before = messages_after(session, request("get_legal_moveset"));
    search_started(session, R"({"message_type":"hint","nodes":5})");
    const auto answer = session.finish(found(session, "g1f3", engine::mated_in(4)));
    CHECK(answer.audience == Audience::sender);
    CHECK(answer.messages
          == Texts{R"({"message_type":"hint","from":"G1","to":"F3","score":{"mate_in":-2}})"});
    CHECK(messages_after(session, request("get_legal_moveset")) == before);
}

TEST_CASE("during a search every message is rejected", "[json]") {
    Session session;
    search_started(session, request("engine_move"));
    const auto message = GENERATE(R"({"message_type":"new_game"})", R"({"message_type":"hint"})",
                                  R"({"message_type":"get_legal_moveset"})", "");
    CHECK(messages_after(session, message) == Texts{failure});
    CHECK(session.is_thinking());
    CHECK(session.finish(found(session, "e2e4")).messages.size() == 2);
}

TEST_CASE("a search without a move gives a failure and the game goes on", "[json]") {
    Session session;
    search_started(session, request("engine_move"));
    const auto answer = session.finish({});
    CHECK(answer.messages == Texts{failure});
    CHECK(answer.audience == Audience::rejected_sender_only);
    CHECK(messages_after(session, move_request("E2", "E4")).size() == 1);
}

TEST_CASE("endgame tables tell of a position and its moves, the best first", "[json]") {
    auto session = session_at("8/2P5/k7/8/8/8/8/K7 w - - 0 1", table_session());
    const auto before = messages_after(session, request("get_legal_moveset"));
    const auto answer = answer_to(session, request("tablebase"));
    CHECK(answer.audience == Audience::sender);
    REQUIRE(answer.messages.size() == 1);
    const auto json = Json::parse(answer.messages[0]);
    CHECK(json.at("message_type") == "tablebase");
    CHECK(json.at("wdl") == "win");
    CHECK(json.at("dtz") == 1);
    REQUIRE(json.at("moves").size() == 7);
    const auto& moves = json.at("moves");
    const auto best = moves[0].dump();
    CHECK((best == R"({"from":"C7","to":"C8","piece_choice":"queen","result":"win","dtz":1})"
           || best == R"({"from":"C7","to":"C8","piece_choice":"rook","result":"win","dtz":1})"));
    CHECK(moves[6].at("result") == "draw");
    CHECK(moves[6].at("dtz") == 0);
    CHECK(messages_after(session, request("get_legal_moveset")) == before);
}

TEST_CASE("endgame tables take the fifty-move rule into account", "[json]") {
    auto session = session_at("8/8/8/8/8/8/k6K/2Q5 w - - 90 100", table_session());
    const auto json = Json::parse(messages_after(session, request("tablebase")).at(0));
    CHECK(json.at("wdl") == "win");
    CHECK(json.at("moves")[0].at("result") == "cursed win");
}

TEST_CASE("a position that no table knows is a failure", "[json]") {
    // Start position; a fourth man; castling; without tables.
    const auto fen =
        GENERATE(as<std::string>{}, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                 "8/8/8/8/8/8/k6K/2QB4 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    CAPTURE(fen);
    auto session = session_at(fen, table_session());
    CHECK(messages_after(session, request("tablebase")) == Texts{failure});
    auto without = session_at("8/8/8/8/8/8/k6K/2Q5 w - - 0 1");
    CHECK(messages_after(without, request("tablebase")) == Texts{failure});
}

TEST_CASE("without a DTZ table the distances are null", "[json]") {
    const TemporaryFolder folder;
    std::filesystem::copy(table_folder() + "/KQvK.rtbw", folder.path());
    auto session = session_at("8/8/8/8/8/8/k6K/2Q5 w - - 0 1",
                              Session{Spelling::correct, tables_in(folder.path().string())});
    const auto json = Json::parse(messages_after(session, request("tablebase")).at(0));
    CHECK(json.at("wdl") == "win");
    CHECK(json.at("dtz").is_null());
    REQUIRE(json.at("moves").size() == 26);
    CHECK(json.at("moves")[0].at("dtz").is_null());
}

TEST_CASE("an explanation of a move to come or of one that was played", "[json]") {
    Session session;
    for (const auto& [from, to] : {std::pair{"E2", "E4"}, {"E7", "E5"}, {"D1", "H5"}})
        messages_after(session, move_request(from, to));
    const bool was_played = GENERATE(true, false);
    if (was_played)
        messages_after(session, R"({"message_type":"resignation","player":"white"})");
    const auto result =
        session.handle_message(was_played ? R"({"message_type":"explain","ply":2,"language":"de"})"
                                          : R"({"message_type":"explain","from":"B8","to":"C6"})");
    const auto* task = std::get_if<ExplanationTask>(&result);
    REQUIRE(task != nullptr);
    CHECK(session.is_thinking());
    CHECK(messages_after(session, request("get_legal_moveset")) == Texts{failure});
    CHECK(task->game.moves().size() == (was_played ? 2 : 3));
    REQUIRE(task->move);
    engine::explain::Explanation explanation;
    explanation.move = *task->move;
    explanation.better = move_of(task->game.position(), was_played ? "g1f3" : "b8c6");
    explanation.verdict =
        was_played ? engine::explain::Verdict::worse : engine::explain::Verdict::best;
    const auto answer = session.finish(*task, explanation);
    CHECK(answer.audience == Audience::sender);
    const auto json = Json::parse(answer.messages.at(0));
    CHECK(json.at("message_type") == "explanation");
    CHECK(json.at("from") == (was_played ? "D1" : "B8"));
    CHECK(json.contains("better") == was_played);
    CHECK(json.at("verdict") == (was_played ? "worse" : "best"));
    CHECK_FALSE(json.at("sentences").empty());
    CHECK(session.is_over() == was_played);
    CHECK(session.is_playing() != was_played);
}

TEST_CASE("without an explanation there is a failure, and the game goes on", "[json]") {
    Session session;
    const auto result = session.handle_message(R"({"message_type":"explain"})");
    const auto* task = std::get_if<ExplanationTask>(&result);
    REQUIRE(task != nullptr);
    CHECK_FALSE(task->move);
    CHECK(session.finish(*task, std::nullopt).messages == Texts{failure});
    CHECK(session.is_playing());
}

TEST_CASE("what cannot be explained is refused", "[json]") {
    Session session;
    messages_after(session, move_request("E2", "E4"));
    const auto message =
        GENERATE(as<std::string>{}, R"({"message_type":"explain","from":"E4","to":"E5"})",
                 R"({"message_type":"explain","ply":1})", R"({"message_type":"explain","ply":-1})",
                 R"({"message_type":"explain","from":"E7"})",
                 R"({"message_type":"explain","piece_choice":"queen"})",
                 R"({"message_type":"explain","from":"E7","to":"E5","piece_choice":"king"})",
                 R"({"message_type":"explain","from":"E7","to":"E5","ply":0})",
                 R"({"message_type":"explain","language":"xx"})",
                 R"({"message_type":"explain","language":1})");
    CAPTURE(message);
    CHECK(messages_after(session, message) == Texts{failure});
}

TEST_CASE("the explained promotion is that to the chosen piece", "[json]") {
    auto session = session_at("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const auto [choice, expected] = GENERATE(
        table<std::string, std::string>({{"", "a7a8q"}, {R"(,"piece_choice":"rook")", "a7a8r"}}));
    const auto result =
        session.handle_message(R"({"message_type":"explain","from":"A7","to":"A8")" + choice + "}");
    const auto* task = std::get_if<ExplanationTask>(&result);
    REQUIRE(task != nullptr);
    CHECK(task->move == move_of(session.game().position(), expected));
}

TEST_CASE("a game in PGN goes on from its last position", "[json]") {
    Session session;
    messages_after(session, move_request("E2", "E4"));
    if (GENERATE(true, false))
        messages_after(session, R"({"message_type":"resignation","player":"white"})");
    const Json load{{"message_type", "load_pgn"},
                    {"pgn", "[White \"Ann\"]\n\n1. d4 {[%clk 0:01:00]} d5 (1... Nf6) 2. c4 *"}};
    const auto answer = answer_to(session, load.dump());
    CHECK(answer.audience == Audience::everyone);
    REQUIRE(answer.messages.size() == 1);
    CHECK(session.game().moves().size() == 3);
    CHECK(session.is_playing());
    CHECK(session.games_before() == 1);
    CHECK(messages_after(session, move_request("D5", "C4")).size() == 1);
}

TEST_CASE("a game in PGN that has ended by the rules is over", "[json]") {
    Session session;
    const auto messages =
        messages_after(session, R"({"message_type":"load_pgn","pgn":"1. f3 e5 2. g4 Qh4# 0-1"})");
    REQUIRE(messages.size() == 2);
    CHECK(session.is_over());
    CHECK(messages_after(session, R"({"message_type":"take_back"})").size() == 1);
    CHECK(session.game().moves().size() == 3);
}

TEST_CASE("what is no game of chess in PGN is refused, and the old game stays", "[json]") {
    Session session;
    messages_after(session, move_request("E2", "E4"));
    const auto pgn = GENERATE(as<std::string>{}, "", "hello", "1. e5", "1. e4 {open",
                              "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*",
                              "[Variant \"Chess960\"]\n[FEN "
                              "\"bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w KQkq - 0 1\"]\n\n*");
    CAPTURE(pgn);
    CHECK(messages_after(session, Json{{"message_type", "load_pgn"}, {"pgn", pgn}}.dump())
          == Texts{failure});
    CHECK(messages_after(session, R"({"message_type":"load_pgn","pgn":1})") == Texts{failure});
    CHECK(session.game().moves().size() == 1);
}
