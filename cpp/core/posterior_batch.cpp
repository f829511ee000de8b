// A batch of posteriors: weights into lanes, and sums out of them.
#include "posterior_batch.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

#include "clones.hpp"

namespace haiyomi {
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

// Splits n lanes into one array an opponent.
template <std::size_t N>
HAIYOMI_INLINE void split(const Lanes<N>* from, std::size_t n, std::size_t opponents,
                          Lanes<N>* const* to) {
  for (std::size_t at = 0; at < n; at += N) {
    Lanes<N> block[N];
    if (at + N <= n) std::copy_n(from + at, N, block);
    else std::fill(std::copy_n(from + at, n - at, block), block + N, Lanes<N>{});
    transpose(block);
    for (std::size_t l = 0; l < opponents; ++l) to[l][at / N] = block[l];
  }
}
HAIYOMI_CLONES void split_lanes(const Lanes<kFewLanes>* from, std::size_t n, std::size_t opponents,
                                Lanes<kFewLanes>* const* to) {
  split(from, n, opponents, to);
}
HAIYOMI_CLONES void split_lanes(const Lanes<kMostLanes>* from, std::size_t n,
                                std::size_t opponents, Lanes<kMostLanes>* const* to) {
  split(from, n, opponents, to);
}

// Numbers of suits that no posterior has kept.
template <std::size_t N>
std::shared_ptr<std::array<LaneSuit<N>, 4>> free_suits() {
  static thread_local std::array<std::shared_ptr<std::array<LaneSuit<N>, 4>>, 3> all;
  for (auto& each : all) {
    if (each == nullptr) each = std::make_shared<std::array<LaneSuit<N>, 4>>();
    if (each.use_count() > 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);  // another thread may have let go of it
    return each;
  }
  return all[0] = std::make_shared<std::array<LaneSuit<N>, 4>>();
}

// How many groups, classes and classes that are complete and wait a hand has room for.
struct Room {
  std::size_t groups, classes, boths;

  Room(const SuitPatterns& table, int concealed)
      : groups(table.first_group[static_cast<std::size_t>(concealed) + 1]),
        classes(table.first_class[static_cast<std::size_t>(concealed) + 1]),
        boths(table.first_both[static_cast<std::size_t>(concealed) + 1]) {}
};

// Leaves out what hands of so many tiles have no room for.
template <std::size_t N>
void limit(LaneHands<N>& hands, int concealed) {
  hands.sets = (concealed - 1) / 3;
  for (std::size_t s = 0; s < 4; ++s) {
    LaneSuit<N>& suit = hands.suit[s];
    const Room room(*suit.table, concealed);
    suit.groups = room.groups, suit.classes = room.classes, suit.boths = room.boths;
  }
}

template <std::size_t N>
void begin(LaneHands<N>& hands, int concealed) {
  hands.suits.reset();
  hands.suits = free_suits<N>();
  hands.suit = hands.suits->data();
  for (std::size_t s = 0; s < 4; ++s) hands.suit[s].table = &suit_patterns(s == 3);
  limit(hands, concealed);
  for (std::size_t s = 0; s < 4; ++s) {
    LaneSuit<N>& suit = hands.suit[s];
    if (suit.raw.size() >= suit.groups) continue;
    suit.raw.resize(suit.groups);
    suit.sum.resize(suit.classes);
    suit.beside.resize(suit.classes);
    suit.both.resize(suit.boths);
  }
}

}  // namespace

std::size_t most_lanes() {
#if defined(__AVX512F__)
  return kMostLanes;
#elif defined(HAIYOMI_DISPATCH)
  static const bool wide = __builtin_cpu_supports("avx512f");
  return wide ? kMostLanes : kFewLanes;
#else
  return kFewLanes;
#endif
}

template <std::size_t N>
void Posterior::Batch<N>::weigh(const Posterior* const* of, std::size_t n) {
  int most = 0;
  hands_.set_counts = 0;
  for (std::size_t l = 0; l < n; ++l) {
    most = std::max(most, of[l]->concealed_);
    hands_.set_counts |= 1u << of[l]->sets_;
    hands_.other_counts.v[l] = ~(1 << of[l]->sets_);
  }
  begin(hands_, most);
  // Unused lanes have zero weights.
  if (n < N) clear(hands_.w);
  for (std::size_t l = 0; l < n; ++l) put(of[l]->w_, l, hands_.w);
  sum_weights(hands_);
  if (most == kMostConcealed) sum_irregular(hands_);
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
void Posterior::Batch<N>::keep(const Posterior* const* of, std::size_t n, bool share) const {
  std::array<std::unique_ptr<Kept>, N> made;
  for (std::size_t l = 0; l < n; ++l) made[l] = std::make_unique_for_overwrite<Kept>();
  for (std::size_t s = 0; s < 4; ++s) {
    const LaneSuit<N>& suit = hands_.suit[s];
    const std::array<std::pair<const Lanes<N>*, std::size_t>, 4> lanes{
        {{suit.raw.data(), suit.groups},
         {suit.sum.data(), suit.classes},
         {suit.beside.data(), suit.classes},
         {suit.both.data(), suit.boths}}};
    std::size_t blocks = 0;
    for (const auto& each : lanes) blocks += each.second / N + 1;
    std::array<Lanes<N>*, N> copy{};
    std::array<std::array<Column*, 4>, N> columns;
    std::array<std::array<std::size_t, 4>, N> sizes;
    for (std::size_t l = 0; l < n; ++l) {
      Suit& own = made[l]->suit[s];
      own.table = suit.table;
      own.both.place = suit.table->both_place.data();
      for (std::size_t p = 0; p < 3; ++p) take(suit.part[p].data(), l, 125, own.part[p].data());
      columns[l] = {&own.raw, &own.sum, &own.beside, &own.both.few};
      const Room room(*suit.table, of[l]->concealed_);
      sizes[l] = {room.groups, room.classes, room.classes, room.boths};
      if (share) own.memory = hands_.suits;
      else own.memory = std::shared_ptr<Lanes<N>[]>(copy[l] = new Lanes<N>[blocks]);
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto [from, size] = lanes[i];
      if (!share) split_lanes(from, size, n, copy.data());
      for (std::size_t l = 0; l < n; ++l) {
        *columns[l][i] =
            share ? Column(reinterpret_cast<const double*>(from) + l, sizeof *from, sizes[l][i])
                  : Column(copy[l], sizeof(double), sizes[l][i]);
        if (!share) copy[l] += size / N + 1;
      }
    }
  }
  const LaneIrregular<N>& odd = hands_.irregular;
  for (std::size_t l = 0; l < n; ++l) {
    Kept& to = *made[l];
    take(hands_.sums, l, to.sums);
    take(hands_.outer, l, to.outer);
    if (of[l]->concealed_ != 13) continue;
    take(odd.twin_sums, l, to.twin_sums);
    take(odd.twin_outer, l, to.twin_outer);
    constexpr std::size_t kNumbers = sizeof(PairSums) / sizeof(double);
    take(&odd.before[0][0][0], l, kNumbers, &to.before[0][0][0]);
    take(&odd.after[0][0][0], l, kNumbers, &to.after[0][0][0]);
  }
  for (std::size_t l = 0; l < n; ++l) of[l]->kept_ = std::move(made[l]);
}

template <std::size_t N>
void Posterior::Batch<N>::answer(const Posterior* const* of, const RonRules* const* rules,
                                 std::size_t n, PosteriorAnswer* const* out) {
  LaneKinds<N> barred, honours;
  for (std::size_t l = 0; l < n; ++l) {
    barred.v[l] = static_cast<std::int64_t>(rules[l]->barred);
    honours.v[l] = valued_honours(*rules[l]);
  }
  sum_waits(hands_, barred, answer_);
  // Once for all that have as many tiles and share what decides the yaku.
  std::array<std::array<double, 34>, N> none{};
  std::array<bool, N> asked{};
  for (std::size_t l = 0; l < n; ++l) asked[l] = certain_yaku(*rules[l]);
  for (std::size_t first = 0; first < n; ++first) {
    if (asked[first]) continue;
    const SharedYaku yaku(*rules[first]);
    limit(hands_, of[first]->concealed_);
    clear(answer_.none);
    sum_no_yaku(hands_, yaku, honours, barred, answer_);
    for (std::size_t l = first; l < n; ++l) {
      if (asked[l] || of[l]->concealed_ != of[first]->concealed_ || SharedYaku(*rules[l]) != yaku)
        continue;
      asked[l] = true;
      take(answer_.none.data(), l, 34, none[l].data());
    }
  }
  for (std::size_t l = 0; l < n; ++l) {
    const Posterior& p = *of[l];
    PosteriorAnswer& to = *out[l];
    to = {};
    if (!(p.total_ > 0.0)) continue;
    const bool certain = certain_yaku(*rules[l]);
    const std::uint64_t own = rules[l]->barred;
    const bool orphan_barred = (own & kOrphanKinds) != 0;
    for (std::size_t k = 0; k < 34; ++k) {
      const double live = answer_.live[k][l];
      const double ron = certain ? live : std::max(0.0, live - none[l][k]);
      const double taken = orphan_barred && is_orphan(k) ? p.thirteen_ : 0.0;
      const double more =
          (own >> k & 1) != 0 ? 0.0 : p.pairs_[k] + std::max(0.0, p.orphans_[k] - taken);
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
  batch.keep(&mine, 1, false);
}

const Posterior::Kept& Posterior::kept() const {
  std::call_once(once_, [this] {
    if (kept_ != nullptr) return;
    const Posterior* const mine = this;
    auto& batch = Batch<kFewLanes>::of_this_thread();
    batch.weigh(&mine, 1);
    batch.keep(&mine, 1, false);
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
  const std::size_t most = most_lanes();
  for (std::size_t from = 0, to = 0; from < n; from = to) {
    std::array<Posterior*, kMostLanes> of{};
    std::array<const RonRules*, kMostLanes> rules_of{};
    std::array<PosteriorAnswer*, kMostLanes> found{};
    const auto& [tiles, yaku, certain] = alike[order[from]];
    for (; to < n && to - from < most; ++to) {
      const std::size_t i = order[to];
      // The few opponents of one position share a batch, whatever they hold.
      if (n > kFewLanes && (std::get<0>(alike[i]) != tiles || std::get<1>(alike[i]) != yaku)) break;
      of[to - from] = out[i].get();
      if (answers == nullptr) continue;
      rules_of[to - from] = &(*rules)[i];
      found[to - from] = &(*answers)[i];
    }
    const auto work = [&](auto& batch) {
      batch.weigh(of.data(), to - from);
      batch.total(of.data(), to - from);
      // The opponents of one position are rarely kept for long.
      if (keep) batch.keep(of.data(), to - from, n <= kFewLanes);
      if (answers != nullptr) batch.answer(of.data(), rules_of.data(), to - from, found.data());
    };
    if (to - from <= kFewLanes) work(Batch<kFewLanes>::of_this_thread());
    else work(Batch<kMostLanes>::of_this_thread());
  }
  return out;
}

}  // namespace haiyomi
