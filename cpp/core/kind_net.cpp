#include "kind_net.hpp"

#include <algorithm>
#include <vector>

#include "clones.hpp"
#include "gemm.hpp"

namespace haiyomi {
namespace {

constexpr std::size_t kKinds = 34, kHonourKinds = 7;
constexpr std::size_t kStep = 10;  // places of a suit in a row: nine and an empty one
constexpr std::size_t kPlaces = 3 * kStep;
constexpr std::size_t kChunk = 8;  // rows worked on together

// to = what is above 0 of from + add, `rows` rows of w numbers.
HAIYOMI_CLONES void enter_rows(const float* from, const float* add, std::size_t rows,
                               std::size_t w, float* to) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < w; ++j) {
      const float v = from[r * w + j] + add[j];
      to[r * w + j] = v > 0 ? v : 0.0f;
    }
}

// to += what is above 0 of from + add.
HAIYOMI_CLONES void grow_rows(const float* from, const float* add, std::size_t rows,
                              std::size_t w, float* to) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < w; ++j) {
      const float v = from[r * w + j] + add[j];
      to[r * w + j] += v > 0 ? v : 0.0f;
    }
}

// The sum of rows.
HAIYOMI_CLONES void sum_rows(const float* from, std::size_t rows, std::size_t w, float* to) {
  for (std::size_t j = 0; j < w; ++j) to[j] = from[j];
  for (std::size_t r = 1; r < rows; ++r)
    for (std::size_t j = 0; j < w; ++j) to[j] += from[r * w + j];
}

// mean = the sum of three suits and the honours over all kinds; each suit's sum its own mean.
HAIYOMI_CLONES void take_means(float* suits, const float* honours, std::size_t w, float* mean) {
  for (std::size_t j = 0; j < w; ++j) {
    mean[j] = (suits[j] + suits[w + j] + suits[2 * w + j] + honours[j]) / 34;
  }
  for (std::size_t j = 0; j < 3 * w; ++j) suits[j] /= 9;
}

struct Buffers {
  std::vector<float> entered, suits, honours, up, up_honours, suit_mean, honour_sum, mean, by_suit,
      by_hand, by_honours, out;
  std::size_t width = 0;
  void fit(std::size_t w, std::size_t lanes) {
    // An empty place before the first suit and after the last; empty ones are never written.
    if (width != w) suits.assign((kChunk * kPlaces + 2) * w, 0.0f);
    width = w;
    entered.resize(kChunk * kKinds * w);
    up.resize(kChunk * kPlaces * w);
    honours.resize(kChunk * kHonourKinds * w);
    up_honours.resize(honours.size());
    for (auto* rows : {&suit_mean, &by_suit}) rows->resize(kChunk * 3 * w);
    for (auto* rows : {&mean, &by_hand, &by_honours}) rows->resize(kChunk * w);
    honour_sum.resize(w);
    out.resize(kChunk * kPlaces * lanes);
  }
};

class Pass {
 public:
  Pass(const KindNet& net, const float* weights, Buffers& buffers)
      : net_(net), w_(net.width), at_(weights), b_(buffers) {}

  void run(const float* x, const float* context, std::size_t n, float* out) {
    enter(x, context, n);
    for (std::size_t i = 0; i < net_.layers; ++i) layer(n);
    const std::size_t lanes = net_.lanes();
    answer(b_.suits.data() + w_, n * kPlaces);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 27; ++k)
        std::copy_n(&b_.out[(i * kPlaces + k / 9 * kStep + k % 9) * lanes], net_.outputs,
                    out + (i * kKinds + k) * net_.outputs);
    answer(b_.honours.data(), n * kHonourKinds);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < kHonourKinds; ++k)
        std::copy_n(&b_.out[(i * kHonourKinds + k) * lanes], net_.outputs,
                    out + (i * kKinds + 27 + k) * net_.outputs);
  }

 private:
  // The next weights: so many rows.
  const float* take(std::size_t rows) { return take(rows, w_); }
  const float* take(std::size_t rows, std::size_t columns) {
    const float* out = at_;
    at_ += rows * columns;
    return out;
  }

  void enter(const float* x, const float* context, std::size_t n) {
    multiply(x, net_.features, take(net_.features), b_.entered.data(), n * kKinds, w_,
             net_.features, false);
    float *add = b_.by_hand.data(), *more = b_.by_honours.data();
    multiply(context, net_.contexts, take(net_.contexts), add, n, w_, net_.contexts, false);
    const float* bias = take(1);
    multiply(context, net_.contexts, take(net_.contexts), more, n, w_, net_.contexts, false);
    for (std::size_t i = 0; i < n; ++i, add += w_, more += w_) {
      add_rows(bias, w_, add);
      add_rows(add, w_, more);
      const float* from = &b_.entered[i * kKinds * w_];
      for (std::size_t s = 0; s < 3; ++s, from += 9 * w_)
        enter_rows(from, add, 9, w_, &b_.suits[(1 + i * kPlaces + s * kStep) * w_]);
      enter_rows(from, more, kHonourKinds, w_, &b_.honours[i * kHonourKinds * w_]);
    }
  }

  void layer(std::size_t n) {
    float *suits = &b_.suits[w_], *honours = b_.honours.data();
    for (std::size_t i = 0; i < n; ++i) {
      float* sums = &b_.suit_mean[3 * i * w_];
      for (std::size_t s = 0; s < 3; ++s)
        sum_rows(suits + (i * kPlaces + s * kStep) * w_, 9, w_, sums + s * w_);
      sum_rows(honours + i * kHonourKinds * w_, kHonourKinds, w_, b_.honour_sum.data());
      take_means(sums, b_.honour_sum.data(), w_, &b_.mean[i * w_]);
    }
    multiply(b_.suits.data(), w_, take(3 * w_), b_.up.data(), n * kPlaces, w_, 3 * w_, false);
    multiply(b_.suit_mean.data(), w_, take(w_), b_.by_suit.data(), 3 * n, w_, w_, false);
    multiply(b_.mean.data(), w_, take(w_), b_.by_hand.data(), n, w_, w_, false);
    const float* bias = take(1);
    multiply(honours, w_, take(w_), b_.up_honours.data(), n * kHonourKinds, w_, w_, false);
    multiply(b_.mean.data(), w_, take(w_), b_.by_honours.data(), n, w_, w_, false);
    const float* honours_bias = take(1);
    for (std::size_t i = 0; i < n; ++i) {
      float *by_hand = &b_.by_hand[i * w_], *by_honours = &b_.by_honours[i * w_];
      add_rows(bias, w_, by_hand);
      add_rows(honours_bias, w_, by_honours);
      for (std::size_t s = 0; s < 3; ++s) {
        float* add = &b_.by_suit[(3 * i + s) * w_];
        add_rows(by_hand, w_, add);
        const std::size_t at = (i * kPlaces + s * kStep) * w_;
        grow_rows(&b_.up[at], add, 9, w_, suits + at);
      }
      const std::size_t at = i * kHonourKinds * w_;
      grow_rows(&b_.up_honours[at], by_honours, kHonourKinds, w_, honours + at);
    }
  }

  void answer(const float* rows, std::size_t n) {
    const std::size_t lanes = net_.lanes();
    multiply(rows, w_, take(w_, lanes), b_.out.data(), n, lanes, w_, false);
    const float* bias = take(1, lanes);
    for (std::size_t i = 0; i < n; ++i) add_rows(bias, lanes, &b_.out[i * lanes]);
  }

  const KindNet& net_;
  std::size_t w_;
  const float* at_;
  Buffers& b_;
};

}  // namespace

void forward(const KindNet& net, const float* weights, const float* x, const float* context,
             std::size_t n, float* out) {
  thread_local Buffers buffers;
  buffers.fit(net.width, net.lanes());
  for (std::size_t i = 0; i < n; i += kChunk) {
    const std::size_t rows = std::min(kChunk, n - i);
    Pass(net, weights, buffers)
        .run(x + i * kKinds * net.features, context + i * net.contexts, rows,
             out + i * kKinds * net.outputs);
  }
}

}  // namespace haiyomi
