#include "row_steps.hpp"

#include <bit>

namespace haiyomi {

void RowSteps::clear() {
  for (auto& of_kind : places_) {
    for (auto& places : of_kind) places.clear();
  }
  steps_.clear();
}

template <bool kDraw>
RowSteps::Place RowSteps::make(RowClasses& classes, SuitRows& rows, std::size_t suit, RowId id,
                               ShantenTable::NeedId rest, int total) {
  const std::size_t begin = steps_.size();
  for (std::uint32_t actions = rows.moves<kDraw>(id, rest); actions != 0; actions &= actions - 1) {
    const int action = std::countr_zero(actions);
    const RowId next = kDraw ? rows.draw(id, action) : rows.discard(id, action);
    const Goals goals = rows.goals(next, rest, total - (kDraw ? 1 : 0));
    const RowClasses::Known to = classes.find(rows, suit, next, goals);
    const ShantenTable::NeedId need = rows[to.row].need;
    const auto weight = kDraw ? rows[id].weight[static_cast<std::size_t>(action)] : std::uint8_t{0};
    bool known = false;
    for (std::size_t i = begin; i < steps_.size() && !known; ++i) {
      RowStep& other = steps_[i];
      if (other.to.number != to.number || other.to.sets != to.sets || other.need != need) continue;
      other.weight = static_cast<std::uint8_t>(other.weight + weight);
      known = true;
    }
    if (!known) steps_.push_back({to, need, weight});
  }
  return static_cast<Place>(begin << kCountBits | (steps_.size() - begin));
}

template RowSteps::Place RowSteps::make<true>(RowClasses&, SuitRows&, std::size_t, RowId,
                                              ShantenTable::NeedId, int);
template RowSteps::Place RowSteps::make<false>(RowClasses&, SuitRows&, std::size_t, RowId,
                                               ShantenTable::NeedId, int);

}  // namespace haiyomi
