#include "tower.hpp"

namespace haiyomi::network {
namespace {

// Parts in order; those of a block are repeated, those of outputs that a tower lacks left out.
enum Id : std::size_t { kIn, kInHonours, kContextIn, kContextHonours, kBias, kBiasHonours, kBlocks };
enum BlockId : std::size_t {
  kConv, kSuitMean, kHandMean, kBlockBias, kProject,
  kHonourOwn, kHonourMean, kHonourBias, kHonourProject, kBlockParts
};
enum OutId : std::size_t { kOut, kOutHonours, kOutBias, kOutParts };
enum WholeId : std::size_t { kMean, kFocus, kContext, kHiddenBias, kWhole, kWholeBias };

// The places of the suits of n rows, without the empty ones, which stay zero.
Rows suits_of(std::size_t n) { return {9, 3 * n, kStep}; }

}  // namespace

void add_parts(const TowerShape& s, const std::string& prefix, std::vector<Part>& parts,
               std::size_t& size) {
  const std::size_t w = s.width;
  const auto add = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    parts.push_back({prefix + name, rows, columns, size});
    size += rows * columns;
  };
  add("in", s.features, w);
  add("in honours", s.features, w);
  add("in context", s.context, w);
  add("in context honours", s.context, w);
  add("in bias", 1, w);
  add("in bias honours", 1, w);
  for (std::size_t b = 0; b < s.blocks; ++b) {
    const std::string name = std::to_string(b) + " ";
    add(name + "neighbours", 3 * w, w);
    add(name + "suit", w, w);
    add(name + "hand", w, w);
    add(name + "bias", 1, w);
    add(name + "project", w, w);
    add(name + "honours", w, w);
    add(name + "hand honours", w, w);
    add(name + "bias honours", 1, w);
    add(name + "project honours", w, w);
  }
  if (s.kinds != 0) {
    add("out", w, s.kind_lanes());
    add("out honours", w, s.kind_lanes());
    add("out bias", 1, s.kind_lanes());
  }
  if (s.whole != 0) {
    add("pooled mean", w, s.hidden);
    add("pooled focus", w, s.hidden);
    add("pooled context", s.context, s.hidden);
    add("pooled bias", 1, s.hidden);
    add("whole", s.hidden, s.whole_lanes());
    add("whole bias", 1, s.whole_lanes());
  }
}

void spread_blocks(const TowerShape& s, const std::vector<Part>& parts, std::size_t first,
                   const float* weights, float* out) {
  for (std::size_t b = 0; b < s.blocks; ++b, out += kProducts * s.width * s.width)
    spread_taps(weights + parts[first + kBlocks + b * kBlockParts + kConv].at, s.width, out);
}

Tower::Tower(const TowerShape& shape, const std::vector<Part>& parts, std::size_t first,
             std::size_t rows)
    : s_(shape), parts_(parts), first_(first),
      suits_in_(rows * kPlaces * s_.features), honours_in_(rows * kHonourKinds * s_.features),
      context_(rows * s_.context), suits_((rows * kPlaces + 2) * s_.width),
      honours_(rows * kHonourKinds * s_.width), up_(rows * kPlaces * s_.width),
      up_honours_(honours_.size()), thirds_(rows * 3 * kThirds * kProducts * s_.width),
      products_(thirds_.size()), suit_mean_(rows * 3 * s_.width), mean_(rows * s_.width),
      by_suit_(rows * 3 * s_.width), by_hand_(rows * s_.width),
      suits_out_(rows * kPlaces * s_.kind_lanes()),
      honours_out_(rows * kHonourKinds * s_.kind_lanes()), focus_(rows * s_.width),
      pooled_(rows * s_.hidden), whole_(rows * s_.whole_lanes()), focus_kind_(rows, kNoKind),
      repeats_(rows) {}

void Tower::clear(std::size_t n) {
  std::fill_n(suits_in_.begin(), n * kPlaces * s_.features, 0.0f);
  std::fill_n(honours_in_.begin(), n * kHonourKinds * s_.features, 0.0f);
  std::fill_n(context_.begin(), n * s_.context, 0.0f);
  std::fill_n(focus_kind_.begin(), n, static_cast<std::uint8_t>(kNoKind));
  std::fill_n(repeats_.begin(), n, std::uint8_t{0});
}

void Tower::repeat(std::size_t row) {
  std::copy_n(context_in(row - 1), s_.context, context_in(row));
  focus_kind_[row] = focus_kind_[row - 1];
  repeats_[row] = 1;
}

void Tower::run(std::size_t n) {
  enter(n);
  for (std::size_t b = 0; b < s_.blocks; ++b) block(b, n);
  if (s_.kinds != 0) kind_outputs(n);
  if (s_.whole != 0) whole_outputs(n);
}

void Tower::enter(std::size_t n) {
  const std::size_t w = s_.width, f = s_.features;
  float* suits = &suits_[w];
  for (std::size_t i = 0, end; i < n; i = end) {
    const std::size_t in_suits = kPlaces * w, in_honours = kHonourKinds * w;
    for (end = i + 1; end < n && repeats_[end] == repeats_[i]; ++end) continue;
    if (repeats_[i] == 0) {
      multiply_(&suits_in_[i * kPlaces * f], f, part(kIn), suits + i * in_suits, suits_of(end - i), w,
                f, false);
      multiply_(&honours_in_[i * kHonourKinds * f], f, part(kInHonours), &honours_[i * in_honours],
                (end - i) * kHonourKinds, w, f, false);
      continue;
    }
    for (std::size_t row = i; row < end; ++row) {
      std::copy_n(suits + (i - 1) * in_suits, in_suits, suits + row * in_suits);
      std::copy_n(&honours_[(i - 1) * in_honours], in_honours, &honours_[row * in_honours]);
    }
  }
  const auto of_context = [&](Id weights, Id bias) {
    multiply_(context_.data(), s_.context, part(weights), by_hand_.data(), n, w, s_.context, false);
    add_to_all(part(bias), n, w, by_hand_.data());
  };
  of_context(kContextIn, kBias);
  for (std::size_t s = 0; s < 3 * n; ++s) {
    add_to_all(&by_hand_[s / 3 * w], 9, w, suits + s * kStep * w);
  }
  rectify(suits, n * kPlaces * w);
  of_context(kContextHonours, kBiasHonours);
  for (std::size_t i = 0; i < n; ++i) {
    add_to_all(&by_hand_[i * w], kHonourKinds, w, &honours_[i * kHonourKinds * w]);
  }
  rectify(honours_.data(), n * kHonourKinds * w);
}

void Tower::means(std::size_t n) {
  const std::size_t w = s_.width;
  std::fill_n(suit_mean_.begin(), 3 * n * w, 0.0f);
  std::fill_n(mean_.begin(), n * w, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    float* m = &mean_[i * w];
    for (std::size_t s = 3 * i; s < 3 * i + 3; ++s) {
      float* sum = &suit_mean_[s * w];
      for (std::size_t p = 0; p < 9; ++p) add_rows(&suits_[(s * kStep + p + 1) * w], w, sum);
      add_rows(sum, w, m);
      for (std::size_t j = 0; j < w; ++j) sum[j] /= 9;
    }
    for (std::size_t p = 0; p < kHonourKinds; ++p) {
      add_rows(&honours_[(i * kHonourKinds + p) * w], w, m);
    }
    for (std::size_t j = 0; j < w; ++j) m[j] /= 34;
  }
}

// The suits' channels and their neighbours', with the numbers of suits in `by_suit_`, into `up_`.
void Tower::convolve(std::size_t b, std::size_t n) {
  const std::size_t w = s_.width;
  if (taps_ == nullptr) {
    const float* const weights = part(kBlocks + b * kBlockParts + kConv);
    multiply_(suits_.data(), w, weights, up_.data(), suits_of(n), w, 3 * w, false);
    for (std::size_t s = 0; s < 3 * n; ++s)
      add_to_all(&by_suit_[s * w], 9, w, &up_[s * kStep * w]);
    return rectify(up_.data(), n * kPlaces * w);
  }
  spread_places(suits_.data(), 3 * n, w, thirds_.data());
  const std::size_t rows = 3 * n * kThirds;
  for (std::size_t p = 0; p < kProducts; ++p)
    multiply_(&thirds_[p * rows * w], w, taps_ + (b * kProducts + p) * w * w,
              &products_[p * rows * w], rows, w, w, false);
  gather_places(products_.data(), by_suit_.data(), 3 * n, w, up_.data());
}

void Tower::block(std::size_t b, std::size_t n) {
  const std::size_t w = s_.width;
  const auto weight = [&](BlockId id) { return part(kBlocks + b * kBlockParts + id); };
  means(n);
  multiply_(suit_mean_.data(), w, weight(kSuitMean), by_suit_.data(), 3 * n, w, w, false);
  multiply_(mean_.data(), w, weight(kHandMean), by_hand_.data(), n, w, w, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(kBlockBias), w, &by_hand_[i * w]);
    for (std::size_t s = 3 * i; s < 3 * i + 3; ++s)
      add_rows(&by_hand_[i * w], w, &by_suit_[s * w]);
  }
  convolve(b, n);
  multiply_(honours_.data(), w, weight(kHonourOwn), up_honours_.data(), kHonourKinds * n, w, w,
           false);
  multiply_(mean_.data(), w, weight(kHonourMean), by_hand_.data(), n, w, w, false);
  for (std::size_t i = 0; i < n; ++i) {
    add_rows(weight(kHonourBias), w, &by_hand_[i * w]);
    add_to_all(&by_hand_[i * w], kHonourKinds, w, &up_honours_[i * kHonourKinds * w]);
  }
  rectify(up_honours_.data(), n * kHonourKinds * w);
  multiply_(up_.data(), w, weight(kProject), &suits_[w], suits_of(n), w, w, true);
  multiply_(up_honours_.data(), w, weight(kHonourProject), honours_.data(), kHonourKinds * n, w, w,
           true);
}

void Tower::kind_outputs(std::size_t n) {
  const std::size_t w = s_.width, lanes = s_.kind_lanes();
  const std::size_t at = kBlocks + s_.blocks * kBlockParts;
  multiply_(&suits_[w], w, part(at + kOut), suits_out_.data(), suits_of(n), lanes, w, false);
  multiply_(honours_.data(), w, part(at + kOutHonours), honours_out_.data(), n * kHonourKinds, lanes,
           w, false);
  add_to_all(part(at + kOutBias), n * kPlaces, lanes, suits_out_.data());
  add_to_all(part(at + kOutBias), n * kHonourKinds, lanes, honours_out_.data());
}

void Tower::whole_outputs(std::size_t n) {
  const std::size_t w = s_.width, h = s_.hidden, lanes = s_.whole_lanes();
  const std::size_t at =
      kBlocks + s_.blocks * kBlockParts + (s_.kinds != 0 ? std::size_t{kOutParts} : 0);
  means(n);
  for (std::size_t i = 0; i < n; ++i) {
    float* to = &focus_[i * w];
    if (focus_kind_[i] == kNoKind) {
      std::fill_n(to, w, 0.0f);
    } else {
      std::copy_n(channels(i, focus_kind_[i]), w, to);
    }
  }
  float* pooled = pooled_.data();
  multiply_(mean_.data(), w, part(at + kMean), pooled, n, h, w, false);
  multiply_(focus_.data(), w, part(at + kFocus), pooled, n, h, w, true);
  multiply_(context_.data(), s_.context, part(at + kContext), pooled, n, h, s_.context, true);
  add_to_all(part(at + kHiddenBias), n, h, pooled);
  rectify(pooled, n * h);
  multiply_(pooled, h, part(at + kWhole), whole_.data(), n, lanes, h, false);
  add_to_all(part(at + kWholeBias), n, lanes, whole_.data());
}

}  // namespace haiyomi::network
