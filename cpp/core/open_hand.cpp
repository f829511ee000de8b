#include "open_hand.hpp"

#include <algorithm>
#include <bit>

namespace haiyomi {
namespace {

constexpr std::uint64_t bit(int kind) { return std::uint64_t{1} << kind; }

constexpr std::uint64_t suit_ranks(std::uint64_t ranks) { return ranks | ranks << 9 | ranks << 18; }

constexpr std::uint64_t kTerminals = suit_ranks(bit(0) | bit(8));
constexpr std::uint64_t kHonours = std::uint64_t{0x7f} << 27;
constexpr std::uint64_t kYaochu = kTerminals | kHonours;
constexpr std::uint64_t kWinds = std::uint64_t{0xf} << 27;
constexpr std::uint64_t kDragons = std::uint64_t{0x7} << 31;
constexpr std::uint64_t kGreens =
    bit(19) | bit(20) | bit(21) | bit(23) | bit(25) | bit(32);  // 2s 3s 4s 6s 8s, Green
constexpr std::uint32_t kStraight = 1 | 1 << 3 | 1 << 6;        // 123 456 789
constexpr std::uint32_t kOuterSequences = (1 | 1 << 6) * (1 | 1 << 7 | 1 << 14);

// The melds, folded into the same masks that a reading has.
struct MeldSums {
  std::uint64_t kinds = 0, triplets = 0;
  std::uint32_t sequences = 0;
  int fu = 0, concealed_triplets = 0, kans = 0, dora = 0;
};

MeldSums sum_melds(const OpenContext& context) {
  MeldSums sums;
  for (const Meld& meld : context.melds) {
    const int k = meld.kind;
    if (meld.type == MeldType::Chi) {
      sums.sequences |= 1u << (k / 9 * 7 + k % 9);
      for (int i = 0; i < 3; ++i) {
        sums.kinds |= bit(k + i);
        sums.dora += context.dora[k + i];
      }
      continue;
    }
    sums.kinds |= bit(k);
    sums.triplets |= bit(k);
    const bool kan = meld.type != MeldType::Pon, concealed = meld.type == MeldType::Ankan;
    sums.fu += (bit(k) & kYaochu ? 4 : 2) * (kan ? 4 : 1) * (concealed ? 2 : 1);
    sums.kans += kan;
    sums.concealed_triplets += concealed;
    sums.dora += context.dora[k] * (kan ? 4 : 3);
  }
  sums.dora += context.meld_reds;
  return sums;
}

// Yaku that do not depend on how the tiles are read.
struct TileYaku {
  int han = 0, yakuman = 0;
  bool honours = false;
};

TileYaku tile_yaku(std::uint64_t kinds, const OpenContext& context) {
  TileYaku out;
  out.honours = (kinds & kHonours) != 0;
  const int suits = ((kinds & 0x1ff) != 0) + ((kinds >> 9 & 0x1ff) != 0) +
                    ((kinds >> 18 & 0x1ff) != 0);
  if (suits == 0) ++out.yakuman;                        // all honours
  if (suits == 1) out.han += out.honours ? 2 : 5;       // half and full flush
  if ((kinds & ~kYaochu) == 0) {
    if (!out.honours) ++out.yakuman;                    // all terminals
    else if (suits > 0) out.han += 2;                   // terminals and honours
  }
  if ((kinds & ~kGreens) == 0) ++out.yakuman;           // all green
  if (context.rules.kuitan && (kinds & kYaochu) == 0) ++out.han;  // all simples
  out.han += context.houtei + context.chankan;
  return out;
}

HanFu score_reading(const Reading& r, const TileYaku& tiles, const MeldSums& melds,
                    const OpenContext& context) {
  const std::uint32_t sequences = r.sequences | melds.sequences;
  const std::uint64_t triplets = r.triplets | melds.triplets, pair = bit(r.pair);
  int han = tiles.han, yakuman = tiles.yakuman;

  const int dragons = std::popcount(triplets & kDragons), winds = std::popcount(triplets & kWinds);
  if (dragons == 3) ++yakuman;
  if (winds == 4) yakuman += context.rules.double_yakuman ? 2 : 1;
  else if (winds == 3 && (pair & kWinds)) ++yakuman;
  if (melds.kans == 4) ++yakuman;
  if (yakuman > 0) {
    if (!context.rules.multiple_yakuman) yakuman = 1;
    return {static_cast<std::uint8_t>(13 * yakuman), 0};
  }

  han += dragons + ((triplets & bit(context.round_wind)) != 0) +
         ((triplets & bit(context.seat_wind)) != 0);
  if (dragons == 2 && (pair & kDragons)) han += 2;
  if (sequences == 0) han += 2;                                                   // all triplets
  if (r.concealed_triplets + melds.concealed_triplets >= 3) han += 2;
  if (melds.kans == 3) han += 2;
  if (sequences & sequences >> 7 & sequences >> 14 & 0x7f) ++han;                 // three colours
  if (triplets & triplets >> 9 & triplets >> 18 & 0x1ff) han += 2;
  for (int s = 0; s < 3; ++s)
    if ((sequences >> 7 * s & kStraight) == kStraight) ++han;
  if (sequences != 0 && (sequences & ~kOuterSequences) == 0 && ((triplets | pair) & ~kYaochu) == 0)
    han += tiles.honours ? 1 : 2;                                                 // outside hand
  if (han == 0) return {};

  int fu = 20 + r.set_fu + melds.fu;
  if (pair & kDragons) fu += 2;
  if (r.pair == context.round_wind && r.pair == context.seat_wind) fu += context.rules.wind_pair_fu;
  else if (r.pair == context.round_wind || r.pair == context.seat_wind) fu += 2;
  fu = std::max(30, (fu + 9) / 10 * 10);  // an open hand has no 20 fu ron
  return {static_cast<std::uint8_t>(han), static_cast<std::uint8_t>(fu)};
}

}  // namespace

int base_points(int han, int fu, bool kiriage) {
  if (han >= 13) return 8000 * (fu == 0 ? han / 13 : 1);
  if (han >= 11) return 6000;
  if (han >= 8) return 4000;
  if (han >= 6) return 3000;
  if (han >= 5) return 2000;
  const int points = fu << (han + 2);
  return points >= 2000 || (kiriage && points == 1920) ? 2000 : points;
}

std::vector<HanFu> score_open_hands(const TenpaiTable& table, const OpenContext& context) {
  const MeldSums melds = sum_melds(context);
  std::vector<HanFu> out(table.waits.size());
  for (const TenpaiHand& hand : table.hands) {
    int dora = melds.dora;
    for (int i = 0; i < hand.n_parts; ++i)
      dora += context.dora[hand.parts[i] / 5] * (hand.parts[i] % 5);
    for (int w = 0; w < hand.n_waits; ++w) {
      const Wait& wait = table.waits[hand.first_wait + w];
      const TileYaku tiles = tile_yaku(hand.kinds | bit(wait.kind) | melds.kinds, context);
      const int bonus = dora + context.dora[wait.kind];
      HanFu best;
      int best_points = 0;
      for (int i = 0; i < wait.n_readings; ++i) {
        HanFu one = score_reading(table.readings[wait.first_reading + i], tiles, melds, context);
        if (one.han == 0) continue;
        if (one.fu != 0) one.han = static_cast<std::uint8_t>(one.han + bonus);
        const int points = base_points(one.han, one.fu, context.rules.kiriage);
        // Most points first, then most han, then most fu, as score_win chooses.
        if (points > best_points ||
            (points == best_points &&
             (one.han > best.han || (one.han == best.han && one.fu > best.fu)))) {
          best = one;
          best_points = points;
        }
      }
      out[hand.first_wait + w] = best;
    }
  }
  return out;
}

}  // namespace haiyomi
