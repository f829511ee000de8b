// Hands drawn from the posterior: a composition, then in each suit a group, then a pattern.
#include <algorithm>
#include <bit>
#include <tuple>

#include "mixed.hpp"
#include "posterior_parts.hpp"
#include "sobol.hpp"
#include "waits.hpp"

namespace haiyomi {
namespace {

// A weight, or 0: without a branch, because which classes are barred is hard to predict.
double zero_if(bool zero, double weight) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(weight) & (std::uint64_t{zero} - 1));
}

// The three counts of a part of a pattern.
constexpr auto kCounts = [] {
  std::array<std::array<std::uint8_t, 3>, 125> out{};
  for (unsigned i = 0; i < 125; ++i)
    out[i] = {static_cast<std::uint8_t>(i % 5), static_cast<std::uint8_t>(i / 5 % 5),
              static_cast<std::uint8_t>(i / 25)};
  return out;
}();

}  // namespace

const std::vector<OrphanHand>& orphan_hands() {
  static const std::vector<OrphanHand> hands = [] {
    std::vector<OrphanHand> out{{}};
    for (const std::uint8_t missing : kOrphans)
      for (const std::uint8_t pair : kOrphans)
        if (missing != pair) out.push_back({missing, pair});
    return out;
  }();
  return hands;
}

Counts Posterior::Sampler::orphans(double u) const {
  Counts out{};
  const OrphanHand* last = nullptr;
  const PosteriorWeights& w = p_.w_;
  double rest = w.orphans;
  for (std::size_t k = 0; k < 34; ++k)
    if (!is_orphan(k)) rest *= w.count[k][0];
  const bool barred = win_ >= 0 && (barred_ & kOrphanKinds) != 0;
  for (const OrphanHand& hand : orphan_hands()) {
    if (win_ >= 0 && (hand.missing == 34 ? barred : hand.missing != win_)) continue;
    double f = rest;
    for (const std::uint8_t k : kOrphans) f *= w.count[k][hand.count(k)];
    if (f <= 0.0) continue;
    last = &hand;
    u -= f;
    if (u < 0.0) break;
  }
  if (last != nullptr)
    for (const std::uint8_t k : kOrphans) out[k] = last->count(k);
  return out;
}

const Posterior::Sampler::PairWays& Posterior::Sampler::pair_ways(std::size_t single) {
  if (single == ways_beside_) return pair_ways_;
  ways_beside_ = single;
  const PairSums& after = kept_.after;
  PairWays& ways = pair_ways_;
  for (std::size_t j = 0; j < 7; ++j) ways[single + 1][j] = after[single + 1][j][0];
  ways[single] = ways[single + 1];
  for (std::size_t k = single; k-- > 0;) {
    for (std::size_t j = 0; j < 7; ++j) {
      ways[k][j] = ways[k + 1][j] * p_.w_.count[k][0];
      if (j > 0) ways[k][j] += ways[k + 1][j - 1] * p_.w_.count[k][2];
    }
  }
  for (std::size_t k = single + 2; k < 35; ++k)
    for (std::size_t j = 0; j < 7; ++j) ways[k][j] = after[k][j][0];
  return ways;
}

Counts Posterior::Sampler::seven_pairs(std::uint64_t* state) {
  const PosteriorWeights& w = p_.w_;
  Counts out{};
  // The single kind, then the pairs from the left. Standard hands are drawn anew.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    out = Counts{};
    std::size_t single = win_ >= 0 ? static_cast<std::size_t>(win_) : 0;
    if (win_ < 0) {
      double all = 0.0;
      for (const double p : p_.pairs_) all += p;
      double at = uniform(state) * all;
      for (std::size_t k = 0; k < 34; ++k) {
        if (p_.pairs_[k] <= 0.0) continue;
        single = k;
        at -= p_.pairs_[k];
        if (at < 0.0) break;
      }
    }
    out[single] = 1;
    const PairWays& ways = pair_ways(single);
    std::size_t left = 6;
    for (std::size_t k = 0; k < 34 && left > 0; ++k) {
      if (k == single) continue;
      const double two = w.count[k][2] * ways[k + 1][left - 1];
      const double none = w.count[k][0] * ways[k + 1][left];
      if (uniform(state) * (two + none) < two) {
        out[k] = 2;
        --left;
      }
    }
    if (left == 0 && (kept_.twin_sums == RoleSums{} || waits_standard(out) == 0)) return out;
  }
  return out;
}

Posterior::Sampler::Memory& Posterior::Sampler::spare() {
  static thread_local Memory memory;
  return memory;
}

Posterior::Sampler::Sampler(const Posterior& posterior) : Sampler(posterior, 0, 0) { aim(-1); }

Posterior::Sampler::Sampler(const Posterior& posterior, std::uint64_t barred, std::uint64_t wins)
    : p_(posterior), kept_(posterior.kept()), barred_(barred), wins_(wins),
      sums_(p_.live_sums(barred_)) {
  std::swap(memory_, spare());
  memory_.lists.used = memory_.winning.used = 0;
  for (Factors& each : memory_.factors) each.made = false;
}

Posterior::Sampler::~Sampler() { std::swap(memory_, spare()); }

const Posterior::Sampler::Factors& Posterior::Sampler::factors(std::size_t s) {
  Factors& out = memory_.factors[s];
  if (out.made) return out;
  out.made = true;
  const Suit& suit = kept_.suit[s];
  const SuitPatterns& table = *suit.table;
  const auto barred = static_cast<unsigned>(barred_ >> (9 * s) & 0x1ff);
  const auto live = [&](std::size_t i, double by) {
    return zero_if((table.classes[i].waits & barred) != 0, by);
  };
  out.beside.resize(suit.beside.size());
  for (std::size_t i = 0; i < out.beside.size(); ++i) out.beside[i] = live(i, suit.beside[i]);
  out.both.resize(suit.both.few.size());
  for (std::size_t place = 0; place < out.both.size(); ++place)
    out.both[place] = live(table.both_classes[place], suit.both.few[place]);
  return out;
}

const Posterior::Sampler::Waiting& Posterior::Sampler::waiting(std::size_t s) {
  Waiting& out = waiting_[s];
  if (out.made) return out;
  out.made = true;
  const Suit& suit = kept_.suit[s];
  const auto barred = static_cast<unsigned>(barred_ >> (9 * s) & 0x1ff);
  const SuitPatterns& table = *suit.table;
  const Factors& by = factors(s);
  unsigned left = static_cast<unsigned>(wins_ >> (9 * s) & 0x1ff) & ~barred;
  for (; left != 0; left &= left - 1) {
    const auto rank = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint16_t* at = table.waiting_classes[rank].data();
    const std::uint16_t* const first = at;
    for (const WaitRun& run : table.waiting_runs[rank]) {
      if (run.tiles > p_.concealed_) break;
      double one = 0.0, two = 0.0;
      for (; at != first + run.end; ++at) {
        one += suit.sum[*at] * by.beside[*at];
        if (run.complete) two += suit.sum[*at] * by.both[table.both_place[*at]];
      }
      const std::size_t sets = run.tiles / 3u;
      BySets& to = out.sums[rank];
      if (run.tiles % 3 == 1) to[kPairWait][sets] = one;
      else if (!run.complete) to[kW][sets] = one;
      else to[kX][sets] = one, to[kB][sets] = two;
    }
  }
  double sum = 0.0;
  const Composition* last = nullptr;
  const std::vector<Composition>& all = waiting_compositions(p_.sets_, s);
  out.others.begin(all.size());
  for (const Composition& c : all) {
    if (last == nullptr || last->role[s] != c.role[s] || last->sets[s] != c.sets[s]) {
      out.parts.push_back({c.role[s], c.sets[s], out.others.upto.size(), 0, 0.0, 0.0});
      sum = 0.0;
    }
    last = &c;
    double f = 1.0;
    for (std::size_t o = 0; o < 4; ++o) f *= o == s ? 1.0 : sums_[o][c.role[o]][c.sets[o]];
    out.others.add(c, f, &sum);
    out.parts.back().end = out.others.upto.size();
    out.parts.back().upto = sum;
  }
  return out;
}

bool Posterior::Sampler::aim(int win) {
  win_ = win;
  parts_.clear();
  standard_ = 0.0;
  pairs_ = p_.all_pairs_;
  orphans_ = p_.all_orphans_;
  if (win < 0) {
    for (const Composition& c : compositions(p_.sets_)) {
      double f = 1.0;
      for (std::size_t s = 0; s < 4 && f > 0.0; ++s) f *= sums_[s][c.role[s]][c.sets[s]];
      any_.add(c, f, &standard_);
    }
    ways_ = &any_;
    if (standard_ > 0.0) parts_.push_back({kSets, 0, 0, any_.upto.size(), 1.0, standard_});
    return standard_ + pairs_ + orphans_ > 0.0;
  }
  winning_ = {};
  memory_.winning.used = 0;
  const auto k = static_cast<std::size_t>(win);
  const Waiting& suit = waiting(k / 9);
  ways_ = &suit.others;
  for (Part part : suit.parts) {
    part.by = suit.sums[k % 9][part.role][part.sets];
    const double f = part.by * part.upto;
    if (!(f > 0.0)) continue;
    part.upto = standard_ += f;
    parts_.push_back(part);
  }
  pairs_ = p_.pairs_[k];
  orphans_ = p_.orphans_[k];
  if ((barred_ & kOrphanKinds) != 0 && is_orphan(k)) orphans_ -= p_.thirteen_;
  if ((barred_ >> win & 1) != 0) standard_ = pairs_ = orphans_ = 0.0;
  return standard_ + pairs_ + orphans_ > 0.0;
}

const Choice& Posterior::Sampler::choice(const Composition& c, std::size_t s) {
  const Role role = c.role[s];
  Choice& out = won(c, s) ? winning_[role][c.sets[s]] : choice_[s][role][c.sets[s]];
  if (out.made) return out;
  const Suit& suit = kept_.suit[s];
  const SuitPatterns& table = *suit.table;
  const std::size_t tiles = 3u * c.sets[s] + (role == kSets ? 0u : role == kPairWait ? 1u : 2u);
  // Complete groups come last.
  const bool whole = role != kW && tiles % 3 == 2;
  const std::uint32_t from = whole ? table.first_complete[tiles] : table.first_group[tiles];
  const std::uint32_t to = role == kW ? table.first_complete[tiles] : table.first_group[tiles + 1];
  const std::uint16_t *first = nullptr, *end = nullptr;
  if (won(c, s)) {
    const auto rank = static_cast<std::size_t>(win_ % 9);
    const std::uint16_t* const all = table.waiting[rank].data();
    first = all + table.first_waiting[rank][2 * tiles + whole];
    end = all + table.first_waiting[rank][2 * tiles + (role == kW ? 1 : 2)];
  }
  GroupLists& lists = won(c, s) ? memory_.winning : memory_.lists;
  const auto each = [&](auto&& visit) {
    if (first == nullptr)
      for (std::uint32_t g = from; g < to; ++g) visit(static_cast<std::uint16_t>(g));
    else
      for (; first != end; ++first) visit(*first);
  };
  lists.begin(first == nullptr ? to - from : static_cast<std::size_t>(end - first));
  out.made = true;
  out.first = lists.used;
  const std::uint16_t* const class_of = table.class_of.data();
  double sum = 0.0;
  const auto add_all = [&](auto&& factor_of) {
    each([&, raw = suit.raw](std::uint16_t g) {
      lists.add(g, raw[g] * factor_of(class_of[g]), &sum);
    });
  };
  // Roles that do not wait have no wait factor.
  const double by = p_.w_.tiles[s][tiles];
  if (role == kB)
    add_all([both = factors(s).both.data(), place = table.both_place.data()](std::size_t i) {
      return both[place[i]];
    });
  else if (waits_in(role))
    add_all([beside = factors(s).beside.data()](std::size_t i) { return beside[i]; });
  else if (role == kQ)
    add_all([&, by](std::size_t i) { return zero_if(table.classes[i].waits != 0, by); });
  else
    add_all([by](std::size_t) { return by; });
  out.n = lists.used - out.first;
  return out;
}

const std::vector<Counts>& Posterior::Sampler::draw(int n, std::uint64_t seed) {
  std::vector<Counts>& out = drawn_;
  out.clear();
  const double total_weight = standard_ + pairs_ + orphans_;
  if (!(total_weight > 0.0)) return out;
  std::uint64_t state = seed;
  // Of four suits a group, then a pattern: a mean over the hands errs less than by independent numbers.
  SobolPoints points(mixed(seed));
  out.reserve(static_cast<std::size_t>(n));
  // The random numbers ascend, so one pass over the parts and their compositions suffices.
  std::size_t at_part = 0, way = parts_.empty() ? 0 : parts_[0].first;
  double before = 0.0;
  for (int i = 0; i < n; ++i, points.next()) {
    // Stratified over the compositions, whatever the seed.
    const double at = (i + uniform(&state)) / n * total_weight;
    if (at >= standard_ || parts_.empty()) {
      const double u = at - standard_;
      out.push_back(u < pairs_ ? seven_pairs(&state) : orphans(u - pairs_));
      continue;
    }
    while (at_part + 1 < parts_.size() && parts_[at_part].upto <= at) {
      before = parts_[at_part].upto;
      way = parts_[++at_part].first;
    }
    const Part& part = parts_[at_part];
    while (way + 1 < part.end && before + part.by * ways_->upto[way] <= at) ++way;
    const Composition& c = *ways_->composition[way];
    Counts& hand = out.emplace_back();
    for (unsigned left = c.suits; left != 0; left &= left - 1) {
      const auto s = static_cast<std::size_t>(std::countr_zero(left));
      const Suit& suit = kept_.suit[s];
      const Choice& groups = choice(c, s);
      // Underflow: every product is zero though their sum is not.
      if (groups.n == 0) continue;
      const std::uint32_t at = groups.draw(won(c, s) ? memory_.winning : memory_.lists, points[s]);
      const std::uint32_t first = suit.table->first_pattern[at];
      const std::uint32_t end = suit.table->first_pattern[at + 1];
      const auto factor = [&](const PackedPattern& q) {
        return suit.part[0][q.part[0]] * suit.part[1][q.part[1]] * suit.part[2][q.part[2]];
      };
      std::uint32_t last = first;
      if (end - first > 1) {
        double left = points[4 + s] * suit.raw[at];
        // After rounding, fall back to the last pattern of positive weight.
        for (std::uint32_t j = first; j < end && left >= 0.0; ++j) {
          const double f = factor(suit.table->patterns[j]);
          last = f > 0.0 ? j : last;
          left -= f;
        }
      }
      const PackedPattern drawn = suit.table->patterns[last];
      for (std::size_t p = 0; p < (s == 3 ? 2u : 3u); ++p)
        std::copy_n(kCounts[drawn.part[p]].begin(), 3, hand.begin() + static_cast<int>(9 * s + 3 * p));
      if (s == 3) hand[33] = drawn.part[2];
    }
  }
  return out;
}

std::vector<Counts> Posterior::sample(int n, std::uint64_t seed, int win,
                                      std::uint64_t barred) const {
  if (!(total_ > 0.0)) return {};
  if (win < 0) return Sampler(*this).draw(n, seed);
  Sampler sampler(*this, barred, std::uint64_t{1} << win);
  if (!sampler.aim(win)) return {};
  return sampler.draw(n, seed);
}

}  // namespace haiyomi
