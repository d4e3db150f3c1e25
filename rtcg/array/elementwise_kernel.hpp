#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/array/argument.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/array/elementwise_source.hpp"

namespace maxwell_dg::rtcg {

/// A kernel that does the same at every index, from a few words of C:
///
///     const ElementwiseKernel add({.arguments = "const float32* x, const float32* y, float32 a, float32* z",
///                                  .operation = "z[i] = a * x[i] + y[i]"});
///     add(x, y, 2.0, z);
///
/// The text is the kernel dialect (rtcg/source/dialect.hpp with rtcg/array/kernel_headers.hpp), statements, without
/// `return`. `x[i]` is the element of x at index i, whatever the array's strides; inputs broadcast to the shape of the
/// outputs, `i` counts in C order. An array that occurs in another form (`x[i + 1]`) is a pointer and must be
/// contiguous. It compiles when first called, per layout class, and is kept by the arrays' Context. A cheap value;
/// thread-safe.
class ElementwiseKernel {
 public:
  struct Description {
    std::string_view arguments;  ///< see parse_arguments()
    std::string_view operation;
    std::string_view name = "elementwise";  ///< what compile errors call it
    std::string_view preamble = "";         ///< declarations for the operation: functions, types, tables
  };
  explicit ElementwiseKernel(const Description& description);
  ElementwiseKernel(std::vector<Argument> arguments, const Description& description);

  struct LaunchOptions {
    /// The indices to run over, of those that there are; all of them if left out.
    std::optional<Slice> range{};
  };
  /// Enqueues the kernel in the stream of the arrays' context. Throws ArrayError for a wrong number or kind of
  /// operands, DtypeError, ShapeError naming the argument, CompileError.
  void launch(std::span<const Operand> operands, const LaunchOptions& options) const;
  void launch(std::initializer_list<Operand> operands, const LaunchOptions& options) const {
    launch(std::span(operands.begin(), operands.size()), options);
  }
  template <class... Operands>
  void operator()(const Operands&... operands) const {
    launch({Operand(operands)...}, {});
  }

  [[nodiscard]] const ElementwiseOperation& operation() const { return operation_; }

 private:
  ElementwiseOperation operation_;
  std::string key_;  // tells it from every other kernel of a context
};

/// to = from, converted as C does; of one shape.
void convert(const DeviceArray& from, const DeviceArray& to);
void fill_with(const Scalar& value, const DeviceArray& to);

}  // namespace maxwell_dg::rtcg
