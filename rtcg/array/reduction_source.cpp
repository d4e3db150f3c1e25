#include "rtcg/array/reduction_source.hpp"

#include <algorithm>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::rtcg {

using namespace syntax;

namespace {

class Generator {
 public:
  Generator(const Reduction& reduction, const ReductionShape& shape) : reduction_(reduction), shape_(shape) {}

  [[nodiscard]] std::string text() const {
    std::string text = "#include \"array_types.h\"\n";
    std::string all = reduction_.map.text + reduction_.reduce + reduction_.type + reduction_.preamble;
    for (const ReductionResult& result : results()) all += result.finish + std::string(name_of(result.dtype));
    if (uses_complex(reduction_.map.arguments, all)) {
      text += "#include \"array_complex.h\"\n";
    }
    if (!reduction_.preamble.empty()) text += reduction_.preamble + "\n";
    text += "typedef " + reduction_.type + " value_type;\n";
    text += print(Function("DEVICE_FUNCTION value_type reduced(value_type a, value_type b)",
                           {Line("return " + reduction_.reduce + ";")}));
    const std::vector<ReductionResult> list = results();
    for (std::size_t r = 0; r < list.size(); ++r) {
      text += print(Function("DEVICE_FUNCTION " + value_type(list[r].dtype) + " finished_" + std::to_string(r) +
                                 "(value_type a, int64 count)",
                             {Line("return " + list[r].finish + ";")}));
    }
    text += print(Function("KERNEL void " + group() + " reduce_parts(" + parameters() + ")", parts_body()));
    if (!shape_.has_one_part) {
      const std::string rest = "int64 outputs, int64 elements, int64 parts, GLOBAL const value_type* part_values, ";
      text +=
          print(Function("KERNEL void " + group() + " reduce_rest(" + rest + result_parameters() + ")", rest_body()));
    }
    return text;
  }

 private:
  [[nodiscard]] std::vector<ReductionResult> results() const {
    std::vector<ReductionResult> list{{reduction_.result, reduction_.finish}};
    list.insert(list.end(), reduction_.more.begin(), reduction_.more.end());
    return list;
  }
  [[nodiscard]] std::size_t axes() const { return shape_.output_axes + shape_.reduced_axes; }
  [[nodiscard]] std::string size() const { return std::to_string(shape_.is_cpu ? 1 : reduction_group_size); }
  [[nodiscard]] std::string lanes() const { return std::to_string(reduction_lanes); }
  [[nodiscard]] std::string group() const { return "GROUP_LIMIT(" + size() + ", 1, 1)"; }

  [[nodiscard]] std::string parameters() const {
    std::vector<std::string> list{"int64 outputs", "int64 elements", "int64 parts", "int64 part_size"};
    for (std::size_t d = 0; d < axes(); ++d) list.push_back("int64 extent_" + std::to_string(d));
    for (std::size_t a = 0; a < reduction_.map.arguments.size(); ++a) {
      const std::size_t strides = reduction_.map.is_element[a] ? axes() : 0;
      for (std::string& parameter : parameters_of(reduction_.map.arguments[a], strides)) {
        list.push_back(std::move(parameter));
      }
    }
    list.emplace_back(shape_.has_one_part ? result_parameters() : "GLOBAL value_type* part_values");
    return comma_separated(list);
  }

  [[nodiscard]] std::string result_parameters() const {
    std::vector<std::string> list;
    for (const ReductionResult& result : results()) {
      const std::string name = "result_" + std::to_string(list.size());
      list.push_back("GLOBAL " + storage_type(result.dtype) + "* " + name + ", int64 " + name + "_offset");
    }
    return comma_separated(list);
  }

  // The end of an output, or of a part of it, which reduce_rest will take.
  [[nodiscard]] Block kept(const std::string& output, const std::string& value) const {
    if (!shape_.has_one_part) return {Assign("part_values[(" + output + ") * parts + part]", value)};
    return finished(output, value);
  }
  [[nodiscard]] Block finished(const std::string& output, const std::string& value) const {
    Block block;
    const std::vector<ReductionResult> list = results();
    for (std::size_t r = 0; r < list.size(); ++r) {
      const std::string number = std::to_string(r), name = "result_" + number;
      block += Assign(name + "[" + name + "_offset + " + output + "]",
                      stored("finished_" + number + "(" + value + ", elements)", list[r].dtype));
    }
    return block;
  }

  template <class F>
  void each_element_array(F f) const {
    for (std::size_t a = 0; a < reduction_.map.arguments.size(); ++a) {
      if (reduction_.map.is_element[a]) f(reduction_.map.arguments[a]);
    }
  }

  static std::string stride(const Argument& argument, std::size_t axis) {
    return argument.name + "_stride_" + std::to_string(axis);
  }

  // Moves the pointers x_`to` = x_`from` + ... to element `number` of the axes [first, last), the last one fastest.
  [[nodiscard]] Block moved(const std::string& from, const std::string& to, const std::string& number,
                            std::size_t first, std::size_t last) const {
    Block block;
    each_element_array([&](const Argument& a) { block += Declare(pointer_type(a), a.name + to, a.name + from); });
    if (first == last) return block;
    const std::string rest = "rest" + to;
    if (last - first > 1) block += Declare("int64", rest, number);
    for (std::size_t d = last; d-- > first;) {
      const std::string at = "at" + to + "_" + std::to_string(d), extent = "extent_" + std::to_string(d);
      const bool is_outermost = d == first;
      block += Declare("const int64", at, last - first == 1 ? number : is_outermost ? rest : rest + " % " + extent);
      if (!is_outermost) block += Assign(rest, extent, "/=");
      each_element_array([&](const Argument& a) { block += Assign(a.name + to, at + " * " + stride(a, d), "+="); });
    }
    return block;
  }

  // value = reduced(value, map), at pointers x_`at`.
  [[nodiscard]] Block taken_in(const std::string& value, const std::string& at, const std::string& index) const {
    Block block;
    each_element_array([&](const Argument& a) {
      block += Declare("const " + value_type(a.dtype), a.name + "_i", loaded(a.name + at, a.dtype));
    });
    if (reduction_.map.uses_index) block += Declare("const int64", "i", index);
    block += Line(reduction_.map.text);
    block += Assign(value, "reduced(" + value + ", mapped)");
    return block;
  }

  [[nodiscard]] Block parts_body() const {
    Block body;
    if (!shape_.is_cpu && !shape_.is_along_outputs) body += Line("SHARED value_type shared[" + size() + "];");
    for (std::size_t a = 0; a < reduction_.map.arguments.size(); ++a) {
      body += Line(declaration_of(reduction_.map.arguments[a], reduction_.map.is_element[a]));
    }
    if (shape_.is_along_outputs) {
      body += along_outputs();
    } else {
      body += along_elements();
    }
    return body;
  }

  [[nodiscard]] static Statement jobs(const std::string& count, Block body) {
    return Function("for (int64 job = GROUP_ID(0); job < " + count + "; job += GROUP_COUNT(0))", std::move(body));
  }
  [[nodiscard]] static Block part_bounds() {
    return {Declare("const int64", "part", "job % parts"), Declare("const int64", "begin", "part * part_size"),
            Declare("const int64", "end", "min(begin + part_size, elements)")};
  }

  // A group takes one part of one output.
  [[nodiscard]] Block along_elements() const {
    Block job = part_bounds();
    job += moved("_first", "_out", "job / parts", 0, shape_.output_axes);
    if (shape_.is_cpu) {
      job += lanes_along_elements();
      job += kept("job / parts", "value");
    } else {
      job += items_along_elements();
      job += group_tree();
      job += If("LOCAL_ID(0) == 0", kept("job / parts", "shared[0]"));
      job += Line("BARRIER();");
    }
    return {jobs("outputs * parts", job)};
  }

  // Several loads of a work-item are on their way at once, each into a sum of its own: one would wait for its memory.
  [[nodiscard]] Block items_along_elements() const {
    Block block{Declare("value_type", "value", reduction_.neutral), Declare("int64", "k", "begin + LOCAL_ID(0)")};
    if (is_in_lanes()) {
      constexpr std::size_t loads = 8;
      const std::string n = std::to_string(loads), reach = std::to_string(loads * reduction_group_size);
      const std::string number = "k + lane * " + size();
      block += Line("value_type values[" + n + "];");
      block += For("lane", "0", n, {Assign("values[lane]", reduction_.neutral)}, For::Unrolling::full);
      block += Function(
          "for (; k + " + std::to_string((loads - 1) * reduction_group_size) + " < end; k += " + reach + ")",
          {For("lane", "0", n, taken_in("values[lane]", "_out[" + number + "]", number), For::Unrolling::full)});
      block += For("lane", "0", n, {Assign("value", "reduced(value, values[lane])")}, For::Unrolling::full);
    }
    block += Function("for (; k < end; k += " + size() + ")", one_element("value", "k"));
    return block;
  }

  // The elements of an output follow each other in memory.
  [[nodiscard]] bool is_in_lanes() const { return shape_.is_next && shape_.reduced_axes == 1; }

  [[nodiscard]] Block one_element(const std::string& value, const std::string& number) const {
    Block block = moved("_out", "_at", number, shape_.output_axes, axes());
    block += taken_in(value, "_at[0]", number);
    return block;
  }

  // Many sums side by side fill a CPU's vectors, which one sum, in its order, cannot. They are taken together now and
  // then, so that the rounding errors of a long sum stay those of short ones.
  [[nodiscard]] Block lanes_along_elements() const {
    Block block{Declare("value_type", "value", reduction_.neutral)};
    if (!is_in_lanes()) {
      block += Function("for (int64 k = begin; k < end; ++k)", one_element("value", "k"));
      return block;
    }
    const std::string run = std::to_string(reduction_lanes * 64);
    Block together{Line("value_type values[" + lanes() + "];"), each_lane({Assign("values[lane]", reduction_.neutral)}),
                   Function("for (int64 k = run; k + " + lanes() + " <= run_end; k += " + lanes() + ")",
                            {each_lane(taken_in("values[lane]", "_out[k + lane]", "k + lane"))})};
    for (std::size_t half = reduction_lanes / 2; half > 0; half /= 2) {
      const std::string n = std::to_string(half);
      together += For("lane", "0", n, {Assign("values[lane]", "reduced(values[lane], values[lane + " + n + "])")},
                      For::Unrolling::full);
    }
    together += Assign("value", "reduced(value, values[0])");
    block += Declare("int64", "run", "begin");
    Block runs{Declare("const int64", "run_end", "min(run + " + run + ", end)")};
    runs += together;
    runs += Function("for (int64 k = run_end - (run_end - run) % " + lanes() + "; k < run_end; ++k)",
                     taken_in("value", "_out[k]", "k"));
    block += Function("for (; run < end; run += " + run + ")", runs);
    return block;
  }
  [[nodiscard]] static For each_lane(Block body) {
    return {"lane", "0", std::to_string(reduction_lanes), std::move(body), For::Unrolling::full};
  }

  [[nodiscard]] Block group_tree() const {
    return {Assign("shared[LOCAL_ID(0)]", "value"), Line("BARRIER();"),
            Function("for (int32 half_size = " + size() + " / 2; half_size > 0; half_size /= 2)",
                     {If("LOCAL_ID(0) < half_size", {Assign("shared[LOCAL_ID(0)]",
                                                            "reduced(shared[LOCAL_ID(0)], shared[LOCAL_ID(0) + "
                                                            "half_size])")}),
                      Line("BARRIER();")})};
  }

  // A group takes one part of as many outputs as it has work-items, or lanes; neighbours in memory stay neighbours.
  [[nodiscard]] Block along_outputs() const {
    const std::string width = shape_.is_cpu ? std::to_string(reduction_outputs) : size();
    Block job = part_bounds();
    job += Declare("const int64", "first", "job / parts * " + width);
    if (shape_.is_cpu) {
      job += Declare("const int32", "lanes", "(int32)min((int64)" + width + ", outputs - first)");
      job += outputs_in_lanes();
    } else {
      job += Declare("const int64", "output", "first + LOCAL_ID(0)");
      job += If("output < outputs", one_output());
    }
    return {jobs("(outputs + " + width + " - 1) / " + width + " * parts", job)};
  }

  [[nodiscard]] Block one_output() const {
    Block block = moved("_first", "_out", "output", 0, shape_.output_axes);
    block += Declare("value_type", "value", reduction_.neutral);
    block += Function("for (int64 k = begin; k < end; ++k)", one_element("value", "k"));
    block += kept("output", "value");
    return block;
  }

  // Row after row into a row of sums, which stays in the cache.
  [[nodiscard]] Block outputs_in_lanes() const {
    const auto each_output = [](const Block& body) {
      return Block{Line("EACH_ALONE"), Function("for (int32 lane = 0; lane < lanes; ++lane)", body)};
    };
    if (!shape_.is_next || shape_.output_axes != 1) {
      return {Function("for (int64 output = first; output < first + lanes; ++output)", one_output())};
    }
    Block block = moved("_first", "_out", "first", 0, shape_.output_axes);
    block += Line("value_type values[" + std::to_string(reduction_outputs) + "];");
    block += each_output({Assign("values[lane]", reduction_.neutral)});
    Block element = moved("_out", "_at", "k", shape_.output_axes, axes());
    element += each_output(taken_in("values[lane]", "_at[lane]", "k"));
    block += Function("for (int64 k = begin; k < end; ++k)", element);
    block += each_output(kept("first + lane", "values[lane]"));
    return block;
  }

  [[nodiscard]] Block rest_body() const {
    Block body;
    if (!shape_.is_cpu) body += Line("SHARED value_type shared[" + size() + "];");
    const std::string first = shape_.is_cpu ? "0" : "LOCAL_ID(0)";
    Block job{Declare("value_type", "value", reduction_.neutral), Line("UNROLL_BY(8)"),
              Function("for (int64 part = " + first + "; part < parts; part += " + size() + ")",
                       {Assign("value", "reduced(value, part_values[job * parts + part])")})};
    if (shape_.is_cpu) {
      job += finished("job", "value");
    } else {
      job += group_tree();
      job += If("LOCAL_ID(0) == 0", finished("job", "shared[0]"));
      job += Line("BARRIER();");
    }
    body += jobs("outputs", job);
    return body;
  }

  const Reduction& reduction_;
  const ReductionShape& shape_;
};

}  // namespace

KernelSource reduction_source(const Reduction& reduction, const ReductionShape& shape) {
  return {.name = reduction.name + ".kernel", .text = Generator(reduction, shape).text(), .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
