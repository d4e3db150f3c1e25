#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A tree of statements that only knows how to print itself, two blanks an indentation:
///
///     Block body;
///     body += Comment("E_t = curl H");
///     body += For("i", "0", "Np", {Assign("a[i]", "b[i]"), If("i > 3", {Line("continue;")})});
///     const std::string text = print(Function("KERNEL void f(GLOBAL real* a)", body));
///
/// Expressions, types and names are plain text: who makes them knows more than a tree would.
namespace maxwell_dg::rtcg::syntax {

class Statement;

class Block {
 public:
  Block() = default;
  Block(std::initializer_list<Statement> statements);
  Block& operator+=(Statement statement);
  Block& operator+=(const Block& more);
  [[nodiscard]] bool empty() const { return statements_.empty(); }
  void print(std::string& out, int depth) const;

 private:
  std::vector<Statement> statements_;
};

/// Lines, or heads with indented bodies (`if (a) {...} else {...}` has two). The types below only construct it.
class Statement {
 public:
  void print(std::string& out, int depth) const;

 protected:
  explicit Statement(std::string line) : lines_{std::move(line)} {}
  Statement(std::string head, Block body) { add_section(std::move(head), std::move(body)); }
  void add_line(std::string line) { lines_.push_back(std::move(line)); }
  void add_section(std::string head, Block body) { sections_.emplace_back(std::move(head), std::move(body)); }

 private:
  std::vector<std::string> lines_;
  std::vector<std::pair<std::string, Block>> sections_;
};

/// Any one line, printed as it is; an empty one separates paragraphs.
struct Line : Statement {
  explicit Line(std::string text = "") : Statement(std::move(text)) {}
};

/// `// text`, every line of it.
struct Comment : Statement {
  explicit Comment(std::string_view text) : Statement("// " + std::string(text.substr(0, text.find('\n')))) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      add_line("// " + std::string(text.substr(at + 1, text.find('\n', at + 1) - at - 1)));
    }
  }
};

/// `type name = value;`, or `type name;`
struct Declare : Statement {
  Declare(const std::string& type, const std::string& name, const std::string& value = "")
      : Statement(type + " " + name + (value.empty() ? "" : " = " + value) + ";") {}
};

/// `target op value;`
struct Assign : Statement {
  Assign(const std::string& target, const std::string& value, const std::string& op = "=")
      : Statement(target + " " + op + " " + value + ";") {}
};

/// `for (int32 variable = begin; variable < end; variable += step) {...}`
struct For : Statement {
  enum class Unrolling { as_compiled, full };
  For(const std::string& variable, const std::string& begin, const std::string& end, Block body,
      Unrolling unrolling = Unrolling::as_compiled, const std::string& step = "1")
      : Statement(head(variable, begin, end, step), std::move(body)) {
    if (unrolling == Unrolling::full) add_line("UNROLL");
  }

 private:
  static std::string head(const std::string& variable, const std::string& begin, const std::string& end,
                          const std::string& step) {
    return "for (int32 " + variable + " = " + begin + "; " + variable + " < " + end + "; " +
           (step == "1" ? "++" + variable : variable + " += " + step) + ")";
  }
};

struct If : Statement {
  If(const std::string& condition, Block then, Block otherwise = {})
      : Statement("if (" + condition + ")", std::move(then)) {
    if (!otherwise.empty()) add_section("else", std::move(otherwise));
  }
};

/// `{...}`: names declared inside end with it.
struct Scope : Statement {
  explicit Scope(Block body) : Statement("", std::move(body)) {}
};

/// `signature {...}`, the signature with return type and parameters.
struct Function : Statement {
  Function(std::string signature, Block body) : Statement(std::move(signature), std::move(body)) {}
};

[[nodiscard]] std::string print(const Statement& statement);
[[nodiscard]] std::string print(const Block& block);

}  // namespace maxwell_dg::rtcg::syntax
