#include "world.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "replay_words.hpp"

namespace haiyomi {
namespace {

using replay::Event;
using replay::kind_of;

constexpr std::size_t kCodes = 37;
constexpr int kNothing = -1;

[[noreturn]] void contradicts(const std::string& what) { throw std::invalid_argument(what); }

// An event, and where its numbers lie in the words.
struct Seen {
  Event event;
  std::size_t at = 0;       // of its first word
  std::int32_t own[4] = {};
  int n_own = 0;
};

Event head(std::int32_t word) {
  Event e{Op(word & 15), word >> 4 & 63, word >> 12 & 3, word >> 14 & 3, (word >> 10 & 1) != 0};
  const bool hidden = e.op == Op::Draw && e.code == kHiddenCode;
  if (word < 0 || word >> 16 != 0 || (e.code > 36 && !hidden)) contradicts("a damaged word");
  return e;
}

std::vector<Seen> events_of(std::span<const std::int32_t> view) {
  std::vector<Seen> out;
  for (std::size_t at = 0; at < view.size();) {
    Seen seen{head(view[at]), at};
    std::size_t numbers = 0;
    switch (seen.event.op) {
      case Op::Start: numbers = 7; break;
      case Op::Deal: numbers = 56; break;
      case Op::Chi:
      case Op::Pon:
      case Op::Daiminkan:
      case Op::Ankan:
        if (at + 1 < view.size()) seen.n_own = int(std::clamp(view[at + 1], 0, 4));
        numbers = std::size_t(seen.n_own) + 1;
        break;
      case Op::Win:
      case Op::Abort:
      case Op::Exhaustive: contradicts("the hand has ended");
      default: break;
    }
    if (at + numbers >= view.size() + (numbers == 0 ? 1 : 0)) contradicts("the words stop short");
    for (int i = 0; i < seen.n_own; ++i) {
      seen.own[i] = view[at + 2 + std::size_t(i)];
      if (seen.own[i] < 0 || seen.own[i] > 36) contradicts("a damaged word");
    }
    out.push_back(seen);
    at += numbers + 1;
  }
  const bool dealt = out.size() >= 2 && out[0].event.op == Op::Start && out[1].event.op == Op::Deal;
  if (!dealt) contradicts("the words do not begin with Start and Deal");
  return out;
}

// The concealed tiles of a hidden seat, followed from now back to the deal.
class Backwards {
 public:
  explicit Backwards(const std::vector<std::uint8_t>& now) {
    for (const std::uint8_t code : now) {
      if (code >= kCodes) contradicts("a hidden hand has no tile code " + std::to_string(code));
      ++held_[code];
    }
  }

  // Undo an event of the seat but for a draw.
  void undo(const Event& e, const Seen& seen) {
    if (e.op == Op::Discard) {
      drawn_ = e.flag ? e.code : kNothing;
      kept_ = e.flag ? kNothing : e.code;
      ++held_[std::size_t(e.code)];
    } else if (e.op == Op::Kakan) {
      ++held_[std::size_t(e.code)];
      drawn_ = kept_ = kNothing;
    } else if (seen.n_own > 0) {
      for (int i = 0; i < seen.n_own; ++i) ++held_[std::size_t(seen.own[i])];
      // In riichi only the tile just drawn makes a closed kan.
      drawn_ = e.op == Op::Ankan ? seen.own[seen.n_own - 1] : kNothing;
      kept_ = kNothing;
    }
  }

  // Undo a draw: which tile it was.
  int undraw() {
    int code = drawn_;
    for (int c = 0; code < 0 && c < int(kCodes); ++c)
      if (held_[std::size_t(c)] > (c == kept_ ? 1 : 0)) code = c;
    if (code < 0 || held_[std::size_t(code)] == 0) contradicts("a hidden hand has too few tiles");
    --held_[std::size_t(code)];
    drawn_ = kept_ = kNothing;
    return code;
  }

  // The thirteen tiles of the deal.
  std::vector<int> dealt() const {
    std::vector<int> codes;
    for (std::size_t c = 0; c < kCodes; ++c) codes.insert(codes.end(), std::size_t(held_[c]), int(c));
    if (codes.size() != 13)
      contradicts("a hidden hand has " + std::to_string(std::int64_t(codes.size()) - 13) +
                  " tiles too many");
    return codes;
  }

 private:
  std::array<int, kCodes> held_{};
  int drawn_ = kNothing;  // the tile that the draw before must be
  int kept_ = kNothing;   // a tile discarded from the hand: another than the drawn one
};

// Gives every tile an id of its own.
class Ids {
 public:
  explicit Ids(bool red_fives) : red_fives_(red_fives) {}

  std::uint8_t take(int code) {
    const int kind = kind_of(code);
    for (int id = 4 * kind; id < 4 * kind + 4; ++id)
      if (!used_[std::size_t(id)] && code_of_id(id, red_fives_) == code) return use(id);
    contradicts("tile code " + std::to_string(code) + " lies in more places than it has copies");
  }

  std::vector<std::uint8_t> left() const {
    std::vector<std::uint8_t> ids;
    for (std::size_t id = 0; id < 136; ++id)
      if (!used_[id]) ids.push_back(std::uint8_t(id));
    return ids;
  }

 private:
  std::uint8_t use(int id) {
    used_[std::size_t(id)] = true;
    return std::uint8_t(id);
  }

  bool red_fives_;
  std::array<bool, 136> used_{};
};

// Fills the hidden draws and deals of the words.
void reveal(std::vector<std::int32_t>& words, const std::vector<Seen>& seen,
            const std::array<std::vector<std::uint8_t>, 4>& hands) {
  std::int32_t* deal = words.data() + seen[1].at + 5;
  for (int seat = 0; seat < 4; ++seat, deal += 13) {
    const auto hidden = std::count(deal, deal + 13, -1);
    if (hidden == 0) continue;
    if (hidden != 13) contradicts("a deal is hidden in part");
    Backwards back(hands[std::size_t(seat)]);
    for (std::size_t i = seen.size(); i-- > 2;) {
      const Event& e = seen[i].event;
      if (e.seat != seat) continue;
      if (e.op == Op::Draw) {
        Event drawn = e;
        drawn.code = back.undraw();
        words[seen[i].at] = replay::word(drawn);
      } else if (e.op != Op::Dora) {
        back.undo(e, seen[i]);
      }
    }
    std::ranges::copy(back.dealt(), deal);
  }
}

// Lays the tiles that the words name in their places of the wall. Which places are taken.
std::array<bool, 136> lay(Wall& wall, Ids& ids, const std::vector<std::int32_t>& words,
                          const std::vector<Seen>& seen) {
  std::array<bool, 136> taken{};
  const auto put = [&](std::size_t place, std::int32_t code) {
    if (code < 0 || code > 36) contradicts("a tile that must be known is hidden");
    wall.tiles[place] = ids.take(code);
    taken[place] = true;
  };
  const std::int32_t* deal = words.data() + seen[1].at + 5;
  const int dealer = int(words[seen[0].at + 1] & 3);
  std::array<int, 4> dealt{};
  std::size_t at = Wall::kDead;
  for (const int size : {4, 4, 4, 1}) {
    for (int i = 0; i < 4; ++i) {
      const int seat = (dealer + i) % 4;
      for (int k = 0; k < size; ++k) put(at++, deal[13 * seat + dealt[std::size_t(seat)]++]);
    }
  }
  std::size_t drawn = 0, replaced = 0, shown = 0;
  for (const Seen& s : seen) {
    const int code = words[s.at] >> 4 & 63;
    if (s.event.op == Op::Draw) {
      if (s.event.flag ? replaced == 4 : drawn == 70) contradicts("more draws than the wall has");
      put(s.event.flag ? replaced++ : Wall::kDead + Wall::kDealt + drawn++, code);
    } else if (s.event.op == Op::Start || s.event.op == Op::Dora) {
      if (shown == 5) contradicts("more indicators than the wall has");
      put(4 + 2 * shown++, code);
    }
  }
  return taken;
}

// The places of the wall in the order of `rest`.
std::vector<std::size_t> free_places(const std::array<bool, 136>& taken) {
  std::vector<std::size_t> places;
  const auto add = [&](std::size_t from, std::size_t to, std::size_t step) {
    for (std::size_t p = from; p < to; p += step)
      if (!taken[p]) places.push_back(p);
  };
  add(Wall::kDead + Wall::kDealt, 136, 1);
  add(0, 4, 1);
  add(4, Wall::kDead, 2);
  add(5, Wall::kDead, 2);
  return places;
}

}  // namespace

World world_of(std::span<const std::int32_t> view,
               const std::array<std::vector<std::uint8_t>, 4>& hands,
               std::span<const std::uint8_t> rest, Pcg64 random, bool red_fives) {
  const std::vector<Seen> seen = events_of(view);
  World out{{view.begin(), view.end()}, {}};
  reveal(out.words, seen, hands);
  Ids ids(red_fives);
  const auto places = free_places(lay(out.wall, ids, out.words, seen));
  if (rest.empty()) {
    std::vector<std::uint8_t> left = ids.left();
    for (std::size_t i = left.size(); i-- > 1;) std::swap(left[i], left[random.next() % (i + 1)]);
    for (std::size_t i = 0; i < places.size(); ++i) out.wall.tiles[places[i]] = left[i];
  } else {
    if (rest.size() != places.size())
      contradicts(std::to_string(rest.size()) + " tiles for the " +
                  std::to_string(places.size()) + " places left in the wall");
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (rest[i] > 36) contradicts("the wall has no tile code " + std::to_string(rest[i]));
      out.wall.tiles[places[i]] = ids.take(rest[i]);
    }
  }
  return out;
}

}  // namespace haiyomi
