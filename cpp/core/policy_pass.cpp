#include "policy_pass.hpp"

#include "gemm.hpp"

namespace haiyomi::policy {

void Net::read(const DecisionBytes* rows, std::size_t n, const std::uint8_t* mirror,
               const float* style) {
  std::fill(kinds_in_.begin(), kinds_in_.end(), 0.0f);
  std::fill(honours_in_.begin(), honours_in_.end(), 0.0f);
  std::fill(context_.begin(), context_.end(), 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<float*, 34> at;
    for (std::size_t k = 0; k < 34; ++k) {
      at[k] = k < 27 ? &kinds_in_[(i * kPlaces + k / 9 * kStep + k % 9) * kKindFeatures]
                     : &honours_in_[(i * 7 + k - 27) * kKindFeatures];
    }
    float* context = &context_[i * kContext];
    features(rows[i], mirror[i] != 0, at.data(), context);
    std::copy(style + i * kStyle, style + (i + 1) * kStyle, context + kContext - kStyle);
    mirror_[i] = mirror[i];
    std::uint8_t focus = rows[i].from == kNone ? rows[i].drawn : rows[i].offered;
    if (focus != kNone && mirror[i] != 0) focus = static_cast<std::uint8_t>(mirrored(focus));
    focus_kind_[i] = focus;
  }
}

void Net::enter(std::size_t n) {
  float* suits = trace_[0].suits.begin();
  float* honours = trace_[0].honours.data();
  multiply(kinds_in_.data(), kKindFeatures, weight(kIn), suits, n * kPlaces, w_, kKindFeatures,
           false);
  multiply(honours_in_.data(), kKindFeatures, weight(kInHonours), honours, n * 7, w_,
           kKindFeatures, false);
  float* sum = sums_.data();
  multiply(context_.data(), kContext, weight(kContextIn), sum, n, w_, kContext, false);
  float* other = sum + kChunk * w_;
  multiply(context_.data(), kContext, weight(kContextHonours), other, n, w_, kContext, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(kBias), w_, sum + i * w_);
    add_rows(weight(kBiasHonours), w_, other + i * w_);
    for (std::size_t p = 0; p < kPlaces; ++p) {
      add_rows(sum + i * w_, w_, suits + (i * kPlaces + p) * w_);
    }
    for (std::size_t p = 0; p < 7; ++p) add_rows(other + i * w_, w_, honours + (i * 7 + p) * w_);
  }
  rectify(suits, n * kPlaces * w_);
  rectify(honours, n * 7 * w_);
  clear_gaps(suits, n, w_);
  std::fill(suits + n * kPlaces * w_, suits + (n * kPlaces + 1) * w_, 0.0f);
}

void Net::means(const float* suits, const float* honours, std::size_t n, float* suit_mean,
                float* mean) const {
  std::fill(suit_mean, suit_mean + 3 * n * w_, 0.0f);
  std::fill(mean, mean + n * w_, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    float* m = mean + i * w_;
    for (std::size_t s = 0; s < 3; ++s) {
      float* sm = suit_mean + (3 * i + s) * w_;
      for (std::size_t p = 0; p < 9; ++p) add_rows(suits + ((3 * i + s) * kStep + p) * w_, w_, sm);
      add_rows(sm, w_, m);
      for (std::size_t j = 0; j < w_; ++j) sm[j] /= 9;
    }
    for (std::size_t p = 0; p < 7; ++p) add_rows(honours + (7 * i + p) * w_, w_, m);
    for (std::size_t j = 0; j < w_; ++j) m[j] /= 34;
  }
}

void Net::block(std::size_t b, std::size_t n) {
  BlockTrace& t = before(b);
  BlockTrace& next = before(b + 1);
  float* suits = t.suits.begin();
  float* up = t.up.begin();
  means(suits, t.honours.data(), n, t.suit_mean.data(), t.mean.data());
  multiply(t.suits.window(), w_, weight(b, kConv), up, n * kPlaces, w_, 3 * w_, false);
  float* by_suit = sums_.data();
  multiply(t.suit_mean.data(), w_, weight(b, kSuitMean), by_suit, 3 * n, w_, w_, false);
  std::vector<float>& by_hand = focus_;  // free until the last block is done
  multiply(t.mean.data(), w_, weight(b, kHandMean), by_hand.data(), n, w_, w_, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(b, kBlockBias), w_, &by_hand[i * w_]);
    for (std::size_t s = 0; s < 3; ++s) {
      float* add = by_suit + (3 * i + s) * w_;
      add_rows(&by_hand[i * w_], w_, add);
      for (std::size_t p = 0; p < 9; ++p) add_rows(add, w_, up + ((3 * i + s) * kStep + p) * w_);
    }
  }
  rectify(up, n * kPlaces * w_);
  clear_gaps(up, n, w_);
  float* up_honours = t.up_honours.data();
  multiply(t.honours.data(), w_, weight(b, kHonourConv), up_honours, 7 * n, w_, w_, false);
  multiply(t.mean.data(), w_, weight(b, kHonourMean), by_hand.data(), n, w_, w_, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(b, kHonourBias), w_, &by_hand[i * w_]);
    for (std::size_t p = 0; p < 7; ++p) {
      add_rows(&by_hand[i * w_], w_, up_honours + (7 * i + p) * w_);
    }
  }
  rectify(up_honours, n * 7 * w_);
  float* to = next.suits.begin();
  if (to != suits) std::copy(suits, suits + (n * kPlaces + 1) * w_, to);
  multiply(up, w_, weight(b, kProject), to, n * kPlaces, w_, w_, true);
  float* to_honours = next.honours.data();
  if (&next != &t) std::copy_n(t.honours.begin(), 7 * n * w_, to_honours);
  multiply(up_honours, w_, weight(b, kHonourProject), to_honours, 7 * n, w_, w_, true);
}

void Net::answer(std::size_t n) {
  BlockTrace& t = before(l_.blocks);
  float* suits = t.suits.begin();
  multiply(suits, w_, weight(heads_.out), out_.data(), n * kPlaces, kOutputs, w_, false);
  multiply(t.honours.data(), w_, weight(heads_.out_honours), out_honours_.data(), 7 * n, kOutputs,
           w_, false);
  for (std::size_t i = 0; i < n * kPlaces; ++i) {
    add_rows(weight(heads_.out_bias), kOutputs, &out_[i * kOutputs]);
  }
  for (std::size_t i = 0; i < n * 7; ++i) {
    add_rows(weight(heads_.out_bias), kOutputs, &out_honours_[i * kOutputs]);
  }
  means(suits, t.honours.data(), n, t.suit_mean.data(), last_mean_.data());
  for (std::size_t i = 0; i < n; ++i) {
    float* f = &focus_[i * w_];
    const std::size_t k = focus_kind_[i];
    if (k == kNone) {
      std::fill(f, f + w_, 0.0f);
    } else {
      const float* from = k < 27 ? suits + (i * kPlaces + k / 9 * kStep + k % 9) * w_
                                 : t.honours.data() + (7 * i + k - 27) * w_;
      std::copy(from, from + w_, f);
    }
  }
  multiply(last_mean_.data(), w_, weight(heads_.pooled_mean), pooled_.data(), n, h_, w_, false);
  multiply(focus_.data(), w_, weight(heads_.pooled_focus), pooled_.data(), n, h_, w_, true);
  multiply(context_.data(), kContext, weight(heads_.pooled_context), pooled_.data(), n, h_,
           kContext, true);
  for (std::size_t i = 0; i < n; ++i) add_rows(weight(heads_.pooled_bias), h_, &pooled_[i * h_]);
  rectify(pooled_.data(), n * h_);
  multiply(pooled_.data(), h_, weight(heads_.acts), acts_.data(), n, kOutputs, h_, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(heads_.acts_bias), kOutputs, &acts_[i * kOutputs]);
  }
}

}  // namespace haiyomi::policy
