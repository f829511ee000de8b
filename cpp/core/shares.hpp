// Work cut into shares of neighbours, one a thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace haiyomi {

// Calls work(begin, end) on shares of the numbers below n, in at most 256 threads; the caller works
// on the shares whose threads cannot start. Where shares throw, the exception of the first is thrown
// again after all have ended.
template <class Work>
void in_shares(std::size_t n, int threads, Work&& work) {
  const std::size_t wanted = std::min(n, static_cast<std::size_t>(std::clamp(threads, 1, 256)));
  if (wanted <= 1) {
    work(std::size_t{0}, n);
    return;
  }
  std::vector<std::exception_ptr> failed(wanted);
  const auto share = [&](std::size_t i) noexcept {
    try {
      work(n * i / wanted, n * (i + 1) / wanted);
    } catch (...) {
      failed[i] = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(wanted - 1);
  try {
    while (pool.size() + 1 < wanted) pool.emplace_back(share, pool.size() + 1);
  } catch (...) {  // no thread, or no memory for one
  }
  share(0);
  for (std::size_t i = pool.size() + 1; i < wanted; ++i) share(i);
  for (std::thread& thread : pool) thread.join();
  for (const std::exception_ptr& error : failed)
    if (error) std::rethrow_exception(error);
}

}  // namespace haiyomi
