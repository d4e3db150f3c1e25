#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/launches.hpp"
#include "apps/python/bindings/operands.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/reduction.hpp"
#include "rtcg/array/scan.hpp"
#include "rtcg/source/template.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

using rtcg::ElementwiseKernel;
using rtcg::ReductionKernel;
using rtcg::ScanKernel;

/// Code on a device, and where its kernels go.
struct LoadedModule {
  rtcg::Context context;
  core::Module module;
};

/// Runs a kernel with its operands, which it reads and writes.
template <class Kernel>
void launch(const Kernel& kernel, const nb::args& operands) {
  const std::vector<rtcg::Operand> list = operands_of(operands);
  const nb::gil_scoped_release without_lock;
  kernel.launch(list, {});
}

void bind_elementwise(nb::module_& m) {
  nb::class_<ElementwiseKernel>(m, "ElementwiseKernel", "The same at every index, by statements of C.")
      .def(
          "__init__",
          [](ElementwiseKernel* self, const std::string& arguments, const std::string& operation,
             const std::string& name, const std::string& preamble) {
            new (self)
                ElementwiseKernel({.arguments = arguments, .operation = operation, .name = name, .preamble = preamble});
          },
          "arguments"_a, "operation"_a, "name"_a = "elementwise", "preamble"_a = "")
      .def("__call__", &launch<ElementwiseKernel>, nb::sig("def __call__(self, *operands: Array | complex) -> None"));
}

void bind_reduction(nb::module_& m) {
  nb::class_<ReductionKernel>(m, "ReductionKernel", "Many elements to one, by expressions of C.")
      .def(
          "__init__",
          [](ReductionKernel* self, const std::string& arguments, const std::string& map, const std::string& reduce,
             const std::string& neutral, nb::handle result, const std::string& finish, const std::string& name,
             const std::string& preamble) {
            new (self) ReductionKernel({.arguments = arguments,
                                        .map = map,
                                        .reduce = reduce,
                                        .neutral = neutral,
                                        .result = dtype_of_object(result),
                                        .finish = finish,
                                        .name = name,
                                        .preamble = preamble});
          },
          "arguments"_a, "map"_a, "reduce"_a, "neutral"_a, "result"_a = "float64", "finish"_a = "a",
          "name"_a = "reduction", "preamble"_a = "",
          nb::sig("def __init__(self, arguments: str, map: str, reduce: str, neutral: str, result: DTypeLike = "
                  "\"float64\", finish: str = \"a\", name: str = \"reduction\", preamble: str = \"\") -> None"))
      .def(
          "__call__",
          [](const ReductionKernel& kernel, const nb::args& operands, nb::handle axis, bool keepdims) {
            const std::vector<rtcg::Operand> list = operands_of(operands);
            ReductionKernel::Options options{.keeps_axes = keepdims};
            if (!axis.is_none()) options.axes = shape_of(axis);
            const nb::gil_scoped_release without_lock;
            return kernel.reduce(list, options);
          },
          "operands"_a, nb::kw_only(), "axis"_a = nb::none(), "keepdims"_a = false,
          nb::sig("def __call__(self, *operands: Array | complex, axis: int | collections.abc.Sequence[int] | None = "
                  "None, keepdims: bool = False) -> Array"));
}

void bind_scan(nb::module_& m) {
  nb::class_<ScanKernel>(m, "ScanKernel", "Elements taken together in order, by expressions of C.")
      .def(
          "__init__",
          [](ScanKernel* self, const std::string& arguments, const std::string& input, const std::string& scan,
             const std::string& neutral, const std::string& output, nb::handle dtype, const std::string& segment_start,
             const std::string& name, const std::string& preamble) {
            new (self) ScanKernel({.arguments = arguments,
                                   .input = input,
                                   .scan = scan,
                                   .neutral = neutral,
                                   .output = output,
                                   .segment_start = segment_start,
                                   .dtype = dtype_of_object(dtype),
                                   .name = name,
                                   .preamble = preamble});
          },
          "arguments"_a, "input"_a, "scan"_a, "neutral"_a, "output"_a, "dtype"_a = "float64", "segment_start"_a = "",
          "name"_a = "scan", "preamble"_a = "",
          nb::sig("def __init__(self, arguments: str, input: str, scan: str, neutral: str, output: str, dtype: "
                  "DTypeLike = \"float64\", segment_start: str = \"\", name: str = \"scan\", preamble: str = \"\") -> "
                  "None"))
      .def("__call__", &launch<ScanKernel>, nb::sig("def __call__(self, *operands: Array | complex) -> None"));
}

}  // namespace

void bind_rtcg_kernels(nb::module_& m) {
  bind_elementwise(m);
  bind_reduction(m);
  bind_scan(m);
  nb::class_<LoadedKernel>(m, "Kernel", "A kernel of a Module.")
      .def_prop_ro("name", [](const LoadedKernel& kernel) { return kernel.kernel.name(); })
      .def(
          "__call__",
          [](const LoadedKernel& kernel, const nb::args& arguments, nb::handle groups, nb::handle group_size) {
            const core::LaunchShape shape = launch_shape_of(groups, group_size);
            const std::vector<core::KernelArgument> list = kernel_arguments_of(arguments);
            const nb::gil_scoped_release without_lock;
            kernel.kernel.launch(kernel.context.stream(), shape, list);
          },
          "arguments"_a, nb::kw_only(), "groups"_a, "group_size"_a,
          nb::sig("def __call__(self, *arguments: object, groups: int | collections.abc.Sequence[int], group_size: int "
                  "| collections.abc.Sequence[int]) -> None"));
  nb::class_<LoadedModule>(m, "Module", "Compiled kernels.")
      .def(
          "kernel",
          [](const LoadedModule& module, const std::string& name) {
            return LoadedKernel{module.context, module.module.kernel(name)};
          },
          "name"_a);
  m.def(
      "compile",
      [](const rtcg::Context& context, const std::string& text, const std::string& name, nb::handle values) {
        std::string rendered = text;
        if (!values.is_none()) rendered = rtcg::Template(name, text).render(record_of(values));
        const nb::gil_scoped_release without_lock;
        return LoadedModule{context, context.compiler().compile({.name = name, .text = rendered})};
      },
      "context"_a, "text"_a, "name"_a, "values"_a.none());
}

}  // namespace maxwell_dg::python
