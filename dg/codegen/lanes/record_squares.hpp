#pragma once

#include <string>
#include <vector>

#include "rtcg/source/value.hpp"

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
  /// What the templates are given as `squares`: at_once, loaded and fit; loads, {first, fields} that each brings, and
  /// stores, the first field of each; and for the functions of record_squares.kernel: by_one and by_two, [half] places
  /// of two vectors of which a shuffle takes the lower or upper halves of 16 bytes in turns, one or two numbers a turn;
  /// sets of squares, [set][vector][part] the lanes that are loaded; of_sets, [half] places that bring the lanes of two
  /// sets in order; stored, [lane] its numbers of a turned vector.
  [[nodiscard]] rtcg::Record values() const;
  /// [lane] what OpenCL calls its number of a vector.
  [[nodiscard]] static std::vector<std::string> lane_names(int lanes);

 private:
  [[nodiscard]] std::vector<int> interleaved(int half, int step) const;
};

}  // namespace maxwell_dg::dg
