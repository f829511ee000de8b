#include "policy_net.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "gemm.hpp"
#include "policy_pass.hpp"

namespace haiyomi::policy {
namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

// Adds a row's losses to `sum` and their gradients to the logits.
void add_loss(Net& net, std::size_t i, const DecisionBytes& row, const ChoiceBytes& label, Losses& sum) {
  if (label.discard != kNone) {
    float top = -1e30f;
    for (std::size_t k = 0; k < 34; ++k) {
      if ((row.discards >> k & 1) != 0) top = std::max(top, net.kind_logit(i, k, 0));
    }
    float total = 0;
    std::array<float, 34> share{};
    for (std::size_t k = 0; k < 34; ++k) {
      if ((row.discards >> k & 1) == 0) continue;
      share[k] = std::exp(net.kind_logit(i, k, 0) - top);
      total += share[k];
    }
    for (std::size_t k = 0; k < 34; ++k) {
      if ((row.discards >> k & 1) == 0) continue;
      net.add_kind_gradient(i, k, 0, share[k] / total - (k == label.discard ? 1.0f : 0.0f));
    }
    sum.discard += std::log(total) - (net.kind_logit(i, label.discard, 0) - top);
    ++sum.n_discard;
  }
  if (row.kans != 0 && label.kan != kNone - 1) {
    for (std::size_t k = 0; k < 34; ++k) {
      if ((row.kans >> k & 1) == 0) continue;
      const float logit = net.kind_logit(i, k, 1);
      const bool chosen = label.kan == k;
      net.add_kind_gradient(i, k, 1, sigmoid(logit) - (chosen ? 1.0f : 0.0f));
      sum.kan += softplus(chosen ? -logit : logit);
      ++sum.n_kan;
    }
  }
  for (unsigned act = kRiichi; act <= kNine; ++act) {
    if ((label.decided >> act & 1) == 0) continue;
    const float logit = net.act_logit(i, act);
    const bool chosen = (label.chosen >> act & 1) != 0;
    net.add_act_gradient(i, act, sigmoid(logit) - (chosen ? 1.0f : 0.0f));
    sum.turn += softplus(chosen ? -logit : logit);
    ++sum.n_turn;
  }
  if ((label.decided >> kChiLow) != 0) {
    // Passing has logit 0.
    float top = 0;
    for (unsigned act = kChiLow; act < kActs; ++act) {
      if ((label.decided >> act & 1) != 0) top = std::max(top, net.act_logit(i, act));
    }
    float total = std::exp(-top);
    float wanted = 0;
    for (unsigned act = kChiLow; act < kActs; ++act) {
      if ((label.decided >> act & 1) == 0) continue;
      total += std::exp(net.act_logit(i, act) - top);
      if ((label.chosen >> act & 1) != 0) wanted = net.act_logit(i, act);
    }
    for (unsigned act = kChiLow; act < kActs; ++act) {
      if ((label.decided >> act & 1) == 0) continue;
      const bool chosen = (label.chosen >> act & 1) != 0;
      net.add_act_gradient(i, act,
                           std::exp(net.act_logit(i, act) - top) / total - (chosen ? 1.0f : 0.0f));
    }
    sum.offer += std::log(total) - (wanted - top);
    ++sum.n_offer;
  }
}

}  // namespace

Layout::Layout(std::size_t w, std::size_t n, std::size_t h) : width(w), blocks(n), hidden(h) {
  const auto add = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    parts.push_back({name, rows, columns, size});
    size += rows * columns;
  };
  add("in", kKindFeatures, w);
  add("in honours", kKindFeatures, w);
  add("in context", kContext, w);
  add("in context honours", kContext, w);
  add("in bias", 1, w);
  add("in bias honours", 1, w);
  for (std::size_t b = 0; b < n; ++b) {
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
  add("out", w, kOutputs);
  add("out honours", w, kOutputs);
  add("out bias", 1, kOutputs);
  add("pooled mean", w, h);
  add("pooled focus", w, h);
  add("pooled context", kContext, h);
  add("pooled bias", 1, h);
  add("acts", h, kOutputs);
  add("acts bias", 1, kOutputs);
}

void forward(const Layout& layout, const float* weights, const DecisionBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const Answers& out) {
  // In play, decisions come one by one: reuse the last call's buffers.
  struct Scratch {
    Layout layout;
    Net net;
    explicit Scratch(const Layout& l) : layout(l), net(layout, nullptr, true) {}
  };
  thread_local std::unique_ptr<Scratch> scratch;
  if (scratch == nullptr || scratch->layout.width != layout.width ||
      scratch->layout.blocks != layout.blocks || scratch->layout.hidden != layout.hidden) {
    scratch = std::make_unique<Scratch>(layout);
  }
  Net& net = scratch->net;
  net.use(weights);
  for (std::size_t at = 0; at < n; at += kChunk) {
    const std::size_t m = std::min(kChunk, n - at);
    net.run(rows + at, m, mirror + at, style + at * kStyle);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < 34; ++k) {
        out.kinds[((at + i) * 34 + k) * 2] = net.kind_logit(i, k, 0);
        out.kinds[((at + i) * 34 + k) * 2 + 1] = net.kind_logit(i, k, 1);
      }
      for (std::size_t a = 0; a < kActs; ++a) {
        out.acts[(at + i) * kActs + a] = net.act_logit(i, a);
      }
    }
  }
}

std::size_t share_size(std::size_t n) {
  return (n + kShares * kChunk - 1) / (kShares * kChunk) * kChunk;
}

Losses learn(const Layout& layout, const float* weights, const DecisionBytes* rows, std::size_t n,
             const std::uint8_t* mirror, const float* style, const ChoiceBytes* labels,
             float* gradient, float* style_gradient, std::size_t threads, bool whole) {
  const std::size_t size = whole ? n : share_size(n);
  std::array<Losses, kShares> sums{};
  std::array<std::vector<float>, kShares> gradients;
  const auto work = [&](std::size_t share) {
    Net net(layout, weights);
    gradients[share].assign(layout.size, 0.0f);
    const std::size_t end = std::min(n, (share + 1) * size);
    for (std::size_t at = share * size; at < end; at += kChunk) {
      const std::size_t m = std::min(kChunk, end - at);
      net.run(rows + at, m, mirror + at, style + at * kStyle);
      net.begin_gradients(m);
      for (std::size_t i = 0; i < m; ++i) add_loss(net, i, rows[at + i], labels[at + i], sums[share]);
      net.backward(m, gradients[share].data(), style_gradient + at * kStyle);
    }
  };
  if (threads <= 1) {
    for (std::size_t share = 0; share < kShares; ++share) work(share);
  } else {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
      for (std::size_t share = next++; share < kShares; share = next++) work(share);
    };
    std::vector<std::thread> pool;
    for (std::size_t t = 1; t < std::min(threads, kShares); ++t) pool.emplace_back(loop);
    loop();
    for (std::thread& t : pool) t.join();
  }
  Losses sum;
  for (std::size_t share = 0; share < kShares; ++share) {
    add_rows(gradients[share].data(), layout.size, gradient);
    sum.discard += sums[share].discard;
    sum.kan += sums[share].kan;
    sum.turn += sums[share].turn;
    sum.offer += sums[share].offer;
    sum.n_discard += sums[share].n_discard;
    sum.n_kan += sums[share].n_kan;
    sum.n_turn += sums[share].n_turn;
    sum.n_offer += sums[share].n_offer;
  }
  return sum;
}

}  // namespace haiyomi::policy
