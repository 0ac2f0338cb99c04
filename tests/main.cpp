// Catch2 2 wants its main in exactly one source file; with Catch2 3 this file is empty.
#if __has_include(<catch2/catch_all.hpp>)
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
