// Wins and draws: whether they are legal, and whether the payments match the rules.
#include <algorithm>

#include "replay_allowed.hpp"

namespace haiyomi::replay {
namespace {

using Deltas = std::array<std::int32_t, 4>;

constexpr int kDaisangen = 39, kDaisuushi = 49;

void check_deltas(const Deltas& expected, const Deltas& stated) {
  for (int seat = 0; seat < 4; ++seat)
    if (expected[seat] != stated[seat]) fail(Fault::DeltaDiffer, seat, expected[seat], stated[seat]);
}

void check_ura(Table& t, const Player& p, const WinClaim& claim) {
  if (!p.accepted) {
    if (claim.n_ura != 0) fail(Fault::UraWithoutRiichi, claim.seat);
    return;
  }
  if (claim.n_ura != t.n_indicators)
    fail(Fault::UraCount, claim.seat, t.n_indicators, claim.n_ura);
  if (t.n_ura == 0) {
    for (int i = 0; i < claim.n_ura; ++i) t.appear(claim.ura[i]);
    t.ura = claim.ura;
    t.n_ura = claim.n_ura;
  }
  for (int i = 0; i < t.n_ura; ++i)
    if (t.ura[i] != claim.ura[i]) fail(Fault::UraDiffer, claim.seat, t.ura[i], claim.ura[i]);
}

// The seat that is liable (pao), and for how much of the hand (in ron points).
struct Liable {
  int seat = -1;
  std::int32_t worth = 0;
};

std::array<std::uint8_t, 5> kinds_of_codes(const std::uint8_t* codes, int n) {
  std::array<std::uint8_t, 5> kinds{};
  for (int i = 0; i < n; ++i) kinds[i] = std::uint8_t(kind_of(codes[i]));
  return kinds;
}

Liable liable(const Table& t, const Player& p, int seat, const Score& score) {
  Liable out;
  if (score.yakuman == 0) return out;
  int units = 0;
  if (score.yaku_han[kDaisangen] && p.pao_dragons >= 0) {
    out.seat = p.pao_dragons;
    units += score.yaku_han[kDaisangen] / 13;
  }
  if (score.yaku_han[kDaisuushi] && p.pao_winds >= 0) {
    out.seat = p.pao_winds;
    units += score.yaku_han[kDaisuushi] / 13;
  }
  if (out.seat < 0) return out;
  const std::int32_t unit = seat == t.dealer ? 48000 : 32000;
  const std::int32_t whole = unit * (t.rules.score.multiple_yakuman ? score.yakuman : 1);
  out.worth = t.rules.pao_whole ? whole : std::min(whole, unit * units);
  return out;
}

Deltas ron_payments(int winner, int target, std::int32_t ron, const Liable& pao,
                    std::int32_t honba) {
  Deltas d{};
  d[winner] += ron + 300 * honba;
  if (pao.seat >= 0 && pao.seat != target) {
    d[pao.seat] -= pao.worth / 2 + 300 * honba;
    d[target] -= ron - pao.worth / 2;
  } else {
    d[target] -= ron + 300 * honba;
  }
  return d;
}

Deltas tsumo_payments(const Table& t, int winner, const Score& score, const Liable& pao) {
  Deltas d{};
  const bool dealer = winner == t.dealer;
  std::int32_t total = 0;
  for (int seat = 0; seat < 4; ++seat)
    if (seat != winner)
      total += dealer || seat != t.dealer ? score.tsumo_other : score.tsumo_dealer;
  // The liable player pays their part whole, and the honba; what is left is shared as usual.
  std::int32_t rest = total, each = 100 * t.honba;
  if (pao.seat >= 0) {
    d[pao.seat] -= pao.worth + 300 * t.honba;
    d[winner] += pao.worth + 300 * t.honba;
    rest -= pao.worth;
    each = 0;
  }
  for (int seat = 0; seat < 4; ++seat) {
    if (seat == winner) continue;
    const std::int32_t whole = dealer || seat != t.dealer ? score.tsumo_other : score.tsumo_dealer;
    const auto part = std::int32_t(std::int64_t(whole) * rest / total) + each;
    d[seat] -= part;
    d[winner] += part;
  }
  return d;
}

void check_stated(const WinClaim& claim, const WinWorth& worth) {
  const Score& score = worth.score;
  if (claim.has_yaku_list) {
    for (int id = 0; id < kYakuIds; ++id)
      if (score.yaku_han[id] != claim.yaku[id])
        fail(Fault::YakuDiffer, id, score.yaku_han[id], claim.yaku[id]);
  }
  // Records give a limit hand some fu that nothing depends on.
  if (claim.fu >= 0 && score.yakuman == 0 && claim.fu != score.fu)
    fail(Fault::FuDiffer, claim.seat, score.fu, claim.fu);
  if (claim.points >= 0 && claim.points != worth.points)
    fail(Fault::PointsDiffer, claim.seat, worth.points, claim.points);
  if (claim.pao >= 0 && claim.pao != worth.pao)
    fail(Fault::PaoDiffer, claim.seat, worth.pao, claim.pao);
  check_deltas(worth.deltas, claim.deltas);
}

void check_moment(Table& t, const WinClaim& claim) {
  const int seat = claim.seat;
  Player& p = t.players[seat];
  if (seat == claim.target) {
    if (t.phase != Phase::Act || t.drawn < 0) fail(Fault::WinNothing, seat);
    if (seat != t.turn) fail(Fault::OutOfTurn, seat, t.turn);
    if (t.must_discard) fail(Fault::MustAct, seat);
    if (claim.code != t.drawn) fail(Fault::WinWrongTile, seat, claim.code, t.drawn);
    return;
  }
  const bool robbing = t.phase == Phase::Kan && (t.kakan_open || t.ankan_open);
  if (t.phase != Phase::Claim && t.phase != Phase::Won && !robbing) fail(Fault::WinNothing, seat);
  if (t.last < 0) fail(Fault::WinNothing, seat);  // after a tsumo
  if (t.accepted_now) fail(Fault::AcceptUnexpected, t.turn);
  if (claim.target != t.turn) fail(Fault::CallWrongTarget, seat, claim.target, t.turn);
  if (claim.code != t.last) fail(Fault::WinWrongTile, seat, claim.code, t.last);
  if (t.winners >> seat & 1) fail(Fault::WinTwice, seat);
  if (t.n_wins > 0 && (seat - t.turn + 4) % 4 < (t.last_winner - t.turn + 4) % 4)
    fail(Fault::WinOrder, seat, t.last_winner);
  if (t.n_wins == 2 && !t.rules.triple_ron) fail(Fault::WinTriple, seat);
  const std::uint64_t waits = p.waits_now();
  if (!(waits & bit(kind_of(claim.code)))) fail(Fault::WinIncomplete, seat, claim.code);
  if (p.furiten(waits)) fail(Fault::WinFuriten, seat, claim.code);
  if (t.ankan_open && !orphans_wait(p, kind_of(claim.code))) fail(Fault::WinNothing, seat);
}

}  // namespace

WinWorth win_worth(const Table& t, int seat, bool tsumo, const std::uint8_t* ura, int n_ura) {
  const int code = tsumo ? t.drawn : t.last;
  WinInput in = t.win_input(seat, code, tsumo, t.kakan_open);
  in.ura = bonus(in, kinds_of_codes(ura, n_ura), n_ura);
  WinWorth out;
  out.score = score_win(in, t.rules.score);
  if (!out.score.has_yaku) return out;
  const Liable pao = liable(t, t.players[seat], seat, out.score);
  const std::int32_t honba = t.n_wins == 0 ? t.honba : 0;
  if (tsumo) {
    out.deltas = tsumo_payments(t, seat, out.score, pao);
    out.points = out.deltas[seat] - 300 * honba;
  } else {
    out.deltas = ron_payments(seat, t.turn, out.score.ron, pao, honba);
    out.points = out.score.ron;
  }
  if (t.n_wins == 0) out.deltas[seat] += 1000 * t.sticks;
  out.pao = pao.seat;
  return out;
}

Score win(Table& t, const WinClaim& claim) {
  const int seat = claim.seat;
  const bool tsumo = seat == claim.target;
  check_moment(t, claim);
  check_ura(t, t.players[seat], claim);
  const WinWorth worth = win_worth(t, seat, tsumo, claim.ura.data(), claim.n_ura);
  if (!worth.score.complete) fail(Fault::WinIncomplete, seat, claim.code);
  if (!worth.score.has_yaku) fail(Fault::WinNoYaku, seat, claim.code);
  check_stated(claim, worth);

  if (t.n_wins == 0) t.sticks = 0;
  for (int s = 0; s < 4; ++s) t.scores[s] += worth.deltas[s];
  ++t.n_wins;
  t.last_winner = seat;
  t.winners |= std::uint8_t(1 << seat);
  if (tsumo) t.last = -1;
  t.phase = Phase::Won;
  return worth.score;
}

void abort_hand(Table& t, AbortReason reason, int seat) {
  if (reason == AbortReason::NineTerminals) {
    if (t.phase != Phase::Act || seat != t.turn) fail(Fault::NineNotFirst, seat);
    require(may_end_with_nine(t, seat));
  } else if (reason == AbortReason::TripleRon) {
    const bool open = t.phase == Phase::Claim || (t.phase == Phase::Kan && t.kakan_open);
    if (!open || t.rules.triple_ron || t.last < 0 || t.accepted_now) fail(Fault::NotTripleRon);
    for (int s = 0; s < 4; ++s)
      if (s != t.turn && !(ron_mask(t, s, t.kakan_open) & bit(kind_of(t.last))))
        fail(Fault::NotTripleRon, s);
  } else {
    if (t.accept_due) fail(Fault::AcceptMissing, t.turn);
    const bool over = t.phase == Phase::Claim;
    if (reason == AbortReason::FourWinds && !(over && t.four_winds())) fail(Fault::NotFourWinds);
    if (reason == AbortReason::FourRiichi && !(over && t.four_riichi()))
      fail(Fault::NotFourRiichi);
    if (reason == AbortReason::FourKans && !(over && t.four_kans())) fail(Fault::NotFourKans);
  }
  t.phase = Phase::End;
}

WallOut wall_out(Table& t) {
  WallOut out;
  int n_ready = 0;
  for (int s = 0; s < 4; ++s) {
    if (t.players[s].waits_now() != 0) {
      out.tenpai |= 1 << s;
      ++n_ready;
    }
    out.nagashi |= int(t.players[s].nagashi) << s;
  }
  if (out.nagashi != 0) {
    for (int s = 0; s < 4; ++s) {
      if (!t.players[s].nagashi) continue;
      for (int other = 0; other < 4; ++other) {
        if (other == s) continue;
        const std::int32_t pays = s == t.dealer || other == t.dealer ? 4000 : 2000;
        out.deltas[s] += pays;
        out.deltas[other] -= pays;
      }
    }
  } else if (n_ready > 0 && n_ready < 4) {
    for (int s = 0; s < 4; ++s)
      out.deltas[s] = out.tenpai >> s & 1 ? 3000 / n_ready : -3000 / (4 - n_ready);
  }
  return out;
}

void exhaust(Table& t, const Deltas& deltas, int tenpai, int nagashi) {
  if (t.phase != Phase::Claim) fail(Fault::MustAct, t.turn);
  if (t.accept_due) fail(Fault::AcceptMissing, t.turn);
  if (t.abort_due()) fail(Fault::AbortDue);
  if (t.draws_left != 0) fail(Fault::WallNotEmpty, t.draws_left);
  const WallOut out = wall_out(t);
  for (int s = 0; s < 4; ++s)
    if ((out.nagashi ^ nagashi) >> s & 1) fail(Fault::NagashiDiffer, s, out.nagashi >> s & 1);
  for (int s = 0; tenpai >= 0 && s < 4; ++s)
    if ((out.tenpai ^ tenpai) >> s & 1) fail(Fault::TenpaiDiffer, s, out.tenpai >> s & 1);
  check_deltas(out.deltas, deltas);
  for (int s = 0; s < 4; ++s) t.scores[s] += out.deltas[s];
  t.phase = Phase::End;
}

HandEnd end_of(Table& t, Op last) {
  HandEnd end;
  end.kind = last;
  end.scores = t.scores;
  end.sticks = t.sticks;
  end.draw = last != Op::Win;
  if (last == Op::Win)
    end.renchan = t.winners >> t.dealer & 1;
  else
    end.renchan = last == Op::Abort || t.players[t.dealer].waits_now() != 0;
  end.next_kyoku = t.kyoku + (end.renchan ? 0 : 1);
  end.next_honba = end.renchan || end.draw ? t.honba + 1 : 0;
  return end;
}

}  // namespace haiyomi::replay
