#include "tenpai_hands.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <stdexcept>

namespace haiyomi {
namespace {

constexpr int kSequences = 21;
constexpr int kSets = kSequences + 34;  // set ids: sequences first, then triplets by kind

// A reading with the packed hand it belongs to, before grouping.
struct Found {
  std::uint64_t hand;  // six bits a tile, ascending: sorts and compares as the multiset
  std::uint8_t win;
  Reading reading;
  std::uint8_t nobetan;  // a single wait that shares its tiles with a sequence: two-sided

  bool operator<(const Found& o) const {
    if (hand != o.hand) return hand < o.hand;
    if (win != o.win) return win < o.win;
    if (reading.sequences != o.reading.sequences) return reading.sequences < o.reading.sequences;
    if (reading.triplets != o.reading.triplets) return reading.triplets < o.reading.triplets;
    if (reading.pair != o.reading.pair) return reading.pair < o.reading.pair;
    if (reading.set_fu != o.reading.set_fu) return reading.set_fu < o.reading.set_fu;
    return reading.wait < o.reading.wait;
  }
  bool same(const Found& o) const { return !(*this < o) && !(o < *this); }
};

int sequence_kind(int set) { return set / 7 * 9 + set % 7; }

bool yaochu(int kind) { return kind >= 27 || kind % 9 == 0 || kind % 9 == 8; }

int triplet_fu(int kind, bool open) { return (yaochu(kind) ? 4 : 2) * (open ? 1 : 2); }

class Enumerator {
 public:
  explicit Enumerator(int sets) : sets_(sets) {}

  std::vector<Found> run() {
    choose(0, 0);
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end(),
                             [](const Found& a, const Found& b) { return a.same(b); }),
                 found_.end());
    return std::move(found_);
  }

 private:
  void choose(int depth, int from) {
    if (depth == sets_) {
      for (int pair = 0; pair < 34; ++pair) {
        if (counts_[pair] > 2) continue;
        counts_[pair] += 2;
        emit(pair);
        counts_[pair] -= 2;
      }
      return;
    }
    for (int set = from; set < kSets; ++set) {
      if (!add(set, 1)) continue;
      chosen_[depth] = set;
      choose(depth + 1, set);
      add(set, -1);
    }
  }

  bool add(int set, int sign) {
    if (set < kSequences) {
      const int k = sequence_kind(set);
      if (sign > 0 && (counts_[k] > 3 || counts_[k + 1] > 3 || counts_[k + 2] > 3)) return false;
      for (int i = 0; i < 3; ++i) counts_[k + i] += sign;
      return true;
    }
    const int k = set - kSequences;
    if (sign > 0 && counts_[k] > 1) return false;
    counts_[k] += 3 * sign;
    return true;
  }

  // Take one tile out of the complete hand, of every part in turn: each is a way to wait.
  void emit(int pair) {
    Reading all{};
    all.pair = static_cast<std::uint8_t>(pair);
    for (int i = 0; i < sets_; ++i) {
      const int set = chosen_[i];
      if (set < kSequences) {
        all.sequences |= 1u << set;
      } else {
        all.triplets |= std::uint64_t{1} << (set - kSequences);
        all.set_fu = static_cast<std::uint8_t>(all.set_fu + triplet_fu(set - kSequences, false));
        ++all.concealed_triplets;
      }
    }
    Reading single = all;
    single.set_fu = static_cast<std::uint8_t>(single.set_fu + 2);
    single.wait = WaitType::Single;
    store(pair, single, nobetan(pair));
    for (int i = 0; i < sets_; ++i) {
      if (i > 0 && chosen_[i] == chosen_[i - 1]) continue;
      const int set = chosen_[i];
      Reading r = all;
      if (set >= kSequences) {
        const int kind = set - kSequences;
        r.set_fu = static_cast<std::uint8_t>(r.set_fu - triplet_fu(kind, true));
        --r.concealed_triplets;
        r.wait = WaitType::Shanpon;
        store(kind, r, false);
        continue;
      }
      const int first = sequence_kind(set), rank = set % 7;
      for (int j = 0; j < 3; ++j) {
        Reading s = r;
        const bool edge = (j == 2 && rank == 0) || (j == 0 && rank == 6);
        s.wait = j == 1 || edge ? WaitType::EdgeClosed : WaitType::TwoSided;
        if (s.wait == WaitType::EdgeClosed) s.set_fu = static_cast<std::uint8_t>(s.set_fu + 2);
        store(first + j, s, false);
      }
    }
  }

  // 4567: the single wait on 4 (or 7) is one end of a two-sided one.
  bool nobetan(int pair) const {
    if (pair >= 27) return false;
    const int suit = pair / 9, rank = pair % 9;
    for (int i = 0; i < sets_; ++i) {
      const int set = chosen_[i];
      if (set >= kSequences || set / 7 != suit) continue;
      if (set % 7 == rank - 3 || set % 7 == rank + 1) return true;
    }
    return false;
  }

  void store(int win, const Reading& reading, bool nobetan) {
    --counts_[win];
    std::uint64_t packed = 0;
    for (int k = 0; k < 34; ++k)
      for (int n = 0; n < counts_[k]; ++n) packed = packed << 6 | static_cast<unsigned>(k + 1);
    ++counts_[win];
    found_.push_back({packed, static_cast<std::uint8_t>(win), reading,
                      static_cast<std::uint8_t>(nobetan)});
  }

  int sets_;
  std::array<int, 34> counts_{};
  std::array<int, 4> chosen_{};
  std::vector<Found> found_;
};

TenpaiTable build(int tiles) {
  TenpaiTable table;
  table.tiles = tiles;
  std::vector<Found> found = Enumerator((tiles - 1) / 3).run();
  table.readings.reserve(found.size());
  for (std::size_t i = 0; i < found.size();) {
    TenpaiHand hand{};
    hand.first_wait = static_cast<std::uint32_t>(table.waits.size());
    std::uint64_t packed = found[i].hand;
    std::array<int, 34> counts{};
    for (; packed != 0; packed >>= 6) ++counts[static_cast<int>(packed & 63) - 1];
    for (int k = 0; k < 34; ++k) {
      if (counts[k] == 0) continue;
      hand.kinds |= std::uint64_t{1} << k;
      hand.suits = static_cast<std::uint8_t>(hand.suits | 1 << k / 9);
      hand.parts[hand.n_parts++] = static_cast<std::uint8_t>(k * 5 + counts[k]);
    }
    std::size_t end = i;
    while (end < found.size() && found[end].hand == found[i].hand) {
      const std::uint8_t win = found[end].win;
      Wait wait{static_cast<std::uint32_t>(table.readings.size()), 0, win};
      for (; end < found.size() && found[end].hand == found[i].hand && found[end].win == win;
           ++end) {
        const Found& f = found[end];
        hand.good = hand.good || f.nobetan || f.reading.wait == WaitType::TwoSided ||
                    f.reading.wait == WaitType::Shanpon;
        table.readings.push_back(f.reading);
        ++wait.n_readings;
      }
      hand.waits |= std::uint64_t{1} << win;
      ++hand.n_waits;
      table.waits.push_back(wait);
    }
    table.hands.push_back(hand);
    i = end;
  }
  table.hands.shrink_to_fit();
  table.waits.shrink_to_fit();
  table.readings.shrink_to_fit();
  return table;
}

}  // namespace

const TenpaiTable& tenpai_table(int tiles) {
  static std::array<std::once_flag, 4> once;
  static std::array<TenpaiTable, 4> tables;
  if (tiles != 1 && tiles != 4 && tiles != 7 && tiles != 10)
    throw std::invalid_argument("tenpai hands are tabled for 1, 4, 7 or 10 concealed tiles");
  const int i = (tiles - 1) / 3;
  std::call_once(once[i], [&] { tables[i] = build(tiles); });
  return tables[i];
}

}  // namespace haiyomi
