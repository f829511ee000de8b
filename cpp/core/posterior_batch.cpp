// A batch of posteriors: from weights to the sums over all hands, and to waits.
#include "posterior_batch.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "clones.hpp"

namespace haiyomi {
namespace {

// The weights of the parts of a suit's patterns.
template <std::size_t N>
HAIYOMI_INLINE void weigh_parts(const LaneWeights<N>& w, std::size_t s, LaneSuit<N>& suit) {
  const std::size_t kinds = s == 3 ? 7 : 9;
  Lanes<N> one;
  for (std::size_t l = 0; l < N; ++l) set(one, l, 1.0);
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t i = 0; i < 125; ++i) {
      const std::size_t n[3] = {i % 5, i / 5 % 5, i / 25};
      Lanes<N> f = one;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t rank = 3 * p + j;
        if (rank < kinds) f = f * w.count[9 * s + rank][n[j]];
        else if (n[j] != 0) f = Lanes<N>{};
      }
      suit.part[p][i] = f;
    }
  }
}

// The sums below are over suits of one table together: its tables are read once for all of them,
// and the sums of one suit do not wait for those of another.

// A number of each of some suits.
template <std::size_t kSuits, std::size_t N>
struct OfSuits {
  Lanes<N> of[kSuits];

  HAIYOMI_INLINE void put(std::size_t s, const Lanes<N>& a) { of[s] = a; }
  HAIYOMI_INLINE Lanes<N> get(std::size_t s) const { return of[s]; }
  HAIYOMI_INLINE void add_product(const OfSuits& a, const OfSuits& b, const OfSuits& c) {
    for (std::size_t s = 0; s < kSuits; ++s) of[s] += a.of[s] * b.of[s] * c.of[s];
  }
};
// Few lanes of two suits fill the widest registers.
template <>
struct OfSuits<3, kFewLanes> {
  Lanes<2 * kFewLanes> two;
  Lanes<kFewLanes> third;

  HAIYOMI_INLINE void put(std::size_t s, const Lanes<kFewLanes>& a) {
    if (s == 2) third = a;
    else std::memcpy(reinterpret_cast<char*>(&two) + s * sizeof a, &a, sizeof a);
  }
  HAIYOMI_INLINE Lanes<kFewLanes> get(std::size_t s) const {
    if (s == 2) return third;
    Lanes<kFewLanes> out;
    std::memcpy(&out, reinterpret_cast<const char*>(&two) + s * sizeof out, sizeof out);
    return out;
  }
  HAIYOMI_INLINE void add_product(const OfSuits& a, const OfSuits& b, const OfSuits& c) {
    two += a.two * b.two * c.two;
    third += a.third * b.third * c.third;
  }
};

// Sums the weights of the patterns of each group.
template <std::size_t kSuits, std::size_t N>
HAIYOMI_INLINE void add_patterns(int sets, LaneSuit<N>* suits) {
  std::array<std::array<OfSuits<kSuits, N>, 125>, 3> part;
  Lanes<N>* raw[kSuits];
  for (std::size_t s = 0; s < kSuits; ++s) {
    raw[s] = suits[s].raw.data();
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t i = 0; i < 125; ++i) part[p][i].put(s, suits[s].part[p][i]);
  }
  const SuitPatterns& table = *suits[0].table;
  const PackedPattern* pattern = table.run_patterns.data();
  const std::uint16_t* group = table.run_groups.data();
  for (std::uint32_t r = 0; r < table.runs_of[static_cast<std::size_t>(sets)]; ++r) {
    const GroupRun run = table.runs[r];
    for (std::uint32_t i = 0; i < run.groups; ++i, ++group) {
      OfSuits<kSuits, N> sum{};
      for (std::uint32_t j = 0; j < run.each; ++j, ++pattern)
        sum.add_product(part[0][pattern->part[0]], part[1][pattern->part[1]],
                        part[2][pattern->part[2]]);
      for (std::size_t s = 0; s < kSuits; ++s) raw[s][*group] = sum.get(s);
    }
  }
}

// Sums the weights of the groups of each class.
template <std::size_t kSuits, std::size_t N>
HAIYOMI_INLINE void add_groups(LaneSuit<N>* suits) {
  const Lanes<N>* raw[kSuits];
  Lanes<N>* sum[kSuits];
  for (std::size_t s = 0; s < kSuits; ++s) {
    raw[s] = suits[s].raw.data(), sum[s] = suits[s].sum.data();
    std::fill_n(sum[s], suits[s].classes, Lanes<N>{});
  }
  const std::uint16_t* class_of = suits[0].table->class_of.data();
  for (std::size_t g = 0; g < suits[0].groups; ++g)
    for (std::size_t s = 0; s < kSuits; ++s) sum[s][class_of[g]] += raw[s][g];
}

// The factors of each class, and the sum of each role.
template <std::size_t kSuits, std::size_t N>
HAIYOMI_INLINE void add_classes(LaneHands<N>& hands, std::size_t first) {
  LaneSuit<N>* const suits = &hands.suit[first];
  const SuitPatterns& table = *suits[0].table;
  for (std::size_t i = 0; i < suits[0].classes; ++i) {
    const WaitClass& c = table.classes[i];
    const std::size_t n = c.tiles / 3u, place = table.both_place[i];
    if (c.waits != 0) {
      std::array<Lanes<N>, kSuits> f;
      for (std::size_t s = 0; s < kSuits; ++s) f[s] = hands.w.tiles[first + s][c.tiles];
      const SuitWait* wait = table.waits.data() + c.first_wait;
      for (int m = 0; m < c.n_waits; ++m, ++wait) {
        const auto kind = static_cast<std::size_t>(wait->kind);
        for (std::size_t s = 0; s < kSuits; ++s)
          f[s] = f[s] * hands.w.wait[9 * (first + s) + wait->rank][kind];
      }
      // Where a class weighs nothing, so do its factors.
      const auto put = [&](std::size_t shape, auto&& factor_of) HAIYOMI_INLINE_LAMBDA {
        const auto by = hands.w.shape[shape];
        for (std::size_t s = 0; s < kSuits; ++s)
          factor_of(suits[s]) = where(is_nonzero(suits[s].sum[i]), f[s] * by);
      };
      put(c.shape, [&](LaneSuit<N>& suit) -> Lanes<N>& { return suit.beside[i]; });
      if (c.complete)
        put(both_shape(c), [&](LaneSuit<N>& suit) -> Lanes<N>& { return suit.both[place]; });
    } else {
      for (std::size_t s = 0; s < kSuits; ++s) suits[s].beside[i] = Lanes<N>{};
    }
    for (std::size_t s = 0; s < kSuits; ++s) {
      const LaneSuit<N>& suit = suits[s];
      auto& to = hands.sums[first + s];
      const Lanes<N> sum = suit.sum[i], tiles = hands.w.tiles[first + s][c.tiles];
      if (c.tiles % 3 == 0) {
        to[kSets][n] += sum * tiles;
      } else if (c.tiles % 3 == 1) {
        to[kPairWait][n] += sum * suit.beside[i];
      } else if (!c.complete) {
        to[kW][n] += sum * suit.beside[i];
      } else {
        to[kP][n] += sum * tiles;
        if (c.waits == 0) {
          to[kQ][n] += sum * tiles;
        } else {
          to[kX][n] += sum * suit.beside[i];
          to[kB][n] += sum * suit.both[place];
        }
      }
    }
  }
}

template <std::size_t N>
HAIYOMI_INLINE void add_weights(LaneHands<N>& hands) {
  for (std::size_t s = 0; s < 4; ++s) weigh_parts(hands.w, s, hands.suit[s]);
  add_patterns<3>(hands.sets, &hands.suit[0]);
  add_patterns<1>(hands.sets, &hands.suit[3]);
  add_groups<3>(&hands.suit[0]);
  add_groups<1>(&hands.suit[3]);
  hands.sums = {};
  add_classes<3>(hands, 0);
  add_classes<1>(hands, 3);
  hands.standard = Lanes<N>{};
  hands.outer = {};
  add_compositions(hands.sets, hands.sums, hands.standard, hands.outer);
}

// The waits of hands in which some suits of one table wait.
template <std::size_t kSuits, std::size_t N>
HAIYOMI_INLINE void add_waits(const LaneHands<N>& hands, const std::array<LaneKinds<N>, 4>& barred,
                              const LaneSums<N>& live_outer, std::size_t first,
                              LaneAnswer<N>& out) {
  const LaneSuit<N>* const suits = &hands.suit[first];
  const SuitPatterns& table = *suits[0].table;
  for (std::size_t i = 0; i < suits[0].classes; ++i) {
    const WaitClass& c = table.classes[i];
    if (c.waits == 0) continue;
    const std::size_t n = c.tiles / 3u;
    std::array<Lanes<N>, kSuits> waiting, live;
    for (std::size_t s = 0; s < kSuits; ++s) {
      const LaneSuit<N>& suit = suits[s];
      const auto& outer = hands.outer[first + s];
      const Lanes<N> one = suit.sum[i] * suit.beside[i];
      if (c.tiles % 3 == 1) {
        waiting[s] = live[s] = one * outer[kPairWait][n];
      } else if (!c.complete) {
        waiting[s] = live[s] = one * outer[kW][n];
      } else {
        const Lanes<N> two = suit.sum[i] * suit.both[table.both_place[i]];
        const Lanes<N> beside = one * outer[kX][n];
        waiting[s] = beside + two * outer[kB][n];
        live[s] = beside + two * live_outer[first + s][kB][n];
      }
      const LaneMask<N> free = without(barred[first + s], c.waits);
      live[s] = where(free, live[s]);
    }
    const SuitWait* wait = table.waits.data() + c.first_wait;
    for (int m = 0; m < c.n_waits; ++m, ++wait) {
      for (std::size_t s = 0; s < kSuits; ++s) {
        const std::size_t k = 9 * (first + s) + wait->rank;
        out.kind[k][static_cast<std::size_t>(wait->kind)] += waiting[s];
        out.live[k] += live[s];
      }
    }
  }
}

template <std::size_t N>
HAIYOMI_INLINE void add_all_waits(const LaneHands<N>& hands, const LaneKinds<N>& furiten,
                                  LaneAnswer<N>& out) {
  LaneSums<N> live_sums = hands.sums;
  std::array<LaneKinds<N>, 4> barred;
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t l = 0; l < N; ++l) barred[s].v[l] = furiten.v[l] >> (9 * s) & 0x1ff;
    const LaneSuit<N>& suit = hands.suit[s];
    live_sums[s][kB].fill(Lanes<N>{});
    for (std::size_t place = 1; place < suit.boths; ++place) {
      const std::size_t i = suit.table->both_classes[place];
      const WaitClass& c = suit.table->classes[i];
      live_sums[s][kB][c.tiles / 3] +=
          where(without(barred[s], c.waits), suit.sum[i] * suit.both[place]);
    }
  }
  // Where two suits both wait, neither may wait on a furiten kind.
  LaneSums<N> live_outer{};
  Lanes<N> all{};
  add_compositions(hands.sets, live_sums, all, live_outer);
  out = {};
  add_waits<3>(hands, barred, live_outer, 0, out);
  add_waits<1>(hands, barred, live_outer, 3, out);
}

}  // namespace

// Only functions that are no templates can be compiled for several instruction sets.
HAIYOMI_CLONES void sum_weights(LaneHands<kFewLanes>& hands) { add_weights(hands); }
HAIYOMI_CLONES void sum_weights(LaneHands<kMostLanes>& hands) { add_weights(hands); }
HAIYOMI_CLONES void sum_waits(const LaneHands<kFewLanes>& hands, const LaneKinds<kFewLanes>& furiten,
                              LaneAnswer<kFewLanes>& out) {
  add_all_waits(hands, furiten, out);
}
HAIYOMI_CLONES void sum_waits(const LaneHands<kMostLanes>& hands,
                              const LaneKinds<kMostLanes>& furiten, LaneAnswer<kMostLanes>& out) {
  add_all_waits(hands, furiten, out);
}

namespace {

template <std::size_t N>
void put(const PosteriorWeights& w, std::size_t l, LaneWeights<N>& to) {
  for (std::size_t k = 0; k < 34; ++k) {
    for (std::size_t n = 0; n < 5; ++n) set(to.count[k][n], l, w.count[k][n]);
    for (std::size_t n = 0; n < 4; ++n) set(to.wait[k][n], l, w.wait[k][n]);
  }
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t n = 0; n < 14; ++n) set(to.tiles[s][n], l, w.tiles[s][n]);
  for (std::size_t i = 0; i < kShapes; ++i) set(to.shape[i], l, w.shape[i]);
  set(to.pairs, l, w.pairs);
  set(to.orphans, l, w.orphans);
}

// One lane of an array of lanes, and back.
template <std::size_t N>
void take(const Lanes<N>* from, std::size_t l, std::size_t n, double* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i][l];
}
template <std::size_t N>
void take(const LaneSums<N>& from, std::size_t l, RoleSums& to) {
  take(&from[0][0][0], l, sizeof(RoleSums) / sizeof(double), &to[0][0][0]);
}
// The positions of the set bits of each byte.
constexpr auto kPlaces = [] {
  std::array<std::array<std::uint16_t, 8>, 256> out{};
  for (unsigned bits = 0; bits < 256; ++bits)
    for (std::uint16_t i = 0, n = 0; i < 8; ++i)
      if ((bits >> i & 1) != 0) out[bits][n++] = i;
  return out;
}();

// Splits n lanes into one array an opponent. With `some` also lists the places where any of them is
// nonzero, which for opponents of one position are nearly the same.
template <std::size_t N>
HAIYOMI_INLINE void split(const Lanes<N>* from, std::size_t n, std::size_t opponents,
                          LineBuffer<double>* const* to, LineBuffer<std::uint16_t>* some) {
  double* numbers[N];
  std::uint16_t* places = some != nullptr ? some->begin_of(n) : nullptr;
  std::size_t found = 0;
  for (std::size_t l = 0; l < opponents; ++l) numbers[l] = to[l]->begin_of(n);
  for (std::size_t at = 0; at < n; at += N) {
    Lanes<N> block[N];
    if (at + N <= n) std::copy_n(from + at, N, block);
    else std::fill(std::copy_n(from + at, n - at, block), block + N, Lanes<N>{});
    transpose(block);
    Lanes<N> all{};  // of weights, none of which is negative
    for (std::size_t l = 0; l < opponents; ++l) {
      store(block[l], numbers[l] + at);
      all += block[l];
    }
    if (some == nullptr) continue;
    const unsigned bits = nonzero_bits(all);
    std::array<std::uint16_t, 8> next = kPlaces[bits];
    for (std::uint16_t& place : next) place = static_cast<std::uint16_t>(place + at);
    std::memcpy(places + found, next.data(), sizeof next);
    found += static_cast<std::size_t>(std::popcount(bits));
  }
  if (some != nullptr) some->end_at(found);
}
HAIYOMI_CLONES void split_lanes(const Lanes<kFewLanes>* from, std::size_t n, std::size_t opponents,
                                LineBuffer<double>* const* to, LineBuffer<std::uint16_t>* some) {
  split(from, n, opponents, to, some);
}
HAIYOMI_CLONES void split_lanes(const Lanes<kMostLanes>* from, std::size_t n,
                                std::size_t opponents, LineBuffer<double>* const* to,
                                LineBuffer<std::uint16_t>* some) {
  split(from, n, opponents, to, some);
}

template <std::size_t N>
void begin(LaneHands<N>& hands, int concealed) {
  hands.sets = (concealed - 1) / 3;
  const auto most = static_cast<std::size_t>(concealed) + 1;
  for (std::size_t s = 0; s < 4; ++s) {
    LaneSuit<N>& suit = hands.suit[s];
    suit.table = &suit_patterns(s == 3);
    suit.groups = suit.table->first_group[most];
    suit.classes = suit.table->first_class[most];
    suit.boths = suit.table->first_both[most];
    if (suit.raw.size() >= suit.groups) continue;
    suit.raw.resize(suit.groups);
    suit.sum.resize(suit.classes);
    suit.beside.resize(suit.classes);
    suit.both.resize(suit.boths);
  }
}

}  // namespace

template <std::size_t N>
void Posterior::Batch<N>::weigh(const Posterior* const* of, std::size_t n) {
  begin(hands_, of[0]->concealed_);
  // Unused lanes have zero weights.
  if (n < N) hands_.w = LaneWeights<N>{};
  for (std::size_t l = 0; l < n; ++l) put(of[l]->w_, l, hands_.w);
  sum_weights(hands_);
  if (of[0]->concealed_ == 13) sum_irregular(hands_);
}

template <std::size_t N>
void Posterior::Batch<N>::total(Posterior* const* of, std::size_t n) const {
  const LaneIrregular<N>& odd = hands_.irregular;
  for (std::size_t l = 0; l < n; ++l) {
    Posterior& to = *of[l];
    to.standard_ = hands_.standard[l];
    if (to.concealed_ == 13) {
      take(odd.pairs.data(), l, 34, to.pairs_.data());
      take(odd.orphans.data(), l, 34, to.orphans_.data());
      to.thirteen_ = odd.thirteen[l];
      to.all_pairs_ = odd.all_pairs[l];
      to.all_orphans_ = odd.all_orphans[l];
    }
    to.total_ = to.standard_ + to.all_pairs_ + to.all_orphans_;
  }
}

template <std::size_t N>
void Posterior::Batch<N>::keep(const Posterior* const* of, std::size_t n) const {
  for (std::size_t l = 0; l < n; ++l) of[l]->kept_ = std::make_unique<Kept>();
  for (std::size_t s = 0; s < 4; ++s) {
    const LaneSuit<N>& suit = hands_.suit[s];
    std::array<LineBuffer<double>*, N> raw, sum, beside, both;
    const auto groups = std::make_shared<LineBuffer<std::uint16_t>>();
    const auto classes = std::make_shared<LineBuffer<std::uint16_t>>();
    for (std::size_t l = 0; l < n; ++l) {
      Suit& own = of[l]->kept_->suit[s];
      own.table = suit.table;
      for (std::size_t p = 0; p < 3; ++p) take(suit.part[p].data(), l, 125, own.part[p].data());
      raw[l] = &own.raw, sum[l] = &own.sum, beside[l] = &own.beside, both[l] = &own.both.few;
      own.both.place = suit.table->both_place.data();
      own.some_groups = groups, own.some_classes = classes;
    }
    split_lanes(suit.raw.data(), suit.groups, n, raw.data(), groups.get());
    split_lanes(suit.sum.data(), suit.classes, n, sum.data(), classes.get());
    split_lanes(suit.beside.data(), suit.classes, n, beside.data(), nullptr);
    split_lanes(suit.both.data(), suit.boths, n, both.data(), nullptr);
  }
  const LaneIrregular<N>& odd = hands_.irregular;
  for (std::size_t l = 0; l < n; ++l) {
    Kept& to = *of[l]->kept_;
    take(hands_.sums, l, to.sums);
    take(hands_.outer, l, to.outer);
    if (of[l]->concealed_ != 13) continue;
    take(odd.twin_sums, l, to.twin_sums);
    take(odd.twin_outer, l, to.twin_outer);
    constexpr std::size_t kNumbers = sizeof(PairSums) / sizeof(double);
    take(&odd.before[0][0][0], l, kNumbers, &to.before[0][0][0]);
    take(&odd.after[0][0][0], l, kNumbers, &to.after[0][0][0]);
  }
}

template <std::size_t N>
void Posterior::Batch<N>::answer(const Posterior* const* of, const RonRules* const* rules,
                                 std::size_t n, PosteriorAnswer* const* out) {
  LaneKinds<N> furiten, honours;
  bool all_certain = true;
  for (std::size_t l = 0; l < n; ++l) {
    furiten.v[l] = static_cast<std::int64_t>(rules[l]->furiten);
    honours.v[l] = valued_honours(*rules[l]);
    all_certain = all_certain && certain_yaku(*rules[l]);
  }
  sum_waits(hands_, furiten, answer_);
  if (!all_certain) {
    sum_no_yaku(hands_, SharedYaku(*rules[0]), honours, furiten, answer_);
  }
  for (std::size_t l = 0; l < n; ++l) {
    const Posterior& p = *of[l];
    PosteriorAnswer& to = *out[l];
    to = {};
    if (!(p.total_ > 0.0)) continue;
    const bool certain = certain_yaku(*rules[l]);
    const std::uint64_t barred = rules[l]->furiten;
    const bool orphan_furiten = (barred & kOrphanKinds) != 0;
    for (std::size_t k = 0; k < 34; ++k) {
      const double live = answer_.live[k][l];
      const double ron = certain ? live : std::max(0.0, live - answer_.none[k][l]);
      const double taken = orphan_furiten && is_orphan(k) ? p.thirteen_ : 0.0;
      const double more =
          (barred >> k & 1) != 0 ? 0.0 : p.pairs_[k] + std::max(0.0, p.orphans_[k] - taken);
      for (std::size_t i = 0; i < 4; ++i) to.kind[k][i] = answer_.kind[k][i][l];
      double waiting = p.orphans_[k];
      to.kind[k][static_cast<std::size_t>(WaitKind::Single)] += p.pairs_[k];
      for (double& share : to.kind[k]) waiting += share, share /= p.total_;
      to.wait[k] = waiting / p.total_;
      to.live[k] = (live + more) / p.total_;
      to.ron[k] = (ron + more) / p.total_;
    }
  }
}

template <std::size_t N>
Posterior::Batch<N>& Posterior::Batch<N>::of_this_thread() {
  static thread_local std::unique_ptr<Batch> mine;
  if (mine == nullptr) mine = std::make_unique<Batch>();
  return *mine;
}

Posterior::Posterior(int concealed, const PosteriorWeights& weights)
    : Posterior(concealed, weights, Unweighed{}) {
  Posterior* const mine = this;
  auto& batch = Batch<kFewLanes>::of_this_thread();
  batch.weigh(&mine, 1);
  batch.total(&mine, 1);
  batch.keep(&mine, 1);
}

const Posterior::Kept& Posterior::kept() const {
  std::call_once(once_, [this] {
    if (kept_ != nullptr) return;
    const Posterior* const mine = this;
    auto& batch = Batch<kFewLanes>::of_this_thread();
    batch.weigh(&mine, 1);
    batch.keep(&mine, 1);
  });
  return *kept_;
}

PosteriorAnswer Posterior::answer(const RonRules& rules) const {
  auto& batch = Batch<kFewLanes>::of_this_thread();
  const Posterior* const mine = this;
  batch.weigh(&mine, 1);
  const RonRules* const own_rules = &rules;
  PosteriorAnswer out;
  PosteriorAnswer* const to = &out;
  batch.answer(&mine, &own_rules, 1, &to);
  return out;
}

std::vector<std::unique_ptr<Posterior>> Posterior::make(const std::vector<int>& concealed,
                                                        const std::vector<PosteriorWeights>& weights,
                                                        const std::vector<RonRules>* rules,
                                                        std::vector<PosteriorAnswer>* answers,
                                                        bool keep) {
  const std::size_t n = concealed.size();
  std::vector<std::unique_ptr<Posterior>> out(n);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::tuple<int, SharedYaku, bool>> alike;
  for (std::size_t i = 0; i < n; ++i) {
    out[i].reset(new Posterior(concealed[i], weights[i], Unweighed{}));
    const RonRules own_rules = rules == nullptr ? RonRules{} : (*rules)[i];
    alike.emplace_back(concealed[i], SharedYaku(own_rules), certain_yaku(own_rules));
  }
  if (answers != nullptr) answers->resize(n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return alike[a] < alike[b]; });
  for (std::size_t from = 0, to = 0; from < n; from = to) {
    std::array<Posterior*, kMostLanes> of{};
    std::array<const RonRules*, kMostLanes> rules_of{};
    std::array<PosteriorAnswer*, kMostLanes> found{};
    const auto& [tiles, yaku, certain] = alike[order[from]];
    for (; to < n && to - from < kMostLanes; ++to) {
      const std::size_t i = order[to];
      if (std::get<0>(alike[i]) != tiles || std::get<1>(alike[i]) != yaku) break;
      of[to - from] = out[i].get();
      if (answers == nullptr) continue;
      rules_of[to - from] = &(*rules)[i];
      found[to - from] = &(*answers)[i];
    }
    const auto work = [&](auto& batch) {
      batch.weigh(of.data(), to - from);
      batch.total(of.data(), to - from);
      if (keep) batch.keep(of.data(), to - from);
      if (answers != nullptr) batch.answer(of.data(), rules_of.data(), to - from, found.data());
    };
    if (to - from <= kFewLanes) work(Batch<kFewLanes>::of_this_thread());
    else work(Batch<kMostLanes>::of_this_thread());
  }
  return out;
}

}  // namespace haiyomi
