// Forward and backward passes through the policy's network, a few decisions at a time.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "policy_net.hpp"

namespace haiyomi::policy {

constexpr std::size_t kStep = 10;         // places of a suit in a row: nine and an empty one
constexpr std::size_t kPlaces = 3 * kStep;
constexpr std::size_t kChunk = 8;         // decisions worked on together
constexpr std::size_t kSlots = kChunk * kPlaces;
constexpr std::size_t kHonours = kChunk * 7;

enum Id : std::size_t { kIn, kInHonours, kContextIn, kContextHonours, kBias, kBiasHonours, kBlocks };
enum BlockId : std::size_t {
  kConv, kSuitMean, kHandMean, kBlockBias, kProject,
  kHonourConv, kHonourMean, kHonourBias, kHonourProject, kBlockParts
};

// Where the parameters of the output layers lie.
struct Heads {
  std::size_t out, out_honours, out_bias, pooled_mean, pooled_focus, pooled_context, pooled_bias,
      acts, acts_bias;
  explicit Heads(std::size_t blocks) {
    std::size_t at = kBlocks + blocks * kBlockParts;
    out = at++;
    out_honours = at++;
    out_bias = at++;
    pooled_mean = at++;
    pooled_focus = at++;
    pooled_context = at++;
    pooled_bias = at++;
    acts = at++;
    acts_bias = at++;
  }
};

// The activations of all slots, padded with an empty slot before the first and after the last.
struct Slots {
  std::vector<float> data;
  std::size_t width;
  explicit Slots(std::size_t w) : data((kSlots + 2) * w), width(w) {}
  float* begin() { return data.data() + width; }
  const float* window() const { return data.data(); }
};

struct BlockTrace {
  Slots suits, up;                          // input of the block; rectified inside it
  std::vector<float> honours, up_honours;   // the same of the honours
  std::vector<float> suit_mean, mean;       // (kChunk * 3, w), (kChunk, w)
  explicit BlockTrace(std::size_t w)
      : suits(w), up(w), honours(kHonours * w), up_honours(kHonours * w),
        suit_mean(kChunk * 3 * w), mean(kChunk * w) {}
};

// The empty places of n rows become zero again.
inline void clear_gaps(float* slots, std::size_t n, std::size_t w) {
  for (std::size_t s = 0; s < 3 * n; ++s) {
    float* gap = slots + (s * kStep + 9) * w;
    std::fill(gap, gap + w, 0.0f);
  }
}

class Net {
 public:
  // `forward_only`: each block overwrites the activations of the one before.
  Net(const Layout& layout, const float* weights, bool forward_only = false)
      : l_(layout), w_(layout.width), h_(layout.hidden), heads_(layout.blocks), weights_(weights),
        forward_only_(forward_only),
        kinds_in_(kSlots * kKindFeatures), honours_in_(kHonours * kKindFeatures),
        context_(kChunk * kContext), sums_(kChunk * std::max(layout.width, layout.hidden) * 3),
        out_(kSlots * kOutputs), out_honours_(kHonours * kOutputs), focus_(kChunk * w_),
        last_mean_(kChunk * w_), pooled_(kChunk * h_), acts_(kChunk * kOutputs) {
    for (std::size_t b = 0; b <= (forward_only ? 0 : layout.blocks); ++b) trace_.emplace_back(w_);
  }

  // Other weights of the same layout.
  void use(const float* weights) { weights_ = weights; }

  void run(const DecisionBytes* rows, std::size_t n, const std::uint8_t* mirror, const float* style) {
    read(rows, n, mirror, style);
    enter(n);
    for (std::size_t b = 0; b < l_.blocks; ++b) block(b, n);
    answer(n);
  }

  // Logits of a row's kinds: discard (0) or kan (1); `k` before mirroring.
  float kind_logit(std::size_t row, std::size_t k, std::size_t which) const {
    return *const_cast<Net*>(this)->kind_out(row, k, which);
  }
  float act_logit(std::size_t row, std::size_t act) const {
    return acts_[row * kOutputs + act_seen(row, act)];
  }

  // For the backward pass: the gradient of each logit.
  void begin_gradients(std::size_t n) {
    d_out_.assign(n * kPlaces * kOutputs, 0);
    d_out_honours_.assign(n * 7 * kOutputs, 0);
    d_acts_.assign(n * kOutputs, 0);
  }
  void add_kind_gradient(std::size_t row, std::size_t k, std::size_t which, float value) {
    if (mirror_[row] != 0) k = mirrored(k);
    if (k < 27) {
      d_out_[(row * kPlaces + k / 9 * kStep + k % 9) * kOutputs + which] += value;
    } else {
      d_out_honours_[(row * 7 + k - 27) * kOutputs + which] += value;
    }
  }
  void add_act_gradient(std::size_t row, std::size_t act, float value) {
    d_acts_[row * kOutputs + act_seen(row, act)] += value;
  }
  void backward(std::size_t n, float* gradient, float* style_gradient);

 private:
  const float* weight(std::size_t part) const { return weights_ + l_.parts[part].at; }
  const float* weight(std::size_t block, BlockId part) const {
    return weight(kBlocks + block * kBlockParts + part);
  }
  float* gradient_of(float* gradient, std::size_t part) const {
    return gradient + l_.parts[part].at;
  }
  // A weight matrix transposed; cached.
  const float* transposed(std::size_t part);
  // The three taps of a convolution, each transposed, in reverse order.
  const float* transposed_taps(std::size_t part);
  std::size_t act_seen(std::size_t row, std::size_t act) const {
    if (mirror_[row] != 0 && act == kChiLow) return kChiHigh;
    if (mirror_[row] != 0 && act == kChiHigh) return kChiLow;
    return act;
  }
  float* kind_out(std::size_t row, std::size_t k, std::size_t which) {
    if (mirror_[row] != 0) k = mirrored(k);
    return k < 27 ? &out_[(row * kPlaces + k / 9 * kStep + k % 9) * kOutputs + which]
                  : &out_honours_[(row * 7 + k - 27) * kOutputs + which];
  }

  void read(const DecisionBytes* rows, std::size_t n, const std::uint8_t* mirror, const float* style);
  void enter(std::size_t n);
  void block(std::size_t b, std::size_t n);
  void answer(std::size_t n);
  void means(const float* suits, const float* honours, std::size_t n, float* suit_mean,
             float* mean) const;

  BlockTrace& before(std::size_t block) { return trace_[forward_only_ ? 0 : block]; }

  const Layout& l_;
  std::size_t w_, h_;
  Heads heads_;
  const float* weights_;
  bool forward_only_;
  std::vector<BlockTrace> trace_;
  std::vector<float> kinds_in_, honours_in_, context_, sums_, out_, out_honours_, focus_,
      last_mean_, pooled_, acts_;
  std::array<std::uint8_t, kChunk> mirror_{}, focus_kind_{};
  std::vector<std::vector<float>> transposed_;
  std::vector<float> d_out_, d_out_honours_, d_acts_;
};

}  // namespace haiyomi::policy
