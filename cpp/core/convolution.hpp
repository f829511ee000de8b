// A convolution by three taps over the nine kinds of a suit: of three kinds at a time, with five
// products of matrices instead of nine (the minimal filtering F(3, 3) of Lavin and Gray, "Fast
// algorithms for convolutional neural networks", 2016, from the points 0, 1, -1, 2 and infinity).
//
// A suit takes ten places, the last of them empty, and there is an empty place before the first.
#pragma once
#include <cstddef>

namespace haiyomi::network {

inline constexpr std::size_t kStep = 10;     // places of a suit
inline constexpr std::size_t kProducts = 5;
inline constexpr std::size_t kThirds = 3;    // of a suit, three kinds each

// The matrices of the products, (kProducts, w, w), of the taps (3, w, w).
void spread_taps(const float* taps, std::size_t w, float* out);

// What is multiplied by them, (kProducts, kThirds n, w), of the places of n suits; `places` begins at
// the empty one.
void spread_places(const float* places, std::size_t n, std::size_t w, float* out);

// The sums of the products, each plus the numbers of its suit, `bias` (n, w), rectified: the places of
// n suits, of which the empty ones are left as they are.
void gather_places(const float* products, const float* bias, std::size_t n, std::size_t w,
                   float* places);

}  // namespace haiyomi::network
