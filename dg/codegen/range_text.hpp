#pragma once

#include <string>

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

 private:
  [[nodiscard]] std::string by(const std::string& ranges, const std::string& all) const {
    return has_ranges_ ? ranges : all;
  }
  bool has_ranges_;
};

}  // namespace maxwell_dg::dg
