// Two faults for the sanitizers to find, and one sound function for comparison.
#include <climits>
#include <cstdlib>

extern "C" int sound(int i) { return i + 1; }

extern "C" int heap(int i) {
  int* p = static_cast<int*>(std::malloc(4 * sizeof(int)));
  for (int k = 0; k < 4; ++k) p[k] = k;
  const int past = p[i + 3];  // i = 1 reads the fifth of four
  std::free(p);
  return past;
}

extern "C" int overflow(int i) { return INT_MAX - 1 + 2 * i; }
