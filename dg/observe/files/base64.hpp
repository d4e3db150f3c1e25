#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>

namespace maxwell_dg::dg {

/// Writes bytes to a stream in base64 (RFC 4648), piece by piece.
class Base64 {
 public:
  explicit Base64(std::ostream& stream) : stream_(stream) {}
  void write(std::span<const std::byte> bytes);
  /// Ends the text; a later write begins a new one.
  void finish();

 private:
  std::ostream& stream_;
  std::array<std::byte, 3> rest_{};  ///< bytes that do not yet fill a group of four characters
  std::size_t rest_size_ = 0;
};

}  // namespace maxwell_dg::dg
