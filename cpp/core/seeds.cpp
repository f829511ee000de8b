// SHA-256 of the name, numpy's SeedSequence of seed and digest, and PCG64.
#include "seeds.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <vector>

namespace haiyomi {
namespace {

using Word = std::uint32_t;

constexpr std::array<Word, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Digest = std::array<Word, 8>;

void absorb(Digest& h, const std::uint8_t* block) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = Word{block[4 * i]} << 24 | Word{block[4 * i + 1]} << 16 | Word{block[4 * i + 2]} << 8 |
           block[4 * i + 3];
  for (std::size_t i = 16; i < 64; ++i) {
    const Word a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  Digest s = h;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word e = s[4], a = s[0];
    const Word one = s[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                     ((e & s[5]) ^ (~e & s[6])) + kRounds[i] + w[i];
    const Word two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) h[i] += s[i];
}

Digest sha256(std::string_view text) {
  Digest h{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  const std::uint64_t bits = 8 * std::uint64_t{text.size()};
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(std::uint8_t(bits >> shift));
  for (std::size_t at = 0; at < bytes.size(); at += 64) absorb(h, bytes.data() + at);
  return h;
}

// numpy's SeedSequence, of a pool of four words.
class Entropy {
 public:
  explicit Entropy(const std::vector<Word>& words) {
    Word constant = 0x43b0d7e5;
    const auto hash = [&](Word value) {
      value ^= constant;
      constant *= 0x931e8875;
      value *= constant;
      return value ^ value >> 16;
    };
    const auto mix = [](Word a, Word b) {
      const Word value = 0xca01f9ddu * a - 0x4973f715u * b;
      return value ^ value >> 16;
    };
    for (std::size_t i = 0; i < 4; ++i) pool_[i] = hash(i < words.size() ? words[i] : 0);
    for (std::size_t from = 0; from < 4; ++from)
      for (std::size_t to = 0; to < 4; ++to)
        if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
    for (std::size_t from = 4; from < words.size(); ++from)
      for (std::size_t to = 0; to < 4; ++to) pool_[to] = mix(pool_[to], hash(words[from]));
  }

  std::array<std::uint64_t, 4> state() const {
    std::array<std::uint64_t, 4> out{};
    Word constant = 0x8b51f9dd;
    for (std::size_t i = 0; i < 8; ++i) {
      Word value = pool_[i % 4] ^ constant;
      constant *= 0x58f38ded;
      value *= constant;
      out[i / 2] |= std::uint64_t{value ^ value >> 16} << (i % 2 * 32);
    }
    return out;
  }

 private:
  std::array<Word, 4> pool_{};
};

// The 128-bit product of two 64-bit numbers.
constexpr std::array<std::uint64_t, 2> product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = 0xffffffff;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t one = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t two = (a & mask) * (b >> 32) + (one & mask);
  return {(a >> 32) * (b >> 32) + (one >> 32) + (two >> 32), two << 32 | (low & mask)};
}

}  // namespace

Pcg64::Pcg64(std::uint64_t seed, std::string_view name) {
  std::vector<Word> words{Word(seed)};
  if (seed >> 32 != 0) words.push_back(Word(seed >> 32));
  for (const Word word : sha256(name)) {
    // seeds.py reads the bytes of the digest as little-endian words.
    words.push_back(word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24);
  }
  const auto s = Entropy(words).state();
  increment_ = {s[2] << 1 | s[3] >> 63, s[3] << 1 | 1};
  step();
  state_.low += s[1];
  state_.high += s[0] + (state_.low < s[1] ? 1 : 0);
  step();
}

void Pcg64::step() {
  constexpr std::uint64_t kHigh = 0x2360ed051fc65da4, kLow = 0x4385df649fccf645;
  const auto [carry, low] = product(state_.low, kLow);
  const std::uint64_t high = carry + state_.high * kLow + state_.low * kHigh;
  state_.low = low + increment_.low;
  state_.high = high + increment_.high + (state_.low < low ? 1 : 0);
}

std::uint64_t Pcg64::next() {
  step();
  return std::rotr(state_.high ^ state_.low, int(state_.high >> 58));
}

}  // namespace haiyomi
