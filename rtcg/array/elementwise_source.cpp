#include "rtcg/array/elementwise_source.hpp"

#include <algorithm>
#include <cctype>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::rtcg {

using namespace syntax;

namespace {

class Generator {
 public:
  Generator(const ElementwiseOperation& operation, const ElementwiseShape& shape)
      : operation_(operation), shape_(shape) {}

  [[nodiscard]] std::string text() const {
    const bool is_packed = shape_.lanes > 1;
    Block body = declarations();
    body += is_packed ? packed_loop() : rows_and_columns();
    const std::string group = "GROUP_LIMIT(" + std::to_string(shape_.is_cpu ? 1 : elementwise_group_size) + ", 1, 1) ";
    std::string text = "#include \"array_types.h\"\n";
    if (uses_complex(operation_.arguments, operation_.text + operation_.preamble))
      text += "#include \"array_complex.h\"\n";
    text += std::string("typedef ") + (shape_.has_long_indices ? "int64" : "int32") + " index;\n";
    if (!operation_.preamble.empty()) text += operation_.preamble + "\n";
    if (is_packed) text += print(pack_types());
    return text + print(Function("KERNEL void " + group + elementwise_kernel_name + "(" + parameters() + ")", body));
  }

 private:
  [[nodiscard]] std::size_t outer_axes() const { return shape_.axes > 0 ? shape_.axes - 1 : 0; }

  template <class F>
  void each_element_array(F f) const {
    for (std::size_t a = 0; a < operation_.arguments.size(); ++a) {
      if (operation_.is_element[a]) f(operation_.arguments[a], shape_.steps[a]);
    }
  }

  [[nodiscard]] std::string parameters() const {
    std::vector<std::string> list{"int64 columns_given"};
    const bool is_packed = shape_.lanes > 1;
    if (!is_packed) list.emplace_back("int64 rows_given");
    if (shape_.is_cpu) {
      list.emplace_back("int64 column_run");
      list.emplace_back("int64 row_run");
    } else if (!is_packed) {
      list.emplace_back("int64 width_shift");
    }
    for (std::size_t d = 0; d < outer_axes(); ++d) list.push_back("int64 extent_" + std::to_string(d));
    if (operation_.uses_index) {
      list.emplace_back("int64 i_first");
      list.emplace_back("int64 i_step");
    }
    for (std::size_t a = 0; a < operation_.arguments.size(); ++a) {
      const bool has_strides = operation_.is_element[a] && !is_packed;
      for (std::string& parameter : parameters_of(operation_.arguments[a], has_strides ? shape_.axes : 0)) {
        list.push_back(std::move(parameter));
      }
    }
    return comma_separated(list);
  }

  // Numbers as values of their type, and pointers to the first elements.
  [[nodiscard]] Block declarations() const {
    Block block;
    for (std::size_t a = 0; a < operation_.arguments.size(); ++a) {
      block += Line(declaration_of(operation_.arguments[a], operation_.is_element[a]));
    }
    return block;
  }

  // Values from memory, the operation, values to memory. `element(name)` is the element as text.
  template <class ElementText>
  [[nodiscard]] Block at_one_index(ElementText element) const {
    Block block;
    each_element_array([&](const Argument& argument, ElementwiseShape::Step) {
      const bool is_input = argument.kind == Argument::Kind::input;
      block += Declare((is_input ? "const " : "") + value_type(argument.dtype), argument.name + "_i",
                       loaded(element(argument.name), argument.dtype));
    });
    const std::string& text = operation_.text;
    const std::size_t last = text.find_last_not_of(" \t\n");
    const bool is_ended = last != std::string::npos && (text[last] == ';' || text[last] == '}');
    block += Scope({Line(text + (is_ended ? "" : ";"))});
    each_element_array([&](const Argument& argument, ElementwiseShape::Step) {
      if (argument.kind != Argument::Kind::output) return;
      block += Assign(element(argument.name), stored(argument.name + "_i", argument.dtype));
    });
    return block;
  }

  [[nodiscard]] Block index_at(const std::string& number) const {
    if (!operation_.uses_index) return {};
    return {Declare("const int64", "i", "i_first + i_step * (int64)(" + number + ")")};
  }

  [[nodiscard]] Block rows_and_columns() const {
    Block block{Declare("const index", "columns", "(index)columns_given"),
                Declare("const index", "rows", "(index)rows_given")};
    if (shape_.is_cpu) {
      block += Declare("const index", "column_begin", "(index)GROUP_ID(0) * column_run");
      block += Declare("const index", "column_end", "min(column_begin + (index)column_run, columns)");
      block += Declare("const index", "row_begin", "(index)GROUP_ID(1) * row_run");
      block += Declare("const index", "row_end", "min(row_begin + (index)row_run, rows)");
    } else {
      const std::string size = std::to_string(elementwise_group_size);
      block += Declare("const int32", "width", "1 << (int32)width_shift");
      block += Declare("const int32", "height", size + " >> (int32)width_shift");
      block += Declare("const index", "column_begin", "(index)GROUP_ID(0) * width + (LOCAL_ID(0) & (width - 1))");
      block += Declare("const index", "row_begin", "(index)GROUP_ID(1) * height + (LOCAL_ID(0) >> (int32)width_shift)");
      block += Declare("const index", "column_end", "columns");
      block += Declare("const index", "row_end", "rows");
      block += Declare("const index", "column_step", "(index)GROUP_COUNT(0) * width");
      block += Declare("const index", "row_step", "(index)GROUP_COUNT(1) * height");
    }
    block += loop("row", row());
    return block;
  }

  [[nodiscard]] Statement loop(const std::string& variable, Block body) const {
    const std::string next = shape_.is_cpu ? "++" + variable : variable + " += " + variable + "_step";
    return Function(
        "for (index " + variable + " = " + variable + "_begin; " + variable + " < " + variable + "_end; " + next + ")",
        std::move(body));
  }

  // The row's number, taken apart into indices of the outer axes, says where its elements begin.
  [[nodiscard]] Block row() const {
    Block block;
    each_element_array([&](const Argument& a, ElementwiseShape::Step) {
      block += Declare(pointer_type(a), a.name + "_row", a.name + "_first");
    });
    if (outer_axes() > 0) block += Declare("index", "rest", "row");
    for (std::size_t d = outer_axes(); d-- > 0;) {
      const std::string axis = std::to_string(d);
      const std::string at = "at_" + axis;
      block += Declare("const index", at, d > 0 ? "rest % (index)extent_" + axis : "rest");
      if (d > 0) block += Assign("rest", "(index)extent_" + axis, "/=");
      each_element_array([&](const Argument& a, ElementwiseShape::Step) {
        block += Assign(a.name + "_row", at + " * (index)" + a.name + "_stride_" + axis, "+=");
      });
    }
    if (!shape_.is_cpu) {
      block += Declare("index", "column", "column_begin");
      block += columns_at_once();
    }
    Block one = index_at("(int64)row * columns + column");
    one += at_one_index([&](const std::string& name) { return element_in_row(name, "column"); });
    if (shape_.is_cpu) {
      block += Line("EACH_ALONE");
      block += loop("column", one);
    } else {
      block += Function("for (; column < column_end; column += column_step)", std::move(one));
    }
    return block;
  }

  // Several loads are on their way before the first is waited for. What is written may be what is read, so that the
  // compiler cannot see by itself that it may do this.
  [[nodiscard]] Statement columns_at_once() const {
    constexpr int columns = 4;
    const std::string n = std::to_string(columns);
    const auto each = [&](Block body) { return For("lane", "0", n, std::move(body), For::Unrolling::full); };
    const auto in_row = [&](const Argument& a) { return element_in_row(a.name, "column + lane * column_step"); };
    Block batch, loads, stores;
    each_element_array([&](const Argument& a, ElementwiseShape::Step) {
      batch += Line(storage_type(a.dtype) + " " + a.name + "_now[" + n + "];");
      loads += Assign(a.name + "_now[lane]", in_row(a));
      if (a.kind == Argument::Kind::output) stores += Assign(in_row(a), a.name + "_now[lane]");
    });
    Block lane = index_at("(int64)row * columns + column + lane * column_step");
    lane += at_one_index([](const std::string& name) { return name + "_now[lane]"; });
    batch += each(loads);
    batch += each(lane);
    batch += each(stores);
    return Function("for (; column + " + std::to_string(columns - 1) + " * column_step < column_end; column += " + n +
                        " * column_step)",
                    std::move(batch));
  }

  // Steps that the compiler knows let it vectorise.
  [[nodiscard]] std::string element_in_row(const std::string& name, const std::string& column) const {
    std::string text;
    each_element_array([&](const Argument& argument, ElementwiseShape::Step step) {
      if (argument.name != name) return;
      switch (step) {
        case ElementwiseShape::Step::broadcast: text = name + "_row[0]"; break;
        case ElementwiseShape::Step::next: text = name + "_row[" + column + "]"; break;
        case ElementwiseShape::Step::strided:
          text = name + "_row[(" + column + ") * (index)" + name + "_stride_" + std::to_string(outer_axes()) + "]";
          break;
      }
    });
    return text;
  }

  [[nodiscard]] Block pack_types() const {
    Block block;
    each_element_array([&](const Argument& argument, ElementwiseShape::Step) {
      const std::size_t bytes = shape_.lanes * size_of(argument.dtype);
      block += Line("typedef struct ALIGNED(" + std::to_string(bytes) + ") { " + storage_type(argument.dtype) +
                    " lane[" + std::to_string(shape_.lanes) + "]; } " + argument.name + "_pack;");
    });
    return block;
  }

  // A struct of known alignment is moved in one piece. What does not fill a pack is left to single work-items.
  [[nodiscard]] Block packed_loop() const {
    const std::string lanes = std::to_string(shape_.lanes);
    Block pack;
    Block lane = index_at("pack * " + lanes + " + lane");
    lane += at_one_index([](const std::string& name) { return name + "_now.lane[lane]"; });
    each_element_array([&](const Argument& a, ElementwiseShape::Step) {
      const bool is_input = a.kind == Argument::Kind::input;
      const std::string constness = is_input ? "const " : "";
      pack += Declare(constness + a.name + "_pack", a.name + "_now",
                      "((GLOBAL " + constness + a.name + "_pack*)" + a.name + "_first)[pack]");
    });
    pack += For("lane", "0", lanes, lane, For::Unrolling::full);
    each_element_array([&](const Argument& a, ElementwiseShape::Step) {
      if (a.kind != Argument::Kind::output) return;
      pack += Assign("((GLOBAL " + a.name + "_pack*)" + a.name + "_first)[pack]", a.name + "_now");
    });
    Block rest = index_at("at");
    rest += at_one_index([](const std::string& name) { return name + "_first[at]"; });
    return {Declare("const index", "pack_begin", "(index)GLOBAL_ID(0)"),
            Declare("const index", "pack_end", "(index)(columns_given / " + lanes + ")"),
            Declare("const index", "pack_step", "(index)GROUP_COUNT(0) * " + std::to_string(elementwise_group_size)),
            loop("pack", pack),
            Declare("const index", "at", "pack_end * " + lanes + " + pack_begin"),
            If("at < (index)columns_given", rest)};
  }

  const ElementwiseOperation& operation_;
  const ElementwiseShape& shape_;
};

}  // namespace

KernelSource elementwise_source(const ElementwiseOperation& operation, const ElementwiseShape& shape) {
  return {.name = operation.name + ".kernel", .text = Generator(operation, shape).text(), .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
