// What the trainer, written in Python, calls here. See kernel.py.

#include <algorithm>

#include "core/fen.hpp"

#include "tools/train/decode.hpp"
#include "tools/train/gradient.hpp"
#include "tools/train/shuffle.hpp"

extern "C" {

void train_decode(const char* bytes,
                  std::int64_t size,
                  const train::Decoding* decoding,
                  train::Record* records,
                  train::Decoded* decoded) {
    *decoded = train::decode({bytes, static_cast<std::size_t>(size)}, *decoding, records);
}

/// Returns false and writes nothing if the text is no FEN.
bool train_read_fen(const char* fen, train::Record* record) {
    const auto position = core::read_fen(fen);
    if (!position)
        return false;
    *record = train::record_of(*position, engine::draw, engine::datagen::GameResult::drawn);
    return true;
}

int train_features(const train::Record* record, std::uint16_t* own, std::uint16_t* opponents) {
    const auto features = train::features_of(*record);
    std::copy_n(features.of[0].begin(), features.count, own);
    std::copy_n(features.of[1].begin(), features.count, opponents);
    return features.count;
}

/// Draws `count` of `size` positions: all of them in a random order, then again in another order,
/// and so on, from the place `first` of that sequence.
void train_draw(std::uint64_t seed,
                std::int64_t size,
                std::int64_t first,
                std::int64_t count,
                std::int64_t* out) {
    while (count > 0) {
        const std::int64_t pass = first / size;
        const std::int64_t part = std::min((pass + 1) * size - first, count);
        const train::Shuffle shuffle{train::mixed(seed) + static_cast<std::uint64_t>(pass),
                                     static_cast<std::uint64_t>(size)};
        shuffle.write(static_cast<std::uint64_t>(first - pass * size),
                      static_cast<std::uint64_t>(part), out);
        first += part;
        count -= part;
        out += part;
    }
}

train::Gradient* train_open(int width, int threads, int shares) {
    return new train::Gradient{width, threads, shares};
}

double train_run(train::Gradient* gradient, const train::Batch* batch) {
    return gradient->run(*batch);
}

void train_close(train::Gradient* gradient) {
    delete gradient;
}
}
