#include "score.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace haiyomi {

// clang-format off
const std::array<YakuHan, kYakuIds> kYakuHan{{
    {1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 0}, {1, 1}, {1, 0},          //  0
    {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1},          // 10
    {1, 1}, {2, 0}, {2, 0}, {2, 1}, {2, 1}, {2, 1}, {2, 2}, {2, 2}, {2, 2}, {2, 2},          // 20
    {2, 2}, {2, 2}, {3, 0}, {3, 2}, {3, 2}, {6, 5}, {0, 0}, {13, 0}, {13, 0}, {13, 13},      // 30
    {13, 0}, {13, 0}, {13, 13}, {13, 13}, {13, 13}, {13, 0}, {13, 0}, {13, 0}, {13, 0}, {13, 13},  // 40
    {13, 13}, {13, 13}, {1, 1}, {1, 1}, {1, 1},                                              // 50
}};
// clang-format on

namespace {

enum Id : int {
  kTsumo = 0, kRiichi = 1, kIppatsu = 2, kChankan = 3, kRinshan = 4, kHaitei = 5, kHoutei = 6,
  kPinfu = 7, kTanyao = 8, kIipeiko = 9, kSeatWind = 10, kRoundWind = 14, kHaku = 18,
  kDoubleRiichi = 21, kSevenPairs = 22, kChanta = 23, kIttsu = 24, kSanshoku = 25,
  kSanshokuDoukou = 26, kSankantsu = 27, kToitoi = 28, kSanankou = 29, kShousangen = 30,
  kHonroutou = 31, kRyanpeiko = 32, kJunchan = 33, kHonitsu = 34, kChinitsu = 35, kTenhou = 37,
  kChiihou = 38, kDaisangen = 39, kSuuankou = 40, kSuuankouTanki = 41, kTsuuiisou = 42,
  kRyuuiisou = 43, kChinroutou = 44, kChuuren = 45, kJunseiChuuren = 46, kKokushi = 47,
  kKokushi13 = 48, kDaisuushii = 49, kShousuushii = 50, kSuukantsu = 51, kDora = 52, kUra = 53,
  kRed = 54,
};

constexpr std::uint64_t bit(int k) { return std::uint64_t{1} << k; }
constexpr std::uint64_t kSuit = 0x1ff;
constexpr std::uint64_t kHonours = std::uint64_t{0x7f} << 27;
constexpr std::uint64_t kWinds = std::uint64_t{0xf} << 27;
constexpr std::uint64_t kDragons = std::uint64_t{7} << 31;
constexpr std::uint64_t kTerminals = bit(0) | bit(8) | bit(9) | bit(17) | bit(18) | bit(26);
constexpr std::uint64_t kYaochu = kTerminals | kHonours;
constexpr std::uint64_t kGreen = bit(19) | bit(20) | bit(21) | bit(23) | bit(25) | bit(32);
constexpr std::uint64_t kDoubleLimits =
    bit(kSuuankouTanki) | bit(kJunseiChuuren) | bit(kKokushi13) | bit(kDaisuushii);

// std::popcount is a call where the target has no such instruction.
inline int ones(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<int>(x * 0x0101010101010101u >> 56);
}

// Bit 4 i: some run starts at rank i, of run counts of four bits each or of a bit each.
inline std::uint32_t starts(std::uint32_t runs) {
  return (runs | runs >> 1 | runs >> 2) & 0x1111111u;
}
inline std::uint32_t spread(std::uint32_t bits) {
  std::uint32_t out = 0;
  for (; bits != 0; bits &= bits - 1) out |= 1u << (4 * std::countr_zero(bits));
  return out;
}

// Bit i: byte i is not zero; each is at most 127.
inline std::uint64_t filled(std::uint64_t bytes) {
  const std::uint64_t flags = (bytes + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
  return flags * 0x0102040810204080u >> 56;
}

// Nine gates: 1112345678999 and one more, all concealed, of one suit.
std::uint64_t nine_gates(const Counts& c, std::uint64_t kinds, int win_kind) {
  const std::size_t first = static_cast<std::size_t>(std::countr_zero(kinds));
  if (first % 9 != 0 || first > 18 || kinds != kSuit << first) return 0;
  std::size_t extra = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    const int wanted = i == 0 || i == 8 ? 3 : 1;
    if (c[first + i] < wanted) return 0;
    if (c[first + i] > wanted) extra = first + i;
  }
  return bit(extra == static_cast<std::size_t>(win_kind) ? kJunseiChuuren : kChuuren);
}

// Han, fu and basic points of a set of yaku.
Evaluation settle(std::uint64_t yaku, int fu, const HandFacts& hand, const ScoreRules& rules) {
  Evaluation out;
  const std::uint64_t limits = yaku & kLimitHands;
  if (limits != 0) {
    out.yaku = limits;
    out.yakuman = ones(limits);
    if (rules.double_yakuman) out.yakuman += ones(limits & kDoubleLimits);
    if (!rules.multiple_yakuman) out.yakuman = 1;
    out.han = 13 * out.yakuman;
  } else {
    out.yaku = yaku;
    for (std::uint64_t rest = yaku; rest != 0; rest &= rest - 1) {
      const YakuHan& han = kYakuHan[static_cast<std::size_t>(std::countr_zero(rest))];
      out.han += hand.closed ? han.closed : han.open;
    }
    out.fu = fu;
    if (out.han == 0) {
      out.base = 0;
      return out;
    }
    out.han += hand.bonus;
  }
  out.base = basic_points(out.han, out.fu, out.yakuman, rules);
  return out;
}

}  // namespace

std::int32_t basic_points(int han, int fu, int yakuman, const ScoreRules& rules) {
  if (yakuman > 0) return 8000 * yakuman;
  if (han >= 13) return 8000;
  if (han >= 11) return 6000;
  if (han >= 8) return 4000;
  if (han >= 6) return 3000;
  if (han >= 5) return 2000;
  const std::int32_t base = fu << (2 + han);
  return base > 2000 || (rules.kiriage && base == 1920) ? 2000 : base;
}

void pay(Score& score, bool dealer, const ScoreRules& rules) {
  const std::int32_t base = basic_points(score.han, score.fu, score.yakuman, rules);
  const auto up = [](std::int32_t points) { return (points + 99) / 100 * 100; };
  score.ron = up(base * (dealer ? 6 : 4));
  score.tsumo_dealer = dealer ? 0 : up(base * 2);
  score.tsumo_other = up(dealer ? base * 2 : base);
}

HandFacts hand_facts(const WinInput& in) {
  HandFacts h;
  if (in.n_melds > 4 || in.win_kind >= 34 || in.concealed[in.win_kind] == 0) return h;
  if (in.round_wind < 27 || in.round_wind > 30 || in.seat_wind < 27 || in.seat_wind > 30) return h;
  // Eight counts at a time, the first in the lowest byte. Copies of a fixed length stay in registers.
  static_assert(std::endian::native == std::endian::little);
  std::array<std::uint64_t, 5> eights;
  std::memcpy(eights.data(), in.concealed.data(), 32);
  eights[4] = in.concealed[32] | std::uint64_t{in.concealed[33]} << 8;
  std::uint64_t tiles = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::uint64_t eight = eights[i];
    constexpr std::uint64_t kAbove4 = 0x7b7b7b7b7b7b7b7bu;
    const std::uint64_t above = (eight & 0x7f7f7f7f7f7f7f7fu) + kAbove4;
    if (((eight | above) & 0x8080808080808080u) != 0) return h;
    h.kinds |= filled(eight) << (8 * i);
    tiles += eight * 0x0101010101010101u >> 56;
  }
  if (tiles != 14u - 3u * in.n_melds) return h;
  h.tsumo = in.tsumo;
  h.win_kind = in.win_kind;
  h.n_melds = in.n_melds;
  h.round_wind = in.round_wind;
  h.seat_wind = in.seat_wind;
  h.bonus = static_cast<std::uint8_t>(std::min(255, in.dora + in.ura + in.reds));
  for (std::size_t i = 0; i < in.n_melds; ++i) {
    const Meld& meld = in.melds[i];
    const int kind = meld.kind;
    if (kind >= 34) return h;
    if (meld.type == MeldType::Chi) {
      if (kind >= 27 || kind % 9 > 6) return h;
      h.open_runs[static_cast<std::size_t>(kind / 9)] |= static_cast<std::uint8_t>(1u << kind % 9);
      h.kinds |= std::uint64_t{7} << kind;
      ++h.n_chi;
      h.closed = false;
      continue;
    }
    h.kinds |= bit(kind);
    const bool kan = meld.type != MeldType::Pon;
    const bool ankan = meld.type == MeldType::Ankan;
    (ankan ? h.closed_kans : h.open_triplets) |= bit(kind);
    h.n_kans = static_cast<std::uint8_t>(h.n_kans + kan);
    h.closed = h.closed && ankan;
    const int fu = (kYaochu >> kind & 1 ? 4 : 2) * (kan ? 4 : 1) * (ankan ? 2 : 1);
    h.meld_fu = static_cast<std::uint16_t>(h.meld_fu + fu);
  }
  h.ok = true;

  // The circumstances.
  std::uint64_t yaku = 0;
  if (h.closed) {
    if (in.tsumo) yaku |= bit(kTsumo);
    if (in.riichi == 1) yaku |= bit(kRiichi);
    if (in.riichi == 2) yaku |= bit(kDoubleRiichi);
    if (in.riichi != 0 && in.ippatsu) yaku |= bit(kIppatsu);
  }
  if (in.tsumo) {
    // The tile after a kan is not the last of the wall: the two never come together.
    if (in.rinshan) yaku |= bit(kRinshan);
    else if (in.last_tile) yaku |= bit(kHaitei);
    if (in.first_turn && in.n_melds == 0) yaku |= bit(in.seat_wind == 27 ? kTenhou : kChiihou);
  } else {
    if (in.chankan) yaku |= bit(kChankan);
    else if (in.last_tile) yaku |= bit(kHoutei);
  }
  // The tiles, whatever their decomposition.
  if ((h.kinds & kYaochu) == 0) {
    yaku |= bit(kTanyao);
  } else if ((h.kinds & ~kYaochu) == 0) {
    yaku |= bit((h.kinds & kTerminals) == 0   ? kTsuuiisou
                : (h.kinds & kHonours) == 0 ? kChinroutou
                                            : kHonroutou);
  }
  const int suits = ((h.kinds & kSuit) != 0) + ((h.kinds >> 9 & kSuit) != 0) +
                    ((h.kinds >> 18 & kSuit) != 0);
  if (suits == 1) {
    yaku |= bit((h.kinds & kHonours) == 0 ? kChinitsu : kHonitsu);
    if ((h.kinds & ~kGreen) == 0) yaku |= bit(kRyuuiisou);
    if (in.n_melds == 0) yaku |= nine_gates(in.concealed, h.kinds, in.win_kind);
  }
  if (h.n_kans == 3) yaku |= bit(kSankantsu);
  if (h.n_kans == 4) yaku |= bit(kSuukantsu);
  h.yaku = yaku;
  return h;
}

namespace {

// All that does not depend on what the winning tile ends but by `given`: a triplet ended by
// another's tile, which counts as open.
inline DrawnReading read(const Decomposition& d, std::uint64_t given, const HandFacts& h,
                    const ScoreRules& rules) {
  const std::uint64_t own = (d.triplets & ~given) | h.closed_kans;  // concealed triplets, kans
  const std::uint64_t triplets = d.triplets | h.open_triplets | h.closed_kans;
  const std::uint64_t pair = bit(d.pair);
  std::uint64_t yaku = h.yaku;
  if (!h.closed && !rules.kuitan) yaku &= ~bit(kTanyao);

  const bool any_run = (d.runs[0] | d.runs[1] | d.runs[2]) != 0 || h.n_chi != 0;
  const int n_own = ones(own);

  // Value triplets; each id's bit follows from the kind's.
  const std::uint64_t value = triplets & kHonours;
  if (value != 0) {
    if ((value >> h.seat_wind & 1) != 0) yaku |= bit(kSeatWind + h.seat_wind - 27);
    if ((value >> h.round_wind & 1) != 0) yaku |= bit(kRoundWind + h.round_wind - 27);
    yaku |= (value & kDragons) >> (31 - kHaku);
    const int dragons = ones(value & kDragons);
    if (dragons == 3) yaku |= bit(kDaisangen);
    if (dragons == 2 && (pair & kDragons) != 0) yaku |= bit(kShousangen);
    const int winds = ones(value & kWinds);
    if (winds == 4) yaku |= bit(kDaisuushii);
    if (winds == 3 && (pair & kWinds) != 0) yaku |= bit(kShousuushii);
  }

  if (!any_run) {
    yaku |= bit(kToitoi);
  } else {
    std::array<std::uint32_t, 3> from{starts(d.runs[0]), starts(d.runs[1]), starts(d.runs[2])};
    if (h.n_chi != 0) {
      for (std::size_t i = 0; i < 3; ++i) from[i] |= spread(h.open_runs[i]);
    }
    if ((from[0] & from[1] & from[2]) != 0) yaku |= bit(kSanshoku);
    constexpr std::uint32_t kStraight = 1u | 1u << 12 | 1u << 24;
    for (const std::uint32_t f : from) {
      if ((f & kStraight) == kStraight) yaku |= bit(kIttsu);
    }
    const std::uint32_t all_from = from[0] | from[1] | from[2];
    if ((all_from & ~(1u | 1u << 24)) == 0 && ((triplets | pair) & ~kYaochu) == 0) {
      yaku |= bit((h.kinds & kHonours) == 0 ? kJunchan : kChanta);
    }
    if (h.closed) {
      int twins = 0;
      for (const std::uint32_t runs : d.runs) {
        // Two or three of a run are one twin, four are two.
        twins += ones(runs >> 1 & 0x1111111u) + 2 * ones(runs >> 2 & 0x1111111u);
      }
      if (twins == 1) yaku |= bit(kIipeiko);
      if (twins == 2) yaku |= bit(kRyanpeiko);
    }
  }
  if ((triplets & triplets >> 9 & triplets >> 18 & kSuit) != 0) yaku |= bit(kSanshokuDoukou);
  if (n_own == 3) yaku |= bit(kSanankou);

  // Fu: triplets and pair.
  const std::uint64_t shown = d.triplets & given;
  const std::uint64_t hidden = d.triplets & ~given;
  int fu = h.meld_fu + 4 * ones(hidden) + 4 * ones(hidden & kYaochu) +
           2 * ones(shown) + 2 * ones(shown & kYaochu);
  if ((pair & kDragons) != 0) fu += 2;
  if (d.pair == h.seat_wind || d.pair == h.round_wind) {
    fu += h.seat_wind == h.round_wind ? rules.wind_pair_fu : 2;
  }
  return {yaku, fu, n_own};
}

inline Evaluation finish(const DrawnReading& reading, Ends ends, const HandFacts& h,
                         const ScoreRules& rules) {
  std::uint64_t yaku = reading.yaku;
  if (reading.own_triplets == 4) yaku |= bit(ends == Ends::Pair ? kSuuankouTanki : kSuuankou);
  // The fu of the wait, then how the tile came.
  int fu = reading.fu;
  if (ends == Ends::Pair || ends == Ends::ClosedRun) fu += 2;
  if (fu == 0 && h.closed) {
    yaku |= bit(kPinfu);
    fu = h.tsumo ? 20 : 30;
  } else if (fu == 0 && !h.tsumo) {
    fu = 30;  // an open hand without any fu, won by ron
  } else {
    fu += 20 + (h.tsumo ? 2 : h.closed ? 10 : 0);
    fu = (fu + 9) / 10 * 10;
  }
  return settle(yaku, fu, h, rules);
}

}  // namespace

DrawnReading read_drawn(const Decomposition& d, const HandFacts& h, const ScoreRules& rules) {
  return read(d, 0, h, rules);
}

Evaluation evaluate_drawn(const DrawnReading& reading, Ends ends, const HandFacts& h,
                          const ScoreRules& rules) {
  return finish(reading, ends, h, rules);
}

Evaluation evaluate(const Decomposition& d, Ends ends, const HandFacts& h, const ScoreRules& rules) {
  const std::uint64_t given = ends == Ends::Triplet && !h.tsumo ? bit(h.win_kind) : 0;
  return finish(read(d, given, h, rules), ends, h, rules);
}

Evaluation evaluate_pairs(const Counts& concealed, const HandFacts& h, const ScoreRules& rules) {
  if (h.n_melds != 0) return {};
  unsigned no_pair = 0;
  for (const std::uint8_t n : concealed) no_pair |= n & ~2u;
  if (no_pair != 0) return {};
  return settle(h.yaku | bit(kSevenPairs), 25, h, rules);
}

Evaluation evaluate_orphans(const Counts& concealed, const HandFacts& h, const ScoreRules& rules) {
  if (h.n_melds != 0 || h.kinds != kYaochu) return {};
  const bool thirteen = concealed[h.win_kind] == 2;
  return settle((h.yaku & kLimitHands) | bit(thirteen ? kKokushi13 : kKokushi), 0, h, rules);
}

Evaluation best_evaluation(const WinInput& in, const HandFacts& h, const ScoreRules& rules) {
  Evaluation best;
  for_each_evaluation(in, h, rules, [&](const Evaluation& e) {
    if (e.better_than(best)) best = e;
  });
  return best;
}

Score score_win(const WinInput& in, const ScoreRules& rules) {
  Score out;
  const HandFacts h = hand_facts(in);
  if (!h.ok) return out;
  const Evaluation best = best_evaluation(in, h, rules);
  if (best.base < 0) return out;
  out.complete = true;
  out.fu = static_cast<std::uint8_t>(best.fu);
  if (best.base == 0) return out;
  out.has_yaku = true;
  out.han = static_cast<std::uint8_t>(std::min(best.han, 255));
  out.yakuman = static_cast<std::uint8_t>(best.yakuman);
  for (std::uint64_t rest = best.yaku; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<std::size_t>(std::countr_zero(rest));
    out.yaku_han[id] = h.closed ? kYakuHan[id].closed : kYakuHan[id].open;
    if (rules.double_yakuman && (kDoubleLimits >> id & 1) != 0) out.yaku_han[id] = 26;
  }
  if (best.yakuman == 0) {
    out.yaku_han[kDora] = in.dora;
    out.yaku_han[kUra] = in.ura;
    out.yaku_han[kRed] = in.reds;
  }
  pay(out, in.seat_wind == 27, rules);
  return out;
}

}  // namespace haiyomi
