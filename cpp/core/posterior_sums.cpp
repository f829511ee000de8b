// From the weights of a batch to the sums over all hands, and to waits.
#include <algorithm>
#include <cstring>

#include "clones.hpp"
#include "posterior_batch.hpp"

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

// The lanes of kSuits suits in a row, in registers of kWide numbers and, where four are left, one of
// four.
template <std::size_t kWide, std::size_t kSuits, std::size_t N>
struct Row {
  static constexpr std::size_t kWhole = kSuits * N / kWide;
  static constexpr bool kRest = kSuits * N % kWide != 0;
  static_assert(kSuits * N % kWide == (kRest ? 4 : 0));
  std::array<Lanes<kWide>, kWhole> whole{};
  std::array<Lanes<4>, kRest> rest{};
};

// The factors of the parts of kSuits suits' patterns, by register of a row.
template <std::size_t kWide, std::size_t kSuits, std::size_t N>
struct Parts {
  using R = Row<kWide, kSuits, N>;
  std::array<std::array<std::array<Lanes<kWide>, R::kWhole>, 125>, 3> whole;
  std::array<std::array<std::array<Lanes<4>, R::kRest>, 125>, 3> rest;
};

// Sums the weights of the patterns of each group.
template <std::size_t kWide, std::size_t kSuits, std::size_t N>
HAIYOMI_INLINE void add_patterns(int sets, LaneSuit<N>* suits) {
  using R = Row<kWide, kSuits, N>;
  Parts<kWide, kSuits, N> part;
  Lanes<N>* raw[kSuits];
  for (std::size_t s = 0; s < kSuits; ++s) raw[s] = suits[s].raw.data();
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t i = 0; i < 125; ++i) {
      std::array<Lanes<N>, kSuits> row;
      for (std::size_t s = 0; s < kSuits; ++s) row[s] = suits[s].part[p][i];
      std::memcpy(static_cast<void*>(&part.whole[p][i]), &row, sizeof part.whole[p][i]);
      if constexpr (R::kRest) part.rest[p][i][0] = row[kSuits - 1];
    }
  }
  const SuitPatterns& table = *suits[0].table;
  const PackedPattern* pattern = table.run_patterns.data();
  const std::uint16_t* group = table.run_groups.data();
  for (std::uint32_t r = 0; r < table.runs_of[static_cast<std::size_t>(sets)]; ++r) {
    const GroupRun run = table.runs[r];
    for (std::uint32_t i = 0; i < run.groups; ++i, ++group) {
      R sum;
      for (std::uint32_t j = 0; j < run.each; ++j, ++pattern) {
        const std::size_t a = pattern->part[0], b = pattern->part[1], c = pattern->part[2];
#pragma GCC unroll 4
        for (std::size_t e = 0; e < R::kWhole; ++e)
          sum.whole[e] += part.whole[0][a][e] * part.whole[1][b][e] * part.whole[2][c][e];
        if constexpr (R::kRest)
          sum.rest[0] += part.rest[0][a][0] * part.rest[1][b][0] * part.rest[2][c][0];
      }
      if constexpr (kWide == N) {
#pragma GCC unroll 4
        for (std::size_t s = 0; s < kSuits; ++s) raw[s][*group] = sum.whole[s];
      } else {
        std::array<Lanes<N>, kSuits> row;
        std::memcpy(static_cast<void*>(&row), &sum.whole, sizeof sum.whole);
        if constexpr (R::kRest) row[kSuits - 1] = sum.rest[0];
        for (std::size_t s = 0; s < kSuits; ++s) raw[s][*group] = row[s];
      }
    }
  }
}

HAIYOMI_CLONES void add_by_fours(int sets, LaneSuit<kFewLanes>* suits) {
  add_patterns<kFewLanes, 3>(sets, suits);
}
HAIYOMI_CLONES void add_by_eights(int sets, LaneSuit<kFewLanes>* suits) {
  add_patterns<kMostLanes, 3>(sets, suits);
}
void add_number_patterns(int sets, LaneSuit<kFewLanes>* suits) {
  most_lanes() == kMostLanes ? add_by_eights(sets, suits) : add_by_fours(sets, suits);
}
HAIYOMI_CLONES void add_number_patterns(int sets, LaneSuit<kMostLanes>* suits) {
  add_patterns<kMostLanes, 3>(sets, suits);
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
  add_number_patterns(hands.sets, hands.suit);
  add_patterns<N, 1>(hands.sets, &hands.suit[3]);
  add_groups<3>(&hands.suit[0]);
  add_groups<1>(&hands.suit[3]);
  clear(hands.sums);
  add_classes<3>(hands, 0);
  add_classes<1>(hands, 3);
  hands.standard = Lanes<N>{};
  clear(hands.outer);
  add_compositions(hands, hands.sums, hands.standard, hands.outer);
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
HAIYOMI_INLINE void add_all_waits(const LaneHands<N>& hands, const LaneKinds<N>& kinds,
                                  LaneAnswer<N>& out) {
  LaneSums<N> live_sums = hands.sums;
  std::array<LaneKinds<N>, 4> barred;
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t l = 0; l < N; ++l) barred[s].v[l] = kinds.v[l] >> (9 * s) & 0x1ff;
    const LaneSuit<N>& suit = hands.suit[s];
    live_sums[s][kB].fill(Lanes<N>{});
    for (std::size_t place = 1; place < suit.boths; ++place) {
      const std::size_t i = suit.table->both_classes[place];
      const WaitClass& c = suit.table->classes[i];
      live_sums[s][kB][c.tiles / 3] +=
          where(without(barred[s], c.waits), suit.sum[i] * suit.both[place]);
    }
  }
  // Where two suits both wait, neither may wait on a barred kind.
  LaneSums<N> live_outer{};
  Lanes<N> all{};
  add_compositions(hands, live_sums, all, live_outer);
  clear(out);
  add_waits<3>(hands, barred, live_outer, 0, out);
  add_waits<1>(hands, barred, live_outer, 3, out);
}

}  // namespace

// Only functions that are no templates can be compiled for several instruction sets.
HAIYOMI_CLONES void sum_weights(LaneHands<kFewLanes>& hands) { add_weights(hands); }
HAIYOMI_CLONES void sum_weights(LaneHands<kMostLanes>& hands) { add_weights(hands); }
HAIYOMI_CLONES void sum_waits(const LaneHands<kFewLanes>& hands, const LaneKinds<kFewLanes>& barred,
                              LaneAnswer<kFewLanes>& out) {
  add_all_waits(hands, barred, out);
}
HAIYOMI_CLONES void sum_waits(const LaneHands<kMostLanes>& hands,
                              const LaneKinds<kMostLanes>& barred, LaneAnswer<kMostLanes>& out) {
  add_all_waits(hands, barred, out);
}

}  // namespace haiyomi
