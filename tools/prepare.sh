# What tools/run, tools/test, tools/build-pgo, tools/release-check and .ci/run share: installing what
# is missing, and building quietly. To be sourced, with $root set to the top of the source tree.
# Nothing here writes to standard output or reads standard input: both belong to the program that is
# started in the end.
# shellcheck shell=bash disable=SC2154

say() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

compiler() {
    local name
    for name in ${CXX:-} c++ g++ clang++; do
        if have "$name"; then
            printf '%s\n' "$name"
            return
        fi
    done
    return 1
}

# has_header HEADER...: whether the compiler finds one of them.
has_header() {
    local cxx header
    cxx=$(compiler) || return 1
    for header in "$@"; do
        if printf '#include <%s>\n' "$header" | "$cxx" -std=c++20 -x c++ -E - >/dev/null 2>&1; then
            return
        fi
    done
    return 1
}

# is_configured PRESET: whether CMake has configured its folder.
is_configured() {
    [[ -e $root/build/$1/build.ninja || -e $root/build/$1/Makefile ]]
}

# has_found PRESET PACKAGE: whether CMake has found the package for that preset.
has_found() {
    grep -qs "^$2_DIR:PATH=/" "$root/build/$1/CMakeCache.txt"
}

# has_tests PRESET: whether it is configured to build the tests.
has_tests() {
    is_configured "$1" && grep -qsi '^PARLEY_TESTS:BOOL=ON' "$root/build/$1/CMakeCache.txt"
}

# need PACKAGE REASON: one line of missing_packages.
need() {
    printf '%s\t%s\n' "$1" "$2"
}

# missing_to_build PRESET: libraries are looked for only until CMake has found them.
missing_to_build() {
    local preset=$1
    if [[ $preset == clang || $preset == fuzz ]]; then
        have clang++-14 || need clang-14 "the compiler of this preset"
        [[ -n $(compgen -G '/usr/lib/llvm-14/lib/clang/14*/lib/linux/libclang_rt.fuzzer-*') ]] ||
            need libclang-rt-14-dev "clang's sanitizers and fuzzer"
    fi
    compiler >/dev/null || need g++ "a C++20 compiler"
    have cmake || need cmake "the build system"
    have ninja || have make || need ninja-build "runs the build"
    has_found "$preset" fmt || has_header fmt/core.h || need libfmt-dev "text formatting"
    has_found "$preset" CLI11 || has_header CLI/CLI.hpp || need libcli11-dev "the command line"
    has_found "$preset" nlohmann_json || has_header nlohmann/json.hpp ||
        need nlohmann-json3-dev "JSON messages"
    if [[ $preset == wasm ]]; then
        have em++ || need emscripten "the compiler for WebAssembly"
        have node || need nodejs "runs it"
        have npm || need npm "packs it"
        return
    fi
    if [[ $preset == windows ]]; then
        have x86_64-w64-mingw32-g++-posix ||
            need g++-mingw-w64-x86-64-posix "the compiler for Windows"
        have "$(wine_command)" || need wine64 "runs Windows programs"
    elif [[ $preset == aarch64 ]]; then
        have aarch64-linux-gnu-g++ || need g++-aarch64-linux-gnu "the compiler for ARM64"
        have qemu-aarch64-static || have qemu-aarch64 ||
            need qemu-user-static "runs programs for other processors"
    fi
    if [[ $preset != minimal ]]; then
        has_found "$preset" Boost || has_header boost/beast/http.hpp ||
            need libboost-dev "the servers: HTTP and WebSocket (headers only)"
        has_found "$preset" spdlog || has_header spdlog/version.h ||
            need libspdlog-dev "the servers: the log"
        has_found "$preset" SQLite3_INCLUDE || has_header sqlite3.h ||
            need libsqlite3-dev "parley chezz: games in a file"
        has_found "$preset" HIREDIS_INCLUDE || has_header hiredis/hiredis.h ||
            need libhiredis-dev "parley chezz: games in Redis"
        has_found "$preset" OPENSSL_INCLUDE || has_header openssl/ssl.h ||
            need libssl-dev "TLS to Redis"
        has_found "$preset" YAML_CPP_INCLUDE || has_header yaml-cpp/yaml.h ||
            need libyaml-cpp-dev "parley doctor: the configuration of lichess-bot"
    fi
}

# missing_to_test PRESET
missing_to_test() {
    local preset=$1
    has_tests "$preset" || has_header catch2/catch.hpp catch2/catch_all.hpp ||
        need catch2 "the unit tests"
    have make || need make "the test of the Makefile"
    have python3 || need python3 "the tests that hold conversations with the program"
    python3 -c 'import jsonschema' 2>/dev/null ||
        need python3-jsonschema "the test of the JSON messages' schema"
    if [[ $preset != minimal ]]; then
        have redis-server || need redis-server "the tests of games in Redis"
        have nginx || [[ -x /usr/sbin/nginx ]] || need nginx-light "the tests behind a reverse proxy"
        have openssl || need openssl "the same, and those of Redis with TLS: makes certificates"
    fi
    if [[ $preset == release ]]; then
        python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null ||
            need python3-numpy "the test of the network's scores"
        have node || need nodejs "the browser tests"
        have npm || need npm "the browser tests: fetches playwright-core"
        have chromium || have chromium-browser || have google-chrome ||
            need chromium "the browser tests"
    fi
}

# missing_packages PRESET PURPOSE: the Debian packages that are missing to build, to test, to measure
# or to lint a preset: a package, a tab and the reason on each line.
missing_packages() {
    missing_to_build "$1"
    case $2 in
        test) missing_to_test "$1" ;;
        bench)
            has_found "$1" benchmark || has_header benchmark/benchmark.h ||
                need libbenchmark-dev "the benchmarks in tools/bench"
            ;;
        release)
            have python3 || need python3 "makes the manual page and the completions"
            have git || need git "the version, and the source archive"
            ;;
        deb)
            have dpkg-shlibdeps || need dpkg-dev "makes the package"
            have lintian || need lintian "checks the package"
            ;;
        lint)
            have clang-format-14 || need clang-format-14 "checks the format"
            have clang-tidy-14 || need clang-tidy-14 "static analysis"
            have git || need git "which files have changed"
            ;;
    esac
}

# fetch_playwright: the libraries that drive the browser tests and judge accessibility, into the build
# folder. Without them these tests are skipped.
fetch_playwright() {
    local packages=(playwright-core@1.65.1 axe-core@4.14.1)
    if [[ -d $root/build/node_modules/playwright-core && -d $root/build/node_modules/axe-core ]] ||
        ! have npm; then
        return
    fi
    if [[ ${PARLEY_INSTALL:-yes} == no ]]; then
        say "missing: playwright-core and axe-core (the browser tests); install them with"
        say "  npm install --prefix build --save-exact ${packages[*]}"
        exit 1
    fi
    say "installing ${packages[*]} from npm into build/: the browser tests"
    quietly npm install --prefix "$root/build" --no-audit --no-fund --save-exact "${packages[@]}" ||
        say "npm could not install them; the browser tests will be skipped"
}

# install PACKAGE...: with apt where there is one. The build reports what it really needs, so a
# package that cannot be installed is only named.
install() {
    local log as_root=()
    if [[ ${PARLEY_INSTALL:-yes} == no ]]; then
        say "PARLEY_INSTALL=no; install them with"
        say "  sudo apt-get install --no-install-recommends $*"
        exit 1
    fi
    if ! have apt-get; then
        say "there is no apt-get to install them; continuing without it"
        return
    fi
    if [[ $EUID -ne 0 ]]; then
        if ! have sudo; then
            say "only root can install them; continuing without it"
            return
        fi
        as_root=(sudo)
    fi
    say "installing with apt-get (PARLEY_INSTALL=no prevents that)"
    log=$(mktemp)
    if ! { ${as_root[@]+"${as_root[@]}"} apt-get update &&
        ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$@"; } </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        say "apt-get could not install $*; continuing without it"
    fi
    rm -f "$log"
}

# install_missing PRESET PURPOSE: installs what missing_packages names. (Older shells lack mapfile.)
install_missing() {
    local package reason missing=()
    while IFS=$'\t' read -r package reason; do
        say "missing: $package ($reason)"
        missing+=("$package")
    done < <(missing_packages "$@")
    if [[ ${#missing[@]} -gt 0 ]]; then
        install "${missing[@]}"
    fi
}

# quietly COMMAND...: shows the command's output only if it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" </dev/null >"$log" 2>&1 || status=$?
    if [[ $status -ne 0 ]]; then
        cat "$log" >&2
    fi
    rm -f "$log"
    return "$status"
}

# configure PRESET CMAKE-ARGUMENT...: with Ninja where there is one; a folder that CMake already
# knows keeps its generator.
configure() {
    local preset=$1
    shift
    if [[ -z ${CMAKE_GENERATOR:-} ]] && have ninja; then
        export CMAKE_GENERATOR=Ninja
    fi
    if ! is_configured "$preset"; then
        rm -f "$root/build/$preset/CMakeCache.txt"
        say "building $preset for the first time, this takes a few minutes"
    fi
    (cd "$root" && quietly cmake --preset "$preset" "$@")
}

# build PRESET TARGET...: all targets when none is named.
build() {
    local preset=$1 jobs
    shift
    jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    quietly cmake --build "$root/build/$preset" --parallel "$jobs" ${1:+--target} "$@"
}

# signature COMMAND...: the nodes that a bench searches, by the program that the command starts.
signature() {
    "$@" bench </dev/null 2>/dev/null | tr -d '\r' | sed -n 's/^Nodes searched *: *//p'
}

# Clang's raw profiles must be merged by the llvm-profdata of the same version.
merge_profiles() {
    local preset=$1 profile=$root/build/$1/profile counts compiler
    counts=("$profile"/*.profraw)
    [[ -e ${counts[0]} ]] || return 0
    compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$root/build/$preset/CMakeCache.txt")
    "$("$compiler" --print-prog-name=llvm-profdata)" merge -o "$profile/parley.profdata" \
        "${counts[@]}"
}

# wine_command: Debian keeps the 64-bit loader out of the PATH.
wine_command() {
    command -v wine64 || { [[ -x /usr/lib/wine/wine64 ]] && printf '/usr/lib/wine/wine64\n'; } ||
        printf 'wine\n'
}

# find_program PRESET: sets the array `program` to what starts that preset's program here.
find_program() {
    case $1 in
        windows)
            program=(env WINEDEBUG=-all "WINEPREFIX=$root/build/wine" "$(wine_command)"
                "$root/build/$1/parley.exe")
            ;;
        aarch64) program=(qemu-aarch64-static "$root/build/$1/parley") ;;
        *) program=("$root/build/$1/parley") ;;
    esac
}

# build_with_profile PRESET CMAKE-ARGUMENT...: builds with instrumentation, runs a bench, and builds
# again with the profile. Sets the array `program`.
build_with_profile() {
    local preset=$1 counted
    shift
    find_program "$preset"
    { configure "$preset" "$@" -DPARLEY_PGO=count && build "$preset" parley; } ||
        fail "the first build failed"
    rm -rf "$root/build/$preset/profile"
    counted=$(signature "${program[@]}") || fail "the bench failed"
    merge_profiles "$preset" || fail "the profiles could not be merged"
    { configure "$preset" -DPARLEY_PGO=use && build "$preset" parley; } ||
        fail "the second build failed"
    [[ -n $counted && $(signature "${program[@]}") == "$counted" ]] ||
        fail "the two builds search different numbers of nodes"
}

# alone FUNCTION ARGUMENT...: while no other of these scripts builds in this tree.
alone() {
    mkdir -p "$root/build"
    if have flock; then
        (
            flock 9
            "$@" 9>&-
        ) 9>"$root/build/.lock"
    else
        ("$@")
    fi
}
