// What all seats have seen of a hand: rivers and melds in order, riichi, tiles let pass.
//
// The table's step functions fold it, so that a record of a decision is a copy of bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "decision.hpp"
#include "score.hpp"

namespace haiyomi::replay {

struct PublicHistory {
  // By absolute seat, the targets of melds too; without scores.
  std::array<record::PlayerBytes, 4> players;
  std::array<std::uint8_t, 34> seen{};  // copies that lie open, by kind
  std::uint8_t reds = 0;                // bit s: the red five of suit s lies open
  std::uint8_t ippatsu = 0;             // bits of seats
  int order = 0;                        // discards so far
  int declaring = -1;                   // the seat that has declared riichi and not discarded

  PublicHistory();
  void show(int code);  // a tile that no meld and no river holds: an indicator
  void draw(int seat) { ++players[std::size_t(seat)].concealed; }
  void discard(int seat, int code, bool tsumogiri);
  void riichi(int seat);
  void call(MeldType type, int seat, int target, int code, const std::int32_t* own, int n);
  void ankan(int seat, const std::int32_t* own);
  void kakan(int seat, int code);

 private:
  void let_pass(int by, int kind);
};

}  // namespace haiyomi::replay
