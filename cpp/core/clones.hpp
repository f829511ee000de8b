// Floating-point loops compiled for several instruction sets (function multiversioning).
#pragma once

// Where the loader can choose a version by the processor, each loop has three. A test asks for one
// set of instructions alone (HAIYOMI_NO_DISPATCH), here and in gemm_tile.hpp.
#if !defined(HAIYOMI_NO_DISPATCH) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__SANITIZE_ADDRESS__) && (!defined(__clang__) || __clang_major__ >= 16)
#define HAIYOMI_DISPATCH
// Masks of lanes are integers, which need AVX2. x86-64-v3 has fused products too; compilers that may
// not know this level take AVX2 alone.
#if !defined(__clang__) && __GNUC__ >= 12
#define HAIYOMI_CLONES __attribute__((target_clones("avx512f", "arch=x86-64-v3", "default")))
#else
#define HAIYOMI_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define HAIYOMI_CLONES
#endif
