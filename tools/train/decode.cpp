#include "tools/train/decode.hpp"

#include "tools/train/shuffle.hpp"

namespace train {

namespace {

/// FNV-1a, its bits mixed once more.
std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
    return mixed(hash);
}

}  // namespace

Decoded decode(std::string_view bytes, std::uint64_t one_in, Record* records) {
    Decoded decoded;
    engine::datagen::GameReader reader{bytes};
    while (!reader.at_end()) {
        const std::size_t begin = reader.offset();
        const auto game = reader.next();
        if (!game) {
            game.reason().copy(decoded.warning.data(), decoded.warning.size() - 1);
            break;
        }
        const auto hash = hash_of(bytes.substr(begin, reader.offset() - begin));
        core::Position position = game->start;
        for (const auto& ply : game->moves) {
            if (engine::datagen::is_training_position(position, ply)) {
                Record record = record_of(position, ply.score, game->result);
                record.validation = hash % one_in == 0 ? 1 : 0;
                records[decoded.records++] = record;
            }
            position = position.after(ply.move);
        }
        ++decoded.games;
        decoded.plies += static_cast<std::int64_t>(game->moves.size());
        decoded.bytes = static_cast<std::int64_t>(reader.offset());
    }
    return decoded;
}

}  // namespace train
