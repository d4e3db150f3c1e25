#include "core/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace maxwell_dg {
namespace {

using Byte = unsigned char;

bool is_between(Byte byte, Byte low, Byte high) {
  return low <= byte && byte <= high;
}

/// Bytes of the character that text begins with; 0 where it begins with none. Shortest forms alone, no surrogates,
/// nothing beyond U+10FFFF.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<Byte>(text[i]); };
  const Byte first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = is_between(first, 0xc2, 0xdf)   ? 2
                             : is_between(first, 0xe0, 0xef) ? 3
                             : is_between(first, 0xf0, 0xf4) ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  const Byte low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const Byte high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (!is_between(byte(1), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_between(byte(i), 0x80, 0xbf)) return 0;
  }
  return length;
}

/// The text with what `replacement` says in place of each byte that belongs to no character.
template <class Replacement>
std::string replaced(std::string_view text, Replacement replacement) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      result += replacement(static_cast<Byte>(text.front()));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string as_utf8(std::string_view text) {
  return replaced(text, [](Byte) { return "\xef\xbf\xbd"; });
}

std::string from_utf8_or_latin_1(std::string_view text) {
  return replaced(text, [](Byte byte) {
    return std::string{static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
  });
}

bool is_printable_line(std::string_view text) {
  const bool has_controls =
      std::ranges::any_of(text, [](char c) { return (static_cast<Byte>(c) < 0x20 && c != '\t') || c == 0x7f; });
  // U+0080 to U+009F, which terminals obey, too, and the line and paragraph separators.
  const bool has_others =
      text.find("\xe2\x80\xa8") != std::string_view::npos || text.find("\xe2\x80\xa9") != std::string_view::npos;
  bool has_c1 = false;
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string_view::npos; ++at) {
    has_c1 = has_c1 || (at + 1 < text.size() && static_cast<Byte>(text[at + 1]) < 0xa0);
  }
  return !has_controls && !has_others && !has_c1 && is_utf8(text);
}

}  // namespace maxwell_dg
