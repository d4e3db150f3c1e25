#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace maxwell_dg::rtcg {

/// constant + sum of coefficient * dimension: an index, or an offset in memory.
struct Affine {
  std::map<std::string, std::int64_t> coefficients{};  ///< none is 0
  std::int64_t constant = 0;

  [[nodiscard]] std::int64_t of(const std::string& dimension) const;
  Affine& add(const Affine& other, std::int64_t times = 1);
  [[nodiscard]] friend bool operator==(const Affine&, const Affine&) = default;
};

/// A[i, k + 1]
struct ArrayAccess {
  std::string array;
  std::vector<Affine> index;
  [[nodiscard]] friend bool operator==(const ArrayAccess&, const ArrayAccess&) = default;
};

/// A tree of what stands on the right of an assignment.
struct LoopTerm {
  enum class Kind { number, scalar, access, negation, binary, call, sum };
  Kind kind{};
  double number{};
  std::string name{};    ///< of a scalar or function; the operator of a binary term
  std::size_t access{};  ///< which of Assignment::accesses
  std::vector<LoopTerm> children{};
};

/// `C[i, j] = alpha * sum(k, A[i, k] * B[k, j])`: one assignment, with at most one sum.
struct Assignment {
  ArrayAccess target;
  LoopTerm value;
  std::vector<ArrayAccess> accesses;   ///< those that are read, each once
  std::vector<std::string> reduction;  ///< dimensions that are summed over
  std::vector<std::string> scalars;    ///< names that are neither arrays nor dimensions, sorted

  /// The term inside of the sum; the whole value where there is no sum.
  [[nodiscard]] const LoopTerm& summand() const;
  [[nodiscard]] bool has_sum() const { return !reduction.empty(); }
  /// Which accesses are read by a term, without what stands in a sum inside of it.
  [[nodiscard]] static std::set<std::size_t> accesses_of(const LoopTerm& term);
};

/// Reads it. Operators + - * /, functions abs cos exp log max min pow sin sqrt tanh, numbers, scalars,
/// `sum(k, l, term)`; indices are sums of dimensions with whole coefficients. `name` is what errors call it. Throws
/// CompileError "NAME:1:COLUMN: what" for anything else, and for names that are not given.
[[nodiscard]] Assignment parse_assignment(const std::string& name, std::string_view text,
                                          const std::vector<std::string>& dimensions,
                                          const std::vector<std::string>& arrays);

/// The functions of one argument or two, as C writes them and as the host computes them.
struct LoopFunction {
  std::string_view name;
  std::string_view in_c;
  std::size_t arguments;
  double (*compute)(double a, double b);
};
[[nodiscard]] const LoopFunction* find_loop_function(std::string_view name);

}  // namespace maxwell_dg::rtcg
