#include "yaku_steps.hpp"

#include <algorithm>
#include <array>

#include "shanten.hpp"

namespace haiyomi {
namespace {

constexpr int kFar = 14;

bool yaochu(std::size_t kind) { return kind >= 27 || kind % 9 == 0 || kind % 9 == 8; }

class Search {
 public:
  Search(const OpenHand& hand)
      : hand_(hand), sets_(4 - static_cast<int>(hand.melds.size())),
        plain_(lacking(hand.concealed, sets_)) {}

  YakuSteps find(bool kuitan) const {
    YakuSteps out{plain_, kFar, kFar};
    const auto take = [](int& to, int steps) { to = std::min(to, steps); };
    take(out.flexible, valued());
    if (kuitan) take(out.flexible, of_kinds([](std::size_t k) { return !yaochu(k); }));
    for (std::size_t s = 0; s < 3; ++s)
      take(out.flexible, of_kinds([s](std::size_t k) { return k >= 27 || k / 9 == s; }));
    take(out.flexible, triplets());
    out.any = out.flexible;
    for (std::size_t s = 0; s < 3; ++s) take(out.any, runs({9 * s, 9 * s + 3, 9 * s + 6}));
    for (std::size_t r = 0; r < 7; ++r) take(out.any, runs({r, 9 + r, 18 + r}));
    take(out.any, outside());
    return out;
  }

 private:
  static int lacking(const Counts& counts, int sets) {
    return ShantenTable::get().standard(counts.data(), sets) + 1;
  }

  template <class Allowed>
  int of_kinds(Allowed&& allowed) const {
    for (const Meld& m : hand_.melds)
      for (std::size_t i = 0; i < (m.type == MeldType::Chi ? 3u : 1u); ++i)
        if (!allowed(m.kind + i)) return kFar;
    Counts kept = hand_.concealed;
    for (std::size_t k = 0; k < 34; ++k)
      if (!allowed(k)) kept[k] = 0;
    return lacking(kept, sets_);
  }

  // A triplet of dragons, the round wind or the seat wind.
  int valued() const {
    int found = kFar;
    for (std::size_t k = 27; k < 34; ++k) {
      if (k < 31 && k != hand_.round_wind && k != hand_.seat_wind) continue;
      for (const Meld& m : hand_.melds)
        if (m.kind == k) return plain_;
      const int need = 3 - std::min<int>(3, hand_.concealed[k]);
      if (need > hand_.unseen[k] || sets_ == 0) continue;
      Counts rest = hand_.concealed;
      rest[k] = static_cast<std::uint8_t>(rest[k] + need - 3);
      found = std::min(found, need + lacking(rest, sets_ - 1));
    }
    return found;
  }

  int triplets() const {
    for (const Meld& m : hand_.melds)
      if (m.type == MeldType::Chi) return kFar;
    Counts sorted = hand_.concealed;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    int found = 0;
    for (int i = 0; i < sets_; ++i) found += std::max(0, 3 - sorted[static_cast<std::size_t>(i)]);
    return found + std::max(0, 2 - sorted[static_cast<std::size_t>(sets_)]);
  }

  // Three runs that begin with these kinds.
  int runs(std::array<std::size_t, 3> begins) const {
    Counts rest = hand_.concealed;
    int found = 0, sets = sets_;
    for (const std::size_t first : begins) {
      const bool shown = std::any_of(hand_.melds.begin(), hand_.melds.end(), [first](const Meld& m) {
        return m.type == MeldType::Chi && m.kind == first;
      });
      if (shown) continue;
      if (--sets < 0) return kFar;
      for (std::size_t k = first; k < first + 3; ++k) {
        if (rest[k] > 0) --rest[k];
        else if (hand_.unseen[k] == 0) return kFar;
        else ++found;
      }
    }
    return found + lacking(rest, sets);
  }

  // Terminals and honours in every set.
  int outside() const {
    for (const Meld& m : hand_.melds) {
      const std::size_t rank = m.kind % 9;
      if (m.type == MeldType::Chi ? rank != 0 && rank != 6 : !yaochu(m.kind)) return kFar;
    }
    Counts kept = hand_.concealed;
    for (std::size_t k = 0; k < 27; ++k)
      if (k % 9 >= 3 && k % 9 <= 5) kept[k] = 0;
    return lacking(kept, sets_);
  }

  const OpenHand& hand_;
  int sets_, plain_;
};

}  // namespace

YakuSteps yaku_steps(const OpenHand& hand, bool kuitan) { return Search(hand).find(kuitan); }

}  // namespace haiyomi
