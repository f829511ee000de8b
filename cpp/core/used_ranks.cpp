#include "used_ranks.hpp"

namespace haiyomi {

ShantenTable::NeedId UsedRanks::need(const std::array<std::uint8_t, 9>& counts) const {
  const ShantenTable& table = ShantenTable::get();
  return honours_ ? table.honours(honour_slot(counts.data())) : table.suit(suit_slot(counts.data()));
}

std::size_t UsedRanks::place(std::uint32_t slot) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = (slot * 2654435769u >> 6) & mask;
  while (entries_[at].slot != slot && entries_[at].slot != 0xffffffff) at = (at + 1) & mask;
  return at;
}

void UsedRanks::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.slot != 0xffffffff) entries_[place(entry.slot)] = entry;
  }
}

std::uint16_t UsedRanks::used(const std::array<std::uint8_t, 9>& counts, int sets, int pairs) {
  const std::uint32_t slot = honours_ ? honour_slot(counts.data()) : suit_slot(counts.data());
  const std::size_t which = 2 * static_cast<std::size_t>(sets) + static_cast<std::size_t>(pairs);
  {
    Entry& entry = entries_[place(slot)];
    if (entry.slot == slot) {
      if (entry.ranks[which] != kUnknown) return entry.ranks[which];
    } else {
      entry.slot = slot;
      entry.ranks.fill(kUnknown);
      if (2 * ++count_ >= entries_.size()) grow();
    }
  }
  const std::uint16_t found = find(counts, sets, pairs);
  entries_[place(slot)].ranks[which] = found;
  return found;
}

std::uint16_t UsedRanks::find(const std::array<std::uint8_t, 9>& counts, int sets, int pairs) {
  const ShantenTable& table = ShantenTable::get();
  const auto m = static_cast<std::size_t>(sets);
  const auto lack = [&](const std::array<std::uint8_t, 9>& row) -> int {
    const Need& n = table.need(need(row));
    return pairs != 0 ? n.paired[m] : n.plain[m];
  };
  const std::size_t kinds = honours_ ? 7 : 9;
  int tiles = 0;
  unsigned held = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    tiles += counts[k];
    held |= static_cast<unsigned>(counts[k] > 0) << k;
  }
  const int now = lack(counts);
  if (tiles + now > kMostTiles) return static_cast<std::uint16_t>(held);
  if (now == 0 && tiles == 3 * sets + 2 * pairs) return static_cast<std::uint16_t>(held);
  std::array<std::uint8_t, 9> row = counts;
  unsigned out = 0;
  for (std::size_t k = 0; k < kinds && out != held; ++k) {
    const unsigned bit = 1u << k;
    if (now > 0) {
      // A target of the row with another k: it holds all the k that the row has.
      if (counts[k] == 4) continue;
      ++row[k];
      if (lack(row) < now) out |= (used(row, sets, pairs) | bit) & held;
      --row[k];
    } else if (counts[k] > 0) {
      // A target that does without this k.
      --row[k];
      if (lack(row) == 0) out |= used(row, sets, pairs) & ~bit;
      ++row[k];
    }
  }
  return static_cast<std::uint16_t>(out);
}

}  // namespace haiyomi
