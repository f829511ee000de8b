// Loops over floats that are compiled for several kinds of processors.
#pragma once

// Where the loader can choose by the processor, the loops are compiled for three kinds of it.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__SANITIZE_ADDRESS__) && (!defined(__clang__) || __clang_major__ >= 16)
#define HAIYOMI_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define HAIYOMI_CLONES
#endif
