// A seat's options, each by the rule that the checked replay asks.
#include "options.hpp"

#include <bit>

#include "replay_allowed.hpp"
#include "replay_words.hpp"
#include "shanten.hpp"

namespace haiyomi::replay {
namespace {

using record::Act;

bool allowed(const Broken& rule) { return rule.fault == Fault::None; }

// The red five among kinds low and high, held; 0-2 its suit, else -1.
int red_suit(const Player& p, int kind) {
  return kind < 27 && kind % 9 == 4 && (p.reds >> (kind / 9) & 1) != 0 ? kind / 9 : -1;
}

void add_discards(const Table& t, int seat, Options& out) {
  for (int code = 0; code < 37; ++code) {
    if (t.players[seat].concealed[kind_of(code)] == 0) continue;
    if (allowed(may_discard(t, seat, code, false))) out.discards |= bit(code);
  }
  if (t.drawn >= 0 && allowed(may_discard(t, seat, t.drawn, true))) out.tsumogiri = t.drawn;
}

// The discards after which the hand is tenpai.
std::uint64_t tenpai_kinds(const Player& p) {
  std::uint64_t kinds = 0;
  if (shanten(p.concealed, p.n_melds) > 0) return 0;
  for (int kind = 0; kind < 34; ++kind) {
    if (p.concealed[kind] == 0) continue;
    Player after = p;
    --after.concealed[kind];
    after.waits_known = false;
    if (after.waits_now() != 0) kinds |= bit(kind);
  }
  return kinds;
}

void keep_kinds(Options& out, std::uint64_t kinds) {
  for (int code = 0; code < 37; ++code)
    if (!(kinds & bit(kind_of(code)))) out.discards &= ~bit(code);
  if (out.tsumogiri >= 0 && !(kinds & bit(kind_of(out.tsumogiri)))) out.tsumogiri = -1;
}

void add_own_kans(Table& t, int seat, Options& out) {
  if (!allowed(may_kan_now(t, seat))) return;
  Player& p = t.players[seat];
  for (int kind = 0; kind < 34; ++kind) {
    if (p.concealed[kind] == 4) {
      if (!p.riichi || allowed(may_kan_in_riichi(t, seat, kind))) out.kans |= bit(kind);
    } else if (p.concealed[kind] > 0 && !p.riichi && p.pon_of(kind) != nullptr) {
      out.kans |= bit(kind);
    }
  }
}

bool may_tsumo(const Table& t, int seat) {
  if (t.drawn < 0 || t.must_discard) return false;
  if (!(waits_before_draw(t, seat) & bit(kind_of(t.drawn)))) return false;
  return score_win(t.win_input(seat, t.drawn, true, false), t.rules.score).has_yaku;
}

Options own_turn(Table& t, int seat) {
  Options out;
  add_discards(t, seat, out);
  if (t.phase == Phase::Riichi) {
    keep_kinds(out, tenpai_kinds(t.players[seat]));
    return out;
  }
  if (t.drawn < 0) return out;
  add_own_kans(t, seat, out);
  if (may_tsumo(t, seat)) out.acts |= 1 << Act::kTsumo;
  if (allowed(may_end_with_nine(t, seat))) out.acts |= 1 << Act::kNine;
  if (allowed(may_riichi(t, seat)) && tenpai_kinds(t.players[seat]) != 0)
    out.acts |= 1 << Act::kRiichi;
  return out;
}

void add_chi(const Table& t, int seat, Options& out) {
  const Player& p = t.players[seat];
  const int kind = kind_of(t.last);
  for (int place = 0; place < 3; ++place) {  // of the called tile in the run
    const int low = kind - place;
    if (kind % 9 < place || low % 9 > 6) continue;
    const int a = low + (place == 0), b = low + (place == 2 ? 1 : 2);
    if (p.concealed[a] == 0 || p.concealed[b] == 0) continue;
    Counts left = p.concealed;
    --left[a];
    --left[b];
    if (!holds_another(left, swap_kinds(kind, low))) continue;
    const auto act = std::uint16_t(1 << (Act::kChiLow + place));
    out.acts |= act;
    const int five = red_suit(p, a) >= 0 ? a : red_suit(p, b) >= 0 ? b : -1;
    if (five >= 0) out.with_red |= act;
    if (five < 0 || p.concealed[five] > 1) out.plain |= act;
  }
}

void add_calls(const Table& t, int seat, Options& out) {
  if (!allowed(may_call(t, seat))) return;
  const Player& p = t.players[seat];
  const int kind = kind_of(t.last), held = p.concealed[kind];
  if (held >= 2) {
    const auto pon = std::uint16_t(1 << Act::kPon);
    out.acts |= pon;
    const bool red = red_suit(p, kind) >= 0;
    if (red) out.with_red |= pon;
    if (held - red >= 2) out.plain |= pon;
  }
  if (held == 3 && allowed(may_kan(t))) out.acts |= 1 << Act::kOpenKan;
  if (kind < 27 && seat == (t.turn + 1) % 4) add_chi(t, seat, out);
}

// The last discard ends the hand unless somebody wins on it.
bool ends_hand(const Table& t) {
  return t.abort_due() || (t.accept_due && t.accepted == 3);
}

}  // namespace

std::uint64_t Options::discard_kinds() const {
  std::uint64_t kinds = tsumogiri >= 0 ? bit(kind_of(tsumogiri)) : 0;
  kinds |= discards & ((std::uint64_t{1} << 34) - 1);
  for (int suit = 0; suit < 3; ++suit)
    if (discards >> (34 + suit) & 1) kinds |= bit(kind_of(34 + suit));
  return kinds;
}

Options options(Table& t, int seat) {
  if (t.phase == Phase::Act || t.phase == Phase::Riichi)
    return seat == t.turn ? own_turn(t, seat) : Options{};
  Options out;
  if (seat == t.turn || t.last < 0) return out;
  const std::uint64_t tile = bit(kind_of(t.last));
  if (t.phase == Phase::Kan && (t.kakan_open || t.ankan_open)) {
    const bool robs = t.kakan_open || orphans_wait(t.players[seat], kind_of(t.last));
    if (robs && (ron_mask(t, seat, true) & tile) != 0) out.acts |= 1 << Act::kRon;
  } else if (t.phase == Phase::Claim) {
    if (!t.accepted_now && (ron_mask(t, seat, false) & tile) != 0) out.acts |= 1 << Act::kRon;
    if (!ends_hand(t)) add_calls(t, seat, out);
  }
  return out;
}

HandOptions options_of_hand(const std::int32_t* words, std::size_t n, const ReplayRules& rules) {
  HandOptions out;
  Table t;
  t.rules = rules;
  Words at{words, words + n};
  try {
    for (; at.at != at.end; ++out.event) {
      const Event e = next_event(at);
      apply(t, e, at);
      if (e.op == Op::Accepted || e.op == Op::Dora) continue;  // asked before it
      for (int turn = 0; turn < 4; ++turn) {
        const int seat = (t.turn + turn) % 4;
        const Options found = options(t, seat);
        if (found.any())
          out.rows.push_back({out.event, std::uint8_t(seat), actions(t, seat, found)});
      }
    }
  } catch (const Broken& broken) {
    out.fault = broken.fault;
    out.detail = {broken.a, broken.b, broken.c};
  }
  return out;
}

int action::chi(int low_code, int high_code) {
  static constexpr auto kNumbers = [] {
    std::array<std::array<std::uint8_t, 37>, 37> numbers{};
    for (int i = 0; i < kChiPairs; ++i)
      numbers[std::size_t(kPairs[std::size_t(i)].low)][std::size_t(kPairs[std::size_t(i)].high)] =
          std::uint8_t(kChi + i);
    return numbers;
  }();
  return kNumbers[std::size_t(low_code)][std::size_t(high_code)];
}

int Actions::count() const {
  int n = 0;
  for (const std::uint64_t word : bits) n += std::popcount(word);
  return n;
}

int Actions::first() const {
  for (std::size_t w = 0; w < kWords; ++w)
    if (bits[w] != 0) return int(64 * w) + std::countr_zero(bits[w]);
  return -1;
}

Actions actions(const Table& t, int seat, const Options& o) {
  Actions out;
  if (!o.any()) return out;
  out.bits[0] = o.discards;
  if (o.tsumogiri >= 0) out.add(action::kTsumogiri + o.tsumogiri);
  for (std::uint64_t kans = o.kans; kans != 0; kans &= kans - 1)
    out.add(action::kKan + std::countr_zero(kans));
  const auto in = [](std::uint16_t acts, unsigned act) { return (acts >> act & 1) != 0; };
  if (in(o.acts, Act::kRiichi)) out.add(action::kRiichi);
  if (in(o.acts, Act::kTsumo)) out.add(action::kTsumo);
  if (in(o.acts, Act::kNine)) out.add(action::kNine);
  if (in(o.acts, Act::kRon)) out.add(action::kRon);
  if (seat == t.turn) return out;
  out.add(action::kPass);
  const int kind = kind_of(t.last);
  const auto red = [](int k) { return k % 9 == 4 ? 34 + k / 9 : k; };
  for (int place = 0; place < 3; ++place) {
    const unsigned act = Act::kChiLow + unsigned(place);
    const int a = kind - place + (place == 0), b = kind - place + (place == 2 ? 1 : 2);
    if (in(o.plain, act)) out.add(action::chi(a, b));
    if (in(o.with_red, act)) out.add(action::chi(red(a), red(b)));
  }
  if (in(o.plain, Act::kPon)) out.add(action::kPon + kind);
  if (in(o.with_red, Act::kPon)) out.add(action::kPon + red(kind));
  if (in(o.acts, Act::kOpenKan)) out.add(action::kKan + kind);
  return out;
}

Options options_of(const Actions& actions, int offered) {
  Options out;
  const auto add = [](std::uint16_t& acts, unsigned act, bool there) {
    if (there) acts |= std::uint16_t(1 << act);
  };
  if (offered < 0) {
    for (int code = 0; code < 37; ++code) {
      if (actions.has(action::kDiscard + code)) out.discards |= bit(code);
      if (actions.has(action::kTsumogiri + code)) out.tsumogiri = code;
    }
    for (int kind = 0; kind < 34; ++kind)
      if (actions.has(action::kKan + kind)) out.kans |= bit(kind);
    add(out.acts, Act::kRiichi, actions.has(action::kRiichi));
    add(out.acts, Act::kTsumo, actions.has(action::kTsumo));
    add(out.acts, Act::kNine, actions.has(action::kNine));
    return out;
  }
  const auto red = [](int k) { return k < 27 && k % 9 == 4 ? 34 + k / 9 : k; };
  const auto call = [&](unsigned act, int plain, int with_red) {
    add(out.plain, act, actions.has(plain));
    add(out.with_red, act, with_red != plain && actions.has(with_red));
  };
  for (int place = 0; place < 3; ++place) {
    const int low = offered - place;
    if (offered >= 27 || offered % 9 < place || low % 9 > 6) continue;
    const int a = low + (place == 0), b = low + (place == 2 ? 1 : 2);
    call(Act::kChiLow + unsigned(place), action::chi(a, b), action::chi(red(a), red(b)));
  }
  call(Act::kPon, action::kPon + offered, action::kPon + red(offered));
  out.acts = out.plain | out.with_red;
  add(out.acts, Act::kOpenKan, actions.has(action::kKan + offered));
  add(out.acts, Act::kRon, actions.has(action::kRon));
  return out;
}

}  // namespace haiyomi::replay
