#include "rtcg/array/scan_source.hpp"

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/scan_texts.hpp"
#include "rtcg/source/is_word.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

using namespace scan_texts;

class Generator {
 public:
  Generator(const Scan& scan, const ScanShape& shape) : scan_(scan), shape_(shape) {}

  [[nodiscard]] std::string text() const {
    std::string text = "#include \"array_types.h\"\n";
    const std::string all = scan_.input + scan_.segment_start + scan_.output + scan_.scan + scan_.type + scan_.preamble;
    if (uses_complex(scan_.arguments, all)) text += "#include \"array_complex.h\"\n";
    if (!scan_.preamble.empty()) text += scan_.preamble + "\n";
    text += "typedef " + scan_.type + " value_type;\n";
    text += "DEVICE_FUNCTION value_type scanned(value_type a, value_type b) { return " + scan_.scan + "; }\n";
    text += "DEVICE_FUNCTION value_type neutral_value() { return " + scan_.neutral + "; }\n";
    text += is_segmented() ? segmented_state : plain_state;
    return text + kernels();
  }

 private:
  [[nodiscard]] bool is_segmented() const { return !scan_.segment_start.empty(); }

  [[nodiscard]] std::string kernels() const {
    std::string parameters;
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      for (const std::string& one : parameters_of(scan_.arguments[a], scan_.is_element[a] ? 1 : 0)) {
        parameters += one + ", ";
      }
    }
    if (shape_.method == ScanMethod::runs) {
      const std::string step =
          substitute(run_step, {{"input", input()}, {"previous", previous("sums[lane]")}, {"output", output()}});
      return substitute(runs_kernels, {{"lanes", std::to_string(scan_lanes)},
                                       {"parameters", parameters},
                                       {"total_step", substitute(run_total_step, {{"input", input()}})},
                                       {"last", last_of_runs()},
                                       {"step", step}});
    }
    const std::string functions = substitute(
        group_functions, {{"group", std::to_string(scan_group_size)}, {"items", std::to_string(shape_.items)}});
    const std::string load = substitute(load_tile, {{"input", input()}});
    const std::string before = "local_at > 0 ? tile[local_at - 1] : carry";
    const std::string before_all = previous(before);
    const std::string barrier = before_all.empty() ? "WARP_BARRIER();" : "BARRIER();";
    const std::string store =
        substitute(store_tile, {{"barrier", barrier}, {"previous", before_all}, {"output", output()}});
    if (shape_.method == ScanMethod::chained) {
      return functions + substitute(chained_kernel, {{"parameters", parameters}, {"load", load}, {"store", store}});
    }
    return functions +
           substitute(tiles_kernels,
                      {{"parameters", parameters}, {"last", last_of_tiles()}, {"load", load}, {"store", store}});
  }

  [[nodiscard]] std::string element(const Argument& argument) const {
    return argument.name + "_first[element_at" + (shape_.is_next ? "]" : " * " + argument.name + "_stride_0]");
  }

  // The index, the arguments and the values of elements that a text mentions. They are declared in the scope of the
  // text alone, so that arguments may be called as anything in the kernel around it.
  [[nodiscard]] std::string values_for(const std::string& text) const {
    std::string values = mentions(text, "i") ? "const int64 i = element_at;\n" : "";
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      const Argument& argument = scan_.arguments[a];
      const std::string value = argument.name + "_i";
      if (!mentions(text, scan_.is_element[a] ? value : argument.name)) continue;
      values += declaration_of(argument, scan_.is_element[a]) + "\n";
      if (!scan_.is_element[a]) continue;
      values += std::string(argument.kind == Argument::Kind::input ? "const " : "") + value_type(argument.dtype) + " " +
                value + " = " + loaded(element(argument), argument.dtype) + ";\n";
    }
    return values;
  }

  // element_state = the element at `element_at`
  [[nodiscard]] std::string input() const {
    std::string text = "{\n" + values_for(scan_.input + " " + scan_.segment_start);
    text += "STATE_VALUE(element_state) = " + scan_.input + ";\n";
    if (is_segmented()) text += "element_state.starts = (" + scan_.segment_start + ") != 0;\n";
    return text + "}";
  }

  [[nodiscard]] std::string previous(const std::string& before) const {
    return mentions(scan_.output, "prev_item") ? "const scan_state previous_state = " + before + ";" : "";
  }

  [[nodiscard]] std::string output() const {
    const bool has_previous = mentions(scan_.output, "prev_item");
    const bool asks_for_segment = has_previous && is_segmented();
    std::string text = "{\n" + values_for(scan_.output + (asks_for_segment ? " " + scan_.segment_start : ""));
    if (mentions(scan_.output, "item")) text += "const value_type item = STATE_VALUE(element_state);\n";
    if (has_previous) {
      const std::string value = "STATE_VALUE(previous_state);\n";
      text += "const value_type prev_item = ";
      text += asks_for_segment ? "(" + scan_.segment_start + ") != 0 ? neutral_value() : " + value : value;
    }
    const std::size_t last = scan_.output.find_last_not_of(" \t\n");
    const bool is_ended = last != std::string::npos && (scan_.output[last] == ';' || scan_.output[last] == '}');
    text += "{ " + scan_.output + (is_ended ? " }\n" : "; }\n");
    for (std::size_t a = 0; a < scan_.arguments.size(); ++a) {
      const Argument& argument = scan_.arguments[a];
      if (!scan_.is_element[a] || argument.kind != Argument::Kind::output) continue;
      if (!mentions(scan_.output, argument.name + "_i")) continue;
      text += element(argument) + " = " + stored(argument.name + "_i", argument.dtype) + ";\n";
    }
    return text + "}";
  }

  [[nodiscard]] std::string last_of_tiles() const {
    return scan_.uses_last ? "const value_type last_item = STATE_VALUE(all_of(totals, parts, sums));" : "";
  }
  [[nodiscard]] std::string last_of_runs() const {
    if (!scan_.uses_last) return "";
    return "scan_state last = neutral_state();\n"
           "for (int64 part = 0; part < parts; ++part) last = combined(last, totals[part]);\n"
           "const value_type last_item = STATE_VALUE(last);";
  }

  const Scan& scan_;
  const ScanShape& shape_;
};

}  // namespace

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_word(text[at - 1]), ends = end == text.size() || !is_word(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

KernelSource scan_source(const Scan& scan, const ScanShape& shape) {
  return {.name = scan.name + ".kernel", .text = Generator(scan, shape).text(), .headers = array_headers()};
}

}  // namespace maxwell_dg::rtcg
