// The hands that a root hand can become, each an exact 64-bit key: four row numbers, three flags.
#pragma once
#include <algorithm>
#include <bit>

#include "row_steps.hpp"

namespace haiyomi {

using HandKey = std::uint64_t;

inline constexpr int kKeyBits = 15;
inline constexpr HandKey kRiichiBit = HandKey{1} << (4 * kKeyBits);
// Flags of a core: it cannot become these forms, whatever its rows look like.
inline constexpr HandKey kNoPairsBit = HandKey{1} << (4 * kKeyBits + 1);
inline constexpr HandKey kNoOrphansBit = HandKey{1} << (4 * kKeyBits + 2);
// Where equivalent rows are merged, a hand's name holds the classes of its rows and, from this bit
// on, the number of sets still to be distributed among them. The root has a name of its own.
inline constexpr int kSetsAt = 4 * kKeyBits + 1;
inline constexpr HandKey kRootName = ~HandKey{0};

// A set of actions: bit suit * 10 + action.
using ActionSet = std::uint64_t;

constexpr ActionSet action_bit(int suit, int action) {
  return ActionSet{1} << (kSuitActions * suit + action);
}

inline constexpr ActionSet kEveryAction = action_bit(4, 0) - 1;

// Where the row of an action's suit is in a key, by the action's bit.
struct ActionPlace {
  std::uint8_t suit, action, shift;
};
inline constexpr std::array<ActionPlace, kActions> kActionPlaces = [] {
  std::array<ActionPlace, kActions> out{};
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t suit = at / kSuitActions;
    out[at] = {static_cast<std::uint8_t>(suit), static_cast<std::uint8_t>(at % kSuitActions),
               static_cast<std::uint8_t>(kKeyBits * suit)};
  }
  return out;
}();

// Which forms of a complete hand count.
inline constexpr unsigned kStandardForm = 1, kPairsForm = 2, kOrphansForm = 4;

struct RootHand {
  Counts concealed{};  // 3k + 1 or 3k + 2 tiles
  std::array<bool, 3> reds{};
  Counts live{};       // copies of each kind that the viewer cannot see, reds included
  std::array<bool, 3> live_reds{};
  int n_melds = 0;
  unsigned forms = 7;  // the last two are left out with melds
  Thrown thrown = Thrown::Gone;
  bool with_cores = false;     // `core` will be called
  // Treat suits with the same wall as equal, and a suit as equal to its mirror image: only with
  // cores, and where a win is worth the same in all of them.
  bool merge_suits = false;
  // Merge equivalent rows of any suit: only with cores, where a win is worth the same with all of
  // them, and for hands of at least seven kinds.
  bool merge_like = false;
  bool merge_honours = false;  // where a win's worth does not depend on the honours
};

class HandSpace {
 public:
  // A hand's shanten and its useful actions: for 3k + 1 tiles the draws that lower the shanten, for
  // 3k + 2 the discards that keep it. `shanten` is the least over the forms.
  struct Moves {
    int shanten;
    int gained;  // tiles beyond the root hand's
    ActionSet set;
  };

  void begin(const RootHand& root);

  static constexpr RowId row_of(HandKey key, int suit) {
    return static_cast<RowId>(key >> (kKeyBits * suit) & 0x7fff);
  }
  HandKey root() const { return root_; }

  // Calls visit(hand, bit, weight) with the hand that each of these draws (discards) makes and its
  // action's bit, in the order of the actions; the weight is that of drawing the tile.
  template <bool kDraw, class Visit>
  void for_each_next_hand(HandKey key, ActionSet set, Visit&& visit);

  template <bool kDraw>
  Moves moves(HandKey key);

  // The hand with one more tile.
  HandKey drawn(HandKey key, int suit, int action) {
    const int shift = kKeyBits * suit;
    const HandKey row = of(suit).draw(row_of(key, suit), action);
    return (key & ~(HandKey{0x7fff} << shift)) | row << shift;
  }

  // The hand without the tiles that no nearest win holds: its value is the same while only useful
  // draws and discards that keep the shanten are made. Hands of the same name have the same value.
  struct Core {
    HandKey hand, name;
  };
  Core core(HandKey key);
  // Calls visit(core, tiles, weight) with the core of each hand that these draws (discards) make of
  // this one; `set` holds all that lower (keep) the shanten, and no suits are merged.
  template <bool kDraw, class Visit>
  void for_each_next_core(HandKey key, ActionSet set, Visit&& visit);
  // The same over all such draws (discards), where equivalent rows are merged into classes and only
  // the standard form counts.
  template <bool kDraw, class Visit>
  void for_each_next_class(HandKey key, Visit&& visit);
  static bool only_standard(HandKey key) {
    return (key & (kNoPairsBit | kNoOrphansBit)) == (kNoPairsBit | kNoOrphansBit);
  }
  bool merges() const { return merges_; }
  int tiles(HandKey key) const;

  ActionSet has(HandKey key) const;   // actions that can be discarded
  ActionSet live(HandKey key) const;  // actions that can be drawn
  int weight(HandKey key, int suit, int action) const {
    return at(key, suit).weight[static_cast<std::size_t>(action)];
  }
  Counts counts(HandKey key) const;
  int reds(HandKey key) const;
  int sets() const { return sets_; }
  // Ranks of the root that one of its actions stands for.
  std::uint32_t alike(int suit, int rank) const {
    return of(suit).alike(flipped_[static_cast<std::size_t>(suit)] ? 8 - rank : rank);
  }
  const Row& at(HandKey key, int suit) const {
    return of(suit)[row_of(key, suit)];
  }

 private:
  // The representative of all hands that swapping or mirroring suits of the same wall makes of this
  // one.
  HandKey canonical(HandKey key) const;
  // The core whose rows are known.
  Core named(HandKey flags, const std::array<RowClasses::Known, 4>& rows) const;

  const ShantenTable* table_ = nullptr;
  // The shanten of each form; kNoForm for those that do not count.
  struct Distances {
    int standard, pairs, orphans;
    int least() const { return std::min(standard, std::min(pairs, orphans)); }
  };
  Distances distances(HandKey key, ShantenTable::NeedId whole, std::uint32_t forms) const;
  template <bool kDraw>
  ActionSet other_moves(HandKey key, const Distances& far, std::uint32_t forms) const;

  SuitRows& of(int suit) { return *of_[static_cast<std::size_t>(suit)]; }
  const SuitRows& of(int suit) const { return *of_[static_cast<std::size_t>(suit)]; }

  std::array<SuitRows, 4> rows_;
  std::array<std::size_t, 4> shared_{0, 1, 2, 3};  // suits of the same wall share their rows
  std::array<SuitRows*, 4> of_{};                  // a suit's rows; good from one `begin` on
  std::array<bool, 4> flipped_{};                  // the root's suits that are kept mirrored
  bool merges_ = false;
  bool merges_like_ = false;
  RowClasses classes_;
  RowSteps steps_;
  HandKey root_ = 0;
  int sets_ = 4;
  unsigned forms_ = 7;
};

// Calls visit(suit, action) for each action of a set, in order.
template <class Visit>
inline void for_each_action(ActionSet set, Visit&& visit) {
  for (; set != 0; set &= set - 1) {
    const int at = std::countr_zero(set);
    const int suit = (at >= 10) + (at >= 20) + (at >= 30);
    visit(suit, at - kSuitActions * suit);
  }
}

inline HandSpace::Distances HandSpace::distances(HandKey key, ShantenTable::NeedId whole,
                                                 std::uint32_t forms) const {
  Distances out{kNoForm, kNoForm, kNoForm};
  if ((forms_ & kStandardForm) != 0) out.standard = table_->shanten(whole, sets_);
  if ((forms_ & kPairsForm) != 0 && (key & kNoPairsBit) == 0) {
    const int kinds = static_cast<int>(forms >> 8 & 0xff);
    out.pairs = 6 - static_cast<int>(forms & 0xff) + std::max(0, 7 - kinds);
  }
  if ((forms_ & kOrphansForm) != 0 && (key & kNoOrphansBit) == 0) {
    out.orphans = 13 - static_cast<int>(forms >> 16 & 0xff) - (forms >> 24 > 0);
  }
  return out;
}

template <bool kDraw, class Visit>
inline void HandSpace::for_each_next_hand(HandKey key, ActionSet set, Visit&& visit) {
  // One loop over all suits: its end is predicted more often than the ends of four.
  for (set &= kEveryAction; set != 0; set &= set - 1) {
    const ActionPlace place = kActionPlaces[static_cast<std::size_t>(std::countr_zero(set))];
    SuitRows& rows = of(place.suit);
    const auto from = static_cast<RowId>(key >> place.shift & 0x7fff);
    const RowId to = kDraw ? rows.draw(from, place.action) : rows.discard(from, place.action);
    // After a discard the tile could be drawn again: by the weight that the new row gives it.
    const std::uint8_t weight = rows[kDraw ? from : to].weight[place.action];
    visit(key + (static_cast<HandKey>(to) << place.shift) -
              (static_cast<HandKey>(from) << place.shift),
          set & -set, weight);
  }
}

template <bool kDraw, class Visit>
inline void HandSpace::for_each_next_core(HandKey key, ActionSet set, Visit&& visit) {
  using NeedId = ShantenTable::NeedId;
  const ShantenTable& table = *table_;
  const std::array<RowId, 4> id{row_of(key, 0), row_of(key, 1), row_of(key, 2), row_of(key, 3)};
  const auto row = [&](int suit) -> const Row& {
    return of(suit)[id[static_cast<std::size_t>(suit)]];
  };
  const std::uint32_t forms = row(0).forms + row(1).forms + row(2).forms + row(3).forms;
  const bool standard_only = only_standard(key);
  for (int suit = 0; suit < 4; ++suit, set >>= kSuitActions) {
    auto actions = static_cast<std::uint32_t>(set & ((1u << kSuitActions) - 1));
    if (actions == 0) continue;
    const auto s = static_cast<std::size_t>(suit);
    const int a = suit == 0 ? 1 : 0;
    const int b = suit <= 1 ? 2 : 1;
    const int c = suit == 3 ? 2 : 3;
    // What the other suits lack, all three and each two.
    const NeedId but_a = table.join(row(b).need, row(c).need);
    const NeedId but_b = table.join(row(a).need, row(c).need);
    const NeedId but_c = table.join(row(a).need, row(b).need);
    const NeedId others = table.join(row(a).need, but_a);
    SuitRows& rows = of(suit);
    // The cores of the other suits, often the same from one action to the next.
    int last = -1;
    HandKey beside = 0;
    int other_tiles = 0;
    for (; actions != 0; actions &= actions - 1) {
      const int action = std::countr_zero(actions);
      const RowId to = kDraw ? rows.draw(id[s], action) : rows.discard(id[s], action);
      const Row& then = rows[to];
      const NeedId lacks = then.need;
      const NeedId whole = table.join(others, lacks);
      Distances far{kNoForm, kNoForm, kNoForm};
      if (standard_only) far.standard = table.shanten(whole, sets_);
      else far = distances(key, whole, forms - row(suit).forms + then.forms);
      const int best = far.least();
      const bool standard = far.standard == best;
      const Goals other =
          (far.pairs == best ? kPairsGoal : 0) | (far.orphans == best ? kOrphansGoal : 0);
      const auto keep = [&](int own, RowId from, NeedId rest, int& tiles) {
        SuitRows& all = of(own);
        const RowId core = other == 0 ? all.core(from, rest, best + 1)
                                      : all.core(from, rest, best + 1, standard, other);
        tiles += all[core].tiles;
        return static_cast<HandKey>(core) << (kKeyBits * own);
      };
      const int weight = rows[kDraw ? id[s] : to].weight[static_cast<std::size_t>(action)];
      const int now = static_cast<int>(other) << 1 | static_cast<int>(standard) | lacks << 16;
      if (now != last) {
        last = now;
        other_tiles = 0;
        beside = keep(a, id[static_cast<std::size_t>(a)], table.join(but_a, lacks), other_tiles) |
                 keep(b, id[static_cast<std::size_t>(b)], table.join(but_b, lacks), other_tiles) |
                 keep(c, id[static_cast<std::size_t>(c)], table.join(but_c, lacks), other_tiles) |
                 (key & kRiichiBit) | (far.pairs == best ? 0 : kNoPairsBit) |
                 (far.orphans == best ? 0 : kNoOrphansBit);
      }
      int tiles = other_tiles;
      const HandKey out = beside | keep(suit, to, others, tiles);
      visit(Core{out, out}, tiles, weight);
    }
  }
}

inline HandSpace::Core HandSpace::named(HandKey flags,
                                        const std::array<RowClasses::Known, 4>& rows) const {
  std::array<std::uint16_t, 4> name;
  HandKey hand = flags;
  int sets = sets_;
  for (std::size_t s = 0; s < 4; ++s) {
    hand |= static_cast<HandKey>(rows[s].row) << (kKeyBits * static_cast<int>(s));
    name[s] = rows[s].number;
    sets -= rows[s].sets;
  }
  const auto order = [&](std::size_t a, std::size_t b) {
    const std::uint16_t low = std::min(name[a], name[b]);
    name[b] = std::max(name[a], name[b]);
    name[a] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
  HandKey out = (flags & kRiichiBit) | static_cast<HandKey>(sets) << kSetsAt;
  for (std::size_t s = 0; s < 4; ++s) {
    out |= static_cast<HandKey>(name[s]) << (kKeyBits * static_cast<int>(s));
  }
  return {hand, out};
}

template <bool kDraw, class Visit>
inline void HandSpace::for_each_next_class(HandKey key, Visit&& visit) {
  using NeedId = ShantenTable::NeedId;
  const ShantenTable& table = *table_;
  std::array<RowId, 4> id;
  std::array<NeedId, 4> need;
  for (int suit = 0; suit < 4; ++suit) {
    const auto s = static_cast<std::size_t>(suit);
    id[s] = row_of(key, suit);
    need[s] = of(suit)[id[s]].need;
  }
  // What two rows lack together.
  std::array<std::array<NeedId, 4>, 4> pair;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      pair[a][b] = pair[b][a] = table.join(need[a], need[b]);
    }
  }
  const int total = table.shanten(table.join(pair[0][1], pair[2][3]), sets_) + 1;
  const HandKey flags = key & (kRiichiBit | kNoPairsBit | kNoOrphansBit);
  std::array<RowClasses::Known, 4> rows;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::size_t a = s == 0 ? 1 : 0;
    const std::size_t b = s <= 1 ? 2 : 1;
    const std::size_t c = s == 3 ? 2 : 3;
    const NeedId rest = table.join(pair[a][b], need[c]);
    const auto steps = steps_.find<kDraw>(classes_, of(static_cast<int>(s)), shared_[s], id[s],
                                          rest, total);
    int last = -1;
    int tiles = 0;
    for (const RowStep& step : steps) {
      if (step.need != last) {
        last = step.need;
        tiles = 0;
        const auto narrow = [&](std::size_t i, std::size_t j, std::size_t k) {
          rows[i] = classes_.find(of(static_cast<int>(i)), shared_[i], id[i],
                                  table.join(pair[j][k], step.need), total - (kDraw ? 1 : 0));
          tiles += rows[i].tiles;
        };
        narrow(a, b, c);
        narrow(b, a, c);
        narrow(c, a, b);
      }
      rows[s] = step.to;
      visit(named(flags, rows), tiles + step.to.tiles, static_cast<int>(step.weight));
    }
  }
}

}  // namespace haiyomi
