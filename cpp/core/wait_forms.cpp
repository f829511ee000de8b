#include "wait_forms.hpp"

namespace haiyomi {
namespace {

// The waits that `win` completes in one reading of the complete hand.
void add_reading(const Decomposition& d, int win, std::bitset<kWaitForms>& out) {
  const auto set = [&](int form) { out.set(static_cast<std::size_t>(form)); };
  const int suit = win / 9, rank = win % 9;
  const std::uint32_t runs = suit < 3 ? d.runs[static_cast<std::size_t>(suit)] : 0;
  const auto runs_from = [&](int start) {
    return start >= 0 && start <= 6 && (runs >> (4 * start) & 15) != 0;
  };
  const auto two_sided = [&](int low) { set(suit * 6 + low); };
  if (d.pair == win) {
    // 4567: the pair stands beside a run, at one of its ends.
    const bool above = runs_from(rank + 1), below = runs_from(rank - 3);
    if (above) two_sided(rank);
    if (below) two_sided(rank - 3);
    if (!above && !below) set(79 + win);
  }
  if ((d.triplets >> win & 1) != 0) set(45 + win), set(45 + d.pair);
  if (runs_from(rank - 1)) set(18 + suit * 9 + rank);
  if (runs_from(rank)) rank == 6 ? set(18 + suit * 9 + 8) : two_sided(rank);
  if (runs_from(rank - 2)) rank == 2 ? set(18 + suit * 9) : two_sided(rank - 3);
}

}  // namespace

std::bitset<kWaitForms> wait_forms(const Counts& concealed, int n_melds, int win) {
  std::bitset<kWaitForms> out;
  const SplitTable& table = SplitTable::get();
  for (int k = 0; k < 34; ++k) {
    const auto kind = static_cast<std::size_t>(k);
    if (concealed[kind] >= 4 || (win >= 0 && k != win)) continue;
    Counts complete = concealed;
    ++complete[kind];
    for_each_decomposition(table, complete.data(),
                           [&](const Decomposition& d) { add_reading(d, k, out); });
    if (n_melds == 0) {
      int pairs = 0;
      for (const std::uint8_t n : complete) pairs += n == 2;
      if (pairs == 7) out.set(79 + kind);
    }
  }
  return out;
}

int wait_name(const std::bitset<kWaitForms>& forms, int win) {
  const auto first_from = [&](int at, int end) {
    while (at < end && !forms[static_cast<std::size_t>(at)]) ++at;
    return at;
  };
  const int first = first_from(0, kWaitForms);
  int other = kWaitForms;
  if (first >= 45 && first < 79) {
    other = first_from(45, 79);
    if (other == 45 + win) other = first_from(other + 1, 79);
    if (other == 79) other = kWaitForms;
  }
  return first * (kWaitForms + 1) + other;
}

}  // namespace haiyomi
