#include "shared_yaku.hpp"

#include "suit_patterns.hpp"

namespace haiyomi {
namespace {

bool yaochu(std::uint8_t kind) { return kind >= 27 || kind % 9 == 0 || kind % 9 == 8; }

}  // namespace

unsigned lacking_of_straight(unsigned sets) {
  unsigned out = 7;
  for (unsigned i = 0; i < 3; ++i)
    if ((sets >> (3 * i) & 1) != 0) out &= ~(1u << i);
  return out;
}

SharedYaku::SharedYaku(const RonRules& rules) {
  for (const Meld& m : rules.melds) {
    const bool chi = m.type == MeldType::Chi;
    if (m.type != MeldType::Ankan) closed = false;
    else ++triplets;
    all &= ~static_cast<unsigned>(kRuns);
    if (chi) all &= ~static_cast<unsigned>(kTriplets);
    const bool outside = chi ? m.kind % 9 == 0 || m.kind % 9 == 6 : yaochu(m.kind);
    all &= ~static_cast<unsigned>(outside ? kSimples : kOutside);
    if (m.kind >= 27) continue;
    suits |= 1u << m.kind / 9;
    sets[m.kind / 9] |= 1u << (chi ? m.kind % 9 : 7 + m.kind % 9);
  }
  if (!closed && !rules.kuitan) all &= ~static_cast<unsigned>(kSimples);
}

unsigned valued_honours(const RonRules& rules) {
  return 0x70u | 1u << (rules.round_wind - 27) | 1u << (rules.seat_wind - 27);
}

bool certain_yaku(const RonRules& rules) {
  if (rules.certain_yaku) return true;
  const std::array<unsigned, 3> sets = SharedYaku(rules).sets;
  int kans = 0;
  for (const Meld& m : rules.melds) {
    kans += m.type != MeldType::Chi && m.type != MeldType::Pon;
    if (m.kind >= 27 && (valued_honours(rules) >> (m.kind - 27) & 1) != 0) return true;
  }
  for (const unsigned of_suit : sets)
    if (lacking_of_straight(of_suit) == 0) return true;
  return (sets[0] & sets[1] & sets[2]) != 0 || kans >= 3;
}

}  // namespace haiyomi
