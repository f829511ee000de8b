#include "gemm.hpp"

#include "clones.hpp"
#include "gemm_tile.hpp"

namespace haiyomi {

void multiply(const float* a, std::size_t lda, const float* b, float* c, const Rows& m,
              std::size_t n, std::size_t k, bool add) {
  product(a, lda, 1, b, c, m, n, k, add);
}

HAIYOMI_CLONES void add_rows(const float* from, std::size_t n, float* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

HAIYOMI_CLONES void add_to_all(const float* from, std::size_t rows, std::size_t n, float* to) {
  for (std::size_t r = 0; r < rows; ++r, to += n)
    for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

HAIYOMI_CLONES void rectify(float* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] = values[i] > 0 ? values[i] : 0.0f;
}

}  // namespace haiyomi
