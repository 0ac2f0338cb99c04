# What tools/run, tools/test and .ci/run share: finding what is missing, and building quietly.
# To be sourced, with $root set to the top of the source tree. Nothing here writes to standard
# output or reads standard input: both belong to whatever is run in the end.
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

# is_configured PRESET: whether CMake has once made what the build needs.
is_configured() {
    [[ -e $root/build/$1/build.ninja || -e $root/build/$1/Makefile ]]
}

# has_found PRESET PACKAGE: whether CMake has found it for that preset.
has_found() {
    grep -qs "^$2_DIR:PATH=/" "$root/build/$1/CMakeCache.txt"
}

# has_tests PRESET: whether it is configured to build the tests.
has_tests() {
    is_configured "$1" && grep -qsi '^PARLEY_TESTS:BOOL=ON' "$root/build/$1/CMakeCache.txt"
}

# The Debian packages that are missing for a preset, to run or to test. Libraries are looked for
# only until CMake has found them.
missing_packages() {
    local preset=$1 purpose=$2
    if [[ $preset == clang ]]; then
        have clang++-14 || echo clang-14
    fi
    compiler >/dev/null || echo g++
    have cmake || echo cmake
    have ninja || have make || echo ninja-build
    has_found "$preset" fmt || has_header fmt/core.h || echo libfmt-dev
    has_found "$preset" nlohmann_json || has_header nlohmann/json.hpp || echo nlohmann-json3-dev
    has_found "$preset" Boost || has_header boost/beast/http.hpp || echo libboost-dev
    has_found "$preset" SQLite3_INCLUDE || has_header sqlite3.h || echo libsqlite3-dev
    has_found "$preset" HIREDIS_INCLUDE || has_header hiredis/hiredis.h || echo libhiredis-dev
    if [[ $purpose == test ]]; then
        has_tests "$preset" || has_header catch2/catch.hpp catch2/catch_all.hpp || echo catch2
        have python3 || echo python3
        have redis-server || echo redis-server
        if [[ $preset == release ]]; then
            have node || echo nodejs
            have npm || echo npm
            have chromium || have chromium-browser || have google-chrome || echo chromium
        fi
    fi
}

# fetch_playwright: what drives the browser in the tests of the page, into the build folder.
# Without it they are skipped.
fetch_playwright() {
    local package=playwright-core@1.65.1
    if [[ -d $root/build/node_modules/playwright-core ]] || ! have npm; then
        return
    fi
    quietly npm install --prefix "$root/build" --no-audit --no-fund --save-exact "$package" ||
        say "npm could not install playwright-core, going on without"
}

# install PACKAGE...: with apt where there is one. The build tells what is really needed, so a
# package that cannot be had is only named.
install() {
    local log as_root=()
    if ! have apt-get; then
        say "missing: $*; there is no apt to install it, going on without"
        return
    fi
    if [[ $EUID -ne 0 ]]; then
        if ! have sudo; then
            say "missing: $*; only root can install it, going on without"
            return
        fi
        as_root=(sudo)
    fi
    say "installing $*"
    log=$(mktemp)
    if ! { ${as_root[@]+"${as_root[@]}"} apt-get update &&
        ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$@"; } </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        say "apt could not install $*, going on without"
    fi
    rm -f "$log"
}

# install_missing PRESET PURPOSE: what missing_packages names. (Older shells have no mapfile.)
install_missing() {
    local package missing=()
    while read -r package; do
        missing+=("$package")
    done < <(missing_packages "$@")
    if [[ ${#missing[@]} -gt 0 ]]; then
        install "${missing[@]}"
    fi
}

# quietly COMMAND...: shows what a command says only if it fails.
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
        say "building $preset for the first time, this takes a while"
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

# alone FUNCTION ARGUMENT...: while no other script of ours builds in this tree.
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
