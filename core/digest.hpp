#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace maxwell_dg {

/// SHA-256 (FIPS 180-4), fed piece by piece.
class Sha256 {
 public:
  using Value = std::array<std::uint8_t, 32>;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// Length (8 bytes, little endian), then content: ("ab", "c") and ("a", "bc") differ.
  void add_field(std::span<const std::byte> bytes);
  void add_field(std::string_view text) { add_field(std::as_bytes(std::span(text))); }
  /// The digest of all that was fed so far; feeding may go on.
  [[nodiscard]] Value value() const;
  /// The same as 64 lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  void pad();
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::uint64_t length_ = 0;  // bytes fed
};

[[nodiscard]] std::string sha256_hex(std::string_view text);
[[nodiscard]] std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace maxwell_dg
