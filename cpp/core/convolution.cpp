#include "convolution.hpp"

#include "clones.hpp"

namespace haiyomi::network {

HAIYOMI_CLONES void spread_taps(const float* taps, std::size_t w, float* __restrict out) {
  const std::size_t size = w * w;
  const float *a = taps, *b = taps + size, *c = taps + 2 * size;
  for (std::size_t i = 0; i < size; ++i) {
    out[i] = a[i] / 2;
    out[size + i] = -(a[i] + b[i] + c[i]) / 2;
    out[2 * size + i] = (b[i] - a[i] - c[i]) / 6;
    out[3 * size + i] = (a[i] + 2 * b[i] + 4 * c[i]) / 6;
    out[4 * size + i] = c[i];
  }
}

HAIYOMI_CLONES void spread_places(const float* places, std::size_t n, std::size_t w,
                                  float* __restrict out) {
  const std::size_t apart = kThirds * n * w;
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < kThirds; ++t, out += w) {
      const float* in = places + (s * kStep + 3 * t) * w;
      for (std::size_t i = 0; i < w; ++i) {
        const float d0 = in[i], d1 = in[w + i], d2 = in[2 * w + i], d3 = in[3 * w + i],
                    d4 = in[4 * w + i];
        const float odd = d3 - d1;
        out[i] = 2 * (d0 - d2) + odd;
        out[apart + i] = d3 - d2 - 2 * d1;
        out[2 * apart + i] = d3 - 3 * d2 + 2 * d1;
        out[3 * apart + i] = odd;
        out[4 * apart + i] = d4 - d2 - 2 * odd;
      }
    }
  }
}

HAIYOMI_CLONES void gather_places(const float* products, const float* bias, std::size_t n,
                                  std::size_t w, float* __restrict places) {
  const std::size_t apart = kThirds * n * w;
  for (std::size_t s = 0; s < n; ++s, bias += w) {
    for (std::size_t t = 0; t < kThirds; ++t, products += w) {
      float* to = places + (s * kStep + 3 * t) * w;
      for (std::size_t i = 0; i < w; ++i) {
        const float one = products[apart + i], minus = products[2 * apart + i],
                    two = products[3 * apart + i];
        const float sum = one + minus + bias[i], difference = one - minus + bias[i];
        const float first = products[i] + two + sum, second = difference + 2 * two,
                    third = sum + 4 * two + products[4 * apart + i];
        to[i] = first > 0 ? first : 0.0f;
        to[w + i] = second > 0 ? second : 0.0f;
        to[2 * w + i] = third > 0 ? third : 0.0f;
      }
    }
  }
}

}  // namespace haiyomi::network
