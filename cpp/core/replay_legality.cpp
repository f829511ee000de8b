// Draws, discards, riichi and calls: when they may come, and what they change.
#include <algorithm>

#include "replay_allowed.hpp"

namespace haiyomi::replay {
namespace {

// After a discard, before any claim on it is settled.
void must_be_free(const Table& t) {
  if (t.accept_due) fail(Fault::AcceptMissing, t.turn);
  if (t.abort_due()) fail(Fault::AbortDue);
}

void must_act(const Table& t, int seat) {
  if (t.phase == Phase::Riichi) fail(Fault::RiichiDiscard, t.turn);
  if (t.phase != Phase::Act) fail(Fault::NotYourAct, seat);
  if (seat != t.turn) fail(Fault::OutOfTurn, seat, t.turn);
}

void break_ippatsu(Table& t) {
  for (Player& p : t.players) p.ippatsu = false;
}

void count_kan(Table& t, int seat, bool shown_at_once) {
  ++t.kans;
  t.kan_owners |= std::uint8_t(1 << seat);
  if (shown_at_once || t.rules.immediate_kan_dora) {
    t.due_dora = t.pending_dora + 1;
    t.pending_dora = 0;
  } else {
    t.due_dora = t.pending_dora;
    t.pending_dora = 1;
  }
  t.phase = Phase::Kan;
}


// Removes the caller's own tiles of a call; fails at the first that is not held.
int take_own(Player& p, int seat, const std::int32_t* own, int n) {
  int reds = 0;
  for (int i = 0; i < n; ++i) {
    if (!p.holds(own[i])) fail(Fault::NotHeld, seat, own[i]);
    p.give(own[i]);
    reds += is_red(own[i]);
  }
  return reds;
}

void note_pao(Player& p, int kind, int target) {
  int dragons = 0, winds = 0;
  for (int m = 0; m < p.n_melds; ++m) {
    if (p.melds[m].type == MeldType::Chi) continue;
    dragons += p.melds[m].kind >= 31;
    winds += p.melds[m].kind >= 27 && p.melds[m].kind <= 30;
  }
  if (kind >= 31 && dragons == 3) p.pao_dragons = std::int8_t(target);
  if (kind >= 27 && kind <= 30 && winds == 4) p.pao_winds = std::int8_t(target);
}

}  // namespace

void draw(Table& t, int seat, int code, bool rinshan) {
  if (t.phase == Phase::Act) fail(Fault::MustAct, t.turn);
  if (t.phase == Phase::Riichi) fail(Fault::RiichiDiscard, t.turn);
  int expected = t.turn;
  if (t.phase == Phase::Claim) {
    must_be_free(t);
    expected = (t.turn + 1) % 4;
  }
  if (seat != expected) fail(Fault::OutOfTurn, seat, expected);
  const bool wants_rinshan = t.phase == Phase::Kan;
  if (wants_rinshan && !rinshan) fail(Fault::RinshanMissing, seat);
  if (!wants_rinshan && rinshan) fail(Fault::RinshanWrong, seat);
  if (t.due_dora > 0) fail(Fault::DoraMissing, t.due_dora);
  if (t.draws_left == 0) fail(Fault::WallEmpty);
  t.let_pass();
  t.accepted_now = false;
  t.ankan_open = false;
  if (t.kakan_open) {
    t.kakan_open = false;
    break_ippatsu(t);
  }
  t.appear(code);
  --t.draws_left;
  t.turn = seat;
  t.drawn = code;
  t.rinshan = rinshan;
  Player& p = t.players[seat];
  t.waits_before_known = p.waits_known;
  t.waits_before = p.waits;
  t.yaku_before_known = p.yaku_known;
  t.yaku_before = p.yaku;
  p.take(code);
  t.history.draw(seat);
  t.phase = Phase::Act;
}

void discard(Table& t, int seat, int code, bool tsumogiri) {
  const bool declaring = t.phase == Phase::Riichi;
  if (!declaring && t.phase != Phase::Act) fail(Fault::NotYourAct, seat);
  if (seat != t.turn) fail(Fault::OutOfTurn, seat, t.turn);
  Player& p = t.players[seat];
  const int kind = kind_of(code);
  if (t.pending_dora > 0) fail(Fault::DoraMissing, t.pending_dora);
  require(may_discard(t, seat, code, tsumogiri));
  const bool unchanged = code == t.drawn;
  const bool waits_known = t.waits_before_known;
  p.give(code);
  if (unchanged && waits_known) {  // the hand is what it was before the draw
    p.waits = t.waits_before;
    p.waits_known = true;
    p.yaku = t.yaku_before;
    p.yaku_known = t.yaku_before_known;
  }
  if (declaring && p.waits_now() == 0) fail(Fault::RiichiNoten, seat, code);
  p.ippatsu = false;
  p.passed = 0;
  p.river |= bit(kind);
  p.acted = true;
  p.nagashi = p.nagashi && is_yaochu(kind);
  t.history.discard(seat, code, tsumogiri);
  t.kuikae = 0;
  t.must_discard = false;
  ++t.n_discards;
  if (kind >= 27 && kind <= 30 && (t.n_discards == 1 || t.winds_discarded == kind)) {
    t.winds_discarded = kind;
    ++t.same_winds;
  }
  t.last = code;
  t.drawn = -1;
  t.rinshan = false;
  t.accept_due = declaring;
  t.accepted_now = false;
  t.phase = Phase::Claim;
}

void riichi(Table& t, int seat) {
  must_act(t, seat);
  require(may_riichi(t, seat));
  t.players[seat].riichi = t.first_turn(seat) ? 2 : 1;
  t.history.riichi(seat);
  t.phase = Phase::Riichi;
}

void accept(Table& t, int seat) {
  if (!t.accept_due || t.phase != Phase::Claim) fail(Fault::AcceptUnexpected, seat);
  if (seat != t.turn) fail(Fault::OutOfTurn, seat, t.turn);
  Player& p = t.players[seat];
  p.accepted = true;
  p.ippatsu = true;
  t.scores[seat] -= 1000;
  ++t.sticks;
  ++t.accepted;
  t.accept_due = false;
  t.accepted_now = true;
}

void call(Table& t, Op op, int seat, int target, int code, const std::int32_t* own, int n) {
  if (t.phase == Phase::Act) fail(Fault::MustAct, t.turn);
  if (t.phase != Phase::Claim) fail(Fault::NothingToCall, seat);
  must_be_free(t);
  if (target != t.turn) fail(Fault::CallWrongTarget, seat, target, t.turn);
  if (seat == target) fail(Fault::CallOwn, seat);
  if (code != t.last) fail(Fault::CallWrongTile, seat, code, t.last);
  if (op == Op::Chi && seat != (target + 1) % 4) fail(Fault::ChiNotLeft, seat, target);
  require(may_call(t, seat));
  Player& p = t.players[seat];
  const int kind = kind_of(code);
  if (n != (op == Op::Daiminkan ? 3 : 2)) fail(Fault::CallShape, seat, code);
  int low = -1;
  if (op == Op::Chi) {
    int k[3] = {kind, kind_of(own[0]), kind_of(own[1])};
    std::sort(k, k + 3);
    low = k[0];
    if (low >= 27 || low % 9 > 6 || k[1] != low + 1 || k[2] != low + 2)
      fail(Fault::CallShape, seat, code);
  } else {
    for (int i = 0; i < n; ++i)
      if (kind_of(own[i]) != kind) fail(Fault::CallShape, seat, code);
  }
  if (op == Op::Daiminkan) require(may_kan(t));
  const int reds = take_own(p, seat, own, n) + is_red(code);
  t.let_pass();
  break_ippatsu(t);
  t.players[target].nagashi = false;
  const MeldType type = op == Op::Chi   ? MeldType::Chi
                        : op == Op::Pon ? MeldType::Pon
                                        : MeldType::Daiminkan;
  p.add_meld(type, op == Op::Chi ? low : kind, reds);
  t.history.call(type, seat, target, code, own, n);
  if (op != Op::Chi) note_pao(p, kind, target);
  t.calls_made = true;
  t.turn = seat;
  t.drawn = -1;
  t.rinshan = false;
  t.waits_before_known = false;
  if (op == Op::Daiminkan) {
    count_kan(t, seat, false);
    return;
  }
  t.kuikae = swap_kinds(kind, low);
  if (!holds_another(p.concealed, t.kuikae)) fail(Fault::KuikaeOnly, seat, code);
  t.phase = Phase::Act;
}

void ankan(Table& t, int seat, const std::int32_t* own, int n) {
  must_act(t, seat);
  require(may_kan_now(t, seat));
  if (n != 4) fail(Fault::CallShape, seat, own[0]);
  const int kind = kind_of(own[0]);
  for (int i = 1; i < n; ++i)
    if (kind_of(own[i]) != kind) fail(Fault::CallShape, seat, own[i]);
  Player& p = t.players[seat];
  if (p.riichi) require(may_kan_in_riichi(t, seat, kind));
  const int reds = take_own(p, seat, own, n);
  p.add_meld(MeldType::Ankan, kind, reds);
  t.history.ankan(seat, own);
  break_ippatsu(t);
  t.calls_made = true;
  t.waits_before_known = false;
  if (t.rules.rob_ankan) {
    t.last = own[0];
    t.ankan_open = true;
  }
  count_kan(t, seat, true);
}

void kakan(Table& t, int seat, int code) {
  must_act(t, seat);
  require(may_kan_now(t, seat));
  Player& p = t.players[seat];
  if (p.riichi) fail(Fault::KanInRiichi, seat, code);
  Meld* pon = p.pon_of(kind_of(code));
  if (pon == nullptr) fail(Fault::KakanNoPon, seat, code);
  if (!p.holds(code)) fail(Fault::NotHeld, seat, code);
  p.give(code);
  p.meld_reds = std::uint8_t(p.meld_reds + is_red(code));
  pon->type = MeldType::Kakan;
  t.history.kakan(seat, code);
  t.calls_made = true;
  t.last = code;
  t.kakan_open = true;
  t.waits_before_known = false;
  count_kan(t, seat, false);
}

void reveal(Table& t, int code) {
  if (t.phase == Phase::Kan && t.due_dora > 0) {
    --t.due_dora;
  } else if (t.phase == Phase::Act && t.pending_dora > 0) {
    --t.pending_dora;
    t.must_discard = true;
  } else {
    fail(Fault::DoraUnexpected, code);
  }
  t.appear(code);
  t.history.show(code);
  t.indicators[t.n_indicators++] = std::uint8_t(kind_of(code));
}

}  // namespace haiyomi::replay
