#include "wait_forms.hpp"

#include <array>

namespace haiyomi {
namespace {

// Walks every way to read a complete hand as sets and one pair.
class Reader {
 public:
  Reader(const Counts& complete, int sets, int win, std::bitset<kWaitForms>& out)
      : counts_(complete), sets_(sets), win_(win), out_(out) {}

  void run() {
    for (pair_ = 0; pair_ < 34; ++pair_) {
      if (counts_[pair_] < 2) continue;
      counts_[pair_] = static_cast<std::uint8_t>(counts_[pair_] - 2);
      next(0, 0);
      counts_[pair_] = static_cast<std::uint8_t>(counts_[pair_] + 2);
    }
  }

 private:
  void next(int depth, int k) {
    while (k < 34 && counts_[k] == 0) ++k;
    if (depth == sets_) {
      if (k == 34) report();
      return;
    }
    if (k == 34) return;
    if (counts_[k] >= 3) {
      take(k, 3);
      sequence_[depth] = false;
      first_[depth] = k;
      next(depth + 1, k);
      take(k, -3);
    }
    if (k < 27 && k % 9 < 7 && counts_[k + 1] > 0 && counts_[k + 2] > 0) {
      for (int i = 0; i < 3; ++i) take(k + i, 1);
      sequence_[depth] = true;
      first_[depth] = k;
      next(depth + 1, k);
      for (int i = 0; i < 3; ++i) take(k + i, -1);
    }
  }

  void take(int k, int n) { counts_[k] = static_cast<std::uint8_t>(counts_[k] - n); }

  void two_sided(int low) { out_.set(low / 9 * 6 + low % 9); }

  void report() {
    if (pair_ == win_) {
      bool nobetan = false;
      for (int i = 0; i < sets_; ++i) {
        if (!sequence_[i] || win_ >= 27 || first_[i] / 9 != win_ / 9) continue;
        if (first_[i] == win_ + 1) two_sided(win_), nobetan = true;
        if (first_[i] == win_ - 3) two_sided(win_ - 3), nobetan = true;
      }
      if (!nobetan) out_.set(79 + win_);
    }
    for (int i = 0; i < sets_; ++i) {
      if (!sequence_[i]) {
        if (first_[i] == win_) out_.set(45 + win_), out_.set(45 + pair_);
        continue;
      }
      const int part = win_ - first_[i], rank = first_[i] % 9, suit = first_[i] / 9;
      if (part < 0 || part > 2 || win_ / 9 != suit) continue;
      if (part == 1) out_.set(18 + suit * 9 + rank + 1);
      else if (part == 2 && rank == 0) out_.set(18 + suit * 9);
      else if (part == 0 && rank == 6) out_.set(18 + suit * 9 + 8);
      else two_sided(part == 0 ? win_ : win_ - 3);
    }
  }

  Counts counts_;
  int sets_, win_, pair_ = 0;
  std::bitset<kWaitForms>& out_;
  std::array<bool, 4> sequence_{};
  std::array<int, 4> first_{};
};

}  // namespace

std::bitset<kWaitForms> wait_forms(const Counts& concealed, int n_melds, int win) {
  std::bitset<kWaitForms> out;
  for (int k = 0; k < 34; ++k) {
    if (concealed[k] >= 4 || (win >= 0 && k != win)) continue;
    Counts complete = concealed;
    ++complete[k];
    Reader(complete, 4 - n_melds, k, out).run();
    if (n_melds == 0) {
      int pairs = 0;
      for (const std::uint8_t n : complete) pairs += n == 2;
      if (pairs == 7) out.set(79 + k);
    }
  }
  return out;
}

}  // namespace haiyomi
