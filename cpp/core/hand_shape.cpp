#include "hand_shape.hpp"

#include <algorithm>

namespace haiyomi {
namespace {

constexpr std::uint64_t kOrphanKinds = 0b1111111'100000001'100000001'100000001;

std::uint32_t slot_of(unsigned low, unsigned high) { return kSlots.base[high] + kSlots.rank[low]; }

}  // namespace

UsefulCache& UsefulCache::of_thread() {
  thread_local const std::unique_ptr<UsefulCache> cache = std::make_unique<UsefulCache>();
  return *cache;
}

unsigned UsefulCache::ranks(const std::uint8_t* counts, unsigned low, unsigned high, bool honours,
                            ShantenTable::NeedId rest, int sets) {
  static_assert(kSuitSlots <= 1u << 19);
  const std::uint32_t key = slot_of(low, high) | std::uint32_t{rest} << 19 |
                            static_cast<std::uint32_t>(sets) << 27 | std::uint32_t{honours} << 30;
  Line& line = lines_[key * 0x9E3779B1u >> (32 - kBits)];
  if (line.key != key) line = {key, compute(counts, low, high, honours, rest, sets)};
  return line.ranks;
}

unsigned UsefulCache::compute(const std::uint8_t* counts, unsigned low, unsigned high, bool honours,
                              ShantenTable::NeedId rest, int sets) const {
  const auto part = [&](unsigned l, unsigned h) {
    const std::uint32_t slot = slot_of(l, h);
    return honours ? table_.honours(slot) : table_.suit(slot);
  };
  const int now = table_.shanten(table_.join(part(low, high), rest), sets);
  unsigned found = 0;
  for (std::size_t rank = 0; rank < (honours ? 7u : 9u); ++rank) {
    if (counts[rank] == 4) continue;
    const auto place = static_cast<unsigned>(kPlace[rank]);
    const auto with = rank < 4 ? part(low + place, high) : part(low, high + place);
    found |= static_cast<unsigned>(table_.shanten(table_.join(with, rest), sets) < now) << rank;
  }
  return found;
}

HandShape::HandShape(const Counts& counts, int n_melds) : sets_(4 - n_melds) {
  part_.fill(table_.suit(0));
  part_[3] = table_.honours(0);
  for (std::size_t kind = 0; kind < 34; ++kind)
    for (int i = 0; i < counts[kind]; ++i) add(kind);
}

void HandShape::change(std::size_t kind, int by) {
  const std::size_t suit = kind / 9, rank = kind % 9;
  const int before = counts_[kind], after = before + by;
  counts_[kind] = static_cast<std::uint8_t>(after);
  unsigned& digits = rank < 4 ? low_[suit] : high_[suit];
  digits += static_cast<unsigned>(by * kPlace[rank]);
  const std::uint32_t slot = slot_of(low_[suit], high_[suit]);
  part_[suit] = suit < 3 ? table_.suit(slot) : table_.honours(slot);
  const int kinds = (after > 0) - (before > 0), pairs = (after > 1) - (before > 1);
  kinds_ += kinds;
  pairs_ += pairs;
  if (kOrphanKinds >> kind & 1) {
    orphans_ += kinds;
    orphan_pairs_ += pairs;
  }
}

int HandShape::shanten() const {
  const int standard = table_.shanten(
      table_.join(table_.join(part_[0], part_[1]), table_.join(part_[2], part_[3])), sets_);
  return sets_ < 4 ? standard : std::min(standard, std::min(pairs(), orphans()));
}

std::uint64_t HandShape::useful() const {
  const NeedId front = table_.join(part_[0], part_[1]), back = table_.join(part_[2], part_[3]);
  const int standard = table_.shanten(table_.join(front, back), sets_);
  const int best = sets_ < 4 ? standard : std::min(standard, std::min(pairs(), orphans()));
  std::uint64_t mask = 0;
  if (standard == best) {
    const std::array<NeedId, 4> rest{table_.join(part_[1], back), table_.join(part_[0], back),
                                     table_.join(front, part_[3]), table_.join(front, part_[2])};
    for (std::size_t s = 0; s < 4; ++s) {
      const std::uint64_t ranks = cache_.ranks(counts_.data() + 9 * s, low_[s], high_[s], s == 3,
                                               rest[s], sets_);
      mask |= ranks << (9 * s);
    }
  }
  if (sets_ < 4) return mask;
  if (pairs() == best) mask |= useful_for_pairs();
  if (orphans() == best) mask |= useful_for_orphans();
  return mask;
}

std::uint64_t HandShape::useful_for_pairs() const {
  std::uint64_t mask = 0;
  for (std::size_t kind = 0; kind < 34; ++kind) {
    const bool lowers = counts_[kind] == 1 || (kinds_ < 7 && counts_[kind] == 0);
    mask |= std::uint64_t{lowers} << kind;
  }
  return mask;
}

std::uint64_t HandShape::useful_for_orphans() const {
  std::uint64_t mask = 0;
  for (std::uint64_t left = kOrphanKinds; left != 0; left &= left - 1) {
    const auto kind = static_cast<std::size_t>(std::countr_zero(left));
    const bool lowers = counts_[kind] == 0 || (orphan_pairs_ == 0 && counts_[kind] == 1);
    mask |= std::uint64_t{lowers} << kind;
  }
  return mask;
}

}  // namespace haiyomi
