#pragma once

#include "uci/store/store.hpp"

#include "tests/catch.hpp"

namespace tests {

/// Checks what every store must do, on an empty one.
inline void check_store(uci::store::Store& store) {
    constexpr std::int64_t id{2'123'936'455'100'207'104};
    constexpr std::int64_t other{5};
    const auto game = [&](std::int64_t number) {
        const auto found = store.find_game(number);
        REQUIRE(found);
        return *found;
    };
    const auto yes = [](const core::Result<bool>& done) {
        REQUIRE(done);
        return *done;
    };

    CHECK_FALSE(game(id));
    CHECK(yes(store.add_game(id, "first")));
    CHECK_FALSE(yes(store.add_game(id, "another")));
    CHECK(game(id) == "first");
    CHECK_FALSE(game(other));

    CHECK_FALSE(yes(store.replace_game(id, "another", "second")));
    CHECK(game(id) == "first");
    CHECK(yes(store.replace_game(id, "first", "second")));
    CHECK(game(id) == "second");
    CHECK_FALSE(yes(store.replace_game(id, "first", "third")));
    CHECK_FALSE(yes(store.replace_game(other, "first", "second")));
    CHECK_FALSE(game(other));

    const std::string awkward{"quote ' \" \\ \r\n \xC3\xA4 %s {}"};
    CHECK(yes(store.add_game(other, awkward)));
    CHECK(game(other) == awkward);
    CHECK(yes(store.replace_game(other, awkward, std::string(50'000, 'x'))));
    CHECK(game(other) == std::string(50'000, 'x'));

    const auto session = [&](const std::string& name) {
        const auto found = store.find_session(name);
        REQUIRE(found);
        return *found;
    };
    CHECK_FALSE(session("-P6v"));
    CHECK(yes(store.add_session("-P6v", "mine")));
    CHECK_FALSE(yes(store.add_session("-P6v", "yours")));
    CHECK(session("-P6v") == "mine");
    CHECK_FALSE(session("-p6v"));
    store.remove_expired();
    CHECK(session("-P6v") == "mine");
    CHECK(game(id) == "second");

    CHECK(yes(store.try_change()));
    CHECK(game(id) == "second");

    CHECK(yes(store.remove_game(id)));
    CHECK_FALSE(yes(store.remove_game(id)));
    CHECK_FALSE(game(id));
    CHECK_FALSE(yes(store.replace_game(id, "second", "third")));
    CHECK(yes(store.add_game(id, "again")));
    CHECK(game(id) == "again");
}

/// The same for documents.
inline void check_documents(uci::store::Store& store) {
    const auto document = [&](const std::string& id) {
        const auto found = store.find_document(id);
        REQUIRE(found);
        return *found;
    };
    const auto put = [&](const std::string& id, const std::optional<std::string>& before,
                         const std::string& after) {
        const auto done = store.put_document(id, before, after);
        REQUIRE(done);
        return *done;
    };
    const auto remove = [&](const std::string& id) {
        const auto done = store.remove_document(id);
        REQUIRE(done);
        return *done;
    };

    CHECK_FALSE(document("a"));
    CHECK(put("a", std::nullopt, "first"));
    CHECK_FALSE(put("a", std::nullopt, "another"));
    CHECK(document("a") == "first");
    CHECK_FALSE(document("A"));

    CHECK_FALSE(put("a", "another", "second"));
    CHECK(document("a") == "first");
    CHECK(put("a", "first", "second"));
    CHECK(document("a") == "second");
    CHECK_FALSE(put("a", "first", "third"));
    store.remove_expired();
    CHECK(document("a") == "second");

    // The store may have removed it to make space.
    CHECK(put("b", "lost", std::string(50'000, 'x')));
    CHECK(document("b") == std::string(50'000, 'x'));
    const std::string awkward{"quote ' \" \\ \r\n \xC3\xA4 %s {}"};
    CHECK(put("b", std::string(50'000, 'x'), awkward));
    CHECK(document("b") == awkward);

    CHECK(remove("a"));
    CHECK_FALSE(remove("a"));
    CHECK_FALSE(document("a"));
    CHECK(document("b") == awkward);
    CHECK(put("a", std::nullopt, "again"));
    CHECK(document("a") == "again");
}

}  // namespace tests
