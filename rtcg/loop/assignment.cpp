#include "rtcg/loop/assignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/suggest.hpp"
#include "core/syntax/operator_parser.hpp"
#include "rtcg/source/expression.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::array<LoopFunction, 10> functions{{
    {"abs", "fabs", 1, [](double a, double) { return std::fabs(a); }},
    {"cos", "cos", 1, [](double a, double) { return std::cos(a); }},
    {"exp", "exp", 1, [](double a, double) { return std::exp(a); }},
    {"log", "log", 1, [](double a, double) { return std::log(a); }},
    {"max", "fmax", 2, [](double a, double b) { return std::fmax(a, b); }},
    {"min", "fmin", 2, [](double a, double b) { return std::fmin(a, b); }},
    {"pow", "pow", 2, [](double a, double b) { return std::pow(a, b); }},
    {"sin", "sin", 1, [](double a, double) { return std::sin(a); }},
    {"sqrt", "sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"tanh", "tanh", 1, [](double a, double) { return std::tanh(a); }},
}};

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

class Parser : core::OperatorParser<Parser, LoopTerm> {
  friend class core::OperatorParser<Parser, LoopTerm>;
  using InfixOperator = core::InfixOperator;
  using PrefixOperator = core::PrefixOperator;
  using Token = core::Token;

 public:
  Parser(const std::string& name, std::string_view text, const std::vector<std::string>& dimensions,
         const std::vector<std::string>& arrays)
      : OperatorParser(text, {.symbols = symbols, .spaces = " \t\n\r\v\f"}),
        place_{.name = name},
        text_(text),
        dimensions_(dimensions),
        arrays_(arrays) {}

  Assignment run() {
    advance();
    const std::size_t begin = at();
    const std::string target = word();
    if (!contains(arrays_, target)) fail(begin, "no array '" + target + "'" + core::did_you_mean(target, arrays_));
    result_.target = access(target);
    expect("=");
    result_.value = expression();
    if (token().kind != Token::Kind::end) {
      fail(at(), "expected the end, found '" + std::string(text_.substr(at())) + "'");
    }
    check_dimensions(begin);
    result_.scalars.assign(scalars_.begin(), scalars_.end());
    return std::move(result_);
  }

 private:
  enum Strength : int { weak = 1, strong, stronger };
  static constexpr std::array<std::string_view, 10> symbols{"+", "-", "*", "/", "(", ")", "[", "]", ",", "="};
  static constexpr int deepest = 200;
  static std::string too_deep() { return "nested too deeply"; }
  static constexpr std::array prefixes{PrefixOperator{"-", stronger}};
  static constexpr std::array infixes{InfixOperator{"+", weak}, InfixOperator{"-", weak}, InfixOperator{"*", strong},
                                      InfixOperator{"/", strong}};

  static void check(const Token& /*token*/) {}
  [[noreturn]] void fail(std::size_t at, const std::string& what) const { fail_in(text_, place_, at, what); }
  [[nodiscard]] std::size_t at() const { return token().offset; }

  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail(at(), "expected '" + std::string(symbol) + "'");
  }
  std::string word() {
    if (token().kind != Token::Kind::name) fail(at(), "expected a name");
    std::string name(token().word);
    advance();
    return name;
  }

  static LoopTerm prefixed(const PrefixOperator& /*op*/, std::size_t /*offset*/, LoopTerm value) {
    LoopTerm term{.kind = LoopTerm::Kind::negation};
    term.children.push_back(std::move(value));
    return term;
  }
  static LoopTerm joined(const InfixOperator& op, std::size_t /*offset*/, LoopTerm left, LoopTerm right) {
    LoopTerm term{.kind = LoopTerm::Kind::binary, .name = std::string(op.word)};
    term.children.push_back(std::move(left));
    term.children.push_back(std::move(right));
    return term;
  }

  // [+-] (number [* name] | name) ...
  Affine affine() {
    Affine index;
    bool first = true;
    for (;;) {
      std::int64_t sign = 1;
      if (accept("-")) {
        sign = -1;
      } else if (!accept("+") && !first) {
        return index;
      }
      first = false;
      std::int64_t factor = sign;
      if (token().kind == Token::Kind::number) {
        if (!token().number.is_whole) fail(at(), "an index takes whole numbers");
        if (!token().number.whole_fits) fail(at(), "not a number");
        factor *= token().number.whole;
        advance();
        if (!accept("*")) {
          index.constant += factor;
          continue;
        }
      }
      const std::size_t begin = at();
      const std::string name = word();
      if (!contains(dimensions_, name)) {
        fail(begin, "no dimension '" + name + "'" + core::did_you_mean(name, dimensions_));
      }
      index.add({.coefficients = {{name, 1}}}, factor);
    }
  }

  ArrayAccess access(std::string array) {
    ArrayAccess result{.array = std::move(array)};
    expect("[");
    do result.index.push_back(affine());
    while (accept(","));
    expect("]");
    return result;
  }

  LoopTerm operand() {
    if (accept("(")) {
      LoopTerm inner = expression();
      expect(")");
      return inner;
    }
    if (token().kind == Token::Kind::unknown && token().word == ".") fail(at(), "not a number");
    if (token().kind == Token::Kind::number) {
      LoopTerm term{.kind = LoopTerm::Kind::number, .number = token().number.real};
      if (!token().number.is_in_range) fail(at(), "not a number");
      advance();
      return term;
    }
    const std::size_t begin = at();
    std::string name = word();
    if (sees("[")) return read(std::move(name), begin);
    if (accept("(")) return name == "sum" ? sum(begin) : call(std::move(name), begin);
    if (contains(dimensions_, name)) fail(begin, "dimension '" + name + "' stands outside of an index");
    if (contains(arrays_, name)) fail(begin, "array '" + name + "' has no index");
    scalars_.insert(name);
    return {.kind = LoopTerm::Kind::scalar, .name = std::move(name)};
  }

  LoopTerm read(std::string name, std::size_t begin) {
    if (!contains(arrays_, name)) fail(begin, "no array '" + name + "'" + core::did_you_mean(name, arrays_));
    ArrayAccess found = access(std::move(name));
    auto& all = result_.accesses;
    const auto known = std::ranges::find(all, found);
    const auto which = static_cast<std::size_t>(known - all.begin());
    if (known == all.end()) all.push_back(std::move(found));
    return {.kind = LoopTerm::Kind::access, .access = which};
  }

  LoopTerm call(std::string name, std::size_t begin) {
    const LoopFunction* function = find_loop_function(name);
    if (function == nullptr) {
      std::vector<std::string> known{"sum"};
      for (const LoopFunction& each : functions) known.emplace_back(each.name);
      fail(begin, "no function '" + name + "'" + core::did_you_mean(name, known));
    }
    LoopTerm term{.kind = LoopTerm::Kind::call, .name = std::move(name)};
    do term.children.push_back(expression());
    while (accept(","));
    expect(")");
    if (term.children.size() != function->arguments) {
      fail(begin, term.name + "() takes " + std::to_string(function->arguments) + " arguments, got " +
                      std::to_string(term.children.size()));
    }
    return term;
  }

  LoopTerm sum(std::size_t begin) {
    if (result_.has_sum()) fail(begin, "there can be one sum; sum(k, l, ...) runs over several dimensions");
    // A dimension with a comma behind it: everything else begins the term.
    while (token().kind == Token::Kind::name && contains(dimensions_, std::string(token().word)) &&
           is_followed_by(",")) {
      result_.reduction.push_back(word());
      advance();
    }
    if (result_.reduction.empty()) fail(at(), "expected a dimension to sum over");
    LoopTerm term{.kind = LoopTerm::Kind::sum};
    term.children.push_back(expression());
    expect(")");
    return term;
  }

  // Which dimensions occur where is what makes it a loop nest.
  void check_dimensions(std::size_t begin) const {
    for (const std::string& dimension : dimensions_) {
      const auto in_target = [&](const Affine& index) { return index.of(dimension) != 0; };
      const bool is_output = std::ranges::any_of(result_.target.index, in_target);
      const bool is_summed = contains(result_.reduction, dimension);
      if (is_output && is_summed) fail(begin, "dimension '" + dimension + "' is summed over and in the result");
      if (!is_output && !is_summed) {
        fail(begin, "dimension '" + dimension + "' is neither summed over nor in the result");
      }
    }
  }

  Place place_;
  std::string_view text_;
  const std::vector<std::string>& dimensions_;
  const std::vector<std::string>& arrays_;
  std::set<std::string> scalars_;
  Assignment result_;
};

const LoopTerm* find_sum(const LoopTerm& term) {
  if (term.kind == LoopTerm::Kind::sum) return &term;
  for (const LoopTerm& child : term.children) {
    if (const LoopTerm* found = find_sum(child)) return found;
  }
  return nullptr;
}

}  // namespace

const LoopFunction* find_loop_function(std::string_view name) {
  const auto* found = std::ranges::find(functions, name, &LoopFunction::name);
  return found == functions.end() ? nullptr : found;
}

std::int64_t Affine::of(const std::string& dimension) const {
  const auto found = coefficients.find(dimension);
  return found == coefficients.end() ? 0 : found->second;
}

Affine& Affine::add(const Affine& other, std::int64_t times) {
  constant += times * other.constant;
  for (const auto& [dimension, coefficient] : other.coefficients) {
    const std::int64_t now = of(dimension) + times * coefficient;
    if (now == 0)
      coefficients.erase(dimension);
    else
      coefficients[dimension] = now;
  }
  return *this;
}

const LoopTerm& Assignment::summand() const {
  const LoopTerm* sum = find_sum(value);
  return sum == nullptr ? value : sum->children.front();
}

std::set<std::size_t> Assignment::accesses_of(const LoopTerm& term) {
  if (term.kind == LoopTerm::Kind::access) return {term.access};
  std::set<std::size_t> all;
  if (term.kind == LoopTerm::Kind::sum) return all;
  for (const LoopTerm& child : term.children) all.merge(accesses_of(child));
  return all;
}

Assignment parse_assignment(const std::string& name, std::string_view text, const std::vector<std::string>& dimensions,
                            const std::vector<std::string>& arrays) {
  return Parser(name, text, dimensions, arrays).run();
}

}  // namespace maxwell_dg::rtcg
