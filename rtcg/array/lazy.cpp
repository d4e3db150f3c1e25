#include "rtcg/array/lazy.hpp"

#include <map>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

/// An array, a number, or an operation on nodes; a conversion has one operand and no operation.
struct Lazy::Node {
  Dtype dtype{};
  Shape shape{};
  std::variant<std::monostate, DeviceArray, Scalar, Operation> what{};
  Typing typing{};
  std::vector<std::shared_ptr<const Node>> operands{};
};

namespace {

using Node = Lazy::Node;
using NodePointer = std::shared_ptr<const Node>;

bool is_same(const DeviceArray& a, const DeviceArray& b) {
  return a.buffer().raw() == b.buffer().raw() && a.dtype() == b.dtype() && a.layout() == b.layout();
}

bool overlap(const DeviceArray& read, const DeviceArray& written) {
  if (read.buffer().raw() != written.buffer().raw()) return false;
  const auto bytes = [](const DeviceArray& array) {
    const Extent extent = extent_of(array.layout());
    const auto size = static_cast<std::int64_t>(size_of(array.dtype()));
    return Extent{extent.begin * size, extent.end * size};
  };
  const Extent a = bytes(read), b = bytes(written);
  return a.begin < b.end && b.begin < a.end;
}

/// The formula as text: a declaration for each node, used however often it occurs.
class Writer {
 public:
  /// What the text will write to, if it is known: what overlaps with it is read from copies.
  explicit Writer(const DeviceArray* into) : into_(into) {}

  [[nodiscard]] FormulaText written(const NodePointer& root) {
    text_.value = name_of_node(root);
    return std::move(text_);
  }

 private:
  std::string name_of_node(const NodePointer& node) {
    const auto known = names_.find(node.get());
    if (known != names_.end()) return known->second;
    std::string name = name_of_new(*node);
    names_.emplace(node.get(), name);
    return name;
  }

  std::string name_of_new(const Node& node) {
    if (const auto* array = std::get_if<DeviceArray>(&node.what)) return argument_for(*array);
    if (const auto* number = std::get_if<Scalar>(&node.what)) return argument_for(*number, node.dtype);
    std::vector<std::string> operands;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const NodePointer& operand = node.operands[k];
      const Dtype dtype = node.typing.operands[k];
      const std::string name = name_of_node(operand);
      operands.push_back(operand->dtype == dtype ? name : declared(dtype, converted(name, operand->dtype, dtype)));
    }
    const auto* operation = std::get_if<Operation>(&node.what);
    if (operation == nullptr) return operands.front();
    return declared(node.dtype, text_of(*operation, node.typing, operands));
  }

  std::string declared(Dtype dtype, const std::string& value) {
    std::string name = "t" + std::to_string(declared_++);
    text_.statements += "const " + value_type(dtype) + " " + name + " = " + value + ";\n";
    return name;
  }

  // Reading just what the same index writes is safe; any other overlap is not.
  [[nodiscard]] bool must_be_copied(const DeviceArray& array) const {
    return !is_same(array, *into_) && overlap(array, *into_);
  }

  std::string argument_for(const DeviceArray& array) {
    for (const auto& [known, name] : arrays_) {  // read once, however often it occurs
      if (is_same(known, array)) return name;
    }
    const DeviceArray source = into_ != nullptr && must_be_copied(array) ? array.copy() : array;
    const std::string name = "a" + std::to_string(text_.arguments.size());
    text_.arguments.push_back({.name = name, .dtype = array.dtype(), .kind = Argument::Kind::input});
    text_.operands.emplace_back(source);
    arrays_.emplace_back(array, name + "[i]");
    return arrays_.back().second;
  }

  std::string argument_for(const Scalar& number, Dtype dtype) {
    std::string name = "a" + std::to_string(text_.arguments.size());
    text_.arguments.push_back({.name = name, .dtype = dtype});
    text_.operands.emplace_back(number);
    return name;
  }

  const DeviceArray* into_;
  std::map<const Node*, std::string> names_;
  std::vector<std::pair<DeviceArray, std::string>> arrays_;
  FormulaText text_;
  int declared_ = 0;
};

void write_into(const DeviceArray& into, const Lazy& formula) {
  FormulaText text = Writer(&into).written(formula.node());
  const std::string preamble = text.preamble();
  text.arguments.push_back({.name = "z", .dtype = into.dtype(), .kind = Argument::Kind::output});
  text.operands.emplace_back(into);
  text.statements += "z[i] = " + converted(text.value, formula.dtype(), into.dtype()) + ";";
  ElementwiseKernel(std::move(text.arguments), {.operation = text.statements, .name = "formula", .preamble = preamble})
      .launch(text.operands, {});
}

const Context* context_of(const Node& node) {
  if (const auto* array = std::get_if<DeviceArray>(&node.what)) return &array->context();
  for (const NodePointer& operand : node.operands) {
    if (const Context* context = context_of(*operand)) return context;
  }
  return nullptr;
}

}  // namespace

Lazy::Lazy(DeviceArray array)
    : node_(std::make_shared<Node>(Node{.dtype = array.dtype(), .shape = array.shape(), .what = array})) {}

Dtype Lazy::dtype() const {
  return node_->dtype;
}
const Shape& Lazy::shape() const {
  return node_->shape;
}

Lazy Lazy::astype(Dtype dtype) const {
  return Lazy(
      std::make_shared<Node>(Node{.dtype = dtype, .shape = shape(), .typing = {{dtype}, dtype}, .operands = {node_}}));
}

Lazy combined(Operation operation, std::span<const Term> terms) {
  std::vector<TypedTerm> types;
  std::vector<Shape> shapes;
  for (const Term& term : terms) {
    if (const auto* formula = std::get_if<Lazy>(&term)) {
      types.emplace_back(formula->dtype());
      shapes.push_back(formula->shape());
    } else {
      types.emplace_back(std::get<Scalar>(term));
    }
  }
  Node node{.what = operation, .typing = typing_of(operation, types)};
  node.dtype = node.typing.result;
  node.shape = broadcast(shapes);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (const auto* formula = std::get_if<Lazy>(&terms[k])) {
      node.operands.push_back(formula->node());
    } else {
      const Scalar& number = std::get<Scalar>(terms[k]);
      node.operands.push_back(std::make_shared<Node>(Node{.dtype = node.typing.operands[k], .what = number}));
    }
  }
  return Lazy(std::make_shared<Node>(std::move(node)));
}

std::string FormulaText::preamble() const {
  return needs_array_functions(statements) ? "#include \"array_functions.h\"" : "";
}

FormulaText text_of(const Lazy& formula) {
  return Writer(nullptr).written(formula.node());
}

const Context& context_of(const Lazy& formula) {
  const Context* context = context_of(*formula.node());
  if (context == nullptr) throw ArrayError("a formula without an array has no device to be evaluated on");
  return *context;
}

DeviceArray evaluate(const Lazy& formula) {
  DeviceArray result = empty(context_of(formula), formula.shape(), formula.dtype());
  write_into(result, formula);
  return result;
}

void evaluate(const Lazy& formula, const DeviceArray& into) {
  const auto rank = [](Dtype dtype) {  // bool, unsigned, signed, real, complex: each goes into the next
    constexpr std::array ranks{0, 2, 1, 3, 4};
    return ranks[static_cast<std::size_t>(kind_of(dtype))];
  };
  if (rank(formula.dtype()) > rank(into.dtype())) {
    throw DtypeError("a result of " + std::string(name_of(formula.dtype())) + " does not go into an array of " +
                     std::string(name_of(into.dtype())) + "; convert with astype");
  }
  (void)broadcast_to(contiguous_layout(formula.shape()), into.shape());
  write_into(into, formula);
}

}  // namespace maxwell_dg::rtcg
