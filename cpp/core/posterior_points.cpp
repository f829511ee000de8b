// What a ron on each kind would be worth: hands drawn exactly, given that they wait on it.
#include <algorithm>
#include <bit>

#include "posterior_parts.hpp"
#include "wait_forms.hpp"

namespace haiyomi {
namespace {

// Chances of 0, 1, ..., n - 1 of something, at most N - 1; those beyond are not set.
template <std::size_t N>
struct Chances {
  std::array<double, N> of;
  std::size_t n = 1;

  Chances() { of[0] = 1.0; }
};

// Chances of 0-3 red fives among the concealed tiles, given how many fives of each suit.
Chances<4> red_chances(const Counts& hand, const PointsQuery& query) {
  Chances<4> out;
  auto& chance = out.of;
  for (std::size_t s = 0; s < 3; ++s) {
    const std::size_t five = 9 * s + 4;
    if (hand[five] == 0 || query.unseen[five] == 0 || !query.red_unseen[s]) continue;
    const double p = std::min(1.0, static_cast<double>(hand[five]) / query.unseen[five]);
    chance[out.n] = 0.0;
    for (std::size_t r = out.n; r > 0; --r) chance[r] = chance[r] * (1.0 - p) + chance[r - 1] * p;
    chance[0] *= 1.0 - p;
    ++out.n;
  }
  return out;
}

// The indicator of which each kind is the dora.
constexpr auto kIndicatorOf = [] {
  std::array<std::uint8_t, 34> out{};
  for (std::uint8_t k = 0; k < 34; ++k) {
    const bool last = k < 27 ? k % 9 == 8 : k == 30 || k == 33;
    const int first = k < 27 ? k / 9 * 9 : k < 31 ? 27 : 31;
    out[static_cast<std::size_t>(last ? first : k + 1)] = k;
  }
  return out;
}();

// Copies of a kind in a hand and, `shown`, in its melds and its winning tile.
std::uint8_t copies(const Counts& hand, const Counts& shown, std::size_t kind) {
  return std::min<std::uint8_t>(static_cast<std::uint8_t>(hand[kind] + shown[kind]), 4);
}

// Chances of 0-12 ura dora: each hidden indicator is one of the unseen tiles left. `kinds` are those
// of the hand and of what is shown.
Chances<13> ura_chances(const Counts& shown, std::uint64_t kinds, const Counts& concealed,
                        const PointsQuery& query) {
  Chances<13> found;
  if (query.ura == 0) return found;
  auto& out = found.of;
  const auto left_of = [&](std::size_t k) { return std::max(0, query.unseen[k] - concealed[k]); };
  int none = 0;
  for (std::size_t k = 0; k < 34; ++k) none += left_of(k);
  // How many of them would bring 0-4 dora, in twelve bits each.
  auto tiles = static_cast<std::uint64_t>(none);
  for (; kinds != 0; kinds &= kinds - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(kinds));
    const auto n = static_cast<std::uint64_t>(left_of(kIndicatorOf[k]));
    tiles += (n << (12 * copies(concealed, shown, k))) - n;
  }
  std::array<double, 5> one{};
  double left = 0.0;
  for (std::size_t b = 0; b < 5; ++b) left += one[b] = static_cast<double>(tiles >> (12 * b) & 0xfff);
  if (left <= 0.0) return found;
  for (int i = 0; i < query.ura; ++i) {
    const std::size_t n = std::min(found.n + 4, out.size());
    std::array<double, 13> next;
    std::fill_n(next.begin(), n, 0.0);
    for (std::size_t a = 0; a < found.n; ++a)
      for (std::size_t b = 0; b < 5; ++b) {
        if (one[b] != 0.0) next[std::min<std::size_t>(12, a + b)] += out[a] * one[b] / left;
      }
    std::copy_n(next.begin(), n, out.begin());
    found.n = n;
  }
  return found;
}

void count(int name, std::vector<WaitCount>& waits) {
  const auto at = std::find_if(waits.begin(), waits.end(),
                               [name](const WaitCount& each) { return each.name == name; });
  if (at == waits.end()) waits.push_back({name, 1});
  else ++at->hands;
}

}  // namespace

void Posterior::points(const RonRules& rules, const PointsQuery& query, std::uint64_t seed,
                       std::span<const KindDraws> kinds) const {
  if (!(total_ > 0.0)) return;
  std::uint64_t wins = 0;
  for (const KindDraws& each : kinds)
    if (each.samples > 0) wins |= std::uint64_t{1} << each.kind;
  Sampler sampler(*this, rules.barred, wins);
  Counts melded{};
  for (const Meld& m : rules.melds) {
    if (m.type == MeldType::Chi)
      for (int j = 0; j < 3; ++j) ++melded[m.kind + j];
    else
      melded[m.kind] = static_cast<std::uint8_t>(melded[m.kind] + (m.type == MeldType::Pon ? 3 : 4));
  }
  // What all hands share.
  WinInput in;
  in.n_melds = static_cast<std::uint8_t>(rules.melds.size());
  std::copy(rules.melds.begin(), rules.melds.end(), in.melds.begin());
  in.round_wind = rules.round_wind;
  in.seat_wind = rules.seat_wind;
  in.riichi = query.riichi;
  in.ippatsu = query.ippatsu;
  in.last_tile = query.houtei;
  in.chankan = query.chankan;
  in.reds = query.meld_reds;
  for (const auto& [kind, samples, cells, waits] : kinds) {
    const std::size_t k = kind;
    if (samples <= 0 || !sampler.aim(kind)) continue;
    double weight = 0.0;
    in.win_kind = kind;
    // Whole-array sums: a store to one byte would stall the wide load that follows it.
    Counts won{}, shown = melded;
    ++won[k], ++shown[k];
    // Where few of the hands drawn have a yaku, draw more.
    for (int round = 0; round < 4 && weight == 0.0; ++round) {
      const int n = samples << (2 * round);
      const std::uint64_t own_seed = seed + 64 * k + static_cast<std::uint64_t>(round);
      for (const Counts& hand : sampler.draw(n, own_seed)) {
        for (std::size_t j = 0; j < 34; ++j)
          in.concealed[j] = static_cast<std::uint8_t>(hand[j] + won[j]);
        in.dora = 0;
        for (std::size_t j = 0; j < query.shown; ++j)
          in.dora = static_cast<std::uint8_t>(in.dora + copies(hand, shown, query.dora[j]));
        const HandFacts facts = hand_facts(in);
        if (!facts.ok) continue;
        const Evaluation score = best_evaluation(in, facts, query.rules);
        if (score.base <= 0) continue;
        weight += 1.0;
        if (waits != nullptr) count(wait_name(wait_forms(hand, in.n_melds, kind), kind), *waits);
        if (score.fu == 0 || score.yakuman > 0) {
          cells[(kHan - 1) * kFu] += 1.0;
          continue;
        }
        const Chances<4> reds = red_chances(hand, query);
        const Chances<13> ura = ura_chances(shown, facts.kinds, hand, query);
        for (std::size_t r = 0; r < reds.n; ++r) {
          for (std::size_t u = 0; u < ura.n; ++u) {
            const std::size_t han =
                std::min(kHan - 1, static_cast<std::size_t>(score.han) + r + u);
            const std::size_t fu = han == kHan - 1 ? 0 : static_cast<std::size_t>(score.fu) / 10;
            cells[han * kFu + fu] += reds.of[r] * ura.of[u];
          }
        }
      }
    }
    if (weight > 0.0)
      for (std::size_t i = 0; i < kHan * kFu; ++i) cells[i] /= weight;
    // Of those as likely, that which was drawn first.
    if (waits != nullptr)
      std::stable_sort(waits->begin(), waits->end(),
                       [](const WaitCount& a, const WaitCount& b) { return a.hands > b.hands; });
  }
}

}  // namespace haiyomi
