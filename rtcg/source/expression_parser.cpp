#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "rtcg/source/expression_tree.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

struct Token {
  enum class Kind { number, text, name, symbol, end };
  Kind kind{};
  std::size_t offset{};
  std::string word;  // as written; of a text, its content
  Value value{};
};

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool continues_name(char c) {
  return begins_name(c) || is_digit(c);
}

constexpr std::array<std::string_view, 9> keywords{"and", "or", "not", "in", "if", "else", "for", "true", "false"};
bool is_keyword(std::string_view word) {
  return std::ranges::find(keywords, word) != keywords.end();
}

class Lexer {
 public:
  Lexer(std::string_view text, const Place& place) : text_(text), place_(place) {}

  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return {Token::Kind::end, at_, "the end", {}};
    const char c = text_[at_];
    if (begins_name(c)) return name();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (c == '\'' || c == '"') return quoted();
    return symbol();
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& what) const { fail_in(text_, place_, offset, what); }

 private:
  Token name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    return {Token::Kind::name, begin, std::string(text_.substr(begin, at_ - begin)), {}};
  }

  Token number() {
    const std::size_t begin = at_;
    const char* first = text_.data() + begin;
    const char* last = text_.data() + text_.size();
    Token token{Token::Kind::number, begin, {}, {}};
    const bool hexadecimal = text_.substr(begin).starts_with("0x");
    std::int64_t whole = 0;
    const auto as_integer = std::from_chars(hexadecimal ? first + 2 : first, last, whole, hexadecimal ? 16 : 10);
    double real = 0;
    const auto as_real = std::from_chars(first, last, real);
    const bool is_whole = hexadecimal || as_integer.ptr == as_real.ptr;
    const auto& result = is_whole ? as_integer : as_real;
    if (result.ec == std::errc::result_out_of_range) fail(begin, "this number is too large or too small");
    if (result.ec != std::errc{}) fail(begin, "not a number");
    at_ = static_cast<std::size_t>(result.ptr - text_.data());
    if (at_ < text_.size() && continues_name(text_[at_])) {
      fail(at_, std::string("a number ends before '") + text_[at_] + "'");
    }
    token.value = is_whole ? Value(whole) : Value(real);
    token.word = text_.substr(begin, at_ - begin);
    return token;
  }

  Token quoted() {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    std::string content;
    for (; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      content += text_[at_] == '\\' ? escaped() : text_[at_];
    }
    if (at_ >= text_.size() || text_[at_] != quote) fail(begin, "this text has no closing quote");
    ++at_;
    return {Token::Kind::text, begin, content, Value(content)};
  }

  char escaped() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    switch (c) {
      case 'n': ++at_; return '\n';
      case 't': ++at_; return '\t';
      case '\\':
      case '\'':
      case '"': ++at_; return c;
      default: fail(at_, "unknown escape; there are \\n \\t \\\\ \\' \\\"");
    }
  }

  Token symbol() {
    constexpr std::array<std::string_view, 22> symbols{"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%",
                                                       "<",  ">",  "(",  ")",  "[",  "]",  "{", "}", ",", ":", "."};
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view candidate : symbols) {
      if (!rest.starts_with(candidate)) continue;
      const std::size_t begin = std::exchange(at_, at_ + candidate.size());
      return {Token::Kind::symbol, begin, std::string(candidate), {}};
    }
    fail(at_, std::string("unexpected '") + text_[at_] + "'");
  }

  std::string_view text_;
  const Place& place_;
  std::size_t at_ = 0;
};

/// One function a level of precedence, loosest first.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Place& place) : lexer_(text, place) { advance(); }

  ParsedExpression run() {
    Node root = conditional();
    return {std::move(root), token_.offset};
  }

 private:
  static constexpr int deepest = 200;  // parentheses in parentheses: the parser recurses

  void advance() { token_ = lexer_.next(); }
  [[nodiscard]] bool sees(std::string_view word) const {
    const bool can = token_.kind == Token::Kind::symbol || token_.kind == Token::Kind::name;
    return can && token_.word == word;
  }
  bool accept(std::string_view word) {
    if (!sees(word)) return false;
    advance();
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { lexer_.fail(token_.offset, what); }
  void expect(std::string_view word) {
    if (!accept(word)) fail("expected '" + std::string(word) + "', found " + found());
  }
  [[nodiscard]] std::string found() const {
    return token_.kind == Token::Kind::end ? token_.word : "'" + token_.word + "'";
  }
  std::string expect_name() {
    if (token_.kind != Token::Kind::name || is_keyword(token_.word)) fail("expected a name, found " + found());
    std::string name = token_.word;
    advance();
    return name;
  }

  Node conditional() {
    if (++depth_ > deepest) fail("this expression is nested too deeply");
    Node then = disjunction();
    if (sees("if")) {
      Node node{.kind = Kind::conditional, .offset = token_.offset};
      advance();
      Node condition = disjunction();
      expect("else");
      node.children = {std::move(then), std::move(condition), conditional()};
      then = std::move(node);
    }
    --depth_;
    return then;
  }

  Node disjunction() {
    return logical("or", Kind::logical_or, [this] { return conjunction(); });
  }
  Node conjunction() {
    return logical("and", Kind::logical_and, [this] { return inversion(); });
  }
  template <class Operand>
  Node logical(std::string_view word, Kind kind, const Operand& operand) {
    Node first = operand();
    if (!sees(word)) return first;
    Node node{.kind = kind, .offset = token_.offset};
    node.children.push_back(std::move(first));
    while (accept(word)) node.children.push_back(operand());
    return node;
  }

  Node inversion() {
    if (!sees("not")) return comparison();
    if (++depth_ > deepest) fail("this expression is nested too deeply");
    Node node{.kind = Kind::logical_not, .offset = token_.offset};
    advance();
    node.children.push_back(inversion());
    --depth_;
    return node;
  }

  // The operator of a comparison, or "".
  std::string comparison_operator() {
    for (const std::string_view op : {"<=", ">=", "==", "!=", "<", ">", "in"}) {
      if (accept(op)) return std::string(op);
    }
    if (!accept("not")) return "";
    expect("in");
    return "not in";
  }

  Node comparison() {
    Node first = sum();
    Node node{.kind = Kind::comparison, .offset = token_.offset};
    node.children.push_back(std::move(first));
    for (std::string op = comparison_operator(); !op.empty(); op = comparison_operator()) {
      node.words.push_back(std::move(op));
      node.children.push_back(sum());
    }
    return node.words.empty() ? std::move(node.children.front()) : std::move(node);
  }

  template <class Operand>
  Node left_to_right(std::initializer_list<std::string_view> operators, const Operand& operand) {
    Node left = operand();
    for (;;) {
      const auto op = std::ranges::find_if(operators, [this](std::string_view word) { return sees(word); });
      if (op == operators.end()) return left;
      Node node{.kind = Kind::arithmetic, .offset = token_.offset, .words = {std::string(*op)}};
      advance();
      node.children.push_back(std::move(left));
      node.children.push_back(operand());
      left = std::move(node);
    }
  }
  Node sum() {
    return left_to_right({"+", "-"}, [this] { return product(); });
  }
  Node product() {
    return left_to_right({"*", "/", "//", "%"}, [this] { return sign(); });
  }

  Node sign() {
    if (accept("+")) return sign();
    if (!sees("-")) return power();
    if (++depth_ > deepest) fail("this expression is nested too deeply");
    Node node{.kind = Kind::negation, .offset = token_.offset};
    advance();
    node.children.push_back(sign());
    --depth_;
    return node;
  }

  Node power() {
    Node base = postfix();
    if (!sees("**")) return base;
    Node node{.kind = Kind::arithmetic, .offset = token_.offset, .words = {"**"}};
    advance();
    node.children.push_back(std::move(base));
    node.children.push_back(sign());
    return node;
  }

  Node postfix() {
    Node node = primary();
    for (;;) {
      const std::size_t offset = token_.offset;
      if (accept("[")) {
        node = subscript(std::move(node), offset);
      } else if (accept(".")) {
        Node field{.kind = Kind::field, .offset = offset};
        field.children.push_back(std::move(node));
        field.words.push_back(expect_name());
        node = std::move(field);
      } else {
        return node;
      }
    }
  }

  // `[i]`, `[i:j]`, either end of which may be left out.
  Node subscript(Node of, std::size_t offset) {
    const auto nothing = [offset] { return Node{.kind = Kind::constant, .offset = offset, .words = {"left out"}}; };
    Node node{.kind = Kind::index, .offset = offset};
    node.children.push_back(std::move(of));
    node.children.push_back(sees(":") ? nothing() : conditional());
    if (accept(":")) {
      node.kind = Kind::slice;
      node.children.push_back(sees("]") ? nothing() : conditional());
    }
    expect("]");
    return node;
  }

  Node primary() {
    Node node{.kind = Kind::constant, .offset = token_.offset};
    if (token_.kind == Token::Kind::number || token_.kind == Token::Kind::text) {
      node.value = token_.value;
      advance();
    } else if (sees("true") || sees("false")) {
      node.value = Value(sees("true"));
      advance();
    } else if (accept("(")) {
      node = conditional();
      expect(")");
    } else if (accept("[")) {
      list(node);
    } else if (accept("{")) {
      record(node);
    } else if (token_.kind == Token::Kind::name && !is_keyword(token_.word)) {
      name_or_call(node);
    } else {
      fail("expected an expression, found " + found());
    }
    return node;
  }

  void name_or_call(Node& node) {
    node.kind = Kind::name;
    node.words.push_back(expect_name());
    if (!accept("(")) return;
    node.kind = Kind::call;
    while (!accept(")")) {
      if (!node.children.empty()) expect(",");
      node.children.push_back(conditional());
    }
  }

  void list(Node& node) {
    node.kind = Kind::list;
    while (!accept("]")) {
      if (!node.children.empty()) expect(",");
      node.children.push_back(conditional());
      if (node.children.size() == 1 && accept("for")) return comprehension(node);
    }
  }

  void comprehension(Node& node) {
    node.kind = Kind::comprehension;
    do node.words.push_back(expect_name());
    while (accept(","));
    expect("in");
    node.children.push_back(disjunction());
    if (accept("if")) node.children.push_back(disjunction());
    expect("]");
  }

  void record(Node& node) {
    node.kind = Kind::record;
    while (!accept("}")) {
      if (!node.words.empty()) expect(",");
      node.words.push_back(expect_name());
      expect(":");
      node.children.push_back(conditional());
    }
  }

  Lexer lexer_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, const Place& place) {
  return ExpressionParser(text, place).run();
}

}  // namespace maxwell_dg::rtcg
