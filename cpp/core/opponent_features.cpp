#include "opponent_features.hpp"

#include <algorithm>
#include <array>

#include "decision_features.hpp"

namespace haiyomi::network {
namespace {

using record::DecisionBytes;
using record::kNone;
using record::MeldBytes;
using record::PlayerBytes;

// The first feature of each group.
enum KindFeature : std::size_t {
  kDiscarded, kTedashi, kFirst3, kTo6, kTo9, kFrom10, kFirst6Tedashi, kFrom7Tedashi, kLast2,
  kLast3To5, kAfterCallTedashi, kBeforeCall, kRiichiTile, kAfterRiichi, kFacingTedashi, kRed,
  kLastTedashi,  // and the two before it
  kByOthers = kLastTedashi + 3, kEarly = kByOthers + 3, kLately, kOwnMelds, kCalled, kOtherMelds,
  kPassed, kPassedRiichi, kDora, kIndicator, kViewerHand, kUnseen, kSuit = kUnseen + 5,
  kRank = kSuit + 4, kOwnWind = kRank + 9, kRoundWind, kOtherWind, kDragon, kEnd
};
static_assert(kEnd == kReadingKind);

bool simple(std::size_t k) { return k < 27 && k % 9 != 0 && k % 9 != 8; }

// The tiles of a meld by kind: calls `use(kind, number)`.
template <class Use>
void each_tile(const MeldBytes& meld, Use&& use) {
  if (meld.type == kNone) return;
  if (meld.type == 0) {
    for (std::size_t i = 0; i < 3; ++i) use(std::size_t{meld.base} + i, 1);
  } else {
    use(std::size_t{meld.base}, meld.type == 1 ? 3 : 4);
  }
}

// A player's discards with what their order says.
struct River {
  std::array<bool, record::kRiver> tedashi{}, after_riichi{}, after_call{}, before_call{};
  std::array<int, record::kRiver> tedashi_behind{};
  int melds = 0;

  River(const PlayerBytes& p, bool forgets) {
    int first = 255, last = 0;
    for (const MeldBytes& m : p.melds) {
      if (m.type == kNone) continue;
      ++melds;
      first = std::min<int>(first, m.order);
      last = std::max<int>(last, m.order);
    }
    int behind = 0;
    for (std::size_t i = p.n; i-- > 0;) {
      tedashi[i] = !forgets && (p.flags[i] & record::kTsumogiri) == 0;
      after_riichi[i] = p.riichi >= 0 && static_cast<int>(i) > p.riichi;
      after_call[i] = melds > 0 && p.order[i] >= last;
      before_call[i] = melds > 0 && p.order[i] < first;
      tedashi_behind[i] = behind;
      behind += tedashi[i];
    }
  }
};

class Features {
 public:
  Features(const DecisionBytes& record, std::size_t opponent, bool mirror, float* const* kinds,
           float* context)
      : r_(record), own_(record.players[opponent]), opponent_(opponent), mirror_(mirror),
        kinds_(kinds), context_(context), river_(own_, record.forgets != 0),
        seat_wind_(27 + (opponent + 4u - record.dealer) % 4),
        round_wind_(27 + record.kyoku / 4 % 4) {
    for (const std::uint8_t k : r_.indicators) {
      if (k != kNone) ++dora_[dora_of(k)];
    }
  }

  void write() {
    own_river();
    others();
    own_melds();
    each_kind();
    suits();
    hand_context();
    river_context();
    more_context();
  }

 private:
  float& at(std::size_t k, std::size_t feature) {
    return kinds_[mirror_ ? mirrored(k) : k][feature];
  }
  void add(float value) { context_[at_++] = value; }
  void add(bool value) { add(value ? 1.0f : 0.0f); }
  void add(int value, float by) { add(static_cast<float>(value) / by); }

  void own_river() {
    for (std::size_t i = 0; i < own_.n; ++i) {
      const std::size_t k = own_.kind[i];
      const int behind = own_.n - 1 - static_cast<int>(i);
      const bool tedashi = river_.tedashi[i];
      const bool free = tedashi && !river_.after_riichi[i];
      const auto count = [&](std::size_t feature, bool there) {
        if (there) at(k, feature) += 1;
      };
      count(kDiscarded, true);
      count(kTedashi, free);
      count(kFirst3, i < 3);
      count(kTo6, i >= 3 && i < 6);
      count(kTo9, i >= 6 && i < 9);
      count(kFrom10, i >= 9);
      count(kFirst6Tedashi, i < 6 && tedashi);
      count(kFrom7Tedashi, i >= 6 && free);
      count(kLast2, behind < 2);
      count(kLast3To5, behind >= 2 && behind < 5);
      count(kAfterCallTedashi, river_.after_call[i] && tedashi);
      count(kBeforeCall, river_.before_call[i]);
      count(kRiichiTile, (own_.flags[i] & record::kDeclares) != 0);
      count(kAfterRiichi, river_.after_riichi[i]);
      count(kFacingTedashi, (own_.flags[i] & record::kFacing) != 0 && tedashi);
      count(kRed, (own_.flags[i] & record::kRedFive) != 0);
      if (tedashi && river_.tedashi_behind[i] < 3) {
        count(kLastTedashi + static_cast<std::size_t>(river_.tedashi_behind[i]), true);
      }
    }
  }

  void others() {
    int now = 0;
    for (const PlayerBytes& p : r_.players) now += p.n;
    for (std::size_t j = 0; j < 3; ++j) {  // to the opponent's left, across, right
      const PlayerBytes& p = r_.players[(opponent_ + 3 - j) % 4];
      for (std::size_t i = 0; i < p.n; ++i) {
        const std::size_t k = p.kind[i];
        at(k, kByOthers + j) += 1;
        if (i < 4) at(k, kEarly) += 1;
        if (p.order[i] + 8 >= now) at(k, kLately) += 1;
      }
      for (const MeldBytes& m : p.melds) {
        each_tile(m, [&](std::size_t k, int n) { at(k, kOtherMelds) += static_cast<float>(n); });
      }
    }
  }

  void own_melds() {
    for (const MeldBytes& m : own_.melds) {
      each_tile(m, [&](std::size_t k, int n) {
        at(k, kOwnMelds) += static_cast<float>(n);
        melded_[k] += n;
      });
      if (m.type != kNone && m.called != kNone) at(m.called, kCalled) += 1;
    }
  }

  void each_kind() {
    std::array<int, 34> shown{};
    for (const std::uint8_t k : r_.indicators) {
      if (k == kNone) continue;
      ++shown[k];
      at(k, kIndicator) += 1;
    }
    for (const PlayerBytes& p : r_.players) {
      // A called tile is also in its caller's meld: count it only there.
      for (std::size_t i = 0; i < p.n; ++i) {
        shown[p.kind[i]] += (p.flags[i] & record::kTaken) == 0;
      }
      for (const MeldBytes& m : p.melds) each_tile(m, [&](std::size_t k, int n) { shown[k] += n; });
    }
    for (std::size_t k = 0; k < 34; ++k) {
      at(k, kPassed) = static_cast<float>(own_.passed >> k & 1);
      at(k, kPassedRiichi) = static_cast<float>(own_.passed_riichi >> k & 1);
      at(k, kDora) = static_cast<float>(dora_[k]);
      at(k, kViewerHand) = static_cast<float>(4 - r_.unseen[k] - shown[k]);
      if (r_.unseen[k] <= 4) at(k, kUnseen + r_.unseen[k]) = 1;
      if (k < 27) {
        kinds_[k][kRank + k % 9] = 1;  // of the place, whatever kind stands there
      } else if (k >= 31) {
        at(k, kDragon) = 1;
      } else {
        at(k, kOwnWind) = k == seat_wind_;
        at(k, kRoundWind) = k == round_wind_;
        at(k, kOtherWind) = k != seat_wind_ && k != round_wind_;
      }
    }
  }

  void suits() {
    constexpr std::array<std::array<std::size_t, 2>, 4> from = {
        {{kOwnMelds, kOwnMelds}, {kDiscarded, kDiscarded}, {kFirst3, kTo6}, {kTedashi, kTedashi}}};
    for (std::size_t first = 0; first < 34; first += 9) {
      const std::size_t end = std::min<std::size_t>(first + 9, 34);
      for (std::size_t j = 0; j < 4; ++j) {
        float sum = 0;
        for (std::size_t k = first; k < end; ++k) {
          sum += kinds_[k][from[j][0]];
          if (from[j][1] != from[j][0]) sum += kinds_[k][from[j][1]];
        }
        for (std::size_t k = first; k < end; ++k) kinds_[k][kSuit + j] = sum / 4;
      }
    }
  }

  void hand_context() {
    const float turn = static_cast<float>(own_.n) / 18;
    const bool riichi = own_.riichi >= 0;
    const int since = riichi ? own_.n - own_.riichi - 1 : 0;
    add(turn);
    add(turn * turn);
    add(r_.draws_left, 70);
    add(riichi);
    add(since, 10);
    add(riichi && since == 0);
    int number = 0, chi = 0, pon = 0, open_kan = 0, closed_kan = 0, yakuhai = 0, han = 0;
    for (const MeldBytes& m : own_.melds) {
      if (m.type == kNone) continue;
      ++number;
      chi += m.type == 0;
      pon += m.type == 1;
      open_kan += m.type == 2 || m.type == 3;
      closed_kan += m.type == 4;
      yakuhai += m.base >= 31 || m.base == seat_wind_ || m.base == round_wind_;
      han += m.reds;
    }
    int simples = 0, held = 0;
    std::array<bool, 4> suits{};
    for (std::size_t k = 0; k < 34; ++k) {
      held += melded_[k];
      simples += simple(k) ? melded_[k] : 0;
      han += melded_[k] * dora_[k];
      suits[k / 9] |= melded_[k] > 0;
    }
    for (int n = 1; n < 4; ++n) add(number == n);
    add(number >= 4);
    for (const int n : {chi, pon, open_kan, closed_kan}) add(n, 1);
    add(number > 0 && simples == held);
    add(number > 0 && simples == 0);
    add(yakuhai, 1);
    add(suits[0] + suits[1] + suits[2], 1);
    add(han, 1);
  }

  void river_context() {
    int after_call = 0, after_call_tedashi = 0, before_call = 0, tedashi = 0, end = 0, honours = 0,
        simples = 0, terminals = 0, dora = 0, reds = 0, middle = 0, facing = 0;
    for (std::size_t i = 0; i < own_.n; ++i) {
      const std::size_t k = own_.kind[i];
      after_call += river_.after_call[i];
      after_call_tedashi += river_.after_call[i] && river_.tedashi[i];
      before_call += river_.before_call[i];
      tedashi += river_.tedashi[i];
      end += r_.forgets == 0 && river_.tedashi_behind[i] == 0 && !river_.tedashi[i];
      honours += i < 6 && k >= 27;
      simples += i < 4 && simple(k);
      terminals += i < 6 && k < 27 && !simple(k);
      middle += i < 6 && k < 27 && k % 9 > 2 && k % 9 < 6;
      dora += dora_[k];
      reds += (own_.flags[i] & record::kRedFive) != 0;
      facing += (own_.flags[i] & record::kFacing) != 0;
    }
    const PlayerBytes& viewer = r_.players[0];
    int rank = 0, open = 0;
    bool other_riichi = false;
    for (std::size_t p = 0; p < 4; ++p) {
      rank += r_.players[p].score > own_.score;
      if (p == opponent_) continue;
      other_riichi |= r_.players[p].riichi >= 0;
      for (const MeldBytes& m : r_.players[p].melds) open += m.type < 4;
    }
    const float score = score_feature(own_.score);
    add(after_call, 10);
    add(river_.melds > 0 ? static_cast<float>(before_call) / 18 : 0.0f);
    add(r_.dealer == opponent_);
    add(r_.kyoku, 8);
    add(r_.kyoku >= 6);
    add(score);
    add(score - score_feature(viewer.score));
    add(rank, 3);
    add(other_riichi);
    add(open, 4);
    add(static_cast<float>(tedashi) / static_cast<float>(std::max<int>(own_.n, 1)));
    add(end, 5);
    add(after_call_tedashi, 6);
    add(honours, 6);
    add(simples, 4);
    add(terminals, 6);
    add(dora, 1);
    add(reds, 1);
    add(middle, 6);
    add(facing, 6);
  }

  void more_context() {
    for (std::size_t p = 1; p < 4; ++p) add(p == opponent_);
    add((r_.ippatsu >> opponent_ & 1) != 0);
    add((r_.double_riichi >> opponent_ & 1) != 0);
    add(r_.forgets != 0);
  }

  const DecisionBytes& r_;
  const PlayerBytes& own_;
  std::size_t opponent_;
  bool mirror_;
  float* const* kinds_;
  float* context_;
  River river_;
  std::size_t seat_wind_, round_wind_, at_ = 0;
  std::array<int, 34> dora_{}, melded_{};
};

}  // namespace

void opponent_features(const DecisionBytes& record, std::size_t opponent, bool mirror,
                       float* const* kinds, float* context) {
  Features(record, opponent, mirror, kinds, context).write();
}

}  // namespace haiyomi::network
