#include "suit_rows.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace haiyomi {
namespace {

constexpr std::uint32_t kNoName = 0xffffffff;

// How many of each action's tiles a row holds.
ByAction held_of(const std::array<std::uint8_t, 9>& counts, bool red) {
  ByAction out{};
  std::copy(counts.begin(), counts.end(), out.begin());
  out[4] = static_cast<std::uint8_t>(out[4] - red);
  out[kRedAction] = red;
  return out;
}

// The shape of a row's counts.
RowShape find_shape(bool honours, std::uint32_t slot, const std::array<std::uint8_t, 9>& counts) {
  const ShantenTable& table = ShantenTable::get();
  RowShape row;
  const auto need_at = [&](std::uint32_t at_slot) {
    return honours ? table.honours(at_slot) : table.suit(at_slot);
  };
  row.need = need_at(slot);
  const std::size_t kinds = honours ? 7 : 9;
  unsigned low = 0;
  unsigned high = 0;
  int tiles = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    (k < 4 ? low : high) += static_cast<unsigned>(kPlace[k] * counts[k]);
    tiles += counts[k];
  }
  row.tiles = static_cast<std::uint8_t>(tiles);
  const auto slot_of = [](unsigned h, unsigned l) { return kSlots.base[h] + kSlots.rank[l]; };
  // Without branches on the counts, which would be mispredicted.
  std::array<std::uint16_t, 5> ranks{};
  for (std::size_t k = 0; k < kinds; ++k) {
    const unsigned n = counts[k];
    const auto place = static_cast<unsigned>(kPlace[k]);
    const unsigned in_low = k < 4 ? place : 0;
    const unsigned in_high = place - in_low;
    // A row of fourteen tiles draws no more; its entry is never read.
    const unsigned up = n < 4 && tiles < kMostTiles ? 1 : 0;
    const unsigned down = n > 0 ? 1 : 0;
    row.ranks.more_need[k] = need_at(slot_of(high + up * in_high, low + up * in_low));
    row.ranks.less_need[k] = need_at(slot_of(high - down * in_high, low - down * in_low));
    ranks[n] = static_cast<std::uint16_t>(ranks[n] | 1u << k);
    const unsigned twice = n > 1 ? 1 : 0;
    const unsigned orphan = honours || k == 0 || k == 8 ? 1 : 0;
    row.forms += twice | down << 8 | (down & orphan) << 16 | (twice & orphan) << 24;
  }
  row.ranks.none = ranks[0];
  row.ranks.one = ranks[1];
  row.ranks.two = ranks[2];
  row.ranks.more = static_cast<std::uint16_t>(ranks[3] | ranks[4]);
  return row;
}

// Shapes are cached across hands: those of a game have many in common.
const RowShape& shape_of(bool honours, std::uint32_t slot,
                         const std::array<std::uint8_t, 9>& counts) {
  struct CachedShape {
    std::uint32_t name = kNoName;
    RowShape shape;
  };
  constexpr std::size_t kPlaces = 1u << 12;
  thread_local std::vector<CachedShape> cache(kPlaces);
  const std::uint32_t name = slot * 2 + honours;
  CachedShape& place = cache[name * 2654435769u >> 20];
  if (place.name != name) place = {name, find_shape(honours, slot, counts)};
  return place.shape;
}

// The shanten of two parts together, for so many sets: of sets, then one part, then the other.
const std::uint8_t* together(int sets, ShantenTable::NeedId part) {
  static const std::vector<std::uint8_t> all = [] {
    const ShantenTable& table = ShantenTable::get();
    std::vector<std::uint8_t> out(5 * 256 * 256);
    for (std::size_t m = 0; m < 5; ++m) {
      for (std::size_t a = 0; a < table.distinct(); ++a) {
        for (std::size_t b = 0; b < table.distinct(); ++b) {
          const auto whole = table.join(static_cast<ShantenTable::NeedId>(a),
                                        static_cast<ShantenTable::NeedId>(b));
          out[(m << 8 | a) << 8 | b] = table.need(whole).paired[m];
        }
      }
    }
    return out;
  }();
  return all.data() + ((static_cast<std::size_t>(sets) << 8 | part) << 8);
}

}  // namespace

void SuitRows::clear() {
  rows_.clear();
  moves_.clear();
  cores_.clear();
  rows_.reserve(64);
  moves_.reserve(64 * kMoves);
  names_.assign(64, kNoName);
  ids_.assign(64, 0);
  other_cores_.clear();
}

RowId SuitRows::begin(bool honours, const std::uint8_t* root, bool root_red,
                      const std::uint8_t* live, bool live_red, Thrown thrown, int sets,
                      bool alike) {
  table_ = &ShantenTable::get();
  const bool keeps = !alike && !mirrors;
  if (!keeps || !keeps_ || honours != honours_ || sets != sets_ || rows_.size() > kMostReused) {
    clear();
  }
  keeps_ = keeps;
  honours_ = honours;
  sets_ = sets;
  thrown_ = thrown;
  const std::size_t kinds = honours ? 7 : 9;
  std::array<std::uint8_t, 9> first{};
  std::copy(root, root + kinds, first.begin());
  std::array<std::uint8_t, 9> wall{};
  std::copy(live, live + kinds, wall.begin());
  root_ = held_of(first, root_red);
  live_ = held_of(wall, live_red);
  merges_ = false;
  for (std::size_t k = 0; k < 9; ++k) {
    alike_[k] = 1u << k;
    if (!honours || !alike || k >= kinds) continue;
    for (std::size_t j = 0; j < kinds; ++j) {
      if (j != k && root_[j] == root_[k] && live_[j] == live_[k]) {
        alike_[k] |= 1u << j;
        merges_ = true;
      }
    }
  }
  for (Row& row : rows_) count(row);
  if (with_cores) {
    cores_.resize(rows_.size() * 256, kUnknownRow);
    other_cores_.resize(std::size_t{1} << kOtherCoreBits);
  }
  return add(first, root_red);
}

// Of honours alike with the same count, the first stands for drawing any of them and the last
// for discarding any: so the counts stay in descending order, and a draw and the discard that
// undoes it have the same rank.
void SuitRows::merge_alike(Row& row) const {
  for (std::size_t k = 0; k < 7; ++k) {
    int same = 0;
    bool first = true;
    bool last = true;
    for (std::size_t j = 0; j < 7; ++j) {
      if ((alike_[k] >> j & 1) == 0 || row.counts[j] != row.counts[k]) continue;
      ++same;
      if (j < k) first = false;
      if (j > k) last = false;
    }
    row.weight[k] = static_cast<std::uint8_t>(row.weight[k] * same);
    const auto bit = static_cast<std::uint16_t>(1u << k);
    if (!first) row.live = static_cast<std::uint16_t>(row.live & ~bit);
    if (!last) row.has = static_cast<std::uint16_t>(row.has & ~bit);
  }
}

std::size_t SuitRows::place(std::uint32_t name) const {
  const std::size_t mask = names_.size() - 1;
  std::size_t at = (name * 2654435769u >> 7) & mask;
  while (names_[at] != name && names_[at] != kNoName) at = (at + 1) & mask;
  return at;
}

void SuitRows::grow() {
  std::vector<std::uint32_t> names(names_.size() * 2, kNoName);
  std::vector<RowId> ids(names.size());
  names.swap(names_);
  ids.swap(ids_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == kNoName) continue;
    const std::size_t at = place(names[i]);
    names_[at] = names[i];
    ids_[at] = ids[i];
  }
}

// Fills in what depends on the root and the wall.
void SuitRows::count(Row& row) const {
  // Actions that do not exist have nothing held and nothing in the wall.
  ByAction more, left;
  for (std::size_t a = 0; a < more.size(); ++a) {
    more[a] = static_cast<std::uint8_t>(std::max(row.held[a], root_[a]) - root_[a]);
  }
  if (thrown_ == Thrown::Gone) {
    for (std::size_t a = 0; a < more.size(); ++a) {
      left[a] = static_cast<std::uint8_t>(std::max(live_[a], more[a]) - more[a]);
    }
  } else {
    for (std::size_t a = 0; a < more.size(); ++a) {
      const auto there = static_cast<std::uint8_t>(live_[a] + root_[a]);
      left[a] = static_cast<std::uint8_t>(std::max(there, row.held[a]) - row.held[a]);
    }
  }
  std::copy_n(left.begin(), row.weight.size(), row.weight.begin());
  unsigned gained = 0;
  unsigned live = 0;
  for (std::size_t a = 0; a < kSuitActions; ++a) {
    gained += more[a];
    live |= static_cast<unsigned>(left[a] > 0) << a;
  }
  row.gained = static_cast<std::uint8_t>(gained);
  row.live = static_cast<std::uint16_t>(live);
}

RowId SuitRows::add(std::array<std::uint8_t, 9> counts, bool red) {
  if (merges_) {
    // Insertion sort within each set of honours alike, descending.
    for (std::size_t k = 1; k < 7; ++k) {
      for (std::size_t i = k; i > 0;) {
        std::size_t j = i;
        while (j-- > 0 && (alike_[i] >> j & 1) == 0) {
        }
        if (j >= i || counts[j] >= counts[i]) break;
        std::swap(counts[i], counts[j]);
        i = j;
      }
    }
  }
  if (mirrors) {
    std::array<std::uint8_t, 9> image = counts;
    std::reverse(image.begin(), image.end());
    if (image < counts) counts = image;
  }
  const std::uint32_t slot = honours_ ? honour_slot(counts.data()) : suit_slot(counts.data());
  const std::uint32_t name = slot * 2 + red;
  std::size_t at = place(name);
  if (names_[at] == name) return ids_[at];
  if (rows_.size() >= kMostRows) throw std::length_error("more rows of a suit than a key holds");
  if (2 * rows_.size() >= names_.size()) {
    grow();
    at = place(name);
  }
  const RowId id = static_cast<RowId>(rows_.size());
  names_[at] = name;
  ids_[at] = id;

  Row row;
  const RowShape& shape = shape_of(honours_, slot, counts);
  row.need = shape.need;
  row.tiles = shape.tiles;
  row.forms = shape.forms;
  row.ranks = shape.ranks;
  row.counts = counts;
  row.red = red;
  row.held = held_of(counts, red);
  for (std::size_t a = 0; a < kSuitActions; ++a) {
    row.has = static_cast<std::uint16_t>(row.has | static_cast<unsigned>(row.held[a] > 0) << a);
  }
  count(row);
  if (merges_) merge_alike(row);
  row.drawn.fill(kUnknownRow);
  row.discarded.fill(kUnknownRow);
  rows_.push_back(row);
  moves_.resize(moves_.size() + kMoves, 0);
  if (with_cores) cores_.resize(cores_.size() + 256, kUnknownRow);
  return id;
}

RowId SuitRows::step(RowId id, int action, bool draw) {
  std::array<std::uint8_t, 9> counts = rows_[id].counts;
  bool red = rows_[id].red;
  const std::size_t rank = action == kRedAction ? 4 : static_cast<std::size_t>(action);
  counts[rank] = static_cast<std::uint8_t>(counts[rank] + (draw ? 1 : -1));
  if (action == kRedAction) red = draw;
  const RowId next = add(counts, red);
  const auto a = static_cast<std::size_t>(action);
  (draw ? rows_[id].drawn : rows_[id].discarded)[a] = next;
  if (!mirrors) (draw ? rows_[next].discarded : rows_[next].drawn)[a] = id;
  return next;
}

RowId SuitRows::other(const std::uint8_t* counts, bool& mirrored) {
  std::array<std::uint8_t, 9> row{};
  std::copy(counts, counts + (honours_ ? 7 : 9), row.begin());
  const RowId id = add(row, false);
  mirrored = rows_[id].counts != row;
  return id;
}

std::uint32_t SuitRows::find_moves(RowId id, ShantenTable::NeedId rest) {
  const Row& row = rows_[id];
  const std::uint8_t* const lacks = together(sets_, rest);
  const int now = lacks[row.need];
  std::uint32_t draws = 0;
  std::uint32_t discards = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    draws |= static_cast<std::uint32_t>(lacks[row.ranks.more_need[k]] < now) << k;
    discards |= static_cast<std::uint32_t>(lacks[row.ranks.less_need[k]] == now) << k;
  }
  draws = with_red(draws);
  discards = with_red(discards) & row.has;
  const std::uint32_t out = draws | discards << kSuitActions;
  moves_[std::size_t{id} * kMoves + rest % kMoves] = out | (rest | 256u) << 20;
  return out;
}

Goals SuitRows::goals(RowId id, ShantenTable::NeedId rest, int total) const {
  const Need& own = table_->need(rows_[id].need);
  const Need& other = table_->need(rest);
  Goals out = 0;
  for (int m = 0; m <= sets_; ++m) {
    const auto here = static_cast<std::size_t>(m);
    const auto there = static_cast<std::size_t>(sets_ - m);
    if (own.plain[here] + other.paired[there] == total) out |= 1u << (2 * m);
    if (own.paired[here] + other.plain[there] == total) out |= 2u << (2 * m);
  }
  return out;
}

RowId SuitRows::without_spare(RowId id, Goals goals) {
  // What a row lacks for so many sets and pairs never changes, so it is cached across hands.
  thread_local UsedRanks of_suit(false);
  thread_local UsedRanks of_honours(true);
  UsedRanks& ranks = honours_ ? of_honours : of_suit;
  while (true) {
    const Row& row = rows_[id];
    std::uint32_t used = 0;
    for (int m = 0; m <= sets_; ++m) {
      for (int p = 0; p < 2; ++p) {
        if ((goals >> (2 * m + p) & 1) != 0) used |= ranks.used(row.counts, m, p);
      }
    }
    if ((goals & kPairsGoal) != 0) used |= row.ranks.one | row.ranks.two;
    if ((goals & kOrphansGoal) != 0) used |= (row.ranks.one | row.ranks.two) & orphans();
    const std::uint32_t spare = with_red(0x1ff & ~used) & row.has;
    if (spare == 0) return id;
    id = discard(id, std::countr_zero(spare));
  }
}

}  // namespace haiyomi
