#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/complex.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/arrays.hpp"
#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/plan.hpp"
#include "apps/python/bindings/run.hpp"
#include "apps/simulation/checks/forecast.hpp"
#include "apps/simulation/outputs/summary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

using simulation::Simulation;

/// {column: values}
nb::dict dict_of(const dg::Table& table) {
  nb::dict columns;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    columns[table.columns()[c].c_str()] = array_of(std::vector<double>(table.values()[c]), {table.rows()});
  }
  return columns;
}

/// [element][node]
nb::object field(Run& run, const std::string& name) {
  auto [values, K] = run.use([&](const Simulation& simulation) {
    return std::pair(simulation.field(name), simulation.plan().discretization->K());
  });
  const std::size_t nodes = values.size() / K;
  return array_of(std::move(values), {K, nodes});
}

/// {constant: [element] or [element][row][column]}
void change_media(Run& run, const nb::dict& values) {
  std::map<std::string, std::vector<double>> wanted;
  for (const auto& [name, of_elements] : values) {
    wanted[nb::cast<std::string>(name)] = nb::cast<std::vector<double>>(of_elements);
  }
  run.use([&](Simulation& simulation) { simulation.change_media(wanted); });
}

/// (names of regions, [element] the number of each one's region or -1)
nb::tuple regions(Run& run) {
  const dg::Mesh* mesh = run.use([](const Simulation& s) { return &s.plan().discretization->mesh; });
  const std::vector<std::int32_t>& of_elements = mesh->cell_region;
  return nb::make_tuple(mesh->regions, array_of(std::vector<std::int32_t>(of_elements), {of_elements.size()}));
}

/// [element][node][axis]
nb::object coordinates(Run& run) {
  auto [points, K] = run.use([](const Simulation& simulation) {
    return std::pair(simulation.coordinates(), simulation.plan().discretization->K());
  });
  std::vector<double> values;
  values.reserve(points.size() * 3);
  for (const dg::Point& point : points) values.insert(values.end(), point.begin(), point.end());
  return array_of(std::move(values), {K, points.size() / K, 3});
}

nb::dict table(Run& run, const std::string& name) {
  return dict_of(run.use([&](Simulation& simulation) { return simulation.table(name); }));
}

/// (frequencies [F], S [F][out][in], reference in ohm, comments), or None.
std::optional<nb::tuple> s_parameters(Run& run) {
  const std::optional<dg::Network> network =
      run.use([](const Simulation& simulation) { return simulation.s_parameters(); });
  if (!network) return std::nullopt;
  const std::size_t F = network->S.size(), ports = F == 0 ? 0 : static_cast<std::size_t>(network->S.front().rows());
  std::vector<std::complex<double>> S;
  for (const Eigen::MatrixXcd& matrix : network->S) {
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      for (Eigen::Index column = 0; column < matrix.cols(); ++column) S.push_back(matrix(row, column));
    }
  }
  return nb::make_tuple(array_of(std::vector<double>(network->frequencies), {F}),
                        array_of(std::move(S), {F, ports, ports}), network->reference_ohm, network->comments);
}

/// (probe, field, frequency, q, amplitude, error, doubtful) each.
nb::list resonances(Run& run) {
  nb::list found;
  for (const simulation::ProbeResonance& r : run.use([](const Simulation& s) { return s.resonances(); })) {
    found.append(nb::make_tuple(r.probe, r.field, r.frequency, r.q, r.amplitude, r.error, r.is_doubtful));
  }
  return found;
}

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<SharedFields>(m, "SharedFields", "Fields of a run in memory that other libraries may look at.")
      .def("array", &SharedFields::array, "first"_a, "count"_a.none(),
           nb::sig("def array(self, first: int, count: int | None) -> typing.Any"))
      .def("points", &SharedFields::points, nb::sig("def points(self) -> typing.Any"));
  nb::class_<Run>(m, "Run", "A simulation that is ready to step.")
      .def(nb::init<const config::Config&, Planned*, std::optional<std::filesystem::path>, bool, nb::object>(),
           "config"_a, "planned"_a.none(), "directory"_a.none(), "resume"_a, "log"_a)
      .def("step", &Run::step, "count"_a)
      .def("run", &Run::run)
      .def("finish", &Run::finish)
      .def("synchronize", [](Run& run) { run.use([](Simulation& s) { s.synchronize(); }); })
      .def("stop", &Run::stop)
      .def("abandon", &Run::abandon)
      .def("close", &Run::close)
      .def_prop_ro("has_ended", [](Run& run) { return run.use([](const Simulation& s) { return s.has_ended(); }); })
      .def_prop_ro("steps", [](Run& run) { return run.use([](const Simulation& s) { return s.steps(); }); })
      .def_prop_ro("time", [](Run& run) { return run.use([](const Simulation& s) { return s.time(); }); })
      .def("facts", [](Run& run) { return facts_of(*run.use([](const Simulation& s) { return &s.plan(); })); })
      .def("forecast",
           [](Run& run) { return run.use([](const Simulation& s) { return simulation::forecast(s.plan(), {}); }); })
      .def("field", &field, "name"_a)
      .def("coordinates", &coordinates)
      .def(
          "medium",
          [](Run& run, const std::string& constant) {
            auto [values, K] = run.use(
                [&](const Simulation& s) { return std::pair(s.medium(constant), s.plan().discretization->K()); });
            if (values.size() == K) return array_of(std::move(values), {K});
            return array_of(std::move(values), {K, 3, 3});
          },
          "constant"_a)
      .def("change_media", &change_media, "values"_a)
      .def("regions", &regions)
      .def("share_fields", &Run::share_fields, "names"_a)
      .def("table", &table, "name"_a)
      .def("s_parameters", &s_parameters)
      .def("resonances", &resonances)
      .def("summary_json", [](Run& run) {
        return run.use([](const Simulation& s) { return simulation::summary_json(s.summary(), s.plan()); });
      });
}

}  // namespace maxwell_dg::python
