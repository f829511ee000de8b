// Decodes the words of a hand and applies each event to the table.
#include "replay.hpp"

#include <algorithm>

#include "replay_state.hpp"

namespace haiyomi {

const std::vector<const char*> kFaultNames = {
#define HAIYOMI_FAULT(name) #name,
    HAIYOMI_REPLAY_FAULTS(HAIYOMI_FAULT)
#undef HAIYOMI_FAULT
};

namespace replay {
namespace {

struct Words {
  const std::int32_t* at;
  const std::int32_t* end;

  std::int32_t next() {
    if (at == end) fail(Fault::BadWord);
    return *at++;
  }
  std::int32_t number(std::int32_t low, std::int32_t high) {
    const std::int32_t value = next();
    if (value < low || value > high) fail(Fault::BadNumber, value, low, high);
    return value;
  }
  // n codes; n itself comes first and is at most `most`.
  int codes(std::int32_t* out, int most) {
    const int n = number(0, most);
    for (int i = 0; i < n; ++i) out[i] = number(0, 36);
    return n;
  }
  std::array<std::int32_t, 4> four() {
    std::array<std::int32_t, 4> out;
    for (auto& value : out) value = number(-10'000'000, 10'000'000);
    return out;
  }
};

void start(Table& t, Words& words, int code) {
  if (t.phase != Phase::Start) fail(Fault::OutOfTurn);
  t.kyoku = words.number(0, 15);
  t.dealer = t.turn = t.kyoku % 4;
  t.honba = words.number(0, 9999);
  t.sticks = words.number(0, 9999);
  t.scores = words.four();
  t.appear(code);
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

class Replay {
 public:
  Replay(const std::int32_t* words, std::size_t n, const ReplayRules& rules, bool truth)
      : words_{words, words + n}, truth_(truth) {
    t_.rules = rules;
  }

  ReplayResult run() {
    ReplayResult out;
    int event = 0;
    try {
      for (; words_.at != words_.end; ++event) one(out, event);
      if (t_.phase == Phase::Won) t_.phase = Phase::End;
      if (t_.phase != Phase::End) fail(Fault::NoEnding);
      out.end = end_of(t_, last_op_);
    } catch (const Broken& broken) {
      out.fault = broken.fault;
      out.event = event;
      out.detail = {broken.a, broken.b, broken.c};
    }
    return out;
  }

 private:
  void one(ReplayResult& out, int event) {
    const std::int32_t word = words_.next();
    const int op_number = word & 15, code = word >> 4 & 63, seat = word >> 12 & 3;
    const int target = word >> 14 & 3;
    const bool flag = word >> 10 & 1;
    if (word < 0 || word >> 16 != 0 || op_number > int(Op::Exhaustive) || code > 36)
      fail(Fault::BadWord, word);
    const Op op = Op(op_number);
    if (op != Op::Start && op != Op::Deal) {
      if (t_.phase == Phase::Start) fail(Fault::NoStart);
      if (t_.phase == Phase::Deal) fail(Fault::NoDeal);
    }
    if (t_.phase == Phase::End || (t_.phase == Phase::Won && op != Op::Win)) fail(Fault::AfterEnd);
    std::int32_t own[4];
    switch (op) {
      case Op::Start: start(t_, words_, code); break;
      case Op::Deal: deal(t_, words_); break;
      case Op::Draw: draw(t_, seat, code, flag); break;
      case Op::Discard:
        if (truth_) {
          out.discards.push_back(decision(t_, event, seat, code, false));
          rows_ = &out.discards;
        }
        discard(t_, seat, code, flag);
        if (truth_) {
          DecisionRow& row = out.discards.back();
          row.waits[seat] = t_.players[seat].waits_now();
          row.furiten[seat] = t_.players[seat].furiten(row.waits[seat]);
        }
        break;
      case Op::Riichi: riichi(t_, seat); break;
      case Op::Accepted: accept(t_, seat); break;
      case Op::Chi:
      case Op::Pon:
      case Op::Daiminkan: {
        const int n = words_.codes(own, 4);
        call(t_, op, seat, target, code, own, n);
        break;
      }
      case Op::Ankan: {
        const int n = words_.codes(own, 4);
        ankan(t_, seat, own, n);
        break;
      }
      case Op::Kakan:
        if (truth_) {
          out.kakans.push_back(decision(t_, event, seat, code, true));
          rows_ = &out.kakans;
        }
        kakan(t_, seat, code);
        break;
      case Op::Dora: reveal(t_, code); break;
      case Op::Win: {
        const Score score = win(t_, win_claim(words_, seat, target, code));
        if (truth_ && seat != target) {
          rows_->back().ronned |= std::uint8_t(1 << seat);
          set_worth(rows_->back(), seat, score);
        }
        break;
      }
      case Op::Abort: {
        const int reason = words_.number(0, 4);
        abort_hand(t_, AbortReason(reason), words_.number(-1, 3));
        break;
      }
      case Op::Exhaustive: {
        const auto deltas = words_.four();
        const int tenpai = words_.number(-1, 15);
        exhaust(t_, deltas, tenpai, words_.number(0, 15));
        break;
      }
    }
    last_op_ = op;
  }

  Words words_;
  bool truth_;
  Table t_;
  Op last_op_ = Op::Start;
  std::vector<DecisionRow>* rows_ = nullptr;
};

}  // namespace
}  // namespace replay

ReplayResult replay_hand(const std::int32_t* words, std::size_t n, const ReplayRules& rules,
                         bool truth) {
  return replay::Replay(words, n, rules, truth).run();
}

}  // namespace haiyomi
