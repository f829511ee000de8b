// As gemm.cpp, but a product is rounded before it is added (CMakeLists.txt and here).
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#include "gemm.hpp"
#include "gemm_tile.hpp"

namespace haiyomi {

void multiply_rounded(const float* a, std::size_t lda, const float* b, float* c, const Rows& m,
                      std::size_t n, std::size_t k, bool add) {
  product(a, lda, 1, b, c, m, n, k, add);
}

}  // namespace haiyomi
