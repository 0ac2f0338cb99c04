# The targets format, format-check (clang-format 14) and tidy (clang-tidy 14).

file(GLOB_RECURSE parley_all_sources CONFIGURE_DEPENDS
     core/*.[ch]pp engine/*.[ch]pp uci/*.[ch]pp tools/*.[ch]pp tests/*.[ch]pp)
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(CLANG_FORMAT)
    add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${parley_all_sources} VERBATIM)
    add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run -Werror ${parley_all_sources}
                      VERBATIM)
endif()
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
if(RUN_CLANG_TIDY)
    add_custom_target(tidy COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
                      "/(core|engine|uci|tools)/.*\\.cpp$" VERBATIM)
endif()
