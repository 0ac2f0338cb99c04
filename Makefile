# For programs that build engines with make, such as OpenBench:
#     make EXE=name [EVALFILE=network] [CXX=compiler]
# People use tools/run or cmake (README.md). Needs CMake and the headers of fmt, CLI11 and nlohmann-json.

EXE   ?= parley
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
BUILD := build/make-$(notdir $(CXX))

all:
	cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=$(CXX) \
	    -DPARLEY_TESTS=OFF -DPARLEY_SERVER=OFF -DPARLEY_STATIC=ON "-DPARLEY_NETWORK=$(EVALFILE)"
	+cmake --build $(BUILD) --target parley
	cmake -E copy $(BUILD)/parley$(SUFFIX) $(EXE)$(SUFFIX)

clean:
	cmake -E rm -rf $(BUILD) $(EXE)$(SUFFIX)

.PHONY: all clean
