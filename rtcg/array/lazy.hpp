#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rtcg/array/argument_code.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/array/operation.hpp"

namespace maxwell_dg::rtcg {

/// A formula of arrays that is not computed yet; `evaluate` computes it in one kernel, without temporary arrays:
///
///     const DeviceArray z = evaluate(2 * lazy(x) + sin(lazy(y)));
///
/// It has the shape and dtype of its result by the rules of the operators on arrays, which are computed this way too.
/// Between operations a float16 is a float32; it is rounded where it is stored.
class Lazy {
 public:
  Lazy(DeviceArray array);  // NOLINT(google-explicit-constructor): arrays stand in formulas as they are

  [[nodiscard]] Dtype dtype() const;
  [[nodiscard]] const Shape& shape() const;
  /// The same formula, its result converted as C does.
  [[nodiscard]] Lazy astype(Dtype dtype) const;

  struct Node;
  explicit Lazy(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  [[nodiscard]] const std::shared_ptr<const Node>& node() const { return node_; }

 private:
  std::shared_ptr<const Node> node_;
};

[[nodiscard]] inline Lazy lazy(DeviceArray array) {
  return {std::move(array)};
}

/// An operand of a formula: an array, a formula or a number.
using Term = std::variant<Lazy, Scalar>;

/// A formula of one more operation. Throws DtypeError, and ShapeError when shapes do not broadcast.
[[nodiscard]] Lazy combined(Operation operation, std::span<const Term> terms);

/// A formula as kernel text: statements, and an expression of the value of its dtype that uses what they declare.
struct FormulaText {
  std::vector<Argument> arguments;
  std::vector<Operand> operands;
  std::string statements;
  std::string value;

  /// What the statements need to be declared.
  [[nodiscard]] std::string preamble() const;
};
[[nodiscard]] FormulaText text_of(const Lazy& formula);

/// The context of the formula's arrays. Throws ArrayError when it has none.
[[nodiscard]] const Context& context_of(const Lazy& formula);

[[nodiscard]] DeviceArray evaluate(const Lazy& formula);
/// Into an existing array. Throws ShapeError when the shape does not broadcast to the array's, DtypeError when the
/// result is of a higher kind than the array (real into integer, complex into real, signed into unsigned). What the
/// formula reads may overlap with the array; it is as if all were read first.
void evaluate(const Lazy& formula, const DeviceArray& into);

}  // namespace maxwell_dg::rtcg
