#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/conversions.hpp"
#include "apps/python/bindings/launches.hpp"
#include "apps/python/bindings/operands.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/loop/loop_kernel.hpp"
#include "rtcg/tune/tuner.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

using rtcg::DeviceArray;
using rtcg::LoopKernel;

struct TunedLoop {
  rtcg::Context context;
  LoopKernel kernel;
};

rtcg::LoopDescription description_of(const std::string& name, const nb::dict& dimensions, const nb::dict& arrays,
                                     const std::string& assignment, nb::handle dtype) {
  rtcg::LoopDescription description{
      .name = name, .dimensions = {}, .arrays = {}, .assignment = assignment, .dtype = dtype_of_object(dtype)};
  for (const auto& [dimension, extent] : dimensions) {
    description.dimensions.push_back({text_of(dimension), shape_of(extent).at(0)});
  }
  for (const auto& [array, shape] : arrays) {
    description.arrays.push_back({text_of(array), shape_of(shape)});
  }
  return description;
}

/// Throws ArrayError where an array is not what the description says.
std::vector<core::Buffer> buffers_of(const LoopKernel& kernel, const nb::args& arrays) {
  std::vector<core::Buffer> buffers;
  for (const nb::handle argument : arrays) {
    if (!nb::isinstance<DeviceArray>(argument)) throw nb::type_error("a loop kernel is given Arrays");
    const auto array = nb::cast<DeviceArray>(argument);
    if (array.dtype() != kernel.nest().dtype) {
      throw rtcg::DtypeError(kernel.nest().name + ": arrays of " + std::string(name_of(kernel.nest().dtype)) +
                             " are needed, found " + std::string(name_of(array.dtype())));
    }
    if (buffers.size() < kernel.nest().arrays.size()) {
      const rtcg::LoopArray& wanted = kernel.nest().arrays[buffers.size()];
      if (array.shape() != wanted.shape) {
        throw rtcg::ShapeError(kernel.nest().name + ": " + wanted.name + " has the shape " +
                               rtcg::to_string(wanted.shape) + ", found " + rtcg::to_string(array.shape()));
      }
    }
    buffers.push_back(memory_of(array));
  }
  return buffers;
}

std::vector<double> scalars_of(const LoopKernel& kernel, const nb::kwargs& given) {
  std::vector<double> scalars;
  for (const std::string& name : kernel.scalar_names()) {
    if (!given.contains(name.c_str())) {
      const std::string message = kernel.nest().name + ": the number " + name + " is missing";
      throw nb::type_error(message.c_str());
    }
    scalars.push_back(nb::cast<double>(nb::float_(given[name.c_str()])));
  }
  if (given.size() != scalars.size()) {
    const std::string message = kernel.nest().name + ": more numbers than its assignment has";
    throw nb::type_error(message.c_str());
  }
  return scalars;
}

void bind_loop(nb::module_& m) {
  nb::class_<TunedLoop>(m, "LoopKernel", "A loop nest as data, whose fastest form is looked for.")
      .def(
          "__init__",
          [](TunedLoop* self, const rtcg::Context& context, const std::string& name, const nb::dict& dimensions,
             const nb::dict& arrays, const std::string& assignment, nb::handle dtype, double seconds,
             std::size_t most_candidates, nb::handle configuration) {
            const rtcg::LoopDescription description = description_of(name, dimensions, arrays, assignment, dtype);
            rtcg::LoopOptions options{.wisdom_directory = {},
                                      .tuning = {.seconds = seconds, .most_candidates = most_candidates}};
            if (!configuration.is_none()) options.configuration = record_of(configuration);
            const nb::gil_scoped_release without_lock;
            new (self) TunedLoop{context, LoopKernel(context.compiler(), description, options)};
          },
          "context"_a, "name"_a, "dimensions"_a, "arrays"_a, "assignment"_a, "dtype"_a = "float32", "seconds"_a = 60.0,
          "most_candidates"_a = 1000, "configuration"_a = nb::none(),
          nb::sig("def __init__(self, context: Context, name: str, dimensions: dict[str, int], arrays: dict[str, "
                  "tuple[int, ...]], assignment: str, dtype: DTypeLike = \"float32\", seconds: float = 60.0, "
                  "most_candidates: int = 1000, configuration: dict[str, typing.Any] | None = None) -> None"))
      .def(
          "__call__",
          [](const TunedLoop& loop, const nb::args& arrays, const nb::kwargs& scalars) {
            const std::vector<core::Buffer> buffers = buffers_of(loop.kernel, arrays);
            const std::vector<double> numbers = scalars_of(loop.kernel, scalars);
            const nb::gil_scoped_release without_lock;
            loop.kernel(loop.context.stream(), buffers, numbers);
          },
          "arrays"_a, "scalars"_a, nb::sig("def __call__(self, *arrays: Array, **scalars: float) -> None"))
      .def_prop_ro("scalar_names", [](const TunedLoop& loop) { return loop.kernel.scalar_names(); })
      .def_prop_ro(
          "configuration", [](const TunedLoop& loop) { return object_of(rtcg::Value(loop.kernel.configuration())); },
          nb::sig("def configuration(self) -> dict[str, typing.Any]"))
      .def_prop_ro("text", [](const TunedLoop& loop) { return loop.kernel.text(); });
}

/// What a Python function raises by ValueError or CompileError refuses a configuration; all else ends the search.
rtcg::Candidate candidate_of(nb::handle function, const rtcg::Configuration& configuration) {
  const nb::gil_scoped_acquire lock;
  try {
    const nb::object made = function(object_of(rtcg::Value(configuration)));
    const std::string name = nb::cast<std::string>(made.attr("name"));
    rtcg::Candidate candidate{.source = {.name = name, .text = nb::cast<std::string>(made.attr("text"))},
                              .kernel = nb::cast<std::string>(made.attr("kernel")),
                              .shape = launch_shape_of(made.attr("groups"), made.attr("group_size")),
                              .arguments = kernel_arguments_of(made.attr("arguments"))};
    return candidate;
  } catch (const nb::python_error& error) {
    if (error.matches(PyExc_ValueError)) throw std::invalid_argument(text_of(error.value()));
    throw;
  }
}

std::string objection_of(nb::handle verify) {
  const nb::gil_scoped_acquire lock;
  const nb::object found = verify();
  return found.is_none() ? "" : text_of(found);
}

nb::dict tune(const rtcg::Context& context, const std::string& question, const nb::dict& parameters,
              nb::callable candidate, nb::callable verify, nb::handle prepare, const std::vector<std::string>& require,
              nb::handle shape, const std::string& code, double seconds, std::size_t most_candidates, bool anew,
              bool keep, const std::optional<std::filesystem::path>& wisdom_directory) {
  rtcg::TuningProblem problem{.question = question, .shape = record_of(shape), .space = {}, .code = code};
  for (const auto& [name, values] : parameters) {
    const rtcg::Value list = template_value_of(nb::list(nb::borrow(values)));
    problem.space.add(text_of(name), list.list());
  }
  for (const std::string& expression : require) problem.space.require(expression);
  problem.stream = context.stream();
  problem.candidate = [&](const rtcg::Configuration& c) { return candidate_of(candidate, c); };
  problem.verify = [&](const core::Stream&) { return objection_of(verify); };
  if (!prepare.is_none()) {
    problem.prepare = [&](const core::Stream&) {
      const nb::gil_scoped_acquire lock;
      prepare();
    };
  }
  rtcg::TuningResult result;
  {
    const nb::gil_scoped_release without_lock;
    result = rtcg::Tuner(context.compiler(), wisdom_directory.value_or(std::filesystem::path()))
                 .tune(problem, {.seconds = seconds, .most_candidates = most_candidates, .anew = anew, .keep = keep});
  }
  nb::list table;
  for (const rtcg::CandidateReport& report : result.table) {
    table.append(nb::make_tuple(object_of(rtcg::Value(report.configuration)), report.seconds, report.rejection));
  }
  nb::dict found;
  found["best"] = object_of(rtcg::Value(result.best));
  found["seconds"] = result.seconds;
  found["tuned"] = result.tuned;
  found["table"] = table;
  found["text"] = rtcg::table_text(result);
  return found;
}

}  // namespace

void bind_rtcg_tuning(nb::module_& m) {
  bind_loop(m);
  m.def(
      "tune", &tune, "context"_a, "question"_a, "parameters"_a, "candidate"_a, "verify"_a, "prepare"_a.none(),
      "require"_a, "shape"_a, "code"_a, "seconds"_a, "most_candidates"_a, "anew"_a, "keep"_a,
      "wisdom_directory"_a.none(),
      nb::sig("def tune(context: Context, question: str, parameters: dict[str, typing.Any], "
              "candidate: collections.abc.Callable[[dict[str, typing.Any]], object], verify: "
              "collections.abc.Callable[[], str | None], prepare: "
              "collections.abc.Callable[[], object] | None, require: collections.abc.Sequence[str], shape: dict[str, "
              "typing.Any], code: str, seconds: float, "
              "most_candidates: int, anew: bool, keep: bool, wisdom_directory: str | None) -> dict[str, typing.Any]"));
}

}  // namespace maxwell_dg::python
