#include "pair_net.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "clones.hpp"
#include "gemm.hpp"

namespace haiyomi {
namespace {

constexpr std::size_t kChunk = 16;  // rows worked on together

// exp(v) to a few units in the last place, in operations that a compiler makes vectors of.
inline float exponential(float v) {
  v = v > -87.0f ? v : -87.0f;  // NaN too
  v = v < 88.0f ? v : 88.0f;
  constexpr float kShift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  const float shifted = v * 1.44269504f + kShift;
  const float whole = shifted - kShift;
  const float r = (v - whole * 0.693359375f) - whole * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const auto power = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127) << 23;
  return p * std::bit_cast<float>(power);
}

// v / (1 + exp(-v)), in place.
HAIYOMI_CLONES void silu(float* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] = values[i] / (1.0f + exponential(-values[i]));
}

// Adds a row to each of some rows.
HAIYOMI_CLONES void add_to_rows(const float* row, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) to[i * columns + j] += row[j];
}

// bias + the product of x and w (n, a multiple of kLane). Partial sums in a fixed order, which
// become one vector.
HAIYOMI_CLONES float dot(const float* x, const float* w, std::size_t n, float bias) {
  float sums[kLane] = {};
  for (std::size_t i = 0; i < n; i += kLane)
    for (std::size_t j = 0; j < kLane; ++j) sums[j] += x[i + j] * w[i + j];
  for (std::size_t half = kLane / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  return bias + sums[0];
}

// both (4, 2 width): the mean of each seat's three pairs, and beside it the mean of the four.
HAIYOMI_CLONES void take_means(const float* hidden, std::size_t width, float* both) {
  for (std::size_t j = 0; j < width; ++j) {
    float table = 0.0f;
    for (std::size_t i = 0; i < PairNet::kSeats; ++i) {
      const float* at = hidden + 3 * i * width + j;
      const float mean = (at[0] + at[width] + at[2 * width]) / 3.0f;
      both[2 * i * width + j] = mean;
      table += mean;
    }
    for (std::size_t i = 0; i < PairNet::kSeats; ++i) both[(2 * i + 1) * width + j] = table / 4.0f;
  }
}

}  // namespace

void forward(const PairNet& net, const float* weights, const float* x, std::size_t n, float* places,
             float* ahead) {
  constexpr std::size_t kPairs = PairNet::kPairs, kSeats = PairNet::kSeats, kOut = PairNet::kOut;
  const std::size_t p = net.pair, s = net.seat, in = net.inputs;
  const float* const of_seat = weights + (in + 1) * p;
  const float* const of_place = of_seat + (2 * p + 1) * s;
  const float* const of_ahead = of_place + (s + 1) * kOut;
  std::vector<float> by_place(kOut * s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t k = 0; k < kOut; ++k) by_place[k * s + i] = of_place[i * kOut + k];
  std::vector<float> hidden(kChunk * kPairs * p), both(kChunk * kSeats * 2 * p);
  std::vector<float> seats(kChunk * kSeats * s);
  for (std::size_t at = 0; at < n; at += kChunk, x += kChunk * kPairs * in) {
    const std::size_t rows = std::min(kChunk, n - at);
    multiply(x, in, weights, hidden.data(), rows * kPairs, p, in, false);
    add_to_rows(weights + in * p, rows * kPairs, p, hidden.data());
    silu(hidden.data(), rows * kPairs * p);
    for (std::size_t i = 0; i < rows; ++i)
      take_means(&hidden[i * kPairs * p], p, &both[i * kSeats * 2 * p]);
    multiply(both.data(), 2 * p, of_seat, seats.data(), rows * kSeats, s, 2 * p, false);
    add_to_rows(of_seat + 2 * p * s, rows * kSeats, s, seats.data());
    silu(seats.data(), rows * kSeats * s);
    for (std::size_t i = 0; i < rows * kSeats; ++i)
      for (std::size_t k = 0; k < kOut; ++k)
        *places++ = dot(&seats[i * s], &by_place[k * s], s, of_place[s * kOut + k]);
    for (std::size_t i = 0; i < rows * kPairs; ++i)
      *ahead++ = dot(&hidden[i * p], of_ahead, p, of_ahead[p]);
  }
}

}  // namespace haiyomi
