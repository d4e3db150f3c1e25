#include "rtcg/loop/assignment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "core/suggest.hpp"
#include "rtcg/source/expression.hpp"
#include "rtcg/source/is_word.hpp"

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

class Parser {
 public:
  Parser(const std::string& name, std::string_view text, const std::vector<std::string>& dimensions,
         const std::vector<std::string>& arrays)
      : place_{.name = name}, text_(text), dimensions_(dimensions), arrays_(arrays) {}

  Assignment run() {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string target = word();
    if (!contains(arrays_, target)) fail_at(begin, "no array '" + target + "'" + core::did_you_mean(target, arrays_));
    result_.target = access(target);
    expect('=');
    result_.value = sum_of_products();
    skip_blanks();
    if (at_ != text_.size()) fail("expected the end, found '" + std::string(text_.substr(at_)) + "'");
    check_dimensions(begin);
    result_.scalars.assign(scalars_.begin(), scalars_.end());
    return std::move(result_);
  }

 private:
  static constexpr int deepest = 200;

  [[noreturn]] void fail_at(std::size_t at, const std::string& what) const { fail_in(text_, place_, at, what); }
  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }
  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const bool is_name = at_ > begin && std::isdigit(static_cast<unsigned char>(text_[begin])) == 0;
    if (!is_name) fail_at(begin, "expected a name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  [[nodiscard]] bool sees_number() {
    skip_blanks();
    return at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.');
  }
  template <class Number>
  Number number() {
    Number value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  // [+-] (number [* name] | name) ...
  Affine affine() {
    Affine index;
    bool first = true;
    for (;;) {
      std::int64_t sign = 1;
      if (accept('-')) {
        sign = -1;
      } else if (!accept('+') && !first) {
        return index;
      }
      first = false;
      std::int64_t factor = sign;
      if (sees_number()) {
        factor *= number<std::int64_t>();
        if (!accept('*')) {
          index.constant += factor;
          continue;
        }
      }
      skip_blanks();
      const std::size_t begin = at_;
      const std::string name = word();
      if (!contains(dimensions_, name)) {
        fail_at(begin, "no dimension '" + name + "'" + core::did_you_mean(name, dimensions_));
      }
      index.add({.coefficients = {{name, 1}}}, factor);
    }
  }

  ArrayAccess access(std::string array) {
    ArrayAccess result{.array = std::move(array)};
    expect('[');
    do result.index.push_back(affine());
    while (accept(','));
    expect(']');
    return result;
  }

  LoopTerm sum_of_products() {
    if (++depth_ > deepest) fail("nested too deeply");
    LoopTerm left = product();
    for (;;) {
      const bool plus = accept('+');
      if (!plus && !accept('-')) break;
      left = binary(plus ? "+" : "-", std::move(left), product());
    }
    --depth_;
    return left;
  }
  LoopTerm product() {
    LoopTerm left = factor();
    for (;;) {
      const bool times = accept('*');
      if (!times && !accept('/')) return left;
      left = binary(times ? "*" : "/", std::move(left), factor());
    }
  }
  static LoopTerm binary(const char* op, LoopTerm left, LoopTerm right) {
    LoopTerm term{.kind = LoopTerm::Kind::binary, .name = op};
    term.children.push_back(std::move(left));
    term.children.push_back(std::move(right));
    return term;
  }

  LoopTerm factor() {
    if (accept('-')) {
      if (++depth_ > deepest) fail("nested too deeply");
      LoopTerm term{.kind = LoopTerm::Kind::negation};
      term.children.push_back(factor());
      --depth_;
      return term;
    }
    if (accept('(')) {
      LoopTerm inner = sum_of_products();
      expect(')');
      return inner;
    }
    if (sees_number()) return {.kind = LoopTerm::Kind::number, .number = number<double>()};
    const std::size_t begin = at_;
    std::string name = word();
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') return read(std::move(name), begin);
    if (accept('(')) return name == "sum" ? sum(begin) : call(std::move(name), begin);
    if (contains(dimensions_, name)) fail_at(begin, "dimension '" + name + "' stands outside of an index");
    if (contains(arrays_, name)) fail_at(begin, "array '" + name + "' has no index");
    scalars_.insert(name);
    return {.kind = LoopTerm::Kind::scalar, .name = std::move(name)};
  }

  LoopTerm read(std::string name, std::size_t begin) {
    if (!contains(arrays_, name)) fail_at(begin, "no array '" + name + "'" + core::did_you_mean(name, arrays_));
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
      fail_at(begin, "no function '" + name + "'" + core::did_you_mean(name, known));
    }
    LoopTerm term{.kind = LoopTerm::Kind::call, .name = std::move(name)};
    do term.children.push_back(sum_of_products());
    while (accept(','));
    expect(')');
    if (term.children.size() != function->arguments) {
      fail_at(begin, term.name + "() takes " + std::to_string(function->arguments) + " arguments, got " +
                         std::to_string(term.children.size()));
    }
    return term;
  }

  LoopTerm sum(std::size_t begin) {
    if (result_.has_sum()) fail_at(begin, "there can be one sum; sum(k, l, ...) runs over several dimensions");
    for (;;) {
      skip_blanks();
      const std::size_t before = at_;
      // A dimension with a comma behind it: everything else begins the term.
      std::string name;
      if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) name = word();
      if (!contains(dimensions_, name) || !accept(',')) {
        at_ = before;
        break;
      }
      result_.reduction.push_back(std::move(name));
    }
    if (result_.reduction.empty()) fail("expected a dimension to sum over");
    LoopTerm term{.kind = LoopTerm::Kind::sum};
    term.children.push_back(sum_of_products());
    expect(')');
    return term;
  }

  // Which dimensions occur where is what makes it a loop nest.
  void check_dimensions(std::size_t begin) const {
    for (const std::string& dimension : dimensions_) {
      const auto in_target = [&](const Affine& index) { return index.of(dimension) != 0; };
      const bool is_output = std::ranges::any_of(result_.target.index, in_target);
      const bool is_summed = contains(result_.reduction, dimension);
      if (is_output && is_summed) fail_at(begin, "dimension '" + dimension + "' is summed over and in the result");
      if (!is_output && !is_summed) {
        fail_at(begin, "dimension '" + dimension + "' is neither summed over nor in the result");
      }
    }
  }

  Place place_;
  std::string_view text_;
  const std::vector<std::string>& dimensions_;
  const std::vector<std::string>& arrays_;
  std::size_t at_ = 0;
  int depth_ = 0;
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
