// Prints a hash of what a network with rounded products says of some decisions, and of exp_of: a
// program that a test compiles with several options.
//
// rounded_bits FILE: five sizes of the tower and the number of records as 64-bit numbers, the
// weights, the records.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "exp_of.hpp"
#include "network.hpp"

using namespace haiyomi;

namespace {

std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a

template <class Number>
void add(const std::vector<Number>& numbers) {
  std::vector<unsigned char> bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
}

}  // namespace

int main(int, char** given) {
  std::ifstream file(given[1], std::ios::binary);
  std::uint64_t sizes[6];
  file.read(reinterpret_cast<char*>(sizes), sizeof sizes);
  network::Layout layout({sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]}, {});
  const std::size_t n = sizes[5];
  std::vector<float> weights(layout.size);
  std::vector<record::DecisionBytes> records(n);
  file.read(reinterpret_cast<char*>(weights.data()), std::streamsize(4 * layout.size));
  file.read(reinterpret_cast<char*>(records.data()), std::streamsize(n * sizeof records[0]));
  if (!file) return 1;
  const std::vector<std::uint8_t> mirror(n);
  std::vector<float> style(n * network::kStyle);
  for (std::size_t i = 0; i < style.size(); ++i) style[i] = float(i % 7) / 3 - 1;
  std::vector<float> kinds(n * 34 * sizes[3]), whole(n * sizes[4]);
  const network::Network rounded(std::move(layout), std::move(weights), true);
  rounded.forward(records.data(), n, mirror.data(), style.data(),
                  {kinds.data(), whole.data(), nullptr, nullptr});
  add(kinds);
  add(whole);
  std::vector<double> powers;
  for (const float value : whole) powers.push_back(exp_of(-double(value) * value));
  add(powers);
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
}
