#include "option_places.hpp"

#include "option_endings.hpp"

#include <algorithm>
#include <array>

namespace haiyomi::option_places {
namespace {

// Among the joint endings that the seat does not win: an opponent wins on its tile.
constexpr std::array<std::size_t, kSeats - 1> kDealIns = {0, 4, 8};

void raise_to(double& most, double p) { most = std::max(most, p); }

}  // namespace

void weights(const Forecast& f, double* weights, double* likely) {
  std::fill_n(likely, f.n * 2 * kEnds, 0.0);
  std::array<double, kRest> most[2];             // of a decision's options, by joint ending
  std::array<double, kSeats - 1> most_deal_ins;  // of one option, by winner
  std::array<double, kOnce> once;
  for (std::size_t d = 0; d < f.n; ++d) {
    double* const plain = likely + d * 2 * kEnds;
    double* const with_deposit = plain + kEnds;
    const double* const others = f.others + d * kOthersWin * kClasses;
    const auto begin = static_cast<std::size_t>(f.begins[d]);
    const auto end = d + 1 < f.n ? static_cast<std::size_t>(f.begins[d + 1]) : f.b;
    most[0].fill(0.0);
    most[1].fill(0.0);
    for (std::size_t o = begin; o < end; ++o) {
      most_deal_ins.fill(0.0);
      for (std::size_t i = 0; i < kOnce; ++i) {
        once[i] = f.first[o * (kSeats - 1) + i / kClasses] * f.classes[o * kOnce + i];
      }
      for (std::size_t m = 0; m < f.e; ++m) {
        const std::size_t at = m * f.b + o;
        double* to = weights + at * kColumns;
        for (std::size_t payer = 0; payer < kSeats; ++payer) {
          const double p = f.later[payer * f.e * f.b + at] * f.nobody[o];
          const double* of = f.own + ((payer == 0 ? f.e * f.b : 0) + at) * kClasses;
          for (std::size_t c = 0; c < kClasses; ++c, ++to) {
            *to = p * of[c];
            raise_to(plain[payer * kClasses + c], *to);
          }
        }
        double* const unpaid = to;
        double* const paid = to + kRest;
        for (std::size_t j = 0; j < kRest; ++j) {
          const double p = f.later[(kSeats + j) * f.e * f.b + at] * f.nobody[o];
          const double odds = option_endings::kDepositOdds[kSeats + j][0];
          paid[j] = p * option_endings::deposit_at(f.deposit[at], odds);
          unpaid[j] = p - paid[j];
        }
        unpaid[kRest - 1] = f.nine[o] != 0 ? 1.0 : unpaid[kRest - 1] + f.aborted[o];
        for (std::size_t j = 0; j < kRest; ++j) {
          raise_to(most[0][j], unpaid[j]);
          raise_to(most[1][j], paid[j]);
        }
        for (std::size_t w = 0; w < kDealIns.size(); ++w) {
          raise_to(most_deal_ins[w], unpaid[kDealIns[w]]);
        }
        std::copy(once.begin(), once.end(), paid + kRest);
      }
      // The deal-ins on the option's own tile come on top of the later ones.
      for (std::size_t i = 0; i < kOnce; ++i) {
        const std::size_t j = kDealIns[i / kClasses], c = i % kClasses;
        raise_to(plain[kOwn + j * kClasses + c],
                 most_deal_ins[i / kClasses] * others[j * kClasses + c] + once[i]);
      }
    }
    for (std::size_t j = 0; j < kOthersWin; ++j) {
      const bool deals_in = std::find(kDealIns.begin(), kDealIns.end(), j) != kDealIns.end();
      for (std::size_t c = 0; c < kClasses; ++c) {
        const std::size_t at = kOwn + j * kClasses + c;
        if (!deals_in) plain[at] = most[0][j] * others[j * kClasses + c];
        with_deposit[at] = most[1][j] * others[j * kClasses + c];
      }
    }
    std::copy(most[0].begin() + kOthersWin, most[0].end(), plain + kWon);
    std::copy(most[1].begin() + kOthersWin, most[1].end(), with_deposit + kWon);
  }
}

void tables(const double* values, const std::int64_t* row, const double* others, std::size_t n,
            double* tables) {
  constexpr std::array<double, kValues> kNothing{};
  double* to = tables;
  for (std::size_t d = 0; d < n; ++d, row += 2 * kEnds, others += kOthersWin * kClasses) {
    const auto value_of = [&](std::size_t end) {
      return row[end] < 0 ? kNothing.data() : values + static_cast<std::size_t>(row[end]) * kValues;
    };
    const auto put = [&](std::size_t end) { to = std::copy_n(value_of(end), kValues, to); };
    for (std::size_t end = 0; end < kOwn; ++end) put(end);
    for (std::size_t half = 0; half < 2 * kEnds; half += kEnds) {
      // The mean over the class of the winner's hand.
      for (std::size_t j = 0; j < kOthersWin; ++j, to += kValues) {
        std::fill_n(to, kValues, 0.0);
        for (std::size_t c = 0; c < kClasses; ++c) {
          const double* const value = value_of(half + kOwn + j * kClasses + c);
          for (std::size_t v = 0; v < kValues; ++v) to[v] += value[v] * others[j * kClasses + c];
        }
      }
      for (std::size_t end = kWon; end < kEnds; ++end) put(half + end);
    }
    for (std::size_t i = 0; i < kOnce; ++i) {
      put(kOwn + kDealIns[i / kClasses] * kClasses + i % kClasses);
    }
  }
}

}  // namespace haiyomi::option_places
