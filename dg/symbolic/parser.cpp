#include "dg/symbolic/parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/suggest.hpp"

namespace maxwell_dg::dg::symbolic {
namespace {

// Recursion takes stack by depth, and trees live as long as a run: both are bounded, far beyond what people write.
constexpr int deepest = 200;
constexpr std::size_t longest = 20000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Recursive descent, one function a line:
//   sum     = product (('+' | '-') product)*
//   product = unary (('*' | '/') unary)*
//   unary   = ('-' | '+') unary | power
//   power   = atom ('^' unary)?                        so -x^2 = -(x^2), 2^-1 = 0.5, a^b^c = a^(b^c)
//   atom    = number | name | function '(' sum (',' sum)* ')' | '(' sum ')'
class Parser {
 public:
  Parser(std::string_view text, const std::map<std::string, Expr>& names) : text_(text), names_(names) {}

  Expr parse() {
    if (text_.size() > longest) {
      fail(longest, "the expression is longer than " + std::to_string(longest) + " characters");
    }
    skip_space();
    if (at_end()) fail(at_, "the expression is empty");
    Expr result = sum();
    if (!at_end()) fail(at_, "unexpected " + here() + " after a complete expression" + hint_after_operand());
    return result;
  }

 private:
  // Counts nesting while it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) {
        fail(parser_.at_, "nested deeper than " + std::to_string(deepest) + " levels");
      }
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Expr sum() {
    Expr result = product();
    while (true) {
      if (take('+')) {
        result = counted(result + product());
      } else if (take('-')) {
        result = counted(result - product());
      } else {
        return result;
      }
    }
  }

  Expr product() {
    Expr result = unary();
    while (true) {
      if (take('*')) {
        result = counted(result * unary());
      } else if (take('/')) {
        result = counted(result / unary());
      } else {
        return result;
      }
    }
  }

  Expr unary() {
    const Level level(*this);
    if (take('-')) return -unary();
    if (take('+')) return unary();
    return power();
  }

  Expr power() {
    Expr base = atom();
    if (take('^')) return pow(base, unary());
    return base;
  }

  Expr atom() {
    if (at_end()) fail(text_.size(), "the expression ends where a number, a name or '(' should follow");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    const std::size_t open = at_;
    if (take('(')) {
      Expr inside = sum();
      close(open);
      return inside;
    }
    fail(at_, "unexpected " + here() + "; a number, a name or '(' should stand here");
  }

  Expr number() {
    const std::size_t start = at_;
    double value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(start, "a number beyond the range of double precision");
    if (error != std::errc{}) fail(start, "'.' is not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) {
      fail(at_, "unexpected " + here() + " right after a number" + hint_after_operand());
    }
    skip_space();
    return value;
  }

  Expr name() {
    const std::size_t start = at_;
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(start, at_ - start));
    skip_space();
    if (!at_end() && text_[at_] == '(') return call(word, start);
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
    const std::size_t open = at_;
    take('(');
    std::vector<Expr> arguments;
    if (at_end() || text_[at_] != ')') {
      do arguments.push_back(sum());
      while (take(','));
    }
    close(open);
    if (static_cast<int>(arguments.size()) != function->arity) {
      fail(start, word + " takes " + std::to_string(function->arity) +
                      (function->arity == 1 ? " argument, found " : " arguments, found ") +
                      std::to_string(arguments.size()));
    }
    return apply_function(*function, arguments);
  }

  // The functions that have names in C++ go through them, so that constants fold.
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

  // Long chains make deep trees although the parser's own recursion is flat; readers of the tree recurse.
  const Expr& counted(const Expr& chain) {
    if (++operations_ > longest_chain) {
      fail(at_, "more than " + std::to_string(longest_chain) + " operations in one expression");
    }
    return chain;
  }

  void close(std::size_t open) {
    if (take(')')) return;
    const std::string opened = "')' for the '(' at column " + std::to_string(open + 1);
    if (at_end()) fail(text_.size(), "missing " + opened);
    fail(at_, "unexpected " + here() + "; an operator or " + opened + " should stand here");
  }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }
  void skip_space() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  [[nodiscard]] std::string here() const {
    const char c = text_[at_];
    if (c > ' ' && c < 127) return std::string("'") + c + "'";
    return "byte " + std::to_string(static_cast<unsigned char>(c));
  }
  [[nodiscard]] std::string hint_after_operand() const {
    if (text_.substr(at_).starts_with("**")) return "; powers are written '^'";
    const char c = text_[at_];
    return is_letter(c) || is_digit(c) || c == '(' ? "; a product is written with '*'" : "";
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

  [[noreturn]] static void fail(std::size_t at, const std::string& message) { throw ExpressionError(at + 1, message); }

  static constexpr int longest_chain = 2000;

  std::string_view text_;
  const std::map<std::string, Expr>& names_;
  std::size_t at_{};
  int depth_{};
  int operations_{};
};

}  // namespace

Expr parse(std::string_view text, const std::map<std::string, Expr>& names) {
  return Parser(text, names).parse();
}

}  // namespace maxwell_dg::dg::symbolic
