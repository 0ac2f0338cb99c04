#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#define FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef FUZZ_TARGET

namespace {

struct Target {
    std::string_view name;
    int (*run)(const std::uint8_t* data, std::size_t size);
};

#define FUZZ_TARGET(name) Target{#name, fuzz_##name},
constexpr Target targets[] = {
#include "fuzz_targets.inc"
};
#undef FUZZ_TARGET

/// The files in a folder, in the order of their names; a file itself.
std::vector<std::filesystem::path> inputs_in(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path))
        return {path};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{path}) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// False if the file cannot be read. The name is printed first, so that a crash shows its input.
bool replay(const Target& target, const std::filesystem::path& path) {
    std::printf("%s\n", path.string().c_str());
    static_cast<void>(std::fflush(stdout));
    std::ifstream file{path, std::ios::binary};
    if (!file)
        return false;
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
}

int replay_all(const Target& target, const std::vector<std::string>& paths) {
    target.run(nullptr, 0);
    int count = 0;
    for (const auto& path : paths) {
        for (const auto& input : inputs_in(path)) {
            if (!replay(target, input))
                return 2;
            ++count;
        }
    }
    std::printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 2;
}

int run(const std::vector<std::string>& arguments) {
    for (const auto& target : targets) {
        if (!arguments.empty() && target.name == arguments[0])
            return replay_all(target, {arguments.begin() + 1, arguments.end()});
    }
    static_cast<void>(std::fputs("usage: fuzz_replay TARGET PATH...\n", stderr));
    return 2;
}

}  // namespace

/// Runs one fuzz target on given files and folders, in builds without libFuzzer.
int main(int count, char** words) {
    try {
        return run({words + std::min(1, count), words + count});
    }
    catch (const std::exception& error) {
        static_cast<void>(std::fprintf(stderr, "replay: %s\n", error.what()));
        return 2;
    }
}
