#include <cstdio>
#include <exception>

#include <fmt/core.h>

#include "tools/bench/benchmarks.hpp"

namespace {

int run(int count, char** words) {
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words))
        return 2;
    const auto inputs = tools::bench::make_inputs();
    if (!inputs) {
        fmt::print(stderr, "benchmarks: {}\n", inputs.reason());
        return 1;
    }
    tools::bench::register_core(*inputs);
    tools::bench::register_engine(*inputs);
    const auto number = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return number > 0 ? 0 : 2;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(count, words);
    }
    catch (const std::exception& error) {
        fmt::print(stderr, "benchmarks: not enough resources ({})\n", error.what());
        return 1;
    }
}
