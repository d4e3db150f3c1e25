#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What languages of expressions have in common: words of a text, and operators between operands (operator_parser.hpp).
namespace maxwell_dg::core {

/// The number at the front of a text, without a sign: digits with or without a point and an exponent.
struct NumberText {
  std::size_t length{};  ///< 0: the text does not begin with a number
  double real{};
  bool is_in_range{};  ///< of double precision; else `real` has no meaning
  /// Whether it has neither point nor exponent. Then `whole` is it, unless that does not fit 64 bits.
  bool is_whole{};
  std::int64_t whole{};
  bool whole_fits{};
};
[[nodiscard]] NumberText number_in_front(std::string_view text);

/// A letter of the alphabet in either case, or an underscore.
[[nodiscard]] constexpr bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool continues_name(char c) {
  return begins_name(c) || is_digit(c);
}

/// How words of a language are written.
struct Spelling {
  std::span<const std::string_view> symbols;  ///< where one begins another, the longer one first
  std::string_view spaces = " \t\n\r";        ///< between words
  bool has_texts = false;                     ///< 'a' or "a", in one line, with the escapes \n \t \\ \' \"
  bool has_hexadecimals = false;              ///< 0x10
};

struct Token {
  enum class Kind { number, text, name, symbol, unknown, end };  // unknown: a byte that begins nothing
  /// A word that is none: left to the parser, which may never come to it.
  enum class Fault { none, no_number, unclosed_text, unknown_escape };
  Kind kind{Kind::end};
  std::size_t offset{}, end{};  ///< in the text
  std::string_view word{};      ///< as written
  std::string content{};        ///< of a text
  NumberText number{};
  Fault fault{Fault::none};
  std::size_t fault_offset{};
};

/// Reads a text word by word. The text outlives it and its tokens.
class Lexer {
 public:
  Lexer(std::string_view text, Spelling spelling) : text_(text), spelling_(spelling) {}
  /// The next word; at the end of the text Kind::end, again and again.
  [[nodiscard]] Token next();

 private:
  [[nodiscard]] Token word(Token::Kind kind, std::size_t length);
  [[nodiscard]] Token number();
  [[nodiscard]] Token text();

  std::string_view text_;
  Spelling spelling_;
  std::size_t at_ = 0;
};

}  // namespace maxwell_dg::core
