#include "hand_space.hpp"

#include <algorithm>

namespace haiyomi {

void HandSpace::begin(const RootHand& root) {
  table_ = &ShantenTable::get();
  sets_ = 4 - root.n_melds;
  forms_ = root.n_melds == 0 ? root.forms : root.forms & kStandardForm;
  // Of what is drawn none was thrown before (see win_cores.cpp), so with cores the wall alone
  // says how many copies are left: those it had with the hand's, less those in the hand.
  Counts wall{};
  for (std::size_t k = 0; k < 34; ++k) {
    wall[k] = static_cast<std::uint8_t>(root.live[k] + root.concealed[k]);
  }
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::equal(wall.begin() + 9 * static_cast<std::ptrdiff_t>(a),
                      wall.begin() + 9 * static_cast<std::ptrdiff_t>(a) + 9,
                      wall.begin() + 9 * static_cast<std::ptrdiff_t>(b));
  };
  root_ = 0;
  merges_ = root.merge_suits;
  merges_like_ = root.merge_like;
  if (merges_like_) {
    classes_.clear();
    steps_.clear();
  }
  shared_ = {0, 1, 2, 3};
  flipped_ = {};
  std::array<bool, 4> mirrors{};
  if (merges_) {
    if (same(0, 1)) shared_[1] = 0;
    if (same(0, 2)) shared_[2] = 0;
    else if (same(1, 2)) shared_[2] = 1;
    for (std::size_t s = 0; s < 3; ++s) {
      mirrors[s] = true;
      for (std::size_t k = 0; k < 4; ++k) {
        if (wall[9 * s + k] != wall[9 * s + 8 - k]) mirrors[s] = false;
      }
    }
  }
  for (std::size_t s = 0; s < 4; ++s) of_[s] = &rows_[shared_[s]];
  static constexpr Counts kNothing{};
  for (std::size_t s = 0; s < 4; ++s) {
    RowId first = 0;
    if (shared_[s] == s) {
      const bool red = s < 3 && root.reds[s];
      const bool live_red = s < 3 && root.live_reds[s];
      const bool only_wall = merges_ && s < 3;
      rows_[s].with_cores = root.with_cores && !root.merge_like;
      rows_[s].mirrors = mirrors[s];
      first = rows_[s].begin(s == 3, (only_wall ? kNothing : root.concealed).data() + 9 * s,
                     !only_wall && red, (only_wall ? wall : root.live).data() + 9 * s, live_red,
                     only_wall ? Thrown::Returns : root.thrown, sets_, root.merge_honours);
    }
    if (merges_ && s < 3) {
      first = rows_[shared_[s]].other(root.concealed.data() + 9 * s, flipped_[s]);
    }
    root_ |= static_cast<HandKey>(first) << (kKeyBits * static_cast<int>(s));
  }
}

HandKey HandSpace::canonical(HandKey key) const {
  if (!merges_) return key;
  std::array<RowId, 3> ids;
  for (int suit = 0; suit < 3; ++suit) {
    const auto s = static_cast<std::size_t>(suit);
    ids[s] = row_of(key, suit);
  }
  const auto order = [&](std::size_t a, std::size_t b) {
    if (shared_[a] == shared_[b] && ids[a] > ids[b]) std::swap(ids[a], ids[b]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  order(0, 2);
  constexpr HandKey kSuits = (HandKey{1} << (3 * kKeyBits)) - 1;
  return (key & ~kSuits) | ids[0] | static_cast<HandKey>(ids[1]) << kKeyBits |
         static_cast<HandKey>(ids[2]) << (2 * kKeyBits);
}

template <bool kDraw>
HandSpace::Moves HandSpace::moves(HandKey key) {
  const std::array<RowId, 4> id{row_of(key, 0), row_of(key, 1), row_of(key, 2), row_of(key, 3)};
  const Row& m = of(0)[id[0]];
  const Row& p = of(1)[id[1]];
  const Row& b = of(2)[id[2]];
  const Row& z = of(3)[id[3]];
  const ShantenTable& table = *table_;
  const auto front = table.join(m.need, p.need);
  const auto back = table.join(b.need, z.need);
  const std::uint32_t forms = m.forms + p.forms + b.forms + z.forms;
  const Distances far = distances(key, table.join(front, back), forms);
  Moves out{far.least(), m.gained + p.gained + b.gained + z.gained, 0};
  if (far.standard == out.shanten) {
    const auto of_suit = [&](int suit, ShantenTable::NeedId rest) {
      const std::uint32_t found = of(suit).moves<kDraw>(id[static_cast<std::size_t>(suit)], rest);
      return static_cast<ActionSet>(found) << (kSuitActions * suit);
    };
    out.set = of_suit(0, table.join(p.need, back)) | of_suit(1, table.join(m.need, back)) |
              of_suit(2, table.join(front, z.need)) | of_suit(3, table.join(front, b.need));
  }
  if (far.pairs == out.shanten || far.orphans == out.shanten) {
    out.set |= other_moves<kDraw>(key, far, forms);
  }
  return out;
}

// Those of the forms other than the standard one that are nearest.
template <bool kDraw>
ActionSet HandSpace::other_moves(HandKey key, const Distances& far, std::uint32_t forms) const {
  const int best = far.least();
  const int kinds = static_cast<int>(forms >> 8 & 0xff);
  const int orphan_pairs = static_cast<int>(forms >> 24);
  ActionSet set = 0;
  for (int suit = 0; suit < 4; ++suit) {
    const Row& row = at(key, suit);
    std::uint32_t ranks = 0;
    if (far.pairs == best) {
      if (kDraw) ranks |= row.ranks.one | (kinds < 7 ? row.ranks.none : 0u);
      else ranks |= row.ranks.more | (kinds > 7 ? row.ranks.one : 0u);
    }
    if (far.orphans == best) {
      const std::uint32_t wanted = of(suit).orphans();
      if (kDraw) {
        ranks |= (row.ranks.none | (orphan_pairs == 0 ? row.ranks.one : 0u)) & wanted;
      } else {
        ranks |= ~wanted & 0x1ff;
        ranks |= (row.ranks.more | (orphan_pairs > 1 ? row.ranks.two : 0u)) & wanted;
      }
    }
    set |= static_cast<ActionSet>(with_red(ranks) & (kDraw ? row.live : row.has))
           << (kSuitActions * suit);
  }
  return set;
}

template HandSpace::Moves HandSpace::moves<true>(HandKey);
template HandSpace::Moves HandSpace::moves<false>(HandKey);

HandSpace::Core HandSpace::core(HandKey key) {
  std::array<const Row*, 4> row;
  for (int suit = 0; suit < 4; ++suit) row[static_cast<std::size_t>(suit)] = &at(key, suit);
  const auto front = table_->join(row[0]->need, row[1]->need);
  const auto back = table_->join(row[2]->need, row[3]->need);
  // What the other three rows lack together, for each.
  const std::array<ShantenTable::NeedId, 4> rest{
      table_->join(row[1]->need, back), table_->join(row[0]->need, back),
      table_->join(front, row[3]->need), table_->join(front, row[2]->need)};
  const std::uint32_t forms = row[0]->forms + row[1]->forms + row[2]->forms + row[3]->forms;
  const Distances far = distances(key, table_->join(front, back), forms);
  const int best = far.least();
  Goals other = 0;
  HandKey out = key & kRiichiBit;
  if (far.pairs == best) other |= kPairsGoal;
  else out |= kNoPairsBit;
  if (far.orphans == best) other |= kOrphansGoal;
  else out |= kNoOrphansBit;
  if (merges_like_) {
    std::array<RowClasses::Known, 4> known;
    for (int suit = 0; suit < 4; ++suit) {
      const auto s = static_cast<std::size_t>(suit);
      const RowId from = row_of(key, suit);
      SuitRows& rows = of(suit);
      if (other == 0) {
        known[s] = classes_.find(rows, shared_[s], from, rest[s], best + 1);
      } else {
        const Goals standard = far.standard == best ? rows.goals(from, rest[s], best + 1) : 0;
        known[s] = classes_.find(rows, shared_[s], from, standard | other);
      }
    }
    return named(out, known);
  }
  for (int suit = 0; suit < 4; ++suit) {
    const auto s = static_cast<std::size_t>(suit);
    const RowId from = row_of(key, suit);
    SuitRows& rows = of(suit);
    const RowId id = other == 0 ? rows.core(from, rest[s], best + 1)
                                : rows.core(from, rest[s], best + 1, far.standard == best, other);
    out |= static_cast<HandKey>(id) << (kKeyBits * suit);
  }
  out = canonical(out);
  return {out, out};
}

int HandSpace::tiles(HandKey key) const {
  int sum = 0;
  for (int s = 0; s < 4; ++s) sum += at(key, s).tiles;
  return sum;
}

ActionSet HandSpace::has(HandKey key) const {
  ActionSet set = 0;
  for (int s = 0; s < 4; ++s) set |= static_cast<ActionSet>(at(key, s).has) << (kSuitActions * s);
  return set;
}

ActionSet HandSpace::live(HandKey key) const {
  ActionSet set = 0;
  for (int s = 0; s < 4; ++s) set |= static_cast<ActionSet>(at(key, s).live) << (kSuitActions * s);
  return set;
}

Counts HandSpace::counts(HandKey key) const {
  Counts out{};
  for (int s = 0; s < 4; ++s) {
    const Row& row = at(key, s);
    std::copy_n(row.counts.begin(), s == 3 ? 7 : 9, out.begin() + 9 * s);
  }
  return out;
}

int HandSpace::reds(HandKey key) const {
  int sum = 0;
  for (int s = 0; s < 3; ++s) sum += at(key, s).red;
  return sum;
}

}  // namespace haiyomi
