#pragma once

#include <cstdint>
#include <string>

#include "rtcg/loop/slicing.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::rtcg {

/// Prints how the work-items of a group bring the stages of a slicing into shared memory.
class StageGenerator {
 public:
  StageGenerator(const LoopNest& nest, const Slicing& slicing, std::string index)
      : nest_(nest), slicing_(slicing), index_(std::move(index)) {}

  /// The arrays in shared memory.
  [[nodiscard]] syntax::Block declarations() const;
  /// Where each work-item's loads come from and go to, without the summed dimensions.
  [[nodiscard]] syntax::Block places() const;
  /// `k_0`: where the tile of step `step` begins.
  [[nodiscard]] syntax::Block step_beginnings(const std::string& step) const;
  /// Loads the tile, stores it, waits for all.
  [[nodiscard]] syntax::Block load_and_store() const;
  /// With prefetch: tile 0, into the first buffer.
  [[nodiscard]] syntax::Block first_tile() const;
  /// With prefetch, a whole step: loads the next tile into registers, computes, stores it into the other buffer.
  [[nodiscard]] syntax::Block step(const syntax::Block& compute, const std::string& steps) const;

  /// The name of a stage's memory.
  [[nodiscard]] std::string memory(std::size_t stage) const;
  /// What an index of the buffer in use begins with: "" or "now0 + ".
  [[nodiscard]] std::string now(std::size_t stage) const;

 private:
  [[nodiscard]] std::int64_t rounds(const Stage& stage) const;
  [[nodiscard]] std::string in_round(std::size_t stage, const char* what, std::int64_t round) const;
  [[nodiscard]] syntax::Block loads() const;
  [[nodiscard]] syntax::Block stores(const std::string& buffer) const;
  void guarded(syntax::Block& to, const Stage& stage, std::int64_t round, const syntax::Block& body) const;
  [[nodiscard]] std::string type_of(const Stage& stage) const;

  const LoopNest& nest_;
  const Slicing& slicing_;
  std::string index_;
};

/// float32x4 for 4; the plain type for 1.
[[nodiscard]] std::string wide_type(Dtype dtype, std::int64_t width);
/// `value * factor` without what can be left out; widened first where a type is given.
[[nodiscard]] std::string times(const std::string& value, std::int64_t factor, const std::string& type = "");
/// One digit of a number in mixed radix: value / before % size, where the number is below `all`.
[[nodiscard]] std::string part(const std::string& value, std::int64_t before, std::int64_t size, std::int64_t all);
/// int32 where every array can be indexed by it, else int64.
[[nodiscard]] std::string index_type(const LoopNest& nest);

}  // namespace maxwell_dg::rtcg
