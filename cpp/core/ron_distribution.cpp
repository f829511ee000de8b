#include "ron_distribution.hpp"

#include <algorithm>
#include <bit>

namespace haiyomi {
namespace {

// Colour classes that a set of suits (bits m p s) falls into: one suit its own, none all
// three (honours alone belong to every flush), several the fourth.
std::uint8_t colour_classes(int suits) {
  switch (std::popcount(static_cast<unsigned>(suits))) {
    case 0: return 0b0111;
    case 1: return static_cast<std::uint8_t>(suits);
    default: return 0b1000;
  }
}

// Chances that 0..3 of the hand's fives are red, given how many fives of each suit it holds.
std::array<double, 4> red_chances(const TenpaiHand& hand, const RonQuery& query) {
  std::array<double, 4> chance{1.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < hand.n_parts; ++i) {
    const int kind = hand.parts[i] / 5, copies = hand.parts[i] % 5;
    if (kind >= 27 || kind % 9 != 4 || !query.red_unseen[kind / 9]) continue;
    const double p = static_cast<double>(copies) / query.unseen[kind];
    for (int r = 3; r > 0; --r) chance[r] = chance[r] * (1.0 - p) + chance[r - 1] * p;
    chance[0] *= 1.0 - p;
  }
  return chance;
}

}  // namespace

RonAnswer ron_distribution(const TenpaiTable& table, const HanFu* scores, const RonQuery& query) {
  RonAnswer answer;
  answer.ron.assign(std::size_t{34} * kHanCells * kFuCells, 0.0);

  // (14): ways to draw n of the unseen copies of a kind.
  std::array<double, 34 * 5> ways{};
  std::uint64_t gone = 0;
  for (int k = 0; k < 34; ++k) {
    const int u = query.unseen[k];
    if (u == 0) gone |= std::uint64_t{1} << k;
    double c = 1.0;
    for (int n = 0; n <= 4; ++n) {
      ways[k * 5 + n] = n <= u ? c : 0.0;
      c = c * (u - n) / (n + 1);
    }
  }

  std::array<std::uint8_t, 8> classes{};
  for (int s = 0; s < 8; ++s) classes[s] = colour_classes(s | query.meld_suits);

  // Weights first: each colour's denominator is needed before a hand's probability.
  std::vector<double> weights(table.hands.size());
  std::array<double, 8> by_suits{};
  for (std::size_t i = 0; i < table.hands.size(); ++i) {
    const TenpaiHand& hand = table.hands[i];
    if (hand.kinds & gone) continue;
    double w = 1.0;
    for (int p = 0; p < hand.n_parts; ++p) w *= ways[hand.parts[p]];
    if (w == 0.0) continue;
    ++answer.consistent;
    bool yaku = false;
    for (int t = 0; t < hand.n_waits; ++t) {
      if (scores[hand.first_wait + t].han == 0) continue;
      answer.possible |= std::uint64_t{1} << table.waits[hand.first_wait + t].kind;
      yaku = true;
    }
    if (hand.waits & query.furiten) continue;  // (16)
    if (query.certain) {
      if (!yaku) continue;  // (10)
    } else {
      if (!hand.good) w *= query.poor_wait;  // (15)
      if (!yaku) w *= query.yakuless;
    }
    if (hand.waits & query.passed) w *= query.passed_wait;
    weights[i] = w;
    by_suits[hand.suits & 7] += w;
  }

  std::array<double, 8> factor{};  // probability of a hand of unit weight, by its suits
  if (query.certain) {
    double total = 0.0;
    for (const double w : by_suits) total += w;
    answer.total = {0.0, 0.0, 0.0, total};
    factor.fill(total > 0.0 ? 1.0 / total : 0.0);
  } else {
    for (int s = 0; s < 8; ++s)
      for (int c = 0; c < 4; ++c)
        if (classes[s] >> c & 1) answer.total[c] += by_suits[s];
    for (int s = 0; s < 8; ++s)
      for (int c = 0; c < 4; ++c)
        if ((classes[s] >> c & 1) && answer.total[c] > 0.0)
          factor[s] += query.tenpai[c] / answer.total[c];
  }

  for (std::size_t i = 0; i < table.hands.size(); ++i) {
    const TenpaiHand& hand = table.hands[i];
    const double p = weights[i] * factor[hand.suits & 7];
    if (p == 0.0) continue;
    const std::array<double, 4> reds = red_chances(hand, query);
    for (int t = 0; t < hand.n_waits; ++t) {
      const int kind = table.waits[hand.first_wait + t].kind;
      answer.wait[kind] += p;
      const HanFu score = scores[hand.first_wait + t];
      if (score.han == 0) continue;
      double* cells = &answer.ron[std::size_t{static_cast<unsigned>(kind)} * kHanCells * kFuCells];
      if (score.fu == 0) {
        cells[13 * kFuCells] += p;
        continue;
      }
      for (int r = 0; r < 4; ++r)
        cells[std::min(score.han + r, 13) * kFuCells + score.fu / 10] += p * reds[r];
    }
  }
  return answer;
}

}  // namespace haiyomi
