#include "record_facts.hpp"

#include <algorithm>
#include <cstring>

#include "profile.hpp"
#include "score.hpp"
#include "tile_efficiency.hpp"
#include "waits.hpp"

namespace haiyomi::record {
namespace {

constexpr std::int32_t kDeposit = 1000;
constexpr int kRiichiDraws = 4;  // draws left that a riichi needs

std::uint64_t bit(std::size_t kind) { return std::uint64_t{1} << kind; }

bool is(const MeldBytes& meld, MeldType type) {
  return meld.type == static_cast<std::uint8_t>(type);
}

// The kinds that complete 3k + 1 tiles; those of which hand and melds have all four are left out.
std::uint64_t waits_beside(const Counts& held, int n_melds, const PlayerBytes& me) {
  Counts all = held;
  for (const MeldBytes& meld : me.melds) {
    if (meld.type == kNone) continue;
    if (is(meld, MeldType::Chi)) {
      for (std::size_t i = 0; i < 3; ++i) ++all[meld.base + i];
    } else {
      all[meld.base] = std::uint8_t(all[meld.base] + (is(meld, MeldType::Pon) ? 3 : 4));
    }
  }
  std::uint64_t out = waits(held, n_melds);
  for (std::size_t k = 0; k < 34; ++k)
    if (all[k] >= 4) out &= ~bit(k);
  return out;
}

bool holds_called_tiles(const DecisionBytes& r) {
  static constexpr int kOwn[3][2] = {{1, 2}, {-1, 1}, {-2, -1}};  // beside the called tile
  const int kind = r.offered, rank = kind % 9;
  for (unsigned i = 0; i < 3; ++i) {
    if (!(r.legal >> (kChiLow + i) & 1)) continue;
    if (kind >= 27) return false;
    for (const int step : kOwn[i])
      if (rank + step < 0 || rank + step > 8 || r.hand[kind + step] == 0) return false;
  }
  return !(r.legal >> kPon & 1) || r.hand[kind] >= 2;
}

// The kind that a viewer without a tile to discard gets.
std::uint8_t given_kind(const DecisionBytes& r) {
  const PlayerBytes& me = r.players[0];
  if (me.n != 0) return me.kind[me.n - 1];
  std::size_t best = 27;
  for (std::size_t i = 28; i < 27 + 34; ++i)
    if (r.unseen[i % 34] > r.unseen[best % 34]) best = i;
  return std::uint8_t(best % 34);
}

void add_kans_and_riichi(DecisionBytes& r) {
  const PlayerBytes& me = r.players[0];
  bool closed = true, tenpai = false;
  std::uint64_t kans = 0, keeping = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    if (r.hand[k] == 4) kans |= bit(k);
    if (r.efficiency[k][0] == 0) tenpai = true, keeping |= bit(k);
  }
  for (const MeldBytes& meld : me.melds) {
    if (is(meld, MeldType::Pon) && r.hand[meld.base] > 0) kans |= bit(meld.base);
    closed = closed && (meld.type == kNone || is(meld, MeldType::Ankan));
  }
  const bool drew = r.drawn != kNone && r.draws_left > 0, riichi = me.riichi >= 0;
  if (drew) r.kans = kans;
  if (riichi) r.discards = r.discards & keeping;
  if (drew && !riichi && closed && tenpai && me.score >= kDeposit && r.draws_left >= kRiichiDraws)
    r.legal = std::uint16_t(1u << kRiichi);
}

}  // namespace

namespace {
bool is_kind(std::uint8_t k) { return k < 34 || k == kNone; }
}  // namespace

bool is_good(const ObservationBytes& r) {
  bool good = r.dealer < 4;
  for (const std::uint8_t k : r.indicators) good = good && is_kind(k);
  for (const PlayerBytes& p : r.players) {
    good = good && p.n <= kRiver;
    for (std::size_t j = 0; good && j < p.n; ++j) good = p.kind[j] < 34;
    for (const MeldBytes& m : p.melds) {
      good = good && (m.type == kNone || (m.type < 5 && m.base < (m.type == 0 ? 25 : 34) &&
                                          is_kind(m.called)));
    }
  }
  return good;
}

bool is_good(const DecisionBytes& r) {
  return is_good(static_cast<const ObservationBytes&>(r)) && is_kind(r.drawn) &&
         (r.from == kNone ? is_kind(r.offered) : r.from >= 1 && r.from < 4 && r.offered < 34);
}

bool fill_tile_facts(DecisionBytes& r) {
  Counts hand;
  std::copy_n(r.hand, 34, hand.begin());
  const bool offer = r.from != kNone;
  const int n_melds = melds_of(hand, offer ? 1 : 2);
  if (n_melds < 0) return false;
  r.waits = 0;
  if (offer || r.drawn != kNone) {
    Counts held = hand;
    if (r.drawn != kNone && (offer || held[r.drawn]-- == 0)) return false;
    r.waits = waits_beside(held, n_melds, r.players[0]);
  }
  if (!offer) {
    discard_efficiency(hand, r.unseen, n_melds, r.efficiency);
    return true;
  }
  if (!holds_called_tiles(r)) return false;
  call_efficiency(hand, r.unseen, n_melds, r.offered, r.legal, r.calls);
  return true;
}

bool complete_seat_record(DecisionBytes& r, std::uint64_t barred) {
  r.offered = r.from = kNone;
  std::memset(r.calls, kNone, sizeof r.calls);
  int tiles = 0;
  for (const std::uint8_t n : r.hand) tiles += n;
  if (tiles % 3 != 2) {
    r.drawn = given_kind(r), r.drawn_red = 0;
    ++r.hand[r.drawn];
  }
  std::uint64_t held = 0;
  for (std::size_t k = 0; k < 34; ++k)
    if (r.hand[k] > 0) held |= bit(k);
  r.discards = held & ~barred;
  if (!fill_tile_facts(r)) return false;
  add_kans_and_riichi(r);
  return true;
}

}  // namespace haiyomi::record
