#include "core/syntax/lexer.hpp"

#include <algorithm>
#include <charconv>

namespace maxwell_dg::core {

NumberText number_in_front(std::string_view text) {
  NumberText number;
  const bool begins = !text.empty() && (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])));
  if (!begins) return number;
  const char *first = text.data(), *last = first + text.size();
  const auto as_real = std::from_chars(first, last, number.real);
  const auto as_whole = std::from_chars(first, last, number.whole);
  number.length = static_cast<std::size_t>(as_real.ptr - first);
  number.is_in_range = as_real.ec == std::errc{};
  number.is_whole = as_whole.ptr == as_real.ptr;
  number.whole_fits = number.is_whole && as_whole.ec == std::errc{};
  return number;
}

Token Lexer::next() {
  at_ = std::min(text_.find_first_not_of(spelling_.spaces, at_), text_.size());
  if (at_ == text_.size()) return word(Token::Kind::end, 0);
  const std::string_view rest = text_.substr(at_);
  if (begins_name(rest[0])) {
    const auto* const end = std::ranges::find_if_not(rest, continues_name);
    return word(Token::Kind::name, static_cast<std::size_t>(end - rest.begin()));
  }
  if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))) return number();
  if (spelling_.has_texts && (rest[0] == '\'' || rest[0] == '"')) return text();
  for (const std::string_view symbol : spelling_.symbols) {
    if (rest.starts_with(symbol)) return word(Token::Kind::symbol, symbol.size());
  }
  return word(Token::Kind::unknown, 1);
}

Token Lexer::word(Token::Kind kind, std::size_t length) {
  const std::size_t begin = at_;
  at_ += length;
  return {.kind = kind, .offset = begin, .end = at_, .word = text_.substr(begin, length)};
}

Token Lexer::number() {
  const std::string_view rest = text_.substr(at_);
  if (!spelling_.has_hexadecimals || !rest.starts_with("0x")) {
    const NumberText found = number_in_front(rest);
    Token token = word(Token::Kind::number, found.length);
    token.number = found;
    return token;
  }
  NumberText found{.is_in_range = true, .is_whole = true};
  const auto result = std::from_chars(rest.data() + 2, rest.data() + rest.size(), found.whole, 16);
  found.length = static_cast<std::size_t>(result.ptr - rest.data());
  found.whole_fits = result.ec == std::errc{};
  found.real = static_cast<double>(found.whole);
  Token token = word(Token::Kind::number, found.length);
  token.number = found;
  if (result.ec == std::errc::invalid_argument) {
    token.fault = Token::Fault::no_number;
    token.fault_offset = token.offset;
  }
  return token;
}

Token Lexer::text() {
  Token token{.kind = Token::Kind::text, .offset = at_};
  const auto fail = [&](Token::Fault fault, std::size_t offset) {
    if (token.fault != Token::Fault::none) return;
    token.fault = fault;
    token.fault_offset = offset;
  };
  const char quote = text_[at_++];
  for (; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
    if (text_[at_] != '\\') {
      token.content += text_[at_];
      continue;
    }
    constexpr std::string_view escapes = "nt\\'\"", meanings = "\n\t\\'\"";
    const std::size_t which = at_ + 1 < text_.size() ? escapes.find(text_[at_ + 1]) : std::string_view::npos;
    if (which == std::string_view::npos) {
      fail(Token::Fault::unknown_escape, at_);
      continue;
    }
    token.content += meanings[which];
    ++at_;
  }
  if (at_ < text_.size() && text_[at_] == quote) {
    ++at_;
  } else {
    fail(Token::Fault::unclosed_text, token.offset);
  }
  token.end = at_;
  token.word = text_.substr(token.offset, at_ - token.offset);
  return token;
}

}  // namespace maxwell_dg::core
