#include "public_history.hpp"

#include <algorithm>
#include <cstring>

namespace haiyomi::replay {
namespace {

using namespace record;

int kind_of(int code) { return code < 34 ? code : 4 + 9 * (code - 34); }
bool is_red(int code) { return code >= 34; }
std::uint8_t byte(int value) { return std::uint8_t(std::min(value, 254)); }

void drop_first(std::uint8_t* values) { std::memmove(values, values + 1, kRiver - 1); }

MeldBytes& next_meld(PlayerBytes& p) {
  std::size_t i = 0;
  while (p.melds[i].type != kNone) ++i;
  return p.melds[i];
}

}  // namespace

PublicHistory::PublicHistory() {
  for (PlayerBytes& p : players) {
    std::memset(&p, 0, sizeof p);
    std::memset(p.kind, kNone, sizeof p.kind);
    std::memset(p.order, kNone, sizeof p.order);
    std::memset(p.melds, kNone, sizeof p.melds);
    p.concealed = 13;
    p.riichi = -1;
  }
}

void PublicHistory::show(int code) {
  ++seen[std::size_t(kind_of(code))];
  if (is_red(code)) reds |= std::uint8_t(1 << (code - 34));
}

void PublicHistory::discard(int seat, int code, bool tsumogiri) {
  PlayerBytes& p = players[std::size_t(seat)];
  const int kind = kind_of(code);
  const bool declares = declaring == seat;
  bool facing = false;
  for (int s = 0; s < 4; ++s) facing |= s != seat && players[std::size_t(s)].riichi >= 0;
  if (p.n == kRiver) {
    drop_first(p.kind);
    drop_first(p.order);
    drop_first(p.flags);
    if (p.riichi > 0) --p.riichi;
    --p.n;
  }
  p.kind[p.n] = std::uint8_t(kind);
  p.order[p.n] = byte(order);
  p.flags[p.n] = std::uint8_t((tsumogiri ? kTsumogiri : 0) | (declares ? kDeclares : 0) |
                              (facing ? kFacing : 0) | (is_red(code) ? kRedFive : 0));
  ++p.n;
  ++order;
  --p.concealed;
  p.passed = 0;
  if (!declares) ippatsu &= std::uint8_t(~(1 << seat));
  declaring = -1;
  show(code);
  let_pass(seat, kind);
}

void PublicHistory::riichi(int seat) {
  PlayerBytes& p = players[std::size_t(seat)];
  declaring = seat;
  p.riichi = std::int8_t(p.n);
  ippatsu |= std::uint8_t(1 << seat);
}

void PublicHistory::call(MeldType type, int seat, int target, int code, const std::int32_t* own,
                         int n) {
  PlayerBytes& p = players[std::size_t(seat)];
  PlayerBytes& from = players[std::size_t(target)];
  from.flags[from.n - 1] |= kTaken;
  int base = kind_of(code), red = is_red(code);
  for (int i = 0; i < n; ++i) {
    show(own[i]);
    base = std::min(base, kind_of(own[i]));
    red += is_red(own[i]);
  }
  next_meld(p) = {std::uint8_t(type), std::uint8_t(base), std::uint8_t(kind_of(code)),
                  byte(order), std::uint8_t(target), std::uint8_t(red)};
  p.concealed = std::uint8_t(p.concealed - n);
  ippatsu = 0;
}

void PublicHistory::ankan(int seat, const std::int32_t* own) {
  PlayerBytes& p = players[std::size_t(seat)];
  int red = 0;
  for (int i = 0; i < 4; ++i) {
    show(own[i]);
    red += is_red(own[i]);
  }
  next_meld(p) = {std::uint8_t(MeldType::Ankan), std::uint8_t(kind_of(own[0])), kNone, byte(order),
                  kNone, std::uint8_t(red)};
  p.concealed = std::uint8_t(p.concealed - 4);
  ippatsu = 0;
}

void PublicHistory::kakan(int seat, int code) {
  PlayerBytes& p = players[std::size_t(seat)];
  for (MeldBytes& meld : p.melds) {
    if (meld.type != std::uint8_t(MeldType::Pon) || meld.base != kind_of(code)) continue;
    meld.type = std::uint8_t(MeldType::Kakan);
    meld.reds = std::uint8_t(meld.reds + is_red(code));
    break;
  }
  show(code);
  --p.concealed;
  let_pass(seat, kind_of(code));
  ippatsu = 0;
}

void PublicHistory::let_pass(int by, int kind) {
  const std::uint64_t mask = std::uint64_t{1} << kind;
  for (int s = 0; s < 4; ++s) {
    PlayerBytes& p = players[std::size_t(s)];
    if (s == by) continue;
    p.passed |= mask;
    if (p.riichi >= 0) p.passed_riichi |= mask;
  }
}

}  // namespace haiyomi::replay
