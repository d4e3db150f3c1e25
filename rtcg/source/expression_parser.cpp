#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/syntax/operator_parser.hpp"
#include "rtcg/source/expression_tree.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

constexpr std::array<std::string_view, 9> keywords{"and", "or", "not", "in", "if", "else", "for", "true", "false"};
bool is_keyword(std::string_view word) {
  return std::ranges::find(keywords, word) != keywords.end();
}

class ExpressionParser : core::OperatorParser<ExpressionParser, Node> {
  friend class core::OperatorParser<ExpressionParser, Node>;
  using Base = core::OperatorParser<ExpressionParser, Node>;
  using InfixOperator = core::InfixOperator;
  using PrefixOperator = core::PrefixOperator;
  using Token = core::Token;
  using enum InfixOperator::Grouping;

 public:
  ExpressionParser(std::string_view text, const Place& place)
      : Base(text, {.symbols = symbols, .spaces = " \t\n\r\v\f", .has_texts = true, .has_hexadecimals = true}),
        text_(text),
        place_(place) {
    advance();
  }

  ParsedExpression run() {
    Node root = expression();
    return {std::move(root), token().offset};
  }

 private:
  enum Strength : int { disjunction = 1, conjunction, inversion, comparison, sum, product, sign, power };
  static constexpr std::array<std::string_view, 22> symbols{"**", "//", "<=", ">=", "==", "!=", "+", "-",
                                                            "*",  "/",  "%",  "<",  ">",  "(",  ")", "[",
                                                            "]",  "{",  "}",  ",",  ":",  "."};
  static constexpr int deepest = 200;
  static std::string too_deep() { return "this expression is nested too deeply"; }

  static constexpr std::array prefixes{PrefixOperator{"not", inversion}, PrefixOperator{"-", sign},
                                       PrefixOperator{"+", sign}};
  static constexpr std::array infixes{InfixOperator{"or", disjunction, in_one},
                                      InfixOperator{"and", conjunction, in_one},
                                      InfixOperator{"<=", comparison, in_one},
                                      InfixOperator{">=", comparison, in_one},
                                      InfixOperator{"==", comparison, in_one},
                                      InfixOperator{"!=", comparison, in_one},
                                      InfixOperator{"<", comparison, in_one},
                                      InfixOperator{">", comparison, in_one},
                                      InfixOperator{"in", comparison, in_one},
                                      InfixOperator{"not", comparison, in_one, 0, "in"},
                                      InfixOperator{"+", sum},
                                      InfixOperator{"-", sum},
                                      InfixOperator{"*", product},
                                      InfixOperator{"/", product},
                                      InfixOperator{"//", product},
                                      InfixOperator{"%", product},
                                      InfixOperator{"**", power, from_right, sign}};

  [[noreturn]] void fail(std::size_t offset, const std::string& what) const { fail_in(text_, place_, offset, what); }

  void check(const Token& token) const {
    using Fault = Token::Fault;
    if (token.kind == Token::Kind::unknown) fail(token.offset, "unexpected '" + std::string(token.word) + "'");
    switch (token.fault) {
      case Fault::none: break;
      case Fault::no_number: fail(token.fault_offset, "not a number");
      case Fault::unclosed_text: fail(token.fault_offset, "this text has no closing quote");
      case Fault::unknown_escape: fail(token.fault_offset, "unknown escape; there are \\n \\t \\\\ \\' \\\"");
    }
    if (token.kind != Token::Kind::number) return;
    const core::NumberText& number = token.number;
    if (number.is_whole ? !number.whole_fits : !number.is_in_range) {
      fail(token.offset, "this number is too large or too small");
    }
    if (token.end < text_.size() && core::continues_name(text_[token.end])) {
      fail(token.end, std::string("a number ends before '") + text_[token.end] + "'");
    }
  }

  std::string expect_name() {
    if (token().kind != Token::Kind::name || is_keyword(token().word)) {
      fail(token().offset, "expected a name, found " + found());
    }
    std::string name(token().word);
    advance();
    return name;
  }

  static Node prefixed(const PrefixOperator& op, std::size_t offset, Node value) {
    if (op.word == "+") return value;
    Node node{.kind = op.word == "not" ? Kind::logical_not : Kind::negation, .offset = offset};
    node.children.push_back(std::move(value));
    return node;
  }

  static Node joined(const InfixOperator& op, std::size_t offset, Node left, Node right) {
    Node node{.kind = Kind::arithmetic, .offset = offset, .words = {std::string(op.word)}};
    node.children.push_back(std::move(left));
    node.children.push_back(std::move(right));
    return node;
  }

  static Node joined_in_one(const InfixOperator& first, std::size_t offset, std::vector<std::string> words,
                            std::vector<Node> operands) {
    Node node{.kind = Kind::comparison, .offset = offset, .children = std::move(operands)};
    if (first.strength == comparison) {
      node.words = std::move(words);
    } else {
      node.kind = first.strength == disjunction ? Kind::logical_or : Kind::logical_and;
    }
    return node;
  }

  /// `a if condition else b`
  Node completed(Node then) {
    if (!sees("if")) return then;
    Node node{.kind = Kind::conditional, .offset = token().offset};
    advance();
    Node condition = operators();
    expect("else");
    node.children.push_back(std::move(then));
    node.children.push_back(std::move(condition));
    node.children.push_back(expression());
    return node;
  }

  Node operand() {
    Node node = primary();
    for (;;) {
      const std::size_t offset = token().offset;
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
    node.children.push_back(sees(":") ? nothing() : expression());
    if (accept(":")) {
      node.kind = Kind::slice;
      node.children.push_back(sees("]") ? nothing() : expression());
    }
    expect("]");
    return node;
  }

  Node primary() {
    Node node{.kind = Kind::constant, .offset = token().offset};
    if (token().kind == Token::Kind::number || token().kind == Token::Kind::text) {
      node.value = constant();
      advance();
    } else if (sees("true") || sees("false")) {
      node.value = Value(sees("true"));
      advance();
    } else if (accept("(")) {
      node = expression();
      expect(")");
    } else if (accept("[")) {
      list(node);
    } else if (accept("{")) {
      record(node);
    } else if (token().kind == Token::Kind::name && !is_keyword(token().word)) {
      name_or_call(node);
    } else {
      fail(token().offset, "expected an expression, found " + found());
    }
    return node;
  }

  [[nodiscard]] Value constant() const {
    if (token().kind == Token::Kind::text) return token().content;
    const core::NumberText& number = token().number;
    return number.is_whole ? Value(number.whole) : Value(number.real);
  }

  void name_or_call(Node& node) {
    node.kind = Kind::name;
    node.words.push_back(expect_name());
    if (!accept("(")) return;
    node.kind = Kind::call;
    while (!accept(")")) {
      if (!node.children.empty()) expect(",");
      node.children.push_back(expression());
    }
  }

  void list(Node& node) {
    node.kind = Kind::list;
    while (!accept("]")) {
      if (!node.children.empty()) expect(",");
      node.children.push_back(expression());
      if (node.children.size() == 1 && accept("for")) return comprehension(node);
    }
  }

  void comprehension(Node& node) {
    node.kind = Kind::comprehension;
    do node.words.push_back(expect_name());
    while (accept(","));
    expect("in");
    node.children.push_back(operators());
    if (accept("if")) node.children.push_back(operators());
    expect("]");
  }

  void record(Node& node) {
    node.kind = Kind::record;
    while (!accept("}")) {
      if (!node.words.empty()) expect(",");
      node.words.push_back(expect_name());
      expect(":");
      node.children.push_back(expression());
    }
  }

  std::string_view text_;
  const Place& place_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, const Place& place) {
  return ExpressionParser(text, place).run();
}

}  // namespace maxwell_dg::rtcg
