// Replays the words of a hand to its end or to the first fault.
#include "replay.hpp"

#include "replay_words.hpp"

namespace haiyomi {

const std::vector<const char*> kFaultNames = {
#define HAIYOMI_FAULT(name) #name,
    HAIYOMI_REPLAY_FAULTS(HAIYOMI_FAULT)
#undef HAIYOMI_FAULT
};

namespace replay {
namespace {

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
    const Event e = next_event(words_);
    if (truth_ && t_.phase >= Phase::Draw && t_.phase < Phase::Won) before(out, e, event);
    const std::optional<Score> won = apply(t_, e, words_);
    if (truth_ && e.op == Op::Discard) {
      DecisionRow& row = out.discards.back();
      row.waits[e.seat] = t_.players[e.seat].waits_now();
      row.furiten[e.seat] = t_.players[e.seat].furiten(row.waits[e.seat]);
    }
    if (truth_ && won && e.seat != e.target && !t_.ankan_open) {
      rows_->back().ronned |= std::uint8_t(1 << e.seat);
      set_worth(rows_->back(), e.seat, *won);
    }
    last_op_ = e.op;
  }

  // What was hidden before a discard or an added kan.
  void before(ReplayResult& out, const Event& e, int event) {
    if (e.op != Op::Discard && e.op != Op::Kakan) return;
    rows_ = e.op == Op::Discard ? &out.discards : &out.kakans;
    rows_->push_back(decision(t_, event, e.seat, e.code, e.op == Op::Kakan));
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
