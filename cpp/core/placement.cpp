#include "placement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "clones.hpp"

namespace haiyomi {
namespace {

constexpr int kSeats = int(PairNet::kSeats), kPairs = int(PairNet::kPairs);
constexpr std::size_t kOut = PairNet::kOut;
constexpr std::size_t kChunk = 64;  // rows worked on together

// Columns of a pair's inputs.
enum Column : std::size_t {
  kDifferences = 0, kAhead = 3, kScores = 4, kTurns = 6, kHand = 14, kLength = 26, kHonba, kSticks,
  kColumns
};
static_assert(kColumns == kPairInputs);
constexpr std::int32_t kHands = kLength - kHand, kExtraRound = 4, kMostHonba = 6, kMostSticks = 5;
constexpr double kPoints = 10000, kEven = 25000, kDeposit = 1000;

struct Orders {
  int seats[kOrders][4];   // first to last place
  int places[kOrders][4];  // of each seat
  int ahead[kOrders][6];   // the pairs of which the first seat is ahead
};

constexpr int pair_of(int one, int other) { return 3 * one + other - (other > one); }

constexpr Orders all_orders() {
  Orders out{};
  int seats[4] = {0, 1, 2, 3};
  for (std::size_t order = 0; order < kOrders; ++order, std::next_permutation(seats, seats + 4)) {
    for (int place = 0; place < 4; ++place) {
      out.seats[order][place] = seats[place];
      out.places[order][seats[place]] = place;
    }
    int n = 0;
    for (int one = 0; one < 4; ++one)
      for (int other = 0; other < 4; ++other)
        if (out.places[order][one] < out.places[order][other])
          out.ahead[order][n++] = pair_of(one, other);
  }
  return out;
}
constexpr Orders kOrder = all_orders();

// tanh of a difference of scores over 1,000, 4,000 and 12,000: whether a small hand, a medium or a
// large one matters. Scores are hundreds; beyond the table it is 1 as a float.
class Differences {
 public:
  Differences() {
    for (std::size_t i = 0; i < kSteps; ++i) table_[i] = of(100 * double(i));
  }
  void put(std::int64_t apart, float* to) const {
    const std::int64_t size = std::abs(apart);
    const std::array<float, 3> found =
        size % 100 == 0 && std::size_t(size / 100) < kSteps ? table_[std::size_t(size / 100)]
                                                            : of(double(size));
    for (std::size_t i = 0; i < 3; ++i) to[i] = apart < 0 ? -found[i] : found[i];
  }

 private:
  static constexpr std::size_t kSteps = 1201;
  static std::array<float, 3> of(double apart) {
    return {float(std::tanh(apart / 1000)), float(std::tanh(apart / 4000)),
            float(std::tanh(apart / 12000))};
  }
  std::array<std::array<float, 3>, kSteps> table_;
};

// exp(v) of v <= 0 to a few units in the last place, in operations that a compiler makes vectors
// of.
inline double exponential(double v) {
  v = v > -700 ? v : -700;  // NaN too
  constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to a whole number
  const double shifted = v * 0x1.71547652b82fep0 + kShift;
  const double whole = shifted - kShift;
  const double r = (v - whole * 0x1.62e42fefa38p-1) - whole * 0x1.ef35793c7673p-45;
  double p = 1.0 / 479001600;
  constexpr double kTerms[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                               1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
  for (const double term : kTerms) p = p * r + term;
  const auto power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return p * std::bit_cast<double>(power);
}

HAIYOMI_CLONES void shares_of(double* logits) {
  double top = logits[0];
  for (std::size_t i = 1; i < kOrders; ++i) top = logits[i] > top ? logits[i] : top;
  for (std::size_t i = 0; i < kOrders; ++i) logits[i] = exponential(logits[i] - top);
  double sum = 0;
  for (std::size_t i = 0; i < kOrders; ++i) sum += logits[i];
  for (std::size_t i = 0; i < kOrders; ++i) logits[i] /= sum;
}

}  // namespace

void pair_inputs(const Start* starts, std::size_t n, float* x) {
  static const Differences differences;
  std::fill_n(x, n * kPairs * kPairInputs, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    const Start& s = starts[i];
    // The hands left, by their number from the last of the extra round.
    const std::int64_t left = 4 * std::int64_t(s.rounds) + kExtraRound - 1 - s.kyoku;
    const auto hand = std::size_t(std::clamp<std::int64_t>(left, 0, kHands - 1));
    const auto length = float(std::int64_t(s.rounds) - 1);
    const auto honba = float(std::min(s.honba, kMostHonba) / 3.0);
    const auto sticks = float(std::min(s.sticks, kMostSticks) / 2.0);
    const auto turn = [&](int seat) {
      return std::size_t((seat - std::int64_t(s.kyoku)) & 3);
    };
    for (int one = 0; one < kSeats; ++one) {
      for (int other = 0; other < kSeats; ++other) {
        if (one == other) continue;
        const std::int64_t apart = std::int64_t(s.scores[one]) - s.scores[other];
        differences.put(apart, x + kDifferences);
        x[kAhead] = (one < other ? apart >= 0 : apart > 0) ? 1.0f : -1.0f;
        x[kScores] = float((s.scores[one] - kEven) / kPoints);
        x[kScores + 1] = float((s.scores[other] - kEven) / kPoints);
        x[kTurns + turn(one)] = 1;
        x[kTurns + 4 + turn(other)] = 1;
        x[kHand + hand] = 1;
        x[kLength] = length;
        x[kHonba] = honba;
        x[kSticks] = sticks;
        x += kPairInputs;
      }
    }
  }
}

void order_shares(const float* places, const float* ahead, std::size_t n, double* p) {
  for (; n > 0; --n, places += kSeats * kOut, ahead += kPairs, p += kOrders) {
    for (std::size_t order = 0; order < kOrders; ++order) {
      double sum = 0;
      for (const int pair : kOrder.ahead[order]) sum += ahead[pair];
      for (std::size_t seat = 0; seat < PairNet::kSeats; ++seat)
        sum += places[seat * kOut + std::size_t(kOrder.places[order][seat])];
      p[order] = sum;
    }
    shares_of(p);
  }
}

void placements(const PairNet& net, const float* weights, const Start* starts, std::size_t n,
                double* places, double* final) {
  const std::size_t most = std::min(n, kChunk);
  std::vector<float> x(most * kPairs * kPairInputs), of_place(most * kSeats * kOut);
  std::vector<float> ahead(most * kPairs);
  std::vector<double> p(most * kOrders);
  std::fill_n(places, n * kSeats * kSeats, 0.0);
  for (std::size_t at = 0; at < n; at += kChunk) {
    const std::size_t rows = std::min(kChunk, n - at);
    pair_inputs(starts + at, rows, x.data());
    forward(net, weights, x.data(), rows, of_place.data(), ahead.data());
    order_shares(of_place.data(), ahead.data(), rows, p.data());
    for (std::size_t i = 0; i < rows; ++i, places += kSeats * kSeats, final += kSeats) {
      for (std::size_t order = 0; order < kOrders; ++order)
        for (int place = 0; place < kSeats; ++place)
          places[kSeats * kOrder.seats[order][place] + place] += p[i * kOrders + order];
      const Start& s = starts[at + i];
      // All points stay in the game, and the deposits go to its winner.
      double rest = kDeposit * s.sticks;
      for (std::size_t seat = 0; seat < PairNet::kSeats; ++seat) {
        final[seat] = s.scores[seat] + kPoints * of_place[(i * kSeats + seat) * kOut + 4];
        rest += s.scores[seat] - final[seat];
      }
      for (std::size_t seat = 0; seat < PairNet::kSeats; ++seat) final[seat] += rest / kSeats;
    }
  }
}

}  // namespace haiyomi
