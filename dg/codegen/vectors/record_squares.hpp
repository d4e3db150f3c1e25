#pragma once

#include <string>
#include <vector>

#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// How records (all fields of one node of an element) are transposed to vectors and back. There is a record for each
/// lane; a vector has the same field of all lanes. Registers transpose squares of `at_once` x `at_once` numbers, with
/// 16 bytes in a row. Vectors are those of OpenCL.
struct RecordSquares {
  int fields;   ///< of a record
  int lanes;    ///< of a vector
  int at_once;  ///< numbers that 16 bytes hold

  /// Whether a record has at least as many fields as a square has rows; otherwise numbers are moved one by one.
  [[nodiscard]] bool fit() const { return fields >= at_once; }
  /// How many numbers of a record one load reads: those of two squares in single precision, if records and vectors are
  /// longer than one square (in double precision this would take longer). The last load may read beyond the end of a
  /// record, but less than `at_once` numbers.
  [[nodiscard]] int loaded() const {
    return at_once == 4 && fields > at_once && lanes >= 2 * at_once ? 2 * at_once : at_once;
  }
  /// The first fields of the loads or stores that move a record, `numbers` fields at a time. The last one ends with the
  /// last field, unless it is the only one.
  [[nodiscard]] std::vector<int> first_fields(int numbers) const;
  /// The template value `squares`. `at_once`, `loaded`, `fit`: as here. `loads`: {first, fields} of each load, its
  /// first field and those that no earlier load reads. `stores`: the first field of each store. The rest is for the
  /// functions of record_squares.kernel; lists for shuffles have indices into two vectors, one after the other.
  /// `by_one`, `by_two`: [half] the shuffles that interleave the lower or upper halves of each 16 bytes, one or two
  /// numbers at a time. `sets`: [set][vector][part] the lanes whose records are loaded. `of_sets`: [half] the shuffles
  /// that sort the lanes of two sets. `stored`: [lane] the components of a transposed vector that are its numbers.
  [[nodiscard]] rtcg::Record values() const;
  /// [lane] the digit of its component in OpenCL: "0" ... "f".
  [[nodiscard]] static std::vector<std::string> lane_names(int lanes);

 private:
  [[nodiscard]] std::vector<int> interleaved(int half, int step) const;
};

}  // namespace maxwell_dg::dg
