#include "option_endings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace haiyomi::option_endings {
namespace {

constexpr double kDeposit = 1000, kLeast = 1e-300;
// The least base points of each class of worth (outcomes/joint.py).
constexpr std::array<double, kClasses> kBases = {0,    350,  660,  1310, 2000,
                                                 3000, 4000, 6000, 8000};

// The sum of nine numbers, in the order in which NumPy adds them.
double sum_of(const double* x) {
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])) + x[8];
}

std::size_t class_of(double ron, bool dealer) {
  const double base = ron / (dealer ? 6 : 4);
  const auto above = std::upper_bound(kBases.begin(), kBases.end(), base);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - kBases.begin() - 1, 0));
}

bool wins(std::size_t joint, std::size_t seat) { return joint < kDrawn && joint / kSeats == seat; }

// The chance with which the mean over endings is `target`. Their probabilities with odds of 1, where
// the seat deals in and at a draw in tenpai: `mass`. Newton's method from below: the mean is concave.
double chance_of(double target, const std::array<double, 3>& mass) {
  constexpr std::array<double, 3> kOdds = {1, kDepositOdds[kSeats][0], kDepositOdds[kDrawn + 1][0]};
  double chance = 0;
  for (int step = 0; step < 7; ++step) {
    double value = 0, slope = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double below = 1 + (kOdds[i] - 1) * chance;
      value += mass[i] * kOdds[i] * chance / below;
      slope += mass[i] * kOdds[i] / (below * below);
    }
    chance = std::min(chance + (target - value) / std::max(slope, kLeast), 1.0);
  }
  return std::max(chance, 0.0);
}

}  // namespace

void at_once(const Rons& r, double* first, double* lost, double* classes, double* aborted) {
  const double* cell = r.cells;
  // `first` and `lost` hold the probabilities and points of each opponent before they are joined.
  for (std::size_t i = 0; i < r.k; ++i) {
    const auto at = static_cast<std::size_t>(r.at[i]);
    const std::size_t option = at / kOpponents;
    const bool dealer = static_cast<std::size_t>(r.dealer[option]) == at % kOpponents + 1;
    first[at] = r.chance[i];
    lost[at] = r.loss[i] / r.chance[i];
    double* const mass = classes + at * kClasses;
    for (std::int64_t row = 0; row < r.rows[i]; ++row, cell += 4) {
      const double ron = std::trunc(cell[2] - static_cast<double>(r.honba[option]));
      mass[class_of(ron, dealer)] += cell[3];
    }
    const double whole = std::max(sum_of(mass), kLeast);
    for (std::size_t c = 0; c < kClasses; ++c) mass[c] /= whole;
  }
  for (std::size_t o = 0; o < r.m; ++o, first += kOpponents, lost += kOpponents) {
    const auto honba = static_cast<double>(r.honba[o]);
    const double a = first[0], b = first[1], c = first[2];
    const double points[kOpponents] = {lost[0], lost[1], lost[2]};
    // Only the first in turn receives honba.
    first[1] = b * (1 - a);
    first[2] = c * ((1 - a) * (1 - b));
    const double second = b * std::max(points[1] - honba, 0.0);
    const double third = c * std::max(points[2] - honba, 0.0);
    double total[kOpponents] = {first[0] * (points[0] + (second + third)),
                                first[1] * (points[1] + third), first[2] * points[2]};
    if (!r.triple_ron) {
      aborted[o] = a * b * c;
      first[0] -= aborted[o];
      total[0] -= aborted[o] * (points[0] + points[1] + points[2] - 2 * honba);
    }
    for (std::size_t s = 0; s < kOpponents; ++s) {
      lost[s] = first[s] > 0 ? total[s] / std::max(first[s], kLeast) : 0.0;
    }
  }
}

void deposit_chances(const double* mean, const double* p, std::size_t m, std::size_t b,
                     double* out) {
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    for (std::size_t i = 0; i < m; ++i, ++out) {
      double loses = 0;
      std::array<double, 3> mass{};
      for (std::size_t j = 0; j < kJoint; ++j) {
        if (wins(j, seat)) continue;
        const double odds = kDepositOdds[j][seat];
        loses += p[j * m + i];
        if (odds > 0) mass[odds == 1 ? 0 : j < kDrawn ? 1 : 2] += p[j * m + i];
      }
      const double most = mass[0] + mass[1] + mass[2];
      *out = chance_of(std::min(mean[seat * b + i % b] * loses, most), mass);
    }
  }
}

void changes(const Paid& f, std::size_t seat, double* out) {
  const std::size_t m = f.e * f.b;
  std::array<double, kJoint> rest;  // of one decision; the own wins differ by option
  std::array<double, kClasses> by_class;
  const auto mean = [&](const double* p, const double* of) {
    for (std::size_t c = 0; c < kClasses; ++c) by_class[c] = p[c] * of[c];
    return sum_of(by_class.data());
  };
  for (std::size_t d = 0; d < f.n; ++d) {
    const double* const ends = f.changes + d * kEnds;
    for (std::size_t j = 0; j < kSeats; ++j) rest[j] = 0;
    for (std::size_t j = 0; j < kOthersWin; ++j) {
      rest[kSeats + j] = mean(f.others + (d * kOthersWin + j) * kClasses,
                              ends + (kSeats + j) * kClasses);
    }
    std::copy_n(ends + kDrawn * kClasses, kJoint - kDrawn, rest.begin() + kDrawn);
    const auto begin = static_cast<std::size_t>(f.begins[d]);
    const auto end = d + 1 < f.n ? static_cast<std::size_t>(f.begins[d + 1]) : f.b;
    for (std::size_t e = 0; e < f.e; ++e) {
      for (std::size_t o = begin; o < end; ++o) {
        const std::size_t at = e * f.b + o;
        const auto deposit = [&](std::size_t j, std::size_t s) {
          return kDeposit * deposit_at(f.deposit[s * m + at], kDepositOdds[j][s]);
        };
        for (std::size_t j = 0; j < kJoint; ++j) {
          double change = rest[j];
          if (j < kSeats) {
            const double* const p = f.own + ((j == 0 ? m : 0) + at) * kClasses;
            change += mean(p, ends + j * kClasses);
          }
          if (wins(j, seat)) {
            for (std::size_t s = 0; s < kSeats; ++s) change += deposit(j, s);
          } else {
            change -= deposit(j, seat);
          }
          out[j * m + at] = change;
        }
      }
    }
  }
}

}  // namespace haiyomi::option_endings
