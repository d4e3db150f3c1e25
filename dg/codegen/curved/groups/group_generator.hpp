#pragma once

#include <cstddef>
#include <vector>

#include "dg/codegen/curved/curved_kinds.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/curved/groups/stage_groups.kernel, which any device can run: a group of work-items computes an
/// element, whose fields are in shared memory.
class GroupGenerator : public CurvedGenerator {
 public:
  explicit GroupGenerator(const CurvedProblem& problem) : CurvedGenerator(problem) {}

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return items; }
  [[nodiscard]] int elements_per_group() const override { return 1; }
  [[nodiscard]] std::size_t shared_bytes() const override;
  [[nodiscard]] std::vector<std::vector<double>> matrices() const override;

 private:
  static constexpr int items = 128;
  [[nodiscard]] rtcg::Record values() const;
  [[nodiscard]] std::size_t shared_values() const;
};

[[nodiscard]] CurvedKind curved_groups();

}  // namespace maxwell_dg::dg
