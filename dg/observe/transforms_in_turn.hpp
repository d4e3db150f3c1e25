#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dg/observe/running_transform.hpp"

namespace maxwell_dg::dg {

/// Fourier transforms of the same fields, one after the other: each is of an equal share of the run, its turn, in which
/// one of several ports is driven.
class TransformsInTurn {
 public:
  struct Turn {
    std::string name;                         ///< in archives
    std::optional<symbolic::Expr> reference;  ///< what drives it, see RunningTransform
  };
  struct Options {
    FourierSelection selection;
    FourierSampling sampling;
    std::vector<Turn> turns;   ///< at least one
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive it.
  TransformsInTurn(const Operator& op, const Options& options);

  void observe(const Moment& now);
  void save(Archive& archive) const;
  /// Nothing would follow of what is transformed.
  void complete() { transforms_.back().complete(); }
  [[nodiscard]] bool is_complete() const { return transforms_.back().is_complete(); }

  [[nodiscard]] std::size_t size() const { return transforms_.size(); }
  [[nodiscard]] const RunningTransform& operator[](std::size_t turn) const { return transforms_[turn]; }

 private:
  long steps_;  ///< of the whole run
  std::vector<std::string> names_;
  std::vector<RunningTransform> transforms_;
};

}  // namespace maxwell_dg::dg
