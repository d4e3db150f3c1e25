#include "dg/symbolic/code_printer.hpp"

#include <algorithm>
#include <stdexcept>

#include "rtcg/source/literal.hpp"

namespace maxwell_dg::dg::symbolic {

namespace {

/// The infix operator of an operation, or null.
const char* infix(Op op) {
  switch (op) {
    case Op::add: return " + ";
    case Op::subtract: return " - ";
    case Op::multiply: return " * ";
    case Op::divide: return " / ";
    default: return nullptr;
  }
}

std::string function_name(Op op) {
  for (const Function& f : functions()) {
    if (f.op == op) return f.name;
  }
  throw std::logic_error("function_name: not a function");
}

/// C's names where they differ from those of a config.
std::string function_in_code(Op op) {
  switch (op) {
    case Op::abs: return "fabs";
    case Op::min: return "fmin";
    case Op::max: return "fmax";
    default: return function_name(op);
  }
}

class Printer {
 public:
  Printer(const Program& program, const PrintOptions& options)
      : program_(program), options_(options), uses_(program.size(), 0) {
    for (const auto& i : program.instructions()) {
      if (i.a >= 0) ++uses_[static_cast<std::size_t>(i.a)];
      if (i.b >= 0) ++uses_[static_cast<std::size_t>(i.b)];
    }
    for (int output : program.outputs()) ++uses_[static_cast<std::size_t>(output)];
  }

  PrintedCode print() {
    PrintedCode code;
    text_.resize(program_.size());
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const auto& in = program_.instructions()[i];
      const bool leaf = in.op == Op::constant || in.op == Op::symbol;
      text_[i] = expression(in);
      if (leaf || uses_[i] < 2) continue;
      const std::string name = options_.prefix + std::to_string(code.lines.size());
      code.lines.push_back("const " + options_.type + " " + name + " = " + text_[i] + ";");
      text_[i] = name;
    }
    for (int output : program_.outputs()) code.results.push_back(text_[static_cast<std::size_t>(output)]);
    return code;
  }

 private:
  [[nodiscard]] const std::string& operand(int number) const { return text_[static_cast<std::size_t>(number)]; }

  [[nodiscard]] std::string argument(int number) const {
    const bool constant = program_.instructions()[static_cast<std::size_t>(number)].op == Op::constant;
    return constant && options_.vectors ? "(" + options_.type + ")(" + operand(number) + ")" : operand(number);
  }

  [[nodiscard]] std::string expression(const Program::Instruction& in) const {
    if (in.op == Op::constant) return rtcg::literal(in.value, options_.dtype);
    if (in.op == Op::symbol) return options_.name_of(in.symbol);
    if (in.op == Op::negate) return "(-" + operand(in.a) + ")";
    if (const char* op = infix(in.op)) return "(" + operand(in.a) + op + operand(in.b) + ")";
    const std::string second = in.b < 0 ? "" : ", " + argument(in.b);
    return function_in_code(in.op) + "(" + argument(in.a) + second + ")";
  }

  const Program& program_;
  const PrintOptions& options_;
  std::vector<int> uses_;
  std::vector<std::string> text_;
};

/// The name of a symbol in to_string. These are switches, so that the compiler reports a kind without a name.
std::string name_in_text(const Symbol& s) {
  using Kind = Symbol::Kind;
  const std::string index = std::to_string(s.index), axis = std::string("_") + "xyz"[s.axis],
                    side = s.side == Side::outside ? "_p" : "_m";
  switch (s.kind) {
    case Kind::field: return "q" + index + side;
    case Kind::derivative: return "dq" + index + axis;
    case Kind::curl: return "curl" + index + axis;
    case Kind::divergence: return "div" + index;
    case Kind::normal: return "n" + axis;
    case Kind::parameter: return "parameter" + index + side;
    case Kind::coordinate: return "x" + axis;
    case Kind::time: return "t";
    case Kind::profile: return "profile" + index;
  }
  throw std::logic_error("name_in_text: unknown kind of symbol");
}

std::string name_in_text(const LoweredSymbol& s) {
  using Kind = LoweredSymbol::Kind;
  const std::string number = std::to_string(s.number);
  switch (s.kind) {
    case Kind::element_constant: return "constant" + number + (s.side == Side::outside ? "_p" : "_m");
    case Kind::reference_derivative: return "dq" + std::to_string(s.field) + "_" + "rst"[s.axis];
    case Kind::metric: return "metric" + number;
    case Kind::face_scale: return "Fscale";
    case Kind::contraction: return "contraction" + number;
    case Kind::invariant: return "invariant" + number;
    case Kind::edges: return "edges" + number;
  }
  throw std::logic_error("name_in_text: unknown kind of symbol");
}

}  // namespace

PrintedCode print(const Program& program, const PrintOptions& options) {
  return Printer(program, options).print();
}

std::string to_string(const Expr& e) {
  switch (e.op()) {
    case Op::constant: return rtcg::literal(e.value(), Dtype::float64);
    case Op::symbol: return std::visit([](const auto& s) { return name_in_text(s); }, e.symbol());
    case Op::negate: return "(-" + to_string(e.arguments()[0]) + ")";
    default: break;
  }
  const std::string a = to_string(e.arguments()[0]);
  const std::string b = e.arguments().size() > 1 ? to_string(e.arguments()[1]) : "";
  if (const char* op = infix(e.op())) return "(" + a + op + b + ")";
  return function_name(e.op()) + "(" + a + (b.empty() ? "" : ", " + b) + ")";
}

}  // namespace maxwell_dg::dg::symbolic
