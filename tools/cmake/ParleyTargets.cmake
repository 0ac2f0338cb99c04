# How every target of the project is compiled: one place, nothing global.

include(CheckCXXCompilerFlag)
include(CheckIPOSupported)
check_ipo_supported(RESULT parley_ipo OUTPUT parley_ipo_reason)

add_library(parley_flags INTERFACE)
target_compile_features(parley_flags INTERFACE cxx_std_20)
target_include_directories(parley_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(parley_flags INTERFACE Threads::Threads)
if(MSVC)
    target_compile_options(parley_flags INTERFACE /W4 /permissive- $<$<BOOL:${PARLEY_WERROR}>:/WX>)
else()
    target_compile_options(parley_flags INTERFACE
        -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
        $<$<CONFIG:Release>:-O3>)
    if(parley_sanitizers)
        target_compile_options(parley_flags INTERFACE
            -fsanitize=${parley_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(parley_flags INTERFACE -fsanitize=${parley_sanitizers})
    elseif(PARLEY_WERROR)
        # Not with sanitizers: GCC's warnings have false positives in instrumented code.
        target_compile_options(parley_flags INTERFACE -Werror)
    endif()
endif()

# parley_target(NAME [LIBRARY...]): compiles NAME with the project's flags and links the libraries.
function(parley_target name)
    target_link_libraries(${name} PUBLIC parley_flags ${ARGN})
    set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF
        INTERPROCEDURAL_OPTIMIZATION_RELEASE "${parley_ipo}")
endfunction()

# parley_library(NAME [LIBRARY...]): a static library from all sources in the current folder and
# the folders below. main.cpp belongs to a program.
function(parley_library name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.hpp)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    add_library(${name} STATIC ${sources})
    parley_target(${name} ${ARGN})
endfunction()

# parley_exclude_sources(TARGET REGEX): removes the sources that this configuration does not build.
function(parley_exclude_sources target regex)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX ${regex})
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()

# parley_fewer_checks(TARGET CHECKS): without these checks of the undefined-behaviour sanitizer. uci is
# mostly library templates, and checks of each pointer for null and alignment take a third of its time
# to compile; the address sanitizer reports what is null all the same, and only core and engine cast
# addresses. Its tests are compiled without any, for they only call what is checked.
function(parley_fewer_checks target checks)
    if(parley_sanitizers MATCHES "undefined")
        # A library of its own, for its options must come behind those of parley_flags.
        add_library(${target}_fewer_checks INTERFACE)
        target_compile_options(${target}_fewer_checks INTERFACE -fno-sanitize=${checks})
        target_link_libraries(${target} PRIVATE ${target}_fewer_checks)
    endif()
endfunction()

# parley_join_folders(TARGET REGEX): with PARLEY_JOIN, the sources that match are compiled as one for each
# folder (a unity build), because their headers (Boost, JSON) take longer to compile than they do themselves.
# What is in their anonymous namespaces must differ within a folder. GCC takes those for a header's.
function(parley_join_folders target regex)
    if(NOT PARLEY_JOIN)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX ${regex})
    foreach(source IN LISTS sources)
        file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${source}/..)
        string(REPLACE "/" "_" folder ${folder})
        set_source_files_properties(${source} TARGET_DIRECTORY ${target}
            PROPERTIES UNITY_GROUP ${folder})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# Sources (and tests) that need Boost, SQLite or Redis, left out with PARLEY_SERVER=OFF.
set(parley_server_sources
    "/uci/(net|remote|store|chezz/http|json/web|server/queue)/|/uci/server/(admin_|server_|service_|timed_)|/uci/chenserver/(server|connection|http)(_test)?\\.|/uci/chezz/config_test\\.")

# parley_profile(TARGET...): profile-guided optimisation as PARLEY_PGO says. tools/build-pgo makes
# the two builds, in one folder. Code that the profile has not seen (the network's kernels for other
# processors) keeps its usual optimisation: GCC would compile it for size otherwise.
function(parley_profile)
    if(NOT PARLEY_PGO)
        return()
    endif()
    set(profile ${PROJECT_BINARY_DIR}/profile)
    if(PARLEY_PGO STREQUAL "count")
        set(flags -fprofile-generate=${profile})
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        set(flags -fprofile-use=${profile}/parley.profdata -Wno-profile-instr-unprofiled)
    else()
        set(flags -fprofile-use=${profile} -fprofile-partial-training -fprofile-correction
                  -Wno-missing-profile)
    endif()
    foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE ${flags})
        target_link_options(${target} INTERFACE ${flags})
    endforeach()
endfunction()

# parley_embed(RESULT NAME FILE): sets RESULT to a generated source file with the bytes of a file, as
# `extern "C" const unsigned char NAME[]` and `const std::uint64_t NAME_size`.
set(parley_embed_script ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
function(parley_embed result name file)
    set(source ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
    add_custom_command(OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DNAME=${name} -DOUTPUT=${source}
                -P ${parley_embed_script}
        DEPENDS ${parley_embed_script} ${file} VERBATIM)
    set(${result} ${source} PARENT_SCOPE)
endfunction()
