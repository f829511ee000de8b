#include "write_record.hpp"

#include <algorithm>
#include <cstring>

#include "replay_allowed.hpp"
#include "tile_efficiency.hpp"

namespace haiyomi::replay {
namespace {

using namespace record;

std::uint8_t byte(int value) { return std::uint8_t(std::min(value, 255)); }

void write_players(const Table& t, int seat, DecisionBytes& out) {
  for (int r = 0; r < 4; ++r) {
    const int s = (seat + r) % 4;
    PlayerBytes& p = out.players[r];
    p = t.history.players[std::size_t(s)];
    p.score = t.scores[std::size_t(s)];
    for (MeldBytes& meld : p.melds)
      if (meld.target != kNone) meld.target = std::uint8_t((meld.target - seat + 4) % 4);
    const Player& player = t.players[std::size_t(s)];
    out.ippatsu |= std::uint8_t((t.history.ippatsu >> s & 1) << r);
    out.double_riichi |= std::uint8_t((player.riichi == 2) << r);
    out.nagashi |= std::uint8_t(player.nagashi << r);
  }
}

// What the tile on offer shows.
void write_offer(const Table& t, int seat, DecisionBytes& out) {
  out.offered = std::uint8_t(kind_of(t.last));
  out.from = std::uint8_t((t.turn - seat + 4) % 4);
  if (t.phase == Phase::Claim) {
    const PlayerBytes& p = t.history.players[std::size_t(t.turn)];
    out.flags = std::uint8_t(p.flags[p.n - 1] & ~kTaken);
  } else {
    out.flags = std::uint8_t(kOfKan | (is_red(t.last) ? kRedFive : 0));
  }
}

}  // namespace

void write_record(Table& t, const Options& options, int seat, int rounds, DecisionBytes& out) {
  std::memset(&out, 0, sizeof out);
  std::memset(out.efficiency, kNone, sizeof out.efficiency);
  std::memset(out.calls, kNone, sizeof out.calls);
  write_players(t, seat, out);
  Player& me = t.players[std::size_t(seat)];
  std::copy(me.concealed.begin(), me.concealed.end(), out.hand);
  for (std::size_t k = 0; k < 34; ++k)
    out.unseen[k] = std::uint8_t(4 - t.history.seen[k] - me.concealed[k]);
  std::memset(out.indicators, kNone, sizeof out.indicators);
  std::copy_n(t.indicators.begin(), t.n_indicators, out.indicators);
  out.seat = std::uint8_t(seat);
  out.kyoku = std::uint8_t(t.kyoku);
  out.honba = byte(t.honba);
  out.sticks = byte(t.sticks);
  out.dealer = std::uint8_t((t.dealer - seat + 4) % 4);
  out.draws_left = std::uint8_t(t.draws_left);
  out.rounds = std::uint8_t(rounds);
  out.reds_seen = std::uint8_t(t.history.reds | me.reds);
  out.reds = me.reds;
  out.drawn = out.offered = out.from = kNone;
  out.legal = options.acts;
  out.discards = options.discard_kinds();
  out.kans = options.kans;
  if (seat != t.turn) {
    write_offer(t, seat, out);
    out.waits = me.waits_now();
    call_efficiency(me.concealed, out.unseen, me.n_melds, out.offered, out.legal, out.calls);
    return;
  }
  if (t.drawn >= 0) {
    out.drawn = std::uint8_t(kind_of(t.drawn));
    out.drawn_red = is_red(t.drawn);
    out.waits = waits_before_draw(t, seat);
  }
  discard_efficiency(me.concealed, out.unseen, me.n_melds, out.efficiency);
}

}  // namespace haiyomi::replay
