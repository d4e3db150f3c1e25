#include "dg/observe/files/base64.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string_view>

namespace maxwell_dg::dg {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void encode_group(const std::byte* bytes, char* text) {
  const std::uint32_t group = std::to_integer<std::uint32_t>(bytes[0]) << 16 |
                              std::to_integer<std::uint32_t>(bytes[1]) << 8 | std::to_integer<std::uint32_t>(bytes[2]);
  for (int i = 0; i < 4; ++i) text[i] = alphabet[group >> (18 - 6 * i) & 63];
}

}  // namespace

void Base64::write(std::span<const std::byte> bytes) {
  while (rest_size_ > 0 && rest_size_ < 3 && !bytes.empty()) {
    rest_.at(rest_size_++) = bytes.front();
    bytes = bytes.subspan(1);
  }
  std::array<char, 4096> text{};
  if (rest_size_ == 3) {
    encode_group(rest_.data(), text.data());
    stream_.write(text.data(), 4);
    rest_size_ = 0;
  }
  while (bytes.size() >= 3) {
    const std::size_t groups = std::min(bytes.size() / 3, text.size() / 4);
    for (std::size_t i = 0; i < groups; ++i) encode_group(&bytes[3 * i], &text[4 * i]);
    stream_.write(text.data(), static_cast<std::streamsize>(4 * groups));
    bytes = bytes.subspan(3 * groups);
  }
  for (const std::byte byte : bytes) rest_.at(rest_size_++) = byte;
}

void Base64::finish() {
  if (rest_size_ == 0) return;
  std::fill(rest_.begin() + static_cast<std::ptrdiff_t>(rest_size_), rest_.end(), std::byte{0});
  std::array<char, 4> text{};
  encode_group(rest_.data(), text.data());
  for (std::size_t i = rest_size_ + 1; i < 4; ++i) text.at(i) = '=';
  stream_.write(text.data(), 4);
  rest_size_ = 0;
}

}  // namespace maxwell_dg::dg
