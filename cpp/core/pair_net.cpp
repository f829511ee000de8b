#include "pair_net.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "clones.hpp"

namespace haiyomi {
namespace {

// exp(v) to a few units in the last place, in operations that a compiler makes vectors of.
inline float exponential(float v) {
  v = std::min(std::max(v, -87.0f), 88.0f);
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

// to (columns) = bias + x (rows) w (rows, columns); a number that is 0 costs nothing.
HAIYOMI_CLONES void layer(const float* x, std::size_t rows, const float* w, const float* bias,
                          std::size_t columns, float* to) {
  for (std::size_t j = 0; j < columns; ++j) to[j] = bias[j];
  for (std::size_t i = 0; i < rows; ++i, w += columns) {
    const float v = x[i];
    if (v == 0.0f) continue;
    for (std::size_t j = 0; j < columns; ++j) to[j] += v * w[j];
  }
}

}  // namespace

void forward(const PairNet& net, const float* weights, const float* x, std::size_t n, float* places,
             float* ahead) {
  const std::size_t p = net.pair, s = net.seat;
  const float* const of_pair = weights;
  const float* const of_seat = of_pair + (net.inputs + 1) * p;
  const float* const of_place = of_seat + (2 * p + 1) * s;
  const float* const of_ahead = of_place + (s + 1) * PairNet::kOut;
  std::vector<float> hidden(PairNet::kPairs * p), means(5 * p), shared(s), seats(PairNet::kSeats * s);
  for (std::size_t row = 0; row < n; ++row, x += PairNet::kPairs * net.inputs) {
    for (std::size_t i = 0; i < PairNet::kPairs; ++i) {
      layer(x + i * net.inputs, net.inputs, of_pair, of_pair + net.inputs * p, p, &hidden[i * p]);
    }
    silu(hidden.data(), hidden.size());
    std::fill(means.begin(), means.end(), 0.0f);
    float* const table = &means[4 * p];
    for (std::size_t i = 0; i < PairNet::kPairs; ++i)
      for (std::size_t j = 0; j < p; ++j) means[i / 3 * p + j] += hidden[i * p + j] / 3.0f;
    for (std::size_t i = 0; i < PairNet::kSeats; ++i)
      for (std::size_t j = 0; j < p; ++j) table[j] += means[i * p + j] / 4.0f;
    layer(table, p, of_seat + p * s, of_seat + 2 * p * s, s, shared.data());
    for (std::size_t i = 0; i < PairNet::kSeats; ++i)
      layer(&means[i * p], p, of_seat, shared.data(), s, &seats[i * s]);
    silu(seats.data(), seats.size());
    for (std::size_t i = 0; i < PairNet::kSeats; ++i, places += PairNet::kOut)
      layer(&seats[i * s], s, of_place, of_place + s * PairNet::kOut, PairNet::kOut, places);
    for (std::size_t i = 0; i < PairNet::kPairs; ++i, ++ahead)
      layer(&hidden[i * p], p, of_ahead, of_ahead + p, 1, ahead);
  }
}

}  // namespace haiyomi
