#include "dg/symbolic/parser.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>
#include <vector>

#include "core/suggest.hpp"
#include "core/syntax/operator_parser.hpp"

namespace maxwell_dg::dg::symbolic {
namespace {

// -x^2 = -(x^2), 2^-1 = 0.5, a^b^c = a^(b^c). An operand is a number, a name, function(expression, ...), or
// (expression).
class Parser : core::OperatorParser<Parser, Expr> {
  friend class core::OperatorParser<Parser, Expr>;
  using Base = core::OperatorParser<Parser, Expr>;

 public:
  Parser(std::string_view text, const std::map<std::string, Expr>& names)
      : Base(text, {.symbols = symbols}), text_(text), names_(names) {}

  Expr parse() {
    if (text_.size() > longest) {
      fail(longest, "the expression is longer than " + std::to_string(longest) + " characters");
    }
    advance();
    if (at_end()) fail(at(), "the expression is empty");
    Expr result = expression();
    if (!at_end()) fail(at(), "unexpected " + here() + " after a complete expression" + hint_after_operand(at()));
    return result;
  }

 private:
  enum Strength : int { sum = 1, product, sign, power };
  static constexpr std::array<std::string_view, 8> symbols{"+", "-", "*", "/", "^", "(", ")", ","};
  static constexpr std::array prefixes{core::PrefixOperator{"-", sign}, core::PrefixOperator{"+", sign}};
  static constexpr std::array infixes{core::InfixOperator{"+", sum}, core::InfixOperator{"-", sum},
                                      core::InfixOperator{"*", product}, core::InfixOperator{"/", product},
                                      core::InfixOperator{"^", power, core::InfixOperator::Grouping::from_right, sign}};
  static std::string too_deep() { return "nested deeper than " + std::to_string(deepest) + " levels"; }

  static Expr prefixed(const core::PrefixOperator& op, std::size_t /*offset*/, const Expr& value) {
    return op.word == "-" ? -value : value;
  }

  // A long chain of operators makes a deep tree, although the parser does not recurse for it: readers of the tree do.
  Expr joined(const core::InfixOperator& op, std::size_t /*offset*/, const Expr& a, const Expr& b) {
    if (op.word == "^") return pow(a, b);
    if (++operations_ > longest_chain) {
      fail(at(), "more than " + std::to_string(longest_chain) + " operations in one expression");
    }
    switch (op.word.front()) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return a * b;
      default: return a / b;
    }
  }

  Expr operand() {
    if (at_end()) fail(at(), "the expression ends where a number, a name or '(' should follow");
    if (token().kind == core::Token::Kind::number) return number();
    if (token().kind == core::Token::Kind::name) return name();
    if (text_[at()] == '.') fail(at(), "'.' is not a number");
    const std::size_t open = at();
    if (!accept("(")) fail(at(), "unexpected " + here() + "; a number, a name or '(' should stand here");
    Expr inside = expression();
    close(open);
    return inside;
  }

  Expr number() {
    const core::Token written = token();
    if (!written.number.is_in_range) fail(written.offset, "a number beyond the range of double precision");
    const char behind = written.end < text_.size() ? text_[written.end] : ' ';
    if (core::continues_name(behind) || behind == '.') {
      fail(written.end, "unexpected " + here(written.end) + " right after a number" + hint_after_operand(written.end));
    }
    advance();
    return written.number.real;
  }

  Expr name() {
    const std::size_t start = at();
    const std::string word(token().word);
    advance();
    if (sees("(")) return call(word, start);
    if (const auto found = names_.find(word); found != names_.end()) return found->second;
    if (word == "pi") return std::numbers::pi;
    if (find_function(word) != nullptr) fail(start, "'" + word + "' is a function; write " + word + "(...)");
    fail(start, "unknown name '" + word + "'; known: " + known_names() + core::did_you_mean(word, every_word()));
  }

  Expr call(const std::string& word, std::size_t start) {
    const Function* function = find_function(word);
    if (function == nullptr && (names_.contains(word) || word == "pi")) {
      fail(start, "'" + word + "' is not a function; for a product write " + word + " * (...)");
    }
    if (function == nullptr) fail(start, "unknown function '" + word + "'" + core::did_you_mean(word, every_word()));
    const std::size_t open = at();
    advance();
    std::vector<Expr> arguments;
    if (!sees(")")) {
      do arguments.push_back(expression());
      while (accept(","));
    }
    close(open);
    if (static_cast<int>(arguments.size()) != function->arity) {
      fail(start, word + " takes " + std::to_string(function->arity) +
                      (function->arity == 1 ? " argument, found " : " arguments, found ") +
                      std::to_string(arguments.size()));
    }
    return apply_function(*function, arguments);
  }

  // These are called by their C++ names, which fold constants.
  static Expr apply_function(const Function& function, const std::vector<Expr>& a) {
    if (function.arity == 1) return apply(function.op, a[0]);
    switch (function.op) {
      case Op::pow: return pow(a[0], a[1]);
      case Op::min: return min(a[0], a[1]);
      case Op::max: return max(a[0], a[1]);
      case Op::atan2: return atan2(a[0], a[1]);
      default: return {function.op, a};
    }
  }

  void close(std::size_t open) {
    if (accept(")")) return;
    const std::string opened = "')' for the '(' at column " + std::to_string(open + 1);
    if (at_end()) fail(at(), "missing " + opened);
    fail(at(), "unexpected " + here() + "; an operator or " + opened + " should stand here");
  }

  [[nodiscard]] std::size_t at() const { return token().offset; }
  [[nodiscard]] bool at_end() const { return token().kind == core::Token::Kind::end; }

  [[nodiscard]] std::string here() const { return here(at()); }
  [[nodiscard]] std::string here(std::size_t at) const {
    const char c = text_[at];
    if (c > ' ' && c < 127) return std::string("'") + c + "'";
    return "byte " + std::to_string(static_cast<unsigned char>(c));
  }
  [[nodiscard]] std::string hint_after_operand(std::size_t at) const {
    if (text_.substr(at).starts_with("**")) return "; powers are written '^'";
    return core::continues_name(text_[at]) || text_[at] == '(' ? "; a product is written with '*'" : "";
  }

  static const Function* find_function(const std::string& word) {
    const auto& all = functions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Function& f) { return f.name == word; });
    return found == all.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string known_names() const {
    constexpr std::size_t most = 40;
    std::string list;
    std::size_t count = 0;
    for (const auto& [known, value] : names_) {
      if (++count > most) return list + "pi and " + std::to_string(names_.size() - most) + " more";
      list += known + ", ";
    }
    return list + "pi";
  }
  [[nodiscard]] std::vector<std::string> every_word() const {
    std::vector<std::string> words{"pi"};
    for (const auto& [known, value] : names_) words.push_back(known);
    for (const Function& function : functions()) words.push_back(function.name);
    return words;
  }

  static void check(const core::Token& /*token*/) {}
  [[noreturn]] static void fail(std::size_t at, const std::string& message) { throw ExpressionError(at + 1, message); }

  // Depth takes stack, and trees stay in memory for a whole run: both are limited, far beyond what people write.
  static constexpr int deepest = 200, longest_chain = 2000;
  static constexpr std::size_t longest = 20000;

  std::string_view text_;
  const std::map<std::string, Expr>& names_;
  int operations_{};
};

}  // namespace

Expr parse(std::string_view text, const std::map<std::string, Expr>& names) {
  return Parser(text, names).parse();
}

}  // namespace maxwell_dg::dg::symbolic
