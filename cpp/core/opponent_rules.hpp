// What an observation says of the ron of one opponent: what it may win on, and what it would pay.
#pragma once
#include "decision.hpp"
#include "posterior.hpp"

namespace haiyomi {

// The kinds of its river and those that it let pass since its last discard or its riichi.
std::uint64_t furiten_kinds(const record::PlayerBytes& player);

// `opponent`: its relative seat; `chankan`: the tile is added to a pon of the viewer's.
RonRules ron_rules(const record::ObservationBytes& seen, std::size_t opponent,
                   const ScoreRules& rules, bool chankan);
PointsQuery points_query(const record::ObservationBytes& seen, std::size_t opponent,
                         const ScoreRules& rules, bool chankan);

}  // namespace haiyomi
