#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/array/argument.hpp"
#include "rtcg/array/device_array.hpp"

/// How arguments look in a kernel: as parameters, as names that its text may use, and as values of a launch.
namespace maxwell_dg::rtcg {

/// What a generated kernel is called with.
using Operand = std::variant<DeviceArray, Scalar>;

/// C text in which `x[i]` is the element of array x. An array that occurs in another form (`x[i + 1]`, `x`) is a plain
/// pointer to its elements.
struct ElementText {
  std::vector<Argument> arguments;
  std::string text;                ///< with `x_i` for `x[i]` of element arrays
  std::vector<bool> is_element{};  ///< of each argument: an array that occurs only as `x[i]`
  bool uses_index{};               ///< `i` occurs outside of `x[i]`
};
[[nodiscard]] ElementText analyzed(std::vector<Argument> arguments, const std::string& original);

/// Whether text or types need array_complex.h.
[[nodiscard]] bool uses_complex(const std::vector<Argument>& arguments, const std::string& text);

/// `GLOBAL const float32*`
[[nodiscard]] std::string pointer_type(const Argument& argument);

/// Parameters of the kernel. A number is one, `a_given`, or two, `a_re` and `a_im`; an array is its buffer `x_data` and
/// `int64 x_offset`, and with `axes`, `int64 x_stride_0` ... of each.
[[nodiscard]] std::vector<std::string> parameters_of(const Argument& argument, std::size_t axes);

/// The declaration of what the text may use: the number under its name; the pointer to the first element, under the
/// array's name, of an element array under `x_first`.
[[nodiscard]] std::string declaration_of(const Argument& argument, bool is_element);

/// The values of those parameters; the layout is that of an element array.
void add_values(std::vector<core::KernelArgument>& list, const Argument& argument, const Operand& operand,
                const Layout* layout);

/// Throws ArrayError or DtypeError, which name `kernel`, when number, kinds, dtypes or contexts of the operands are not
/// those of the arguments, or an array that is no element array is not contiguous. Returns the context.
[[nodiscard]] const Context& check_operands(const std::string& kernel, const ElementText& text,
                                            std::span<const Operand> operands);

/// Parts with commas between.
[[nodiscard]] std::string comma_separated(const std::vector<std::string>& parts);

}  // namespace maxwell_dg::rtcg
