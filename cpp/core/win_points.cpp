#include "win_points.hpp"

#include <algorithm>
#include <bit>

namespace haiyomi {
namespace {

constexpr std::array<std::uint8_t, 34> dora_kinds() {
  std::array<std::uint8_t, 34> next{};
  for (std::size_t k = 0; k < 34; ++k) {
    const std::size_t last = k < 27 ? k / 9 * 9 + 8 : k < 31 ? 30 : 33;
    const std::size_t first = k < 27 ? k / 9 * 9 : k < 31 ? 27 : 31;
    next[k] = static_cast<std::uint8_t>(k == last ? first : k + 1);
  }
  return next;
}
constexpr std::array<std::uint8_t, 34> kDoraOf = dora_kinds();

constexpr std::array<std::uint8_t, 34> indicator_kinds() {
  std::array<std::uint8_t, 34> before{};
  for (std::size_t k = 0; k < 34; ++k) before[kDoraOf[k]] = static_cast<std::uint8_t>(k);
  return before;
}
constexpr std::array<std::uint8_t, 34> kIndicatorOf = indicator_kinds();

// The winner's gain from the three others.
std::int32_t tsumo_points(int han, int fu, int yakuman, bool dealer, const ScoreRules& rules) {
  const std::int32_t base = basic_points(han, fu, yakuman, rules);
  const auto up = [](std::int32_t points) { return (points + 99) / 100 * 100; };
  return dealer ? 3 * up(2 * base) : up(2 * base) + 2 * up(base);
}

}  // namespace

void WinPoints::begin(const RootHand& root, const PointsOptions& options) {
  root_ = root;
  options_ = options;
  input_ = WinInput{};
  input_.melds = options.melds;
  input_.n_melds = options.n_melds;
  input_.round_wind = options.round_wind;
  input_.seat_wind = options.seat_wind;
  input_.tsumo = true;
  is_paid_.fill(false);
  wall_tiles_ = 0;
  for (std::size_t k = 0; k < 34; ++k) {
    wall_[k] = static_cast<std::uint8_t>(root.live[k] + root.concealed[k]);
    wall_tiles_ += wall_[k];
  }
  meld_tiles_.fill(0);
  for (std::size_t i = 0; i < options.n_melds; ++i) {
    const Meld& meld = options.melds[i];
    if (meld.type == MeldType::Chi) {
      for (std::size_t k = meld.kind; k < meld.kind + std::size_t{3}; ++k) ++meld_tiles_[k];
    } else {
      meld_tiles_[meld.kind] =
          static_cast<std::uint8_t>(meld_tiles_[meld.kind] + (meld.type == MeldType::Pon ? 3 : 4));
    }
  }
}

// How likely each number of ura dora is: as many indicators as there are dora indicators, drawn
// without replacement from the tiles that are neither seen nor held at the win. Which kinds
// matter only by how many dora they make.
void WinPoints::ura_shares(const Counts& held, const Counts& hand, std::uint64_t kinds) {
  std::array<int, 5> tiles{};  // by dora that such an indicator makes
  const auto left = [&](std::size_t k) {
    const int there = wall_[k] - hand[k];
    // A tile that was thrown is gone, or else back in the wall.
    return root_.thrown == Thrown::Gone ? std::min<int>(there, root_.live[k]) : there;
  };
  int all = 0;
  if (root_.thrown == Thrown::Gone) {
    for (std::size_t k = 0; k < 34; ++k) all += std::max(left(k), 0);
  } else {
    all = wall_tiles_ - (14 - 3 * options_.n_melds);
  }
  // Only indicators of what is held make any dora.
  int useful = 0;
  for (std::uint64_t rest = kinds; rest != 0; rest &= rest - 1) {
    const auto kind = static_cast<std::size_t>(std::countr_zero(rest));
    const int n = left(kIndicatorOf[kind]);
    tiles[std::min<std::size_t>(held[kind], 4)] += n;
    useful += n;
  }
  tiles[0] = all - useful;
  const std::size_t draws = std::min(options_.indicators.size(), static_cast<std::size_t>(all));
  if (draws != 1) return choose(draws, tiles);
  for (std::size_t v = 0; v < tiles.size(); ++v) share_[v] = static_cast<double>(tiles[v]) / all;
  shares_ = tiles.size();
}

void WinPoints::choose(std::size_t draws, const std::array<int, 5>& tiles) {
  // ways[j][s]: ways to choose j indicators that make s dora.
  std::array<std::array<double, 21>, 6> ways{};
  ways[0][0] = 1;
  for (std::size_t v = 0; v < tiles.size(); ++v) {
    for (std::size_t j = draws; j-- > 0;) {
      for (std::size_t s = 0; s < 21; ++s) {
        if (ways[j][s] == 0) continue;
        double ways_here = ways[j][s];
        for (std::size_t i = 1; j + i <= draws && static_cast<int>(i) <= tiles[v]; ++i) {
          ways_here *= (tiles[v] - static_cast<double>(i) + 1) / static_cast<double>(i);
          ways[j + i][s + v * i] += ways_here;
        }
      }
    }
  }
  double sum = 0;
  for (const double w : ways[draws]) sum += w;
  for (std::size_t s = 0; s < share_.size(); ++s) share_[s] = ways[draws][s] / sum;
  shares_ = share_.size();
}

void WinPoints::hold(const Counts& hand, int win_kind, int reds, bool riichi) {
  held_ = hand;
  if (options_.n_melds > 0) {
    for (std::size_t k = 0; k < 34; ++k) {
      held_[k] = static_cast<std::uint8_t>(held_[k] + meld_tiles_[k]);
    }
  }
  int dora = 0;
  for (const std::uint8_t indicator : options_.indicators) dora += held_[kDoraOf[indicator]];
  input_.concealed = hand;
  input_.win_kind = static_cast<std::uint8_t>(win_kind);
  input_.riichi = riichi ? 1 : 0;
  input_.dora = static_cast<std::uint8_t>(dora);
  input_.reds = static_cast<std::uint8_t>(reds + options_.meld_reds);
  facts_ = hand_facts(input_);
  n_known_ = 0;
  n_worths_ = 0;
  n_splits_ = 0;
  shares_ = 0;
  each_apart_ = false;
  has_pairs_ = false;
  if (!facts_.ok) return;
  std::size_t splits = 0;
  for_each_decomposition(SplitTable::get(), hand.data(), [&](const Decomposition& d) {
    if (splits < kMostSplits) splits_[splits] = d;
    ++splits;
  });
  n_splits_ = std::min(splits, kMostSplits);
  for (std::size_t i = 0; i < n_splits_; ++i) {
    readings_[i] = read_drawn(splits_[i], facts_, options_.rules);
  }
  if (options_.n_melds == 0) {
    pairs_ = evaluate_pairs(hand, facts_, options_.rules);
    has_pairs_ = pairs_.base > 0;
  }
  // Nine gates and thirteen orphans have a better wait by the very tile.
  constexpr std::uint64_t kSuit = 0x1ff;
  const std::uint64_t kinds = facts_.kinds;
  const bool full_suit = kinds == kSuit || kinds == kSuit << 9 || kinds == kSuit << 18;
  each_apart_ = full_suit || (splits == 0 && !has_pairs_) || splits > kMostSplits;
}

void WinPoints::add_way(const Evaluation& e) {
  if (e.base <= 0) return;
  for (std::size_t i = 0; i < n_ways_; ++i) {
    if (ways_[i].han == e.han && ways_[i].fu == e.fu && ways_[i].yakuman == e.yakuman) return;
  }
  if (n_ways_ < ways_.size()) ways_[n_ways_++] = {e.han, e.fu, e.yakuman};
}

double WinPoints::operator()(int win_kind) {
  if (each_apart_) {
    input_.win_kind = static_cast<std::uint8_t>(win_kind);
    facts_ = hand_facts(input_);
    if (!facts_.ok) return 0;
    n_ways_ = 0;
    for_each_evaluation(input_, facts_, options_.rules,
                        [&](const Evaluation& e) { add_way(e); });
    return mean();
  }
  if (!facts_.ok) return 0;
  std::uint64_t ends = 0;
  for (std::size_t i = 0; i < n_splits_; ++i) {
    for_each_end(splits_[i], win_kind, [&](Ends end) {
      ends |= std::uint64_t{1} << (4 * i + static_cast<std::size_t>(end));
    });
  }
  for (std::size_t i = 0; i < n_known_; ++i) {
    if (known_[i].ends == ends) return known_[i].points;
  }
  n_ways_ = 0;
  facts_.win_kind = static_cast<std::uint8_t>(win_kind);
  for (std::uint64_t rest = ends; rest != 0; rest &= rest - 1) {
    const int at = std::countr_zero(rest);
    add_way(evaluate_drawn(readings_[static_cast<std::size_t>(at / 4)], static_cast<Ends>(at % 4),
                           facts_, options_.rules));
  }
  if (has_pairs_) add_way(pairs_);
  const double points = worth();
  if (n_known_ < known_.size()) known_[n_known_++] = {ends, points};
  return points;
}

const std::int32_t* WinPoints::paid_by_han(const Way& way) {
  const auto row = static_cast<std::size_t>(way.fu == 25 ? 0 : std::min(way.fu, 110) / 10);
  if (!is_paid_[row]) {
    is_paid_[row] = true;
    const bool dealer = options_.seat_wind == 27;
    for (std::size_t han = 0; han < kHans; ++han) {
      paid_[row][han] =
          tsumo_points(static_cast<int>(han), way.fu, 0, dealer, options_.rules);
    }
  }
  return paid_[row].data() + std::min(way.han, 13);
}

// `mean`, cached by the ways to read the hand: most wins of a hand share them.
double WinPoints::worth() {
  constexpr std::size_t kMostNamed = 3;
  if (n_ways_ > kMostNamed) return mean();
  std::uint64_t name = 0;
  for (std::size_t i = 0; i < n_ways_; ++i) {
    const Way& way = ways_[i];
    name = name << 21 | static_cast<std::uint64_t>(way.yakuman << 16 | way.han << 8 | way.fu);
  }
  for (std::size_t i = 0; i < n_worths_; ++i) {
    if (worths_[i].ways == name) return worths_[i].points;
  }
  const double points = mean();
  if (n_worths_ < worths_.size()) worths_[n_worths_++] = {name, points};
  return points;
}

// Over the ura indicators, of the ways to read the hand.
double WinPoints::mean() {
  if (n_ways_ == 0) return 0;
  // Limit hands pay the same whatever the ura dora, and no reading pays more.
  const bool dealer = options_.seat_wind == 27;
  std::int32_t limit = 0;
  for (std::size_t i = 0; i < n_ways_; ++i) {
    const Way& w = ways_[i];
    if (w.yakuman > 0) {
      limit = std::max(limit, tsumo_points(w.han, w.fu, w.yakuman, dealer, options_.rules));
    }
  }
  if (limit > 0) return limit + options_.honba_points;
  // The reading that pays most is chosen when the ura dora are known.
  std::array<const std::int32_t*, 16> paid{};
  for (std::size_t i = 0; i < n_ways_; ++i) paid[i] = paid_by_han(ways_[i]);
  const auto points = [&](std::size_t ura) {
    std::int32_t most = paid[0][ura];
    for (std::size_t i = 1; i < n_ways_; ++i) most = std::max(most, paid[i][ura]);
    return most;
  };
  if (input_.riichi == 0 || !options_.ura || options_.indicators.empty()) {
    return points(0) + options_.honba_points;
  }
  if (shares_ == 0) ura_shares(held_, input_.concealed, facts_.kinds);
  double sum = 0;
  for (std::size_t ura = 0; ura < shares_; ++ura) sum += share_[ura] * points(ura);
  return sum + options_.honba_points;
}

}  // namespace haiyomi
