# PARLEY_VERSION and PARLEY_COMMIT from git: 0.2.0 at the tag v0.2.0, 0.2.0+3.gabcdef1234 three commits
# later. A source archive has them in source_version.txt, where `git archive` wrote them. Without tags
# and without both the version is that of project().

set(PARLEY_VERSION ${PROJECT_VERSION})
set(PARLEY_COMMIT "unknown")

function(parley_version_of described commit)
    if(described MATCHES "^v([0-9][0-9.]*)-0-g[0-9a-f]+$" OR described MATCHES "^v([0-9][0-9.]*)$")
        set(PARLEY_VERSION ${CMAKE_MATCH_1} PARENT_SCOPE)
    elseif(described MATCHES "^v([0-9][0-9.]*)-([0-9]+)-(g[0-9a-f]+)$")
        set(PARLEY_VERSION ${CMAKE_MATCH_1}+${CMAKE_MATCH_2}.${CMAKE_MATCH_3} PARENT_SCOPE)
    else()
        string(SUBSTRING ${commit} 0 10 short)
        set(PARLEY_VERSION ${PROJECT_VERSION}+g${short} PARENT_SCOPE)
    endif()
    set(PARLEY_COMMIT ${commit} PARENT_SCOPE)
endfunction()

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/source_version.txt parley_archived)
find_package(Git QUIET)
if(parley_archived MATCHES "^([0-9a-f]+) (.*)$")
    parley_version_of("${CMAKE_MATCH_2}" ${CMAKE_MATCH_1})
elseif(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel HEAD --git-path logs/HEAD
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE parley_git ERROR_QUIET)
    string(REPLACE "\n" ";" parley_git "${parley_git}")
    list(POP_FRONT parley_git parley_top parley_head parley_log)
    # Not the repository of somebody else who has unpacked Parley in it.
    if(parley_top STREQUAL PROJECT_SOURCE_DIR AND parley_head)
        execute_process(COMMAND ${GIT_EXECUTABLE} describe --tags --long --abbrev=10 --match v[0-9]*
                        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE parley_described
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        parley_version_of("${parley_described}" ${parley_head})
        # Configure again after a commit or a checkout; but a build with tests would only link them all
        # anew, and keeps the version of its last configuration.
        get_filename_component(parley_log "${parley_log}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
        if(EXISTS ${parley_log} AND NOT PARLEY_TESTS)
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parley_log})
        endif()
    endif()
endif()
set(PARLEY_VERSION_FOUND ${PARLEY_VERSION} CACHE INTERNAL "For tools/release")
message(STATUS "Parley ${PARLEY_VERSION}, commit ${PARLEY_COMMIT}")
