#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>

namespace maxwell_dg::dg {

/// Bytes as text of 64 characters (RFC 4648), written to a stream as they come.
class Base64 {
 public:
  explicit Base64(std::ostream& stream) : stream_(stream) {}
  void write(std::span<const std::byte> bytes);
  /// Ends the text; what is written afterwards is another.
  void finish();

 private:
  std::ostream& stream_;
  std::array<std::byte, 3> rest_{};  ///< that makes no whole group of four characters yet
  std::size_t rest_size_ = 0;
};

}  // namespace maxwell_dg::dg
