#pragma once

#include <string>

#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// What the kernel of a stage says where a launch computes one range of elements (ElementRange), by its arguments
/// `range_begin` and `range_end`; without ranges, what it says of all `elements`.
///
/// Groups lie over the elements as they do without ranges, so that every element is computed to the same bits. The
/// groups at both ends of a range also compute elements that are not in it, and store nothing of these.
class RangeText {
 public:
  explicit RangeText(bool has_ranges) : has_ranges_(has_ranges) {}
  [[nodiscard]] bool has_ranges() const { return has_ranges_; }

  /// Behind the last parameter of the kernel.
  [[nodiscard]] std::string parameters() const { return by(", const int32 range_begin, const int32 range_end", ""); }
  /// The element behind the last that is computed.
  [[nodiscard]] std::string end() const { return by("range_end", "elements"); }
  /// What is added to a group's number, of groups of so many elements.
  [[nodiscard]] std::string first_group(const std::string& elements_of_group) const {
    return by("range_begin / " + elements_of_group + " + ", "");
  }
  /// What is added to the number of an element that is counted from the first of the launch.
  [[nodiscard]] std::string first_element() const { return by("range_begin + ", ""); }

  /// Stores a vector of a group's results.
  struct Store {
    std::string is_whole;       ///< whether all elements of the group are in the range
    rtcg::syntax::Block whole;  ///< how the vector is stored if so
    std::string vector_values;  ///< how many values it has; the loop counts them by `c`
    std::string element;        ///< of value c
    rtcg::syntax::Block value;  ///< how value c is stored
  };
  [[nodiscard]] rtcg::syntax::Block store(Store store) const;

 private:
  [[nodiscard]] std::string by(const std::string& ranges, const std::string& all) const {
    return has_ranges_ ? ranges : all;
  }
  bool has_ranges_;
};

}  // namespace maxwell_dg::dg
