# fmt, CLI11, nlohmann-json, spdlog and Boost as headers alone, for static builds and for cross
# compilers, which cannot use the installed packages and must not see the other headers of /usr/include:
# links to the headers of these five in the build folder.

set(parley_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${parley_headers})

# parley_header_library(TARGET FOLDER HEADER)
function(parley_header_library target folder header)
    find_path(parley_${folder}_headers ${folder}/${header} PATHS /usr/include /usr/local/include
              NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${parley_${folder}_headers}/${folder} ${parley_headers}/${folder} SYMBOLIC)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${parley_headers})
endfunction()

parley_header_library(fmt::fmt fmt core.h)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
parley_header_library(CLI11::CLI11 CLI CLI.hpp)
parley_header_library(nlohmann_json::nlohmann_json nlohmann json.hpp)
if(PARLEY_SERVER)
    parley_header_library(Boost::headers boost version.hpp)
    parley_header_library(spdlog::spdlog_header_only spdlog version.h)
    target_compile_definitions(spdlog::spdlog_header_only INTERFACE SPDLOG_FMT_EXTERNAL)
endif()
