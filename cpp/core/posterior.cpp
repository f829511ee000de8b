#include "posterior.hpp"

#include <algorithm>
#include <stdexcept>

#include "posterior_parts.hpp"

namespace haiyomi {

// ---- compositions ----------------------------------------------------------------------

namespace {

std::vector<Composition> build_compositions(int sets) {
  std::vector<Composition> out;
  const auto spread = [&](std::array<Role, 4> role, int n) {
    for (int a = 0; a <= n; ++a)
      for (int b = 0; a + b <= n; ++b)
        for (int c = 0; a + b + c <= n; ++c) {
          Composition made{role,
                           {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                            static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(n - a - b - c)}};
          for (std::size_t s = 0; s < 4; ++s)
            if (made.sets[s] > 0 || role[s] != kSets) made.suits |= static_cast<std::uint8_t>(1u << s);
          out.push_back(made);
        }
  };
  for (std::size_t s = 0; s < 4; ++s) {
    std::array<Role, 4> role{};
    role[s] = kPairWait;
    spread(role, sets);
  }
  for (std::size_t s = 0; s < 4 && sets > 0; ++s) {
    for (std::size_t t = 0; t < 4; ++t) {
      if (s == t) continue;
      std::array<Role, 4> role{};
      role[s] = kW, role[t] = kP;
      spread(role, sets - 1);
      role[s] = kX, role[t] = kQ;
      spread(role, sets - 1);
      if (t < s) continue;
      role[s] = role[t] = kB;
      spread(role, sets - 1);
    }
  }
  return out;
}

}  // namespace

const std::vector<Composition>& compositions(int sets) {
  static const std::array<std::vector<Composition>, 5> all{
      build_compositions(0), build_compositions(1), build_compositions(2), build_compositions(3),
      build_compositions(4)};
  return all[static_cast<std::size_t>(sets)];
}

const std::vector<Composition>& waiting_compositions(int sets, std::size_t suit) {
  using BySuit = std::array<std::vector<Composition>, 4>;
  static const std::array<BySuit, 5> all = [] {
    std::array<BySuit, 5> out;
    for (std::size_t n = 0; n < 5; ++n)
      for (std::size_t s = 0; s < 4; ++s) {
        for (const Composition& c : compositions(static_cast<int>(n)))
          if (waits_in(c.role[s])) out[n][s].push_back(c);
        std::stable_sort(out[n][s].begin(), out[n][s].end(),
                         [s](const Composition& a, const Composition& b) {
                           return std::pair(a.role[s], a.sets[s]) < std::pair(b.role[s], b.sets[s]);
                         });
      }
    return out;
  }();
  return all[static_cast<std::size_t>(sets)][suit];
}

Posterior::Posterior(int concealed, const PosteriorWeights& weights, Unweighed)
    : concealed_(concealed), sets_((concealed - 1) / 3), w_(weights) {
  if (concealed < 1 || concealed > 13 || concealed % 3 != 1)
    throw std::invalid_argument("a waiting hand has 1, 4, 7, 10 or 13 concealed tiles");
}

RoleSums Posterior::live_sums(std::uint64_t barred) const {
  RoleSums sums = kept().sums;
  for (std::size_t s = 0; s < 4; ++s) {
    const Suit& suit = kept().suit[s];
    const auto here = static_cast<std::uint16_t>(barred >> (9 * s) & 0x1ff);
    sums[s][kB].fill(0.0);
    for (std::size_t place = 1; place < suit.both.few.size(); ++place) {
      const std::size_t i = suit.table->both_classes[place];
      const WaitClass& c = suit.table->classes[i];
      if ((c.waits & here) == 0) sums[s][kB][c.tiles / 3u] += suit.sum[i] * suit.both.few[place];
    }
  }
  return sums;
}

// ---- answers ---------------------------------------------------------------------------------

Marginals Posterior::marginals() const {
  Marginals out;
  if (!(total_ > 0.0)) return out;
  const Kept& kept = this->kept();
  std::vector<double> outer, group_outer;
  for (std::size_t s = 0; s < 4; ++s) {
    const Suit& suit = kept.suit[s];
    outer.assign(suit.sum.size(), 0.0);
    for (std::size_t i = 0; i < outer.size(); ++i) {
      if (suit.sum[i] == 0.0) continue;
      const WaitClass& c = suit.table->classes[i];
      for_each_role(c, [&](Role role) {
        const double f = factor(s, c, i, role) * kept.outer[s][role][c.tiles / 3] / total_;
        outer[i] += f;
        if (!waits_in(role)) return;
        const double share = suit.sum[i] * f;
        const SuitWait* wait = suit.table->waits.data() + c.first_wait;
        for (int n = 0; n < c.n_waits; ++n, ++wait)
          out.wait[9 * s + wait->rank][static_cast<std::size_t>(wait->kind)] += share;
        out.shape[role == kB ? both_shape(c) : c.shape] += share;
      });
      out.tiles[s][c.tiles] += suit.sum[i] * outer[i];
    }
    group_outer.resize(suit.raw.size());
    for (std::size_t i = 0; i < group_outer.size(); ++i)
      group_outer[i] = outer[suit.table->class_of[i]];
    if (concealed_ == 13 && w_.pairs > 0.0) {
      for (const std::uint16_t i : suit.table->pairs) {
        const PatternGroup& g = suit.table->groups[i];
        if (suit.raw[i] == 0.0) continue;
        for_each_twin_role(g, [&](Role role) {
          const double f = g.single < 9 ? single_wait(w_, 9 * s + g.single) : 1.0;
          group_outer[i] -= w_.pairs * f * kept.twin_outer[s][role][g.tiles / 3] / total_;
        });
      }
    }
    std::array<std::array<double, 125>, 3> part{};
    const std::uint8_t* last = suit.table->last_part.data();
    const std::uint16_t* group = suit.table->group.data();
    suit.for_each_row(concealed_, [&](std::uint8_t a, std::uint8_t b, double f, std::uint32_t j,
                                      std::uint32_t end) {
      double row = 0.0;
      for (; j < end; ++j) {
        const double m = f * suit.part[2][last[j]] * group_outer[group[j]];
        part[2][last[j]] += m;
        row += m;
      }
      part[0][a] += row;
      part[1][b] += row;
    });
    const std::size_t kinds = s == 3 ? 7 : 9;
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t i = 0; i < 125; ++i) {
        const double m = part[p][i];
        if (m == 0.0) continue;
        const std::array<std::size_t, 3> n{i % 5, i / 5 % 5, i / 25};
        for (std::size_t j = 0; j < 3 && 3 * p + j < kinds; ++j)
          out.count[9 * s + 3 * p + j][n[j]] += m;
      }
    }
  }
  if (all_pairs_ > 0.0 || w_.pairs > 0.0) {
    // Gross seven pairs: the standard ones were taken out above, pattern by pattern.
    const double scale = w_.pairs / total_;
    for (std::size_t k = 0; k < 34 && concealed_ == 13; ++k) {
      double zero = 0.0, one = 0.0, two = 0.0;
      for (std::size_t j = 0; j < 7; ++j) {
        for (std::size_t b = 0; b < 2; ++b) {
          zero += kept.before[k][j][b] * kept.after[k + 1][6 - j][1 - b];
          if (j < 6) two += kept.before[k][j][b] * kept.after[k + 1][5 - j][1 - b];
        }
        one += kept.before[k][j][0] * kept.after[k + 1][6 - j][0];
      }
      out.count[k][0] += scale * zero * w_.count[k][0];
      out.count[k][1] += scale * one * w_.count[k][1] * single_wait(w_, k);
      out.count[k][2] += scale * two * w_.count[k][2];
      out.wait[k][static_cast<std::size_t>(WaitKind::Single)] += pairs_[k] / total_;
    }
  }
  if (all_orphans_ > 0.0) {
    double rest = w_.orphans / total_;
    for (std::size_t k = 0; k < 34; ++k)
      if (!is_orphan(k)) rest *= w_.count[k][0];
    for (const OrphanHand& hand : orphan_hands()) {
      double f = rest;
      for (const std::uint8_t k : kOrphans) f *= w_.count[k][hand.count(k)];
      for (const std::uint8_t k : kOrphans) out.count[k][hand.count(k)] += f;
    }
    for (std::size_t k = 0; k < 34; ++k)
      if (!is_orphan(k)) out.count[k][0] += all_orphans_ / total_;
  }
  out.pairs = all_pairs_ / total_;
  out.orphans = all_orphans_ / total_;
  return out;
}

bool Posterior::regular(const Counts& hand, std::array<const PatternGroup*, 4>& groups,
                        std::array<Role, 4>& roles) const {
  for (std::size_t s = 0; s < 4; ++s) {
    groups[s] = suit_patterns(s == 3).find(hand.data() + 9 * s);
    if (groups[s] == nullptr) return false;
  }
  for (const Composition& c : compositions(sets_)) {
    bool fits = true;
    for (std::size_t s = 0; s < 4 && fits; ++s)
      fits = groups[s]->tiles / 3 == c.sets[s] && plays(*groups[s], c.role[s]);
    if (!fits) continue;
    roles = c.role;
    return true;
  }
  return false;
}

double Posterior::weight(const Counts& hand) const {
  double f = 1.0;
  int tiles = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    if (hand[k] > 4) return 0.0;
    f *= w_.count[k][hand[k]];
    tiles += hand[k];
  }
  if (tiles != concealed_ || f == 0.0) return 0.0;
  std::array<const PatternGroup*, 4> groups{};
  std::array<Role, 4> roles{};
  if (regular(hand, groups, roles)) {
    for (std::size_t s = 0; s < 4; ++s) {
      const std::size_t c = groups[s]->wait_class;
      f *= factor(s, suit_patterns(s == 3).classes[c], c, roles[s]);
    }
    return f;
  }
  std::size_t single = 0;
  if (concealed_ != 13) return 0.0;
  if (is_seven_pairs(hand, &single)) return f * w_.pairs * single_wait(w_, single);
  return is_orphans(hand) ? f * w_.orphans : 0.0;
}

Marginals Posterior::uses(const Counts& hand) const {
  Marginals out;
  if (!(weight(hand) > 0.0)) return out;
  for (std::size_t k = 0; k < 34; ++k) out.count[k][hand[k]] = 1.0;
  std::array<const PatternGroup*, 4> groups{};
  std::array<Role, 4> roles{};
  std::size_t single = 0;
  if (regular(hand, groups, roles)) {
    for (std::size_t s = 0; s < 4; ++s) {
      const PatternGroup& g = *groups[s];
      out.tiles[s][g.tiles] = 1.0;
      if (!waits_in(roles[s])) continue;
      const WaitClass& c = suit_patterns(s == 3).classes[g.wait_class];
      out.shape[roles[s] == kB ? both_shape(c) : c.shape] += 1.0;
      const SuitWait* wait = suit_patterns(s == 3).waits.data() + g.first_wait;
      for (int n = 0; n < g.n_waits; ++n, ++wait)
        out.wait[9 * s + wait->rank][static_cast<std::size_t>(wait->kind)] = 1.0;
    }
  } else if (is_seven_pairs(hand, &single)) {
    out.pairs = 1.0;
    out.wait[single][static_cast<std::size_t>(WaitKind::Single)] = 1.0;
  } else {
    out.orphans = 1.0;
  }
  return out;
}

}  // namespace haiyomi
