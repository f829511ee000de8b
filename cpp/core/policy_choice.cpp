#include "policy_choice.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "exp_of.hpp"
#include "mixed.hpp"

namespace haiyomi {
namespace {

using replay::Options;
using replay::bit;
namespace action = replay::action;

// The index of the chosen one of n logits.
int pick(const float* scores, int n, double temperature, Purpose purpose,
         Chances& chances) {
  const float* best = std::max_element(scores, scores + n);
  if (temperature <= 0 || n == 1) return int(best - scores);
  std::array<double, 34> sums{};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += exp_of(double(scores[i] - *best) / temperature);
    sums[std::size_t(i)] = sum;
  }
  const double point = chances.of(purpose) * sum;
  const auto at = std::lower_bound(sums.begin(), sums.begin() + n, point) - sums.begin();
  return std::min(int(at), n - 1);
}

class Chooser {
 public:
  Chooser(const Options& options, const ChoiceLogits& logits, double temperature, Chances& chances)
      : o_(options), logits_(logits), temperature_(temperature), chances_(chances) {}

  int in_turn() {
    if (may(record::kTsumo) && accepts(logits_.acts[record::kTsumo], Purpose::Tsumo))
      return action::kTsumo;
    if (may(record::kNine) && accepts(logits_.acts[record::kNine], Purpose::Nine))
      return action::kNine;
    if (o_.kans != 0) {
      int best = -1;
      for (std::uint64_t kans = o_.kans; kans != 0; kans &= kans - 1) {
        const int kind = std::countr_zero(kans);
        if (best < 0 || logits_.kans[kind] > logits_.kans[best]) best = kind;
      }
      if (accepts(logits_.kans[best], Purpose::Kan)) return action::kKan + best;
    }
    if (may(record::kRiichi) && accepts(logits_.acts[record::kRiichi], Purpose::Riichi))
      return action::kRiichi;
    return discard();
  }

  int on_offer(int kind) {
    std::array<float, 7> scores{};
    std::array<unsigned, 7> acts{};
    int n = 1;
    for (unsigned act = record::kChiLow; act <= record::kRon; ++act) {
      if (!may(act)) continue;
      acts[std::size_t(n)] = act;
      scores[std::size_t(n++)] = logits_.acts[act];
    }
    const int taken = pick(scores.data(), n, temperature_, Purpose::Claim, chances_);
    if (taken == 0) return action::kPass;
    const unsigned act = acts[std::size_t(taken)];
    if (act == record::kRon) return action::kRon;
    if (act == record::kOpenKan) return action::kKan + kind;
    const bool red = (o_.with_red >> act & 1) != 0;
    const auto code = [&](int k) { return red && k % 9 == 4 ? 34 + k / 9 : k; };
    if (act == record::kPon) return action::kPon + code(kind);
    const int place = int(act - record::kChiLow), low = kind - place;
    return action::chi(code(low + (place == 0)), code(low + (place == 2 ? 1 : 2)));
  }

 private:
  bool may(unsigned act) const { return (o_.acts >> act & 1) != 0; }

  bool accepts(float logit, Purpose purpose) {
    const float scores[2] = {0.0f, logit};
    return pick(scores, 2, temperature_, purpose, chances_) == 1;
  }

  int discard() {
    std::array<float, 34> scores{};
    std::array<int, 34> kinds{};
    int n = 0;
    for (std::uint64_t rest = o_.discard_kinds(); rest != 0; rest &= rest - 1) {
      const int kind = std::countr_zero(rest);
      kinds[std::size_t(n)] = kind;
      scores[std::size_t(n++)] = logits_.discards[kind];
    }
    const int kind =
        kinds[std::size_t(pick(scores.data(), n, temperature_, Purpose::Discard, chances_))];
    if (o_.tsumogiri == kind) return action::kTsumogiri + kind;
    if (o_.discards & bit(kind)) return action::kDiscard + kind;
    const int red = 34 + kind / 9;
    return o_.tsumogiri == red ? action::kTsumogiri + red : action::kDiscard + red;
  }

  const Options& o_;
  const ChoiceLogits& logits_;
  double temperature_;
  Chances& chances_;
};

}  // namespace

double Chances::of(Purpose purpose) {
  const std::size_t nth = used_++;
  if (generator_ != nullptr) return generator_->uniform();
  if (in_order_) return points_[nth];
  if (points_ != nullptr) return points_[purpose == Purpose::Claim ? 0 : std::size_t(purpose)];
  return unit(mixed(key_ + (std::uint64_t(purpose) + 1) * kGolden));
}

int choose(const Options& options, int offered, const ChoiceLogits& logits, double temperature,
           Chances& chances) {
  Chooser chooser(options, logits, temperature, chances);
  return offered < 0 ? chooser.in_turn() : chooser.on_offer(offered);
}

}  // namespace haiyomi
