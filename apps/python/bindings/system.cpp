#include "apps/python/bindings/system.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/bindings.hpp"
#include "dg/symbolic/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

using namespace dg::symbolic;
using dg::System;

/// Where an equation of a field goes: in volume terms, fluxes, outside states or weights.
using Equations = std::vector<Expr>;

/// Puts {field: expression} into [field]. Throws nb::type_error for what is no field, std::invalid_argument for a
/// vector field without a vector.
void put(const System& system, const std::string& what, const nb::dict& given, Equations& equations) {
  equations.resize(system.fields.size());
  for (const auto& [field, value] : given) {
    if (nb::isinstance<VectorField>(field)) {
      Vector vector;
      if (!nb::try_cast(value, vector)) throw std::invalid_argument(what + ": a vector field's entry is a Vector");
      set(equations, nb::cast<VectorField>(field), vector);
    } else if (nb::isinstance<ScalarField>(field)) {
      Expr expression;
      if (!nb::try_cast(value, expression))
        throw std::invalid_argument(what + ": a scalar field's entry is a number or an Expr");
      set(equations, nb::cast<ScalarField>(field), expression);
    } else {
      throw nb::type_error("keys are fields of this system: what System.scalar and System.vector return");
    }
  }
  if (equations.size() != system.fields.size()) throw std::invalid_argument(what + ": a field is of another system");
}

System::Meaning meaning_of(const std::string& doc, const std::string& range) {
  using Range = System::Meaning::Range;
  System::Meaning meaning{.doc = doc};
  if (range == "positive") {
    meaning.range = Range::positive;
  } else if (range == "at least zero") {
    meaning.range = Range::at_least_zero;
  } else if (range == "any") {
    meaning.range = Range::any;
  } else {
    throw std::invalid_argument("System.parameter: range is 'positive', 'at least zero' or 'any', found '" + range +
                                "'");
  }
  return meaning;
}

void add_boundary(OwnSystem& own, const std::string& name, const nb::dict& outside, const std::string& doc,
                  bool absorbs, bool conducts) {
  if (own.system.find_condition(name) != nullptr) {
    throw std::invalid_argument("System.boundary: there is a condition '" + name + "' already");
  }
  Equations equations;
  put(own.system, "System.boundary", outside, equations);
  own.system.add_condition({.name = name,
                            .doc = doc.empty() ? name : doc,
                            .traits = {.absorbs = absorbs, .conducts = conducts},
                            .outside = [equations](auto) { return equations; }});
}

template <class Field, class Bound>
void bind_traces(nb::module_& m, Bound& bound) {
  bound.def("__hash__", [](const Field& field) {
    if constexpr (std::is_same_v<Field, VectorField>)
      return 4 * field.first + 3;
    else
      return 4 * field.index;
  });
  m.def(
      "inside", [](const Field& q) { return inside(q); }, "q"_a,
      "The value inside of an element; in a flux, the inside trace.");
  m.def(
      "outside", [](const Field& q) { return outside(q); }, "q"_a, "The outside trace, in a flux.");
  m.def(
      "jump", [](const Field& q) { return jump(q); }, "q"_a, "Inside less outside.");
  m.def(
      "average", [](const Field& q) { return average(q); }, "q"_a, "Half of inside and outside together.");
}

struct Arithmetic {
  const char* name;  ///< "add": of __add__ and __radd__
  Expr (*apply)(const Expr& a, const Expr& b);
};
constexpr Arithmetic arithmetic[] = {{"add", [](const Expr& a, const Expr& b) { return a + b; }},
                                     {"sub", [](const Expr& a, const Expr& b) { return a - b; }},
                                     {"mul", [](const Expr& a, const Expr& b) { return a * b; }},
                                     {"truediv", [](const Expr& a, const Expr& b) { return a / b; }},
                                     {"pow", [](const Expr& a, const Expr& b) { return pow(a, b); }}};

void bind_arithmetic(nb::class_<Expr>& expr) {
  for (const Arithmetic& entry : arithmetic) {
    const std::string name = entry.name;
    const auto signature = [](const std::string& method, const char* other) {
      return "def " + method + "(self, other: " + other + ", /) -> Expr";
    };
    expr.def(("__" + name + "__").c_str(), [f = entry.apply](const Expr& a, const Expr& b) { return f(a, b); },
             nb::is_operator(), nb::sig(signature("__" + name + "__", "Expr | float").c_str()));
    expr.def(("__r" + name + "__").c_str(), [f = entry.apply](const Expr& b, double a) { return f(a, b); },
             nb::is_operator(), nb::sig(signature("__r" + name + "__", "float").c_str()));
  }
  expr.def(
      "__mul__", [](const Expr& s, const Vector& a) { return s * a; }, nb::is_operator(),
      nb::sig("def __mul__(self, other: Vector, /) -> Vector"));
  expr.def("__neg__", [](const Expr& a) { return -a; });
  expr.def("__abs__", [](const Expr& a) { return abs(a); });
}

void bind_expressions(nb::module_& m) {
  nb::class_<Expr> expr(m, "Expr", "A scalar expression of fields, parameters, places and time.");
  nb::class_<Vector> vector(m, "Vector", "Three expressions: a vector in space.");
  expr.def(nb::init_implicit<double>(), "value"_a);
  bind_arithmetic(expr);
  constexpr const char* by_number = "def __mul__(self, other: Expr | float, /) -> Vector";
  vector
      .def(nb::init<Expr, Expr, Expr>(), "x"_a, "y"_a, "z"_a,
           nb::sig("def __init__(self, x: Expr | float, y: Expr | float, z: Expr | float) -> None"))
      .def(nb::self + nb::self)
      .def(nb::self - nb::self)  // NOLINT(misc-redundant-expression): says that vectors have it
      .def(-nb::self)
      .def(
          "__mul__", [](const Vector& a, const Expr& s) { return s * a; }, nb::is_operator(), nb::sig(by_number))
      .def(
          "__rmul__", [](const Vector& a, const Expr& s) { return s * a; }, nb::is_operator(),
          nb::sig("def __rmul__(self, other: Expr | float, /) -> Vector"))
      .def(
          "__truediv__", [](const Vector& a, const Expr& s) { return a / s; }, nb::is_operator(),
          nb::sig("def __truediv__(self, other: Expr | float, /) -> Vector"))
      .def("__getitem__", [](const Vector& a, int axis) {
        if (axis < 0 || axis > 2) throw nb::index_error("a Vector has the axes 0, 1, 2");
        return a[axis];
      });
  const auto of_two = [](const std::string& name) {
    return "def " + name + "(a: Expr | float, b: Expr | float) -> Expr";
  };
  for (const auto& [name, op, arity] : functions()) {
    if (arity != 1) continue;
    m.def(("expr_" + name).c_str(), [op = op](const Expr& a) { return apply(op, a); }, "a"_a,
          nb::sig(("def expr_" + name + "(a: Expr | float) -> Expr").c_str()));
  }
  m.def(
      "expr_min", [](const Expr& a, const Expr& b) { return min(a, b); }, "a"_a, "b"_a,
      nb::sig(of_two("expr_min").c_str()));
  m.def(
      "expr_max", [](const Expr& a, const Expr& b) { return max(a, b); }, "a"_a, "b"_a,
      nb::sig(of_two("expr_max").c_str()));
  m.def(
      "expr_atan2", [](const Expr& y, const Expr& x) { return atan2(y, x); }, "a"_a, "b"_a,
      nb::sig(of_two("expr_atan2").c_str()));
  m.def(
      "inner", [](const Vector& a, const Vector& b) { return dot(a, b); }, "a"_a, "b"_a);
  m.def(
      "cross", [](const Vector& a, const Vector& b) { return cross(a, b); }, "a"_a, "b"_a);
  m.def(
      "normal", [] { return normal(); }, "The outward unit normal of a face.");
  m.def(
      "position", [] { return position(); }, "x, y and z.");
  m.def(
      "time", [] { return dg::symbolic::time(); }, "The time.");
}

void bind_fields(nb::module_& m) {
  nb::class_<ScalarField> scalar(m, "ScalarField", "An unknown.");
  nb::class_<VectorField> vector(m, "VectorField", "Three unknowns: a vector.");
  nb::class_<ParameterField> parameter(m, "ParameterField", "A number that is constant in each element.");
  vector.def("__getitem__", [](const VectorField& field, int axis) {
    if (axis < 0 || axis > 2) throw nb::index_error("a VectorField has the axes 0, 1, 2");
    return field[axis];
  });
  scalar.def(
      "derivative",
      [](const ScalarField& field, int axis) {
        if (axis < 0 || axis > 2) throw nb::index_error("derivatives are along the axes 0, 1, 2");
        return field.derivative(axis);
      },
      "axis"_a, "d/dx, d/dy or d/dz.");
  bind_traces<ScalarField>(m, scalar);
  bind_traces<VectorField>(m, vector);
  bind_traces<ParameterField>(m, parameter);
  m.def(
      "curl", [](const VectorField& u) { return curl(u); }, "u"_a);
  m.def(
      "divergence", [](const VectorField& u) { return divergence(u); }, "u"_a);
  m.def(
      "gradient", [](const ScalarField& p) { return gradient(p); }, "p"_a);
}

void add_field(System& system, const std::string& name, const std::vector<std::string>& fields) {
  for (const std::string& field : fields) {
    if (std::ranges::count(system.fields, field) > 0) {
      throw std::invalid_argument("System: there is a field '" + name + "' already");
    }
  }
  if (!system.volume.empty() || !system.flux.empty() || !system.conditions.empty()) {
    throw std::invalid_argument("System: fields come before equations; add '" + name + "' first");
  }
}

}  // namespace

std::shared_ptr<const config::Systems> systems_with(const OwnSystem& own) {
  const System& system = own.system;
  const auto require = [&](bool is_there, const std::string& what) {
    if (!is_there) throw std::invalid_argument("the system '" + system.name + "' has no " + what);
  };
  require(!system.fields.empty(), "fields: add them by scalar and vector");
  require(system.volume.size() == system.fields.size(), "volume terms: set them by `volume`");
  require(system.flux.size() == system.fields.size(), "fluxes: set them by `flux`");
  require(!system.conditions.empty(), "boundary conditions: add one by `boundary`");
  require(!system.max_speed.is_constant(0), "fastest speed, which the time step follows from: set `max_speed`");
  require(!system.energies.empty(), "energy, by which a run that diverges is noticed: add one by `energy`");
  return std::make_shared<const config::Systems>(config::Systems{config::KnownSystem{
      .name = system.name, .doc = own.doc, .make = [system](const config::KnownSystem::Choices&) { return system; }}});
}

void bind_system(nb::module_& m) {
  bind_expressions(m);
  bind_fields(m);
  nb::class_<OwnSystem>(m, "OwnSystem", "A system of equations.")
      .def(
          "__init__",
          [](OwnSystem* self, const std::string& name, const std::string& doc, std::optional<double> alpha) {
            new (self) OwnSystem{.system = {.name = name, .alpha = alpha}, .doc = doc};
          },
          "name"_a, "doc"_a, "alpha"_a.none())
      .def_prop_ro("name", [](const OwnSystem& own) { return own.system.name; })
      .def_prop_ro("fields", [](const OwnSystem& own) { return own.system.fields; })
      .def(
          "scalar",
          [](OwnSystem& own, const std::string& name) {
            add_field(own.system, name, {name});
            return add_scalar(own.system, name);
          },
          "name"_a)
      .def(
          "vector",
          [](OwnSystem& own, const std::string& name) {
            add_field(own.system, name, {name + "x", name + "y", name + "z"});
            return add_vector(own.system, name);
          },
          "name"_a)
      .def(
          "parameter",
          [](OwnSystem& own, const std::string& name, double value, const std::string& doc, const std::string& range) {
            return add_parameter(own.system, name, value, meaning_of(doc, range));
          },
          "name"_a, "default"_a, "doc"_a, "range"_a)
      .def(
          "volume",
          [](OwnSystem& own, const nb::dict& equations) {
            put(own.system, "System.volume", equations, own.system.volume);
          },
          "equations"_a)
      .def(
          "flux",
          [](OwnSystem& own, const nb::dict& equations) { put(own.system, "System.flux", equations, own.system.flux); },
          "equations"_a)
      .def("boundary", &add_boundary, "name"_a, "outside"_a, "doc"_a, "absorbs"_a, "conducts"_a)
      .def(
          "energy",
          [](OwnSystem& own, const std::string& name, const nb::dict& weights) {
            System::Energy energy{.name = name, .weights = {}};
            put(own.system, "System.energy", weights, energy.weights);
            own.system.energies.push_back(std::move(energy));
          },
          "name"_a, "weights"_a)
      .def(
          "max_speed", [](OwnSystem& own, const Expr& speed) { own.system.max_speed = speed; }, "speed"_a,
          nb::sig("def max_speed(self, speed: Expr | float) -> None"))
      .def(
          "relaxation_rate", [](OwnSystem& own, const Expr& rate) { own.system.relaxation_rate = rate; }, "rate"_a,
          nb::sig("def relaxation_rate(self, rate: Expr | float) -> None"));
}

}  // namespace maxwell_dg::python
