#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "engine/tablebase/tablebases.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"

namespace tests {

/// The path of a file in a folder.
inline std::string file_in(const TemporaryFolder& folder, const std::string& name) {
    return (folder.path() / name).string();
}

inline void write_file(const TemporaryFolder& folder,
                       const std::string& name,
                       const std::string& bytes) {
    std::ofstream{folder.path() / name, std::ios::binary} << bytes;
}

/// The folder with a few small tables that belongs to the tests.
inline std::string table_folder() {
    return data_path("syzygy");
}

/// The tables in a path; the test fails if there are none.
inline std::shared_ptr<const engine::tablebase::Tablebases> tables_in(const std::string& path) {
    const auto tables = engine::tablebase::Tablebases::open(path);
    INFO(path);
    INFO((tables ? std::string{"fine"} : tables.reason()));
    REQUIRE(tables);
    return *tables;
}

/// The tables of the tests, and those in the folders that PARLEY_SYZYGY names.
inline std::shared_ptr<const engine::tablebase::Tablebases> all_tables() {
    const char* const more = std::getenv("PARLEY_SYZYGY");
    return tables_in(table_folder() + (more ? ";" + std::string{more} : ""));
}

}  // namespace tests
