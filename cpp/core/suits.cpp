#include "suits.hpp"

#include <algorithm>

namespace haiyomi {
namespace {

struct Enumeration {
  int kinds;
  bool runs;
  std::vector<SlottedSplit> out;
  std::array<std::uint8_t, 9> counts{};
  SuitSplit split{};

  void emit() { out.push_back({suit_slot(counts.data()), split, counts}); }

  void pairs() {
    emit();
    for (int k = 0; k < kinds; ++k) {
      auto& count = counts[static_cast<std::size_t>(k)];
      if (count > 2) continue;
      count = static_cast<std::uint8_t>(count + 2);
      split.pair = static_cast<std::uint8_t>(k);
      emit();
      split.pair = 15;
      count = static_cast<std::uint8_t>(count - 2);
    }
  }

  // Blocks in a fixed order, so that each multiset of blocks comes once: block 2k is the
  // triplet of kind k, block 2k + 1 the run from kind k.
  void sets(int block) {
    if (block == 2 * kinds) return pairs();
    sets(block + 1);
    if (split.sets == 4) return;
    const int k = block / 2;
    const auto at = static_cast<std::size_t>(k);
    if (block % 2 == 0) {
      if (counts[at] > 1) return;
      counts[at] = static_cast<std::uint8_t>(counts[at] + 3);
      split.triplets = static_cast<std::uint16_t>(split.triplets ^ (1u << k));
      ++split.sets;
      sets(block + 1);
      --split.sets;
      split.triplets = static_cast<std::uint16_t>(split.triplets ^ (1u << k));
      counts[at] = static_cast<std::uint8_t>(counts[at] - 3);
    } else {
      if (!runs || k > 6) return;
      if (counts[at] > 3 || counts[at + 1] > 3 || counts[at + 2] > 3) return;
      for (std::size_t i = at; i < at + 3; ++i) ++counts[i];
      split.runs += 1u << (4 * k);
      ++split.sets;
      sets(block);  // the same run may come up to four times
      --split.sets;
      split.runs -= 1u << (4 * k);
      for (std::size_t i = at; i < at + 3; ++i) --counts[i];
    }
  }
};

}  // namespace

std::vector<SlottedSplit> all_splits(bool honours) {
  Enumeration all{honours ? 7 : 9, !honours, {}, {}, {}};
  all.sets(0);
  std::stable_sort(all.out.begin(), all.out.end(),
                   [](const SlottedSplit& a, const SlottedSplit& b) { return a.slot < b.slot; });
  return all.out;
}

}  // namespace haiyomi
