// Where a game ends for each seat, predicted from what its next hand starts with.
//
// outcomes/placement.py explains the network and its inputs. A row's bits do not depend on the
// other rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "pair_net.hpp"

namespace haiyomi {

// Seats are absolute.
struct Start {
  std::int32_t rounds, kyoku, honba, sticks;  // rounds of the game: 1 East-only, 2 hanchan
  std::int32_t scores[PairNet::kSeats];
};

inline constexpr std::size_t kPairInputs = 29;  // numbers of a pair
inline constexpr std::size_t kOrders = 24;      // of the four seats, first to last place

// x (n, 12, kPairInputs): what the network sees of some starts.
void pair_inputs(const Start* starts, std::size_t n, float* x);

// p (n, kOrders): the probability of each order, from the answers of `forward`.
void order_shares(const float* places, const float* ahead, std::size_t n, double* p);

// places (n, 4, 4): P that a seat has each place, first to last; final (n, 4): its expected score.
void placements(const PairNet& net, const float* weights, const Start* starts, std::size_t n,
                double* places, double* final);

}  // namespace haiyomi
