#include "mjlog.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include "event_order.hpp"
#include "mjlog_tags.hpp"

namespace haiyomi::mjlog {
namespace {

using replay::Event;

constexpr std::size_t kMostEvents = 400, kMostReveals = 8;  // of a hand
constexpr int kMostHundreds = 10'000;  // as MOST_POINTS in logs/fields.py
constexpr int kThreePlayers = 0x10, kSouth = 0x08, kNoRed = 0x02;  // bits of GO's type
constexpr std::array<std::string_view, 4> kHands{"hai0", "hai1", "hai2", "hai3"};
constexpr std::array<std::string_view, 4> kPlayers{"n0", "n1", "n2", "n3"};
constexpr std::array<std::string_view, 5> kAborts{"yao9", "kaze4", "reach4", "kan4", "ron3"};
constexpr std::array<std::string_view, 6> kNotRead{"SHUFFLE", "FURITEN", "PROF",
                                                   "CHAT",    "LN",      "RANKING"};

using Four = std::array<std::int32_t, 4>;

int seat_of(std::string_view text) {
  need(text.size() == 1 && text[0] >= '0' && text[0] <= '3');
  return text[0] - '0';
}

std::int32_t points(std::string_view hundreds) {
  return 100 * number(hundreds, -kMostHundreds, kMostHundreds);
}

// Every other of eight numbers, in hundreds: from the first one on, or from the second.
Four every_other(std::string_view text, bool second) {
  Fields fields(text);
  Four out{};
  for (auto& value : out) {
    const std::string_view a = fields.next(), b = fields.next();
    value = points(second ? b : a);
  }
  need(fields.over());
  return out;
}

// The seats whose nagashi mangan the payments are: each is paid as a mangan by self-draw.
int nagashi(const Four& deltas, int dealer) {
  for (int chosen = 1; chosen < 16; ++chosen) {
    Four total{};
    for (int seat = 0; seat < 4; ++seat) {
      for (int payer = 0; payer < 4 && chosen >> seat & 1; ++payer) {
        if (payer == seat) continue;
        const int paid = dealer == seat || dealer == payer ? 4000 : 2000;
        total[std::size_t(payer)] -= paid;
        total[std::size_t(seat)] += paid;
      }
    }
    if (total == deltas) return chosen;
  }
  throw NotRead{};
}

// A line that drops, or is back, before an event of a hand.
struct Absence {
  std::size_t hand, event;
  int seat;
  bool back;
};

class Reader {
 public:
  explicit Reader(std::string_view record) : tags_(record) {}

  Game read() {
    while (tags_.more()) {
      int id = 0;
      if (const char letter = tags_.tile(id)) {
        tile(letter, id);
      } else {
        tag(tags_.tag());
      }
    }
    need(closed_ || !root_);
    close();
    need(game_.hands.size() > 1);
    mark_absent();
    return std::move(game_);
  }

 private:
  void tile(char letter, int id) {
    constexpr std::string_view kDraws = "TUVW", kDiscards = "DEFGdefg";
    need(open_ && !ended_ && !closed_);
    if (const std::size_t seat = kDraws.find(letter); seat != kDraws.npos) {
      leave_wall(id);
      event({Op::Draw, code(id), static_cast<int>(seat), 0, kan_});
      drawn_ = id;
      kan_ = false;
    } else {
      const std::size_t at = kDiscards.find(letter);
      need(at != kDiscards.npos);
      event({Op::Discard, code(id), static_cast<int>(at % 4), 0, id == drawn_});
      drawn_ = -1;
    }
  }

  void tag(const Tag& t) {
    need(!closed_);
    if (t.name == "mjloggm") {
      need(!t.empty && (t.closing ? root_ && t.bare() : !root_ && !open_));
      root_ = true;
      closed_ = t.closing;
      return;
    }
    need(t.empty && !t.closing);
    if (t.name == "INIT") {
      close();
      init(t);
    } else if (t.name == "N") {
      act();
      meld(seat_of(t["who"]), number(t["m"], 0, 65535));
    } else if (t.name == "REACH") {
      act();
      const std::string_view step = t["step"];
      need(step == "1" || step == "2");
      event({step == "1" ? Op::Riichi : Op::Accepted, 0, seat_of(t["who"])});
    } else if (t.name == "DORA") {
      act();
      const int id = number(t["hai"], 0, 135);
      leave_wall(id);
      event({Op::Dora, code(id)});
    } else if (t.name == "AGARI") {
      need(open_ && (!ended_ || events_.back().op == Op::Win));
      win(t);
    } else if (t.name == "RYUUKYOKU") {
      act();
      draw(t);
    } else if (t.name == "UN") {
      players(t);
    } else if (t.name == "BYE") {
      absence(seat_of(t["who"]), false);
    } else if (t.name == "GO") {
      need(!open_);
      const int type = number(t["type"], 0, 65535);
      need(!(type & kThreePlayers));
      game_.rounds = type & kSouth ? 2 : 1;
      reds_ = !(type & kNoRed);
    } else if (t.name == "TAIKYOKU") {
      const std::string_view* dealer = t.find("oya");
      need(dealer == nullptr || *dealer == "0");
    } else {
      need(std::find(kNotRead.begin(), kNotRead.end(), t.name) != kNotRead.end());
    }
  }

  void act() const { need(open_ && !ended_); }

  int code(int id) const {
    return reds_ && (id == 16 || id == 52 || id == 88) ? 34 + id / 36 : id / 4;
  }

  void leave_wall(int id) {
    need(!gone_[static_cast<std::size_t>(id)]);
    gone_.set(static_cast<std::size_t>(id));
  }

  void event(const Event& e) {
    need(events_.size() < kMostEvents);
    events_.push_back(e);
    at_.push_back(game_.words.size());
    put(replay::word(e));
  }
  void put(std::int32_t value) { game_.words.push_back(value); }
  void put(const Four& values) { game_.words.insert(game_.words.end(), values.begin(), values.end()); }

  void init(const Tag& t) {
    open_ = true;
    ended_ = kan_ = false;
    drawn_ = -1;
    events_.clear();
    at_.clear();
    gone_.reset();
    Fields seed(t["seed"]);
    const int kyoku = number(seed.next(), 0, 15);
    const int honba = number(seed.next(), 0, 999), sticks = number(seed.next(), 0, 999);
    seed.next(), seed.next();  // the dice
    const int indicator = number(seed.next(), 0, 135);
    need(seed.over());
    if (const std::string_view* dealer = t.find("oya")) need(number(*dealer) == kyoku % 4);
    leave_wall(indicator);
    event({Op::Start, code(indicator)});
    for (const int value : {kyoku, honba, sticks}) put(value);
    Fields scores(t["ten"]);
    for (int s = 0; s < 4; ++s) put(points(scores.next()));
    need(scores.over());
    event({Op::Deal});
    put(Four{13, 13, 13, 13});
    for (const std::string_view key : kHands) {
      Fields hand(t[key]);
      for (int i = 0; i < 13; ++i) {
        const int id = number(hand.next(), 0, 135);
        leave_wall(id);
        put(code(id));
      }
      need(hand.over());
    }
  }

  // A meld code (logs/meld_codes.py).
  void meld(int seat, int m) {
    const int giver = m & 3, target = (seat + giver) % 4;
    std::array<int, 4> ids{};
    drawn_ = -1;
    kan_ = false;
    if (m & 4) {
      const int base = (m >> 10) / 3, called = (m >> 10) % 3;
      need(base <= 20 && giver == 3);
      for (int i = 0; i < 3; ++i)
        ids[std::size_t(i)] = 4 * (base / 7 * 9 + base % 7 + i) + (m >> (3 + 2 * i) & 3);
      return call(Op::Chi, seat, target, ids, 3, called);
    }
    if (m & 24) {
      const int kind = (m >> 9) / 3, fourth = m >> 5 & 3;
      need(kind <= 33 && giver != 0);
      if (!(m & 8)) {
        kan_ = true;
        return event({Op::Kakan, code(4 * kind + fourth), seat});
      }
      for (int copy = 0, n = 0; copy < 4; ++copy)
        if (copy != fourth) ids[std::size_t(n++)] = 4 * kind + copy;
      return call(Op::Pon, seat, target, ids, 3, (m >> 9) % 3);
    }
    const int tile = m >> 8;
    need(!(m & 32) && tile <= 135);
    for (int copy = 0; copy < 4; ++copy) ids[std::size_t(copy)] = tile / 4 * 4 + copy;
    kan_ = true;
    if (giver != 0) return call(Op::Daiminkan, seat, target, ids, 4, tile % 4);
    event({Op::Ankan, 0, seat});
    own_tiles(ids, 4, -1);
  }

  void call(Op op, int seat, int target, const std::array<int, 4>& ids, int n, int called) {
    event({op, code(ids[std::size_t(called)]), seat, target});
    own_tiles(ids, n, called);
  }

  // Their number and codes without the called one: ascending, a red five after the plain ones.
  void own_tiles(const std::array<int, 4>& ids, int n, int called) {
    const std::size_t first = game_.words.size() + 1;
    put(called < 0 ? n : n - 1);
    for (int i = 0; i < n; ++i)
      if (i != called) put(code(ids[std::size_t(i)]));
    std::sort(game_.words.begin() + std::ptrdiff_t(first), game_.words.end(), [](int a, int b) {
      return std::pair(replay::kind_of(a), a) < std::pair(replay::kind_of(b), b);
    });
  }

  void win(const Tag& t) {
    const int seat = seat_of(t["who"]), target = seat_of(t["fromWho"]);
    event({Op::Win, code(number(t["machi"], 0, 135)), seat, target});
    put(every_other(t["sc"], true));
    tiles(t.given("doraHaiUra"));
    yaku(t);
    int fu = 0, worth = -1;
    if (const std::string_view* ten = t.given("ten")) {
      Fields fields(*ten);
      fu = number(fields.next(), 0, 999);
      worth = number(fields.next(), 0, 100 * kMostHundreds - 1);
      number(fields.next());
      need(fields.over());
    }
    put(fu == 0 ? -1 : fu);  // no hand has none: nobody knew
    put(worth);
    const std::string_view* liable = t.find("paoWho");
    put(liable == nullptr ? -1 : seat_of(*liable));
    end(t);
  }

  void tiles(const std::string_view* text) {
    const std::size_t place = game_.words.size();
    put(0);
    if (text == nullptr) return;
    for (Fields ids(*text); !ids.over(); ++game_.words[place]) put(code(number(ids.next(), 0, 135)));
  }

  void yaku(const Tag& t) {
    const std::size_t place = game_.words.size();
    put(-1);
    const std::string_view* limits = t.given("yakuman");
    const std::string_view* text = limits != nullptr ? limits : t.given("yaku");
    if (text == nullptr) return;
    game_.words[place] = 0;
    for (Fields fields(*text); !fields.over();) {
      const int id = number(fields.next()), han = limits != nullptr ? 13 : number(fields.next());
      if (han == 0) continue;
      need(id >= 0 && id < kYakuIds && han > 0 && han < 100);
      put(id);
      put(han);
      ++game_.words[place];
    }
  }

  void draw(const Tag& t) {
    std::int32_t shown = 0;
    for (std::size_t s = 0; s < 4; ++s)
      if (t.find(kHands[s]) != nullptr) shown |= 1 << s;
    const std::string_view* type = t.find("type");
    if (type == nullptr || *type == "nm") {
      const Four deltas = every_other(t["sc"], true);
      event({Op::Exhaustive});
      put(deltas);
      put(shown);
      put(type == nullptr ? 0 : nagashi(deltas, game_.words[std::size_t(game_.hands.back()) + 1] % 4));
      return end(t);
    }
    const auto reason = std::find(kAborts.begin(), kAborts.end(), *type) - kAborts.begin();
    need(reason < std::ptrdiff_t(kAborts.size()));
    std::int32_t seat = -1;
    if (reason == 0) {
      const Event& last = events_.back();
      seat = last.op == Op::Draw ? last.seat : -1;
      for (int s = 0; s < 4; ++s)
        if (shown == 1 << s) seat = s;
    }
    event({Op::Abort});
    put(static_cast<std::int32_t>(reason));
    put(seat);
    end(t);
  }

  void end(const Tag& t) {
    ended_ = true;
    if (const std::string_view* final = t.find("owari")) every_other(*final, false);
  }

  // The open hand, if any, is over: its events are put in order.
  void close() {
    if (!open_) return;
    need(ended_);
    const auto is_reveal = [](const Event& e) { return e.op == Op::Dora; };
    need(std::size_t(std::count_if(events_.begin(), events_.end(), is_reveal)) <= kMostReveals);
    const std::vector<std::size_t> order = replay::canonical_order(events_);
    if (!order.empty()) {
      const std::vector<std::int32_t> written(game_.words.begin() + game_.hands.back(),
                                           game_.words.end());
      const std::size_t first = std::size_t(game_.hands.back());
      at_.push_back(game_.words.size());
      auto to = game_.words.begin() + game_.hands.back();
      for (const std::size_t i : order)
        to = std::copy(written.begin() + std::ptrdiff_t(at_[i] - first),
                       written.begin() + std::ptrdiff_t(at_[i + 1] - first), to);
    }
    game_.hands.push_back(std::int64_t(game_.words.size()));
    n_events_.push_back(events_.size());
  }

  void players(const Tag& t) {
    if (!named_ && !open_) {
      named_ = true;
      for (std::size_t s = 0; s < 4; ++s)
        if (const std::string_view* name = t.find(kPlayers[s])) game_.names[s] = *name;
      return;
    }
    for (int s = 0; s < 4; ++s)
      if (t.given(kPlayers[std::size_t(s)]) != nullptr && away_ >> s & 1) absence(s, true);
  }

  void absence(int seat, bool back) {
    away_ = back ? away_ & ~(1u << seat) : away_ | 1u << seat;
    const std::size_t done = n_events_.size();
    if (ended_) {
      absences_.push_back({done + 1, 0, seat, back});
    } else {
      absences_.push_back({done, events_.size(), seat, back});
    }
  }

  // As Game.absent: who was away for at least one event of a hand.
  void mark_absent() {
    auto at = absences_.begin();
    std::array<std::ptrdiff_t, 4> since{-1, -1, -1, -1};  // the event; -1: not away
    for (std::size_t hand = 0; hand < n_events_.size(); ++hand) {
      unsigned absent = 0;
      for (auto& event : since)
        if (event > 0) event = 0;
      for (; at != absences_.end() && at->hand == hand; ++at) {
        auto& first = since[std::size_t(at->seat)];
        const auto event = std::ptrdiff_t(at->event);
        if (at->back) {
          if (first >= 0 && event > first) absent |= 1u << at->seat;
          first = -1;
        } else if (first < 0) {
          first = event;
        }
      }
      for (std::size_t s = 0; s < 4; ++s)
        if (since[s] >= 0 && since[s] < std::ptrdiff_t(n_events_[hand])) absent |= 1u << s;
      game_.absent.push_back(std::uint8_t(absent));
    }
  }

  Tags tags_;
  Game game_;
  std::vector<Event> events_;  // of the open hand, in the record's order
  std::vector<std::size_t> at_;  // where their words begin
  std::bitset<136> gone_;  // ids that have left the wall
  std::vector<std::size_t> n_events_;  // of each hand that is over
  std::vector<Absence> absences_;
  unsigned away_ = 0;  // bit s: the line of seat s is down
  int drawn_ = -1;  // the last id drawn, until a discard or call
  bool root_ = false, closed_ = false;  // the mjloggm element has begun, has ended
  bool named_ = false, reds_ = true;
  bool open_ = false, ended_ = false;  // a hand has begun, has ended
  bool kan_ = false;  // its draw is due
};

}  // namespace

std::optional<Game> read(std::string_view record) {
  try {
    need(record.starts_with('<'));  // behind a line's end there may be another format
    return Reader(record).read();
  } catch (const NotRead&) {
    return std::nullopt;
  }
}

}  // namespace haiyomi::mjlog
