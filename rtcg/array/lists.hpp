#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/array/argument.hpp"
#include "rtcg/array/argument_code.hpp"

/// Many lists of different lengths, end to end in one array.
namespace maxwell_dg::rtcg {

/// List k is values[starts[k]] to before values[starts[k + 1]].
struct Lists {
  DeviceArray starts;  ///< int64, one more than there are lists
  DeviceArray values;
};

/// The values of each key, in the order in which they stood: list k has those whose key is k, of keys 0 to before
/// `key_count`. Waits for the smallest and the largest key. Throws DtypeError unless the keys are integers, ShapeError
/// unless the arrays have one axis and the same length, IndexError for a key that is none of these.
[[nodiscard]] Lists group_by_key(const DeviceArray& keys, const DeviceArray& values, std::int64_t key_count);

/// Makes lists from a few words of C, which append any number of values at every index:
///
///     const ListBuilder near({.lists = {{"near", Dtype::int64}}, .arguments = "const float32* x, int64 n",
///         .generate = "for (int64 j = 0; j < n; ++j) if (j != i && fabs(x[j] - x[i]) < 1.0f) APPEND_near(j);"});
///     const Lists neighbours = near({x, x.size()}, x.size()).front();
///
/// The text is that of an ElementwiseKernel, with APPEND_name(value) for each list. It runs twice for each index, once
/// to count and once to store, and must append the same both times. A cheap value; thread-safe.
class ListBuilder {
 public:
  struct List {
    std::string name;
    Dtype dtype{};
  };
  struct Description {
    std::vector<List> lists;
    std::string_view arguments;  ///< inputs and numbers, see parse_arguments()
    std::string_view generate;   ///< statements of x[i], i
    std::string_view name = "lists";
    std::string_view preamble = "";
  };
  /// Throws ArrayError where there is no list, or names occur twice or are none.
  explicit ListBuilder(const Description& description);

  /// For i = 0 to before `count`, in the order of Description::lists; a list k holds what index k appended. Waits for
  /// the number of values. Throws what ElementwiseKernel::launch throws.
  [[nodiscard]] std::vector<Lists> build(std::span<const Operand> operands, std::int64_t count) const;
  [[nodiscard]] std::vector<Lists> operator()(std::initializer_list<Operand> operands, std::int64_t count) const {
    return build(std::span(operands.begin(), operands.size()), count);
  }

 private:
  std::vector<List> lists_;
  std::vector<Argument> arguments_;
  std::string generate_, name_, preamble_;
};

}  // namespace maxwell_dg::rtcg
