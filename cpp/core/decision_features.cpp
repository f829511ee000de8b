#include "decision_features.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace haiyomi::network {
namespace {

using namespace record;

bool bit(std::uint64_t mask, std::size_t k) { return (mask >> k & 1) != 0; }

int meld_tiles(const MeldBytes& meld, std::size_t i, std::size_t& kind) {
  // The i-th kind of a meld and how many of it; 0 after the last.
  if (meld.type == 0) {
    kind = meld.base + i;
    return i < 3 ? 1 : 0;
  }
  kind = meld.base;
  return i == 0 ? (meld.type == 1 ? 3 : 4) : 0;
}

struct Opponent {
  std::uint64_t river = 0, safe = 0, suji = 0;
  bool riichi = false;
};

// Kinds whose two-sided waits are all broken by kinds that cannot be ronned.
std::uint64_t suji_of(std::uint64_t safe) {
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < 27; ++k) {
    const std::size_t r = k % 9;
    const bool below = r < 3 || bit(safe, k - 3);
    const bool above = r > 5 || bit(safe, k + 3);
    if (below && above) out |= std::uint64_t{1} << k;
  }
  return out;
}

class Writer {
 public:
  Writer(float* const* kinds, bool mirror) : kinds_(kinds), mirror_(mirror) {}
  float& at(std::size_t k, std::size_t feature) {
    assert(feature < kKindFeatures);
    return kinds_[mirror_ ? mirrored(k) : k][feature];
  }

 private:
  float* const* kinds_;
  bool mirror_;
};

class Context {
 public:
  explicit Context(float* to) : to_(to) {}
  void add(float value) {
    assert(at_ < kContext);
    to_[at_++] = value;
  }
  void add(bool value) { add(value ? 1.0f : 0.0f); }
  // The next number goes there.
  void move(std::size_t at) { at_ = at; }
  void one_of(int value, int n) {
    for (int i = 0; i < n; ++i) add(i == value);
  }

 private:
  float* to_;
  std::size_t at_ = 0;
};

int rank_of(const DecisionBytes& row) {
  int rank = 0;
  for (std::size_t p = 1; p < 4; ++p) rank += row.players[p].score > row.players[0].score;
  return rank;
}

// After the style: what else the record says of the game and of the players.
void more_context(const DecisionBytes& row, Context& out) {
  out.move(kStyleAt + kStyle);
  for (const int rounds : {1, 2, 4}) out.add(row.rounds == rounds);
  out.add(row.forgets != 0);
  for (const std::uint8_t seats : {row.ippatsu, row.double_riichi, row.nagashi}) {
    for (unsigned p = 1; p < 4; ++p) out.add((seats >> p & 1) != 0);
  }
  for (unsigned suit = 0; suit < 3; ++suit) out.add((row.reds_seen >> suit & 1) != 0);
}

}  // namespace

void decision_features(const DecisionBytes& row, bool mirror, float* const* kinds, float* context) {
  Writer x(kinds, mirror);
  Context out(context);
  std::array<int, 34> dora{};
  for (const std::uint8_t k : row.indicators) {
    if (k != kNone) {
      ++dora[dora_of(k)];
      x.at(k, 12) += 1;
    }
  }
  const std::size_t own_wind = 27 + (4u - row.dealer) % 4;
  const std::size_t round_wind = 27 + row.kyoku / 4 % 4;
  const auto yakuhai = [&](std::size_t k) { return k >= 31 || k == own_wind || k == round_wind; };
  int order_now = 0;
  for (const PlayerBytes& p : row.players) order_now += p.n;

  // The opponents, and what of them each kind shows.
  std::array<Opponent, 4> seen{};
  int n_riichi = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    const PlayerBytes& player = row.players[p];
    Opponent& o = seen[p];
    for (std::size_t i = 0; i < player.n; ++i) o.river |= std::uint64_t{1} << player.kind[i];
    o.riichi = player.riichi >= 0;
    o.safe = o.river | player.passed_riichi;
    o.suji = suji_of(o.safe);
    if (p != 0) n_riichi += o.riichi;
    const std::size_t base = p == 0 ? 0 : 30 + 14 * (p - 1);
    const auto is_tedashi = [&](std::size_t i) {
      return row.forgets == 0 && (player.flags[i] & kTsumogiri) == 0 &&
             (player.riichi < 0 || i <= static_cast<std::size_t>(player.riichi));
    };
    std::size_t tedashi_left = 0;
    for (std::size_t i = 0; i < player.n; ++i) tedashi_left += is_tedashi(i);
    for (std::size_t i = 0; i < player.n; ++i) {
      const std::size_t k = player.kind[i];
      const bool tedashi = is_tedashi(i);
      if (p == 0) {
        x.at(k, 25) += 1;
        if (i + 3 >= player.n) x.at(k, 26) += 1;
        if (i < 6) x.at(k, 27) += 1;
        continue;
      }
      x.at(k, base) += 1;
      if (tedashi) {
        x.at(k, base + 1) += 1;
        --tedashi_left;
        if (tedashi_left == 0) x.at(k, base + 4) = 1;
        if (tedashi_left == 1) x.at(k, base + 4) = 0.5f;
      }
      if (i < 6) x.at(k, base + 2) += 1;
      if (i + 3 >= player.n) x.at(k, base + 3) += 1;
      if ((player.flags[i] & kDeclares) != 0) x.at(k, base + 5) = 1;
      const int age = order_now - player.order[i];
      x.at(k, base + 7) = std::max(0.0f, 1 - static_cast<float>(age) / 24);
      if ((player.flags[i] & kFacing) != 0 && tedashi) x.at(k, base + 13) += 1;
    }
    for (const MeldBytes& meld : player.melds) {
      if (meld.type == kNone) continue;
      std::size_t k = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const int n = meld_tiles(meld, i, k);
        if (n == 0) break;
        if (p == 0) {
          x.at(k, 23) += 1;
          if (n >= 3) x.at(k, 24) += 1;
        } else {
          x.at(k, base + 8) += static_cast<float>(n) / 3;
        }
      }
      if (p != 0 && meld.called != kNone) x.at(meld.called, base + 9) = 1;
    }
    if (p == 0) continue;
    for (std::size_t k = 0; k < 34; ++k) {
      if (bit(player.passed, k)) x.at(k, base + 6) = 1;
      if (o.riichi && bit(o.safe, k)) x.at(k, base + 10) = 1;
      if (bit(o.suji, k)) {
        x.at(k, base + 11) = 1;
        if (o.riichi && !bit(o.safe, k)) x.at(k, base + 12) = 1;
      }
    }
  }

  // Own tiles, what is left of each kind, and the tile efficiency of each discard.
  int least = 99, most = 0, most_next = 0, keepers = 0, own_dora = 0, yaochu = 0, pairs = 0;
  int total = 0;
  std::array<int, 4> in_suit{};
  for (std::size_t k = 0; k < 34; ++k) {
    if (row.efficiency[k][0] < least) least = row.efficiency[k][0];
    const int held = row.hand[k];
    in_suit[k / 9] += held;
    total += held;
    own_dora += held * dora[k];
    pairs += held >= 2;
    yaochu += held > 0 && (k >= 27 || k % 9 == 0 || k % 9 == 8);
  }
  for (std::size_t k = 0; k < 34; ++k) {
    if (row.efficiency[k][0] != least) continue;
    most = std::max<int>(most, row.efficiency[k][1]);
    most_next = std::max<int>(most_next, row.efficiency[k][3]);
    ++keepers;
  }
  const bool turn = row.from == kNone;
  const PlayerBytes& me = row.players[0];
  for (std::size_t k = 0; k < 34; ++k) {
    for (int n = 1; n <= 4; ++n) {
      if (row.hand[k] >= n) x.at(k, static_cast<std::size_t>(n - 1)) = 1;
      if (row.unseen[k] >= n) x.at(k, static_cast<std::size_t>(n + 3)) = 1;
    }
    if (row.drawn == k) x.at(k, 8) = 1;
    if (row.offered == k) x.at(k, 9) = 1;
    x.at(k, 11) = static_cast<float>(dora[k]);
    if (turn && row.efficiency[k][0] != kNone) {
      const std::uint8_t* o = row.efficiency[k];
      const bool keep = o[0] == least;
      if (bit(row.discards, k)) x.at(k, 13) = 1;
      if (keep) {
        x.at(k, 14) = 1;
        x.at(k, 16) = static_cast<float>(o[1]) / 20;
        x.at(k, 17) = static_cast<float>(o[3]) / 60;
        x.at(k, 18) = o[1] == most;
        if (most > 0) x.at(k, 19) = static_cast<float>(o[1]) / static_cast<float>(most);
        x.at(k, 20) = static_cast<float>(o[2]) / 8;
        if (most_next > 0) x.at(k, 21) = static_cast<float>(o[3]) / static_cast<float>(most_next);
      } else {
        if (o[0] == least + 1) x.at(k, 15) = 1;
        x.at(k, 22) = static_cast<float>(o[1]) / 40;
      }
    }
    if (bit(me.passed, k)) x.at(k, 28) = 1;
    int unsafe = 0;
    for (std::size_t p = 1; p < 4; ++p) unsafe += seen[p].riichi && !bit(seen[p].safe, k);
    if (n_riichi > 0 && unsafe == 0) x.at(k, 29) = 1;
    x.at(k, 72) = static_cast<float>(unsafe);
    if (k < 27) {
      const std::size_t r = k % 9;
      x.at(k, 73 + std::min(r, 8 - r)) = 1;
      // The same rank in the other suits: runs of three suits.
      int others = 0;
      for (std::size_t s = 0; s < 3; ++s) others += s != k / 9 && row.hand[9 * s + r] > 0;
      if (others == 1) x.at(k, 85) = 1;
      if (others == 2) x.at(k, 86) = 1;
    } else {
      if (k == own_wind) x.at(k, 78) = 1;
      if (k == round_wind) x.at(k, 79) = 1;
      if (k < 31 && !yakuhai(k)) x.at(k, 80) = 1;
      if (k >= 31) x.at(k, 81) = 1;
    }
    x.at(k, 82) = static_cast<float>(in_suit[k / 9]) / 10;
    if (!turn) {
      // The tiles that each call would use.
      const int step = static_cast<int>(k) - row.offered;
      const auto may = [&](unsigned act) { return (row.legal >> act & 1) != 0; };
      if ((may(kChiLow) && (step == 1 || step == 2)) ||
          (may(kChiMid) && (step == -1 || step == 1)) ||
          (may(kChiHigh) && (step == -1 || step == -2)) ||
          ((may(kPon) || may(kOpenKan)) && step == 0)) {
        x.at(k, 83) = 1;
      }
    }
    if (bit(row.kans, k)) x.at(k, 84) = 1;
    if (bit(row.waits, k)) x.at(k, 88) = 1;
  }
  for (std::size_t s = 0; s < 3; ++s) {
    if ((row.reds >> s & 1) != 0) x.at(9 * s + 4, 10) = 1;
    if ((row.reds_seen >> s & 1) == 0) x.at(9 * s + 4, 89) = 1;
  }

  // The whole: the game, the players, the hand, the call on offer.
  out.add(static_cast<float>(me.n) / 18);
  out.add(static_cast<float>(me.n * me.n) / 324);
  out.add(me.n == 0);
  out.add(static_cast<float>(row.draws_left) / 70);
  out.add(row.draws_left < 12);
  out.add(row.draws_left < 4);
  out.add(static_cast<float>(row.kyoku) / 8);
  out.add(row.kyoku >= 4);
  out.add(row.kyoku >= 6);
  out.add(row.kyoku >= 7);
  out.one_of(row.dealer, 4);
  out.add(static_cast<float>(std::min<int>(row.honba, 8)) / 4);
  out.add(static_cast<float>(std::min<int>(row.sticks, 8)) / 4);
  out.add(score_feature(me.score));
  for (std::size_t p = 1; p < 4; ++p) {
    // In 64 bits: a damaged record may claim any score.
    const auto behind = std::int64_t{row.players[p].score} - me.score;
    const float gap = static_cast<float>(behind) / 10000;
    out.add(std::clamp(gap, -3.0f, 3.0f));
  }
  const int rank = rank_of(row);
  out.one_of(rank, 4);
  out.add(row.kyoku >= 6 && rank == 0);
  out.add(row.kyoku >= 6 && rank == 3);
  int melds = 0, open = 0, calls = 0;
  for (const MeldBytes& meld : me.melds) {
    if (meld.type == kNone) continue;
    ++melds;
    open += meld.type != 4;
  }
  out.one_of(melds, 5);
  out.add(open == 0);
  out.add(me.riichi >= 0);
  int own_value = 0, own_simple = 1;
  for (const MeldBytes& meld : me.melds) {
    if (meld.type == kNone) continue;
    own_dora += meld.reds;
    std::size_t k = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const int n = meld_tiles(meld, i, k);
      if (n == 0) break;
      own_dora += n * dora[k];
      if (k >= 27 || k % 9 == 0 || k % 9 == 8) own_simple = 0;
    }
    own_value += meld.type != 0 && meld.base >= 27 && yakuhai(meld.base);
  }
  for (std::size_t s = 0; s < 3; ++s) own_dora += row.reds >> s & 1;
  out.add(own_value > 0);
  out.add(melds > 0 && own_simple != 0);
  out.one_of(std::min(own_dora, 4), 5);
  for (std::size_t p = 1; p < 4; ++p) {
    const PlayerBytes& player = row.players[p];
    const bool riichi = player.riichi >= 0;
    out.add(riichi);
    const int since = riichi ? player.n - player.riichi - 1 : 0;
    out.add(static_cast<float>(since) / 10);
    out.add(riichi && since == 0);
    int number = 0, value = 0, han = 0, last = 0;
    std::array<bool, 4> suits{};
    bool simple = true;
    for (const MeldBytes& meld : player.melds) {
      if (meld.type == kNone) continue;
      ++number;
      calls += meld.type != 4;
      han += meld.reds;
      last = std::max<int>(last, meld.order);
      value += meld.type != 0 &&
               (meld.base >= 31 || meld.base == 27 + (p + 4u - row.dealer) % 4 ||
                meld.base == round_wind);
      std::size_t k = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const int n = meld_tiles(meld, i, k);
        if (n == 0) break;
        han += n * dora[k];
        suits[k / 9] = true;
        if (k >= 27 || k % 9 == 0 || k % 9 == 8) simple = false;
      }
    }
    out.add(static_cast<float>(number) / 4);
    out.add(number >= 2);
    out.add(number >= 3);
    out.add(value > 0);
    out.add(static_cast<float>(std::min(han, 6)) / 4);
    out.add(number >= 2 && suits[0] + suits[1] + suits[2] <= 1);
    out.add(number > 0 && simple);
    int after = 0, tedashi = 0;
    for (std::size_t i = 0; i < player.n; ++i) {
      if (number > 0 && player.order[i] >= last) {
        ++after;
        tedashi += row.forgets == 0 && (player.flags[i] & kTsumogiri) == 0;
      }
    }
    out.add(static_cast<float>(after) / 10);
    out.add(static_cast<float>(tedashi) / 6);
  }
  out.add(static_cast<float>(n_riichi) / 2);
  out.add(static_cast<float>(calls) / 4);
  out.add(static_cast<float>(yaochu) / 9);
  out.add(yaochu >= 9);
  out.add(static_cast<float>(pairs) / 6);
  int flush = 0;
  for (std::size_t s = 0; s < 3; ++s) flush = std::max(flush, in_suit[s] + in_suit[3]);
  out.add(static_cast<float>(flush) / static_cast<float>(std::max(total, 1)));
  out.add(turn);
  out.add(turn && row.drawn == kNone);
  // The best discard.
  if (turn) {
    out.one_of(std::min(least, 6), 7);
    out.add(static_cast<float>(most) / 20);
    out.add(least == 0 && most <= 4);
    out.add(static_cast<float>(most_next) / 60);
    out.add(static_cast<float>(keepers) / 6);
  } else {
    for (int i = 0; i < 11; ++i) out.add(0.0f);
  }
  for (unsigned act = 0; act < kActs; ++act) {
    unsigned from = act;
    if (mirror && act == kChiLow) from = kChiHigh;
    if (mirror && act == kChiHigh) from = kChiLow;
    out.add((row.legal >> from & 1) != 0);
  }
  if (!turn) {
    out.one_of(row.from - 1, 3);
    const std::size_t k = row.offered;
    out.add((row.flags & kTsumogiri) == 0);
    out.add((row.flags & (kRedFive | kOfKan)) == kRedFive);
    out.add((row.flags & kDeclares) != 0);
    out.add(k >= 27 && yakuhai(k));
    out.add(static_cast<float>(dora[k]));
    const int now = row.calls[0][0];
    for (std::size_t i = 0; i < 5; ++i) {
      std::size_t from = i;
      if (mirror && i == 1) from = 3;
      if (mirror && i == 3) from = 1;
      const std::uint8_t* c = row.calls[from];
      const bool there = c[0] != kNone;
      if (i == 0) {
        out.one_of(std::min(now, 6), 7);
      } else {
        out.add(there && c[0] < now);
        out.add(there && c[0] == now);
        out.add(there && c[0] == 0);
      }
      out.add(there ? static_cast<float>(c[1]) / 20 : 0.0f);
      out.add(there ? static_cast<float>(c[2]) / 60 : 0.0f);
    }
  }
  more_context(row, out);
}

}  // namespace haiyomi::network
