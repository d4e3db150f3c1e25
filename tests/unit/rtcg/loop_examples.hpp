#pragma once

#include <vector>

#include "rtcg/loop/loop_nest.hpp"

/// Loop nests of every kind, small enough to be checked at all points.
namespace maxwell_dg::rtcg {

[[nodiscard]] inline LoopDescription loop_matmul(std::int64_t m, std::int64_t n, std::int64_t k, Dtype dtype) {
  return {.name = "matmul",
          .dimensions = {{"i", m}, {"j", n}, {"k", k}},
          .arrays = {{"C", {m, n}}, {"A", {m, k}}, {"B", {k, n}}},
          .assignment = "C[i, j] = sum(k, A[i, k] * B[k, j])",
          .dtype = dtype};
}

[[nodiscard]] inline std::vector<LoopDescription> loop_examples() {
  return {
      loop_matmul(64, 48, 40, Dtype::float32),
      loop_matmul(33, 65, 17, Dtype::float64),
      {.name = "scaled_update",
       .dimensions = {{"i", 32}, {"j", 64}, {"k", 16}},
       .arrays = {{"C", {32, 64}}, {"A", {16, 32}}, {"B", {64, 16}}},
       .assignment = "C[i, j] = alpha * sum(k, A[k, i] * B[j, k]) + beta * C[i, j]"},
      {.name = "batched_small",
       .dimensions = {{"b", 100}, {"i", 5}, {"j", 8}, {"k", 6}},
       .arrays = {{"C", {100, 5, 8}}, {"A", {100, 5, 6}}, {"B", {100, 6, 8}}},
       .assignment = "C[b, i, j] = sum(k, A[b, i, k] * B[b, k, j])"},
      {.name = "five_point_stencil",
       .dimensions = {{"i", 40}, {"j", 70}},
       .arrays = {{"out", {42, 72}}, {"in", {42, 72}}},
       .assignment = "out[i+1, j+1] = in[i, j+1] + in[i+2, j+1] + in[i+1, j] + in[i+1, j+2] - 4 * in[i+1, j+1]",
       .dtype = Dtype::float64},
      // du/dr_a of every field of every element: nodal values of one element side by side, elements outermost.
      {.name = "dg_derivative",
       .dimensions = {{"a", 3}, {"e", 96}, {"n", 20}, {"m", 20}},
       .arrays = {{"du", {3, 96, 20}}, {"D", {3, 20, 20}}, {"u", {96, 20}}},
       .assignment = "du[a, e, n] = sum(m, D[a, n, m] * u[e, m])"},
      // The same with elements side by side.
      {.name = "dg_derivative_blocked",
       .dimensions = {{"a", 3}, {"n", 20}, {"e", 96}, {"m", 20}},
       .arrays = {{"du", {3, 20, 96}}, {"D", {3, 20, 20}}, {"u", {20, 96}}},
       .assignment = "du[a, n, e] = sum(m, D[a, n, m] * u[m, e])"},
      {.name = "convolution",
       .dimensions = {{"f", 6}, {"x", 50}, {"r", 5}, {"c", 3}},
       .arrays = {{"out", {6, 50}}, {"w", {6, 3, 5}}, {"in", {3, 54}}},
       .assignment = "out[f, x] = max(sum(c, r, w[f, c, r] * in[c, x + r]), 0.5)"},
      {.name = "distances",
       .dimensions = {{"i", 30}, {"j", 44}, {"k", 4}},
       .arrays = {{"d", {30, 44}}, {"p", {30, 4}}, {"q", {44, 4}}},
       .assignment = "d[i, j] = sqrt(sum(k, (p[i, k] - q[j, k]) * (p[i, k] - q[j, k])))",
       .dtype = Dtype::float64},
      {.name = "padded_rows",
       .dimensions = {{"i", 21}, {"j", 33}},
       .arrays = {{"out", {21, 33}, {40, 1}}, {"x", {21, 33}, {64, 1}}, {"row", {33}}},
       .assignment = "out[i, j] = x[i, j] * row[j] / (1 + abs(row[j]))"},
  };
}

}  // namespace maxwell_dg::rtcg
