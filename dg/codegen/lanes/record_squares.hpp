#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// How records, what a node of an element has, become vectors of a number of all lanes each, and vectors records: a
/// record in a lane, squares of `at_once` x `at_once` numbers, 16 bytes a row, turned in registers. Vectors are
/// OpenCL's.
struct RecordSquares {
  int fields;   ///< of a record
  int lanes;    ///< of a vector
  int at_once;  ///< numbers that 16 bytes hold

  /// Whether a record has as many fields as a square has rows; else numbers come and go by themselves.
  [[nodiscard]] bool fit() const { return fields >= at_once; }
  /// Numbers that one load brings: in single precision those of two squares, where records and vectors have more than
  /// one (in double precision that takes longer). It may bring fewer than `at_once` that come behind a record.
  [[nodiscard]] int loaded() const {
    return at_once == 4 && fields > at_once && lanes >= 2 * at_once ? 2 * at_once : at_once;
  }
  /// The first fields of all that bring so many numbers of a record at a time; the last one ends with the last field,
  /// or begins with the first.
  [[nodiscard]] std::vector<int> first_fields(int numbers) const;
  /// Turns the squares in the vectors `r`, in place.
  [[nodiscard]] rtcg::syntax::Block turn() const;
  /// Puts to the vectors `turned` the `loaded` numbers that all `records` have from number `first` on, a number each.
  [[nodiscard]] rtcg::syntax::Block load() const;
  /// The way back, to `records` that lie one behind the other.
  [[nodiscard]] rtcg::syntax::Block store() const;
};

/// A vector of so many parts.
[[nodiscard]] std::string vector_of(int parts, const std::function<std::string(int part)>& part);
/// Numbers of a vector: r.s45.
[[nodiscard]] std::string numbers_of(const std::string& vector, int first, int count);

}  // namespace maxwell_dg::dg
