# What a build can choose, and the packages that these choices need.

set(parley_werror OFF)
if(DEFINED ENV{PARLEY_WERROR})
    set(parley_werror $ENV{PARLEY_WERROR})
endif()
option(PARLEY_WERROR "Treat warnings as errors" ${parley_werror})
option(PARLEY_SERVER "Build the network servers (needs Boost)" ON)
option(PARLEY_TESTS "Build the tests (needs Catch2)" ON)
option(PARLEY_TUNE "Make a UCI option of each search parameter" OFF)
option(PARLEY_FUZZ "Build the fuzz targets (needs clang)" OFF)
set(PARLEY_PGO "" CACHE STRING "Profile-guided optimisation: count (instrument) or use (the profile)")
set(PARLEY_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# A fuzzer needs coverage instrumentation in all code, and the sanitizers to notice faults.
set(parley_sanitizers ${PARLEY_SANITIZE})
if(PARLEY_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "PARLEY_FUZZ needs clang: cmake --preset fuzz")
    endif()
    set(parley_sanitizers address,undefined,fuzzer-no-link)
endif()

# With PARLEY_SERVER=OFF, fmt, CLI11 and nlohmann-json are all that is needed.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
if(PARLEY_SERVER)
    find_package(Boost 1.74 REQUIRED)
    find_package(SQLite3)
    find_path(HIREDIS_INCLUDE_DIR hiredis/hiredis.h)
    find_library(HIREDIS_LIBRARY hiredis)
endif()
