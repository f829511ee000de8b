#include "decompose.hpp"

namespace haiyomi {

SplitTable::SplitTable() : suit_(kSuitSlots), honours_(kHonourSlots), first_{0, 0} {
  add(false, suit_);
  add(true, honours_);
}

void SplitTable::add(bool honours, std::vector<std::uint16_t>& table) {
  // all_splits comes in order of slot, so the splits of a pattern lie together; pattern 0 is
  // the incomplete suit, which has none.
  for (const SlottedSplit& s : all_splits(honours)) {
    std::uint16_t& pattern = table[s.slot];
    if (pattern == 0) {
      pattern = static_cast<std::uint16_t>(first_.size() - 1);
      first_.push_back(first_.back());
    }
    splits_.push_back(s.split);
    ++first_.back();
  }
}

const SplitTable& SplitTable::get() {
  static const SplitTable table;
  return table;
}

}  // namespace haiyomi
