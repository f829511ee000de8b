// Where the draws and discards of a row lead, given what the other rows lack together (one byte).
// Cached for each row and rest; draws that lead to equivalent rows are merged.
#pragma once
#include <array>
#include <span>

#include "suit_rows.hpp"

namespace haiyomi {

struct RowStep {
  RowClasses::Known to;
  ShantenTable::NeedId need;  // of the row that it leads to
  std::uint8_t weight;        // copies in the wall of all that is drawn
};

class RowSteps {
 public:
  void clear();
  // The draws that help (the discards that keep) the standard form of a hand that lacks `total`.
  // Good until the next call.
  template <bool kDraw>
  std::span<const RowStep> find(RowClasses& classes, SuitRows& rows, std::size_t suit, RowId id,
                                ShantenTable::NeedId rest, int total) {
    auto& places = places_[kDraw ? 0 : 1][suit];
    const std::size_t at = std::size_t{id} << 8 | rest;
    if (at >= places.size()) places.resize(rows.size() << 8, kUnknown);
    if (places[at] == kUnknown) {
      const Place found = make<kDraw>(classes, rows, suit, id, rest, total);
      places[at] = found;
    }
    return {steps_.data() + (places[at] >> kCountBits), places[at] & kMostSteps};
  }

 private:
  using Place = std::uint32_t;  // where the steps begin, and below it how many
  static constexpr int kCountBits = 4;
  static constexpr Place kMostSteps = (1u << kCountBits) - 1;
  static constexpr Place kUnknown = 0xffffffff;

  template <bool kDraw>
  Place make(RowClasses& classes, SuitRows& rows, std::size_t suit, RowId id,
             ShantenTable::NeedId rest, int total);

  std::array<std::array<std::vector<Place>, 4>, 2> places_;
  std::vector<RowStep> steps_;
};

}  // namespace haiyomi
