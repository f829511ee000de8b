// What each event of the words does to a table.
#include "replay_words.hpp"

#include <algorithm>

namespace haiyomi::replay {
namespace {

void start(Table& t, Words& words, int code) {
  if (t.phase != Phase::Start) fail(Fault::OutOfTurn);
  t.kyoku = words.number(0, 15);
  t.dealer = t.turn = t.kyoku % 4;
  t.honba = words.number(0, 9999);
  t.sticks = words.number(0, 9999);
  t.scores = words.four();
  t.appear(code);
  t.history.show(code);
  t.indicators[t.n_indicators++] = std::uint8_t(kind_of(code));
  t.phase = Phase::Deal;
}

void deal(Table& t, Words& words) {
  if (t.phase != Phase::Deal) fail(Fault::NoStart);
  std::array<std::int32_t, 4> sizes;
  for (int s = 0; s < 4; ++s) {
    sizes[s] = words.number(0, 136);
    if (sizes[s] != 13) fail(Fault::DealSize, s, sizes[s]);
  }
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 13; ++i) {
      const int code = words.number(0, 36);
      t.appear(code);
      t.players[s].take(code);
    }
  }
  t.phase = Phase::Draw;
}

WinClaim win_claim(Words& words, int seat, int target, int code) {
  WinClaim claim{seat, target, code};
  claim.deltas = words.four();
  claim.n_ura = words.number(0, 5);
  for (int i = 0; i < claim.n_ura; ++i) claim.ura[i] = std::uint8_t(words.number(0, 36));
  const int n_yaku = words.number(-1, kYakuIds);
  claim.has_yaku_list = n_yaku >= 0;
  for (int i = 0; i < n_yaku; ++i) {
    const int id = words.number(0, kYakuIds - 1);
    // One that is listed twice counts twice.
    claim.yaku[id] = std::uint8_t(std::min(255, claim.yaku[id] + words.number(0, 255)));
  }
  claim.fu = words.number(-1, 1000);
  claim.points = words.number(-1, 10'000'000);
  claim.pao = words.number(-1, 3);
  return claim;
}

}  // namespace

int Words::codes(std::int32_t* out, int most) {
  const int n = number(0, most);
  for (int i = 0; i < n; ++i) out[i] = number(0, 36);
  return n;
}

std::array<std::int32_t, 4> Words::four() {
  std::array<std::int32_t, 4> out;
  for (auto& value : out) value = number(-10'000'000, 10'000'000);
  return out;
}

Event next_event(Words& words) {
  const std::int32_t word = words.next();
  const int op = word & 15, code = word >> 4 & 63;
  if (word < 0 || word >> 16 != 0 || op > int(Op::Exhaustive) || code > 36)
    fail(Fault::BadWord, word);
  return {Op(op), code, word >> 12 & 3, word >> 14 & 3, (word >> 10 & 1) != 0};
}

std::optional<Score> apply(Table& t, const Event& e, Words& words) {
  if (e.op != Op::Start && e.op != Op::Deal) {
    if (t.phase == Phase::Start) fail(Fault::NoStart);
    if (t.phase == Phase::Deal) fail(Fault::NoDeal);
  }
  if (t.phase == Phase::End || (t.phase == Phase::Won && e.op != Op::Win)) fail(Fault::AfterEnd);
  std::int32_t own[4];
  switch (e.op) {
    case Op::Start: start(t, words, e.code); break;
    case Op::Deal: deal(t, words); break;
    case Op::Draw: draw(t, e.seat, e.code, e.flag); break;
    case Op::Discard: discard(t, e.seat, e.code, e.flag); break;
    case Op::Riichi: riichi(t, e.seat); break;
    case Op::Accepted: accept(t, e.seat); break;
    case Op::Chi:
    case Op::Pon:
    case Op::Daiminkan: {
      const int n = words.codes(own, 4);
      call(t, e.op, e.seat, e.target, e.code, own, n);
      break;
    }
    case Op::Ankan: {
      const int n = words.codes(own, 4);
      ankan(t, e.seat, own, n);
      break;
    }
    case Op::Kakan: kakan(t, e.seat, e.code); break;
    case Op::Dora: reveal(t, e.code); break;
    case Op::Win: return win(t, win_claim(words, e.seat, e.target, e.code));
    case Op::Abort: {
      const int reason = words.number(0, 4);
      abort_hand(t, AbortReason(reason), words.number(-1, 3));
      break;
    }
    case Op::Exhaustive: {
      const auto deltas = words.four();
      const int tenpai = words.number(-1, 15);
      exhaust(t, deltas, tenpai, words.number(0, 15));
      break;
    }
  }
  return std::nullopt;
}

}  // namespace haiyomi::replay
