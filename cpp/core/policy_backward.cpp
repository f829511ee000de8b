#include "gemm.hpp"
#include "policy_pass.hpp"

namespace haiyomi::policy {
namespace {

void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

}  // namespace

const float* Net::transposed(std::size_t part) {
  if (transposed_.empty()) transposed_.resize(l_.parts.size());
  auto& t = transposed_[part];
  if (t.empty()) {
    const Part& p = l_.parts[part];
    t.resize(p.rows * p.columns);
    transpose(weight(part), p.rows, p.columns, t.data());
  }
  return t.data();
}

const float* Net::transposed_taps(std::size_t part) {
  if (transposed_.empty()) transposed_.resize(l_.parts.size());
  auto& t = transposed_[part];
  if (t.empty()) {
    t.resize(3 * w_ * w_);
    for (std::size_t tap = 0; tap < 3; ++tap) {
      transpose(weight(part) + tap * w_ * w_, w_, w_, t.data() + (2 - tap) * w_ * w_);
    }
  }
  return t.data();
}

void Net::backward(std::size_t n, float* gradient, float* style_gradient) {
  const auto part = [&](std::size_t p) { return gradient_of(gradient, p); };
  const auto of = [&](std::size_t b, BlockId p) { return part(kBlocks + b * kBlockParts + p); };
  const auto id = [&](std::size_t b, BlockId p) { return kBlocks + b * kBlockParts + p; };
  const std::size_t slots = n * kPlaces;
  BlockTrace& last = trace_[l_.blocks];
  // The acts.
  multiply_transposed(pooled_.data(), h_, d_acts_.data(), part(heads_.acts), h_, kOutputs, n);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(&d_acts_[i * kOutputs], kOutputs, part(heads_.acts_bias));
  }
  std::vector<float> d_pooled(n * h_), d_mean(n * w_), d_focus(n * w_), d_context(n * kContext);
  multiply(d_acts_.data(), kOutputs, transposed(heads_.acts), d_pooled.data(), n, h_, kOutputs,
           false);
  rectify_backward(d_pooled.data(), pooled_.data(), n * h_);
  multiply_transposed(last_mean_.data(), w_, d_pooled.data(), part(heads_.pooled_mean), w_, h_, n);
  multiply_transposed(focus_.data(), w_, d_pooled.data(), part(heads_.pooled_focus), w_, h_, n);
  multiply_transposed(context_.data(), kContext, d_pooled.data(), part(heads_.pooled_context),
                      kContext, h_, n);
  for (std::size_t i = 0; i < n; ++i) add_rows(&d_pooled[i * h_], h_, part(heads_.pooled_bias));
  multiply(d_pooled.data(), h_, transposed(heads_.pooled_mean), d_mean.data(), n, w_, h_, false);
  multiply(d_pooled.data(), h_, transposed(heads_.pooled_focus), d_focus.data(), n, w_, h_, false);
  // Of the context's gradient only the style's part is needed.
  const auto style_part = [&](std::size_t p, const float* by, std::size_t columns) {
    const float* w = weight(p) + (kContext - kStyle) * columns;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t s = 0; s < kStyle; ++s) {
        float sum = 0;
        for (std::size_t j = 0; j < columns; ++j) sum += w[s * columns + j] * by[i * columns + j];
        style_gradient[i * kStyle + s] += sum;
      }
    }
  };
  style_part(heads_.pooled_context, d_pooled.data(), h_);

  // The kinds' logits.
  Slots ds(w_), dz(w_);
  std::vector<float> dh(n * 7 * w_), dzh(n * 7 * w_);
  multiply_transposed(last.suits.begin(), w_, d_out_.data(), part(heads_.out), w_, kOutputs, slots);
  multiply_transposed(last.honours.data(), w_, d_out_honours_.data(), part(heads_.out_honours), w_,
                      kOutputs, 7 * n);
  for (std::size_t i = 0; i < slots; ++i) {
    add_rows(&d_out_[i * kOutputs], kOutputs, part(heads_.out_bias));
  }
  for (std::size_t i = 0; i < 7 * n; ++i) {
    add_rows(&d_out_honours_[i * kOutputs], kOutputs, part(heads_.out_bias));
  }
  multiply(d_out_.data(), kOutputs, transposed(heads_.out), ds.begin(), slots, w_, kOutputs, false);
  multiply(d_out_honours_.data(), kOutputs, transposed(heads_.out_honours), dh.data(), 7 * n, w_,
           kOutputs, false);
  const auto spread_mean = [&](const float* d) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t p = 0; p < kPlaces; ++p) {
        if (p % kStep == 9) continue;
        float* to = ds.begin() + (i * kPlaces + p) * w_;
        for (std::size_t j = 0; j < w_; ++j) to[j] += d[i * w_ + j] / 34;
      }
      for (std::size_t p = 0; p < 7; ++p) {
        float* to = &dh[(7 * i + p) * w_];
        for (std::size_t j = 0; j < w_; ++j) to[j] += d[i * w_ + j] / 34;
      }
    }
  };
  spread_mean(d_mean.data());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = focus_kind_[i];
    if (k == kNone) continue;
    float* to = k < 27 ? ds.begin() + (i * kPlaces + k / 9 * kStep + k % 9) * w_
                       : &dh[(7 * i + k - 27) * w_];
    add_rows(&d_focus[i * w_], w_, to);
  }
  std::vector<float> by_suit(3 * n * w_), by_hand(n * w_), by_honours(n * w_), d_suit(3 * n * w_);
  for (std::size_t b = l_.blocks; b-- > 0;) {
    BlockTrace& t = trace_[b];
    multiply_transposed(t.up.begin(), w_, ds.begin(), of(b, kProject), w_, w_, slots);
    multiply_transposed(t.up_honours.data(), w_, dh.data(), of(b, kHonourProject), w_, w_, 7 * n);
    multiply(ds.begin(), w_, transposed(id(b, kProject)), dz.begin(), slots, w_, w_, false);
    multiply(dh.data(), w_, transposed(id(b, kHonourProject)), dzh.data(), 7 * n, w_, w_, false);
    rectify_backward(dz.begin(), t.up.begin(), slots * w_);
    rectify_backward(dzh.data(), t.up_honours.data(), 7 * n * w_);
    std::fill(dz.begin() + slots * w_, dz.begin() + (slots + 1) * w_, 0.0f);
    multiply_transposed(t.suits.window(), w_, dz.begin(), of(b, kConv), 3 * w_, w_, slots);
    multiply_transposed(t.honours.data(), w_, dzh.data(), of(b, kHonourConv), w_, w_, 7 * n);
    std::fill(by_suit.begin(), by_suit.end(), 0.0f);
    std::fill(by_hand.begin(), by_hand.end(), 0.0f);
    std::fill(by_honours.begin(), by_honours.end(), 0.0f);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t s = 0; s < 3; ++s) {
        float* sum = &by_suit[(3 * i + s) * w_];
        for (std::size_t p = 0; p < 9; ++p) {
          add_rows(dz.begin() + ((3 * i + s) * kStep + p) * w_, w_, sum);
        }
        add_rows(sum, w_, &by_hand[i * w_]);
      }
      for (std::size_t p = 0; p < 7; ++p) add_rows(&dzh[(7 * i + p) * w_], w_, &by_honours[i * w_]);
      add_rows(&by_hand[i * w_], w_, of(b, kBlockBias));
      add_rows(&by_honours[i * w_], w_, of(b, kHonourBias));
    }
    multiply_transposed(t.suit_mean.data(), w_, by_suit.data(), of(b, kSuitMean), w_, w_, 3 * n);
    multiply_transposed(t.mean.data(), w_, by_hand.data(), of(b, kHandMean), w_, w_, n);
    multiply_transposed(t.mean.data(), w_, by_honours.data(), of(b, kHonourMean), w_, w_, n);
    multiply(by_suit.data(), w_, transposed(id(b, kSuitMean)), d_suit.data(), 3 * n, w_, w_, false);
    multiply(by_hand.data(), w_, transposed(id(b, kHandMean)), d_mean.data(), n, w_, w_, false);
    multiply(by_honours.data(), w_, transposed(id(b, kHonourMean)), d_mean.data(), n, w_, w_, true);
    multiply(dz.window(), w_, transposed_taps(id(b, kConv)), ds.begin(), slots, w_, 3 * w_, true);
    multiply(dzh.data(), w_, transposed(id(b, kHonourConv)), dh.data(), 7 * n, w_, w_, true);
    for (std::size_t s = 0; s < 3 * n; ++s) {
      for (std::size_t p = 0; p < 9; ++p) {
        float* to = ds.begin() + (s * kStep + p) * w_;
        for (std::size_t j = 0; j < w_; ++j) to[j] += d_suit[s * w_ + j] / 9;
      }
    }
    spread_mean(d_mean.data());
    clear_gaps(ds.begin(), n, w_);
  }
  // The first layer.
  rectify_backward(ds.begin(), trace_[0].suits.begin(), slots * w_);
  rectify_backward(dh.data(), trace_[0].honours.data(), 7 * n * w_);
  multiply_transposed(kinds_in_.data(), kKindFeatures, ds.begin(), part(kIn), kKindFeatures, w_,
                      slots);
  multiply_transposed(honours_in_.data(), kKindFeatures, dh.data(), part(kInHonours),
                      kKindFeatures, w_, 7 * n);
  std::fill(by_hand.begin(), by_hand.end(), 0.0f);
  std::fill(by_honours.begin(), by_honours.end(), 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t p = 0; p < kPlaces; ++p) {
      add_rows(ds.begin() + (i * kPlaces + p) * w_, w_, &by_hand[i * w_]);
    }
    for (std::size_t p = 0; p < 7; ++p) add_rows(&dh[(7 * i + p) * w_], w_, &by_honours[i * w_]);
    add_rows(&by_hand[i * w_], w_, part(kBias));
    add_rows(&by_honours[i * w_], w_, part(kBiasHonours));
  }
  multiply_transposed(context_.data(), kContext, by_hand.data(), part(kContextIn), kContext, w_, n);
  multiply_transposed(context_.data(), kContext, by_honours.data(), part(kContextHonours),
                      kContext, w_, n);
  style_part(kContextIn, by_hand.data(), w_);
  style_part(kContextHonours, by_honours.data(), w_);
}

}  // namespace haiyomi::policy
