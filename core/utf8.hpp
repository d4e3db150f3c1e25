#pragma once

#include <string>
#include <string_view>

/// Text of others (names in meshes, paths, names of devices) may be any bytes; the files that we write are UTF-8.
namespace maxwell_dg {

/// Whether text is well-formed UTF-8 (The Unicode Standard, table 3-7).
[[nodiscard]] bool is_utf8(std::string_view text);
/// The text, with U+FFFD in place of each byte that belongs to no character.
[[nodiscard]] std::string as_utf8(std::string_view text);
/// The text, each byte that belongs to no character being taken for one of Latin-1, as old programs write it.
[[nodiscard]] std::string from_utf8_or_latin_1(std::string_view text);
/// Whether text is one line that can be shown anywhere: UTF-8 without control characters but tabs.
[[nodiscard]] bool is_printable_line(std::string_view text);

}  // namespace maxwell_dg
