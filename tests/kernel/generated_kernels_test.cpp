#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// Every generated kernel equals the interpreted reference on random fields, materials, boundaries and meshes.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

constexpr int a_prime_number_of_cells = 37;
constexpr int a_smaller_one = 19;  // still more than one block of SIMD lanes

struct Case {
  std::string system;
  int N;
  Dtype precision;
  std::string slicing;  // "default"; "nodes", "tiles" or "elements": schedules for GPUs, on any device; or a schedule
  int cells;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.system << "_N" << c.N << "_" << name_of(c.precision) << "_" << c.slicing << "_" << c.cells
             << "_cells";
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::string maxwell = "maxwell";
  for (const std::string& system : {maxwell, std::string("acoustics")}) {
    for (int N = 1; N <= 9; ++N) {
      for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
        const int cells = N <= 4 ? a_prime_number_of_cells : a_smaller_one;
        cases.push_back({system, N, precision, "default", cells});
        cases.push_back({system, N, precision, "default", 1});
        // What is shaped for a GPU takes a CPU seconds to compile: each of the three for one system at an order, or in
        // one precision, by turns.
        if ((precision == Dtype::float64) == (N % 4 >= 2)) {
          const bool is_turn_of_tiles = (N % 2 == 0) == (system == maxwell);
          cases.push_back({system, N, precision, is_turn_of_tiles ? "tiles" : "nodes", cells});
        }
        if (N <= 2 && (precision == Dtype::float64) == ((N == 2) == (system == maxwell))) {
          cases.push_back({system, N, precision, "elements", a_prime_number_of_cells});
        }
      }
    }
  }
  for (const int N : {1, 3, 7}) {
    for (const char* slicing : {"default", "tiles"}) {
      cases.push_back({"anisotropic", N, Dtype::float64, slicing, a_smaller_one});
    }
  }
  // As many nodes at once as divide those of an element and as do not, in one part and two; blocks of which the last is
  // not full.
  cases.push_back({maxwell, 1, Dtype::float64, "lanes2_n3", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float32, "lanes4_n8_apart", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float64, "lanes8_n4", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float32, "lanes16_n4_apart", a_prime_number_of_cells});
  cases.push_back({"acoustics", 2, Dtype::float32, "lanes16_n1", a_prime_number_of_cells});
  cases.push_back({"acoustics", 5, Dtype::float64, "lanes4_n6_apart", a_smaller_one});
  cases.push_back({"anisotropic", 4, Dtype::float32, "lanes8_n3_apart", a_smaller_one});
  cases.push_back({"advection", 2, Dtype::float32, "lanes8_n2", a_prime_number_of_cells});
  cases.push_back({"advection", 3, Dtype::float64, "lanes2_n4", a_smaller_one});
  // More than the caches of a CPU are taken to hold.
  cases.push_back({maxwell, 7, Dtype::float64, "default", 1000});
  cases.push_back({"anisotropic", 1, Dtype::float32, "elements", a_smaller_one});
  // Passes over the faces of a group that no power of two divides, and parts that have nothing alike.
  cases.push_back({maxwell, 2, Dtype::float32, "elements_e96_r1_apart", a_prime_number_of_cells});
  cases.push_back({"acoustics", 1, Dtype::float64, "elements_e64_r1_apart", a_prime_number_of_cells});
  cases.push_back({"anisotropic", 3, Dtype::float32, "nodes", a_smaller_one});
  // In the basis of the element, by tiles and by elements in all their forms; the last groups are not full.
  cases.push_back({maxwell, 1, Dtype::float64, "tiles_e32_w2_r1_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float32, "tiles_e32_w4_r1_apart_group_faces_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float64, "tiles_e16_w2_r1_apart_faces_ahead_tight_basis", a_smaller_one});
  cases.push_back({maxwell, 4, Dtype::float32, "tiles_e8_w6_r1_group_liftahead_tight_basis", a_smaller_one});
  cases.push_back({"acoustics", 1, Dtype::float32, "tiles_e8_w2_r1_apart_tight_basis", a_smaller_one});
  cases.push_back({"acoustics", 2, Dtype::float64, "tiles_e32_w4_r1_apart_faces_basis", a_prime_number_of_cells});
  cases.push_back({"acoustics", 3, Dtype::float32, "tiles_e16_w3_r1_group_basis", a_smaller_one});
  cases.push_back({"acoustics", 4, Dtype::float64, "tiles_e16_w2_r1_apart_faces_basis", a_smaller_one});
  cases.push_back({"acoustics", 5, Dtype::float32, "tiles_e8_w4_r1_ahead_basis", a_smaller_one});
  // Faces padded to whole steps, by one warp and several; rows with an odd number of nodes, between mirror sums as
  // well; two steps at a time.
  cases.push_back({maxwell, 4, Dtype::float32, "tiles_e16_w5_r1_twos_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float64, "tiles_e16_w3_r1_group_twos", a_smaller_one});
  cases.push_back({"acoustics", 4, Dtype::float64, "tiles_e32_w4_r1_apart_tight_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float64, "tiles_e16_w6_r1_mirror_twos_basis", a_prime_number_of_cells});
  // From order 7 on, a place behind the fields of a vector no longer fits in a byte.
  cases.push_back({maxwell, 7, Dtype::float32, "tiles_e8_w8_r1_liftahead_basis", a_smaller_one});
  // By mirror sums, along x, y and z and in the basis of the element; more warps than tiles, a tile a warp and several.
  cases.push_back({maxwell, 1, Dtype::float64, "tiles_e16_w4_r1_mirror", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float32, "tiles_e32_w4_r1_apart_mirror_tight_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float32, "tiles_e16_w6_r1_mirrorfirst", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float32, "tiles_e8_w4_r1_mirror_basis", a_smaller_one});
  cases.push_back({maxwell, 5, Dtype::float64, "tiles_e8_w10_r1_apart_mirror_tight", a_smaller_one});
  cases.push_back({maxwell, 8, Dtype::float64, "tiles_e8_w12_r1_mirror_basis", a_smaller_one});
  cases.push_back({maxwell, 9, Dtype::float64, "tiles_e8_w16_r1_mirrorfirst_basis", a_smaller_one});
  cases.push_back({"acoustics", 2, Dtype::float64, "tiles_e16_w2_r1_mirror_basis", a_prime_number_of_cells});
  cases.push_back({"acoustics", 3, Dtype::float32, "tiles_e16_w4_r1_apart_mirror", a_smaller_one});
  cases.push_back({"acoustics", 4, Dtype::float64, "tiles_e8_w2_r1_apart_mirrorfirst_tight_basis", a_smaller_one});
  cases.push_back({"acoustics", 9, Dtype::float32, "tiles_e8_w8_r1_mirror_tight_basis", a_smaller_one});
  cases.push_back({"anisotropic", 3, Dtype::float64, "tiles_e16_w2_r1_mirror", a_smaller_one});
  // Matrices from shared and from constant memory, neighbours by their nodes; from order 7 on, as above.
  cases.push_back({maxwell, 1, Dtype::float64, "tiles_e32_w2_r1_shared", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float64, "tiles_e16_w4_r1_apart_nodemap", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float32, "tiles_e16_w2_r1_constant_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float32, "tiles_e16_w3_r1_shared_nodemap_tight_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float64, "tiles_e8_w3_r1_group_ahead_shared_basis", a_smaller_one});
  cases.push_back({maxwell, 7, Dtype::float32, "tiles_e8_w8_r1_nodemap_basis", a_smaller_one});
  cases.push_back({"acoustics", 1, Dtype::float64, "tiles_e32_w2_r1_nodemap_basis", a_prime_number_of_cells});
  cases.push_back({"acoustics", 2, Dtype::float64, "tiles_e32_w4_r1_faces_constant_nodemap", a_prime_number_of_cells});
  cases.push_back({"acoustics", 4, Dtype::float32, "tiles_e8_w4_r1_apart_liftahead_constant_basis", a_smaller_one});
  cases.push_back({maxwell, 3, Dtype::float64, "tiles_e16_w4_r1_mirror_shared_nodemap_basis", a_smaller_one});
  cases.push_back({"acoustics", 5, Dtype::float32, "tiles_e8_w4_r1_mirrorfirst_constant_nodemap", a_smaller_one});
  // Elements in blocks, of which the last is not full. At order 4 in single precision an element has no whole vectors;
  // places behind the fields of a vector fit in a byte in the smallest blocks alone.
  cases.push_back({maxwell, 1, Dtype::float32, "tiles_e8_w1_r1_blocked", a_prime_number_of_cells});
  cases.push_back({maxwell, 1, Dtype::float64, "tiles_e8_w2_r1_apart_blocked_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float32, "tiles_e32_w4_r1_apart_faces_ahead_blocked", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float64, "tiles_e16_w2_r1_group_blocked_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float32, "tiles_e16_w3_r1_faces_blocked_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 3, Dtype::float64, "tiles_e32_w4_r1_group_twos_blocked", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float32, "tiles_e16_w5_r1_nodemap_blocked_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 4, Dtype::float64, "tiles_e8_w3_r1_shared_blocked", a_smaller_one});
  cases.push_back({maxwell, 7, Dtype::float32, "tiles_e8_w8_r1_liftahead_blocked_basis", a_smaller_one});
  cases.push_back({"acoustics", 1, Dtype::float64, "tiles_e16_w2_r1_faces_blocked", a_prime_number_of_cells});
  cases.push_back({"acoustics", 2, Dtype::float32, "tiles_e32_w4_r1_apart_group_blocked_basis", a_smaller_one});
  cases.push_back({"acoustics", 3, Dtype::float64, "tiles_e16_w3_r1_nodemap_blocked_basis", a_smaller_one});
  cases.push_back({"acoustics", 4, Dtype::float32, "tiles_e8_w4_r1_constant_blocked", a_smaller_one});
  cases.push_back({"acoustics", 5, Dtype::float64, "tiles_e8_w4_r1_ahead_blocked_basis", a_smaller_one});
  cases.push_back({"anisotropic", 3, Dtype::float32, "tiles_e16_w3_r1_blocked", a_smaller_one});
  cases.push_back({"advection", 2, Dtype::float32, "tiles_e16_w2_r1_blocked", a_smaller_one});
  cases.push_back({maxwell, 1, Dtype::float32, "elements_e32_r1_basis", a_prime_number_of_cells});
  cases.push_back({maxwell, 2, Dtype::float64, "elements_e96_r1_apart_basis", a_prime_number_of_cells});
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    cases.push_back({"two_sounds", 1, precision, "elements_e64_r1_interleaved", a_prime_number_of_cells});
    cases.push_back({"two_sounds", 2, precision, "elements_e32_r1_apart_interleaved", a_smaller_one});
    cases.push_back({maxwell, 1, precision, "elements_e64_r1_apart_interleaved", a_prime_number_of_cells});
    cases.push_back({maxwell, 2, precision, "elements_e32_r1_interleaved", a_prime_number_of_cells});
    cases.push_back({maxwell, 2, precision, "elements_e96_r1_apart_interleaved", a_smaller_one});
  }
  cases.push_back({"acoustics", 1, Dtype::float64, "elements_e64_r1_apart_basis", a_prime_number_of_cells});
  cases.push_back({"acoustics", 2, Dtype::float32, "elements_e32_r1_basis", a_prime_number_of_cells});
  return cases;
}

/// One field that is carried along: fewer than a vector of 16 bytes has numbers.
System advection() {
  using namespace symbolic;
  System advection{.name = "advection"};
  const ScalarField q = add_scalar(advection, "q");
  const Expr speed = inside(add_parameter(advection, "c", 1.0));
  const Vector direction(1.0, 2.0, -1.0);
  set(advection.volume, q, -speed * dot(direction, gradient(q)));
  set(advection.flux, q, speed * (Expr(0.5) * dot(direction, normal()) - 0.7) * jump(q));
  System::Boundary odd{.name = "odd"};
  set(odd.outside, q, -inside(q));
  advection.boundaries.push_back(odd);
  advection.max_speed = 2.5 * speed;
  advection.energies = {{"square", {}}};
  set(advection.energies[0].weights, q, 0.5);
  return advection;
}

/// Two sounds that do not hear each other, one twice as fast: a scalar and a vector, and another of each.
System two_sounds() {
  using namespace symbolic;
  System sounds{.name = "two sounds"};
  const ParameterField speed = add_parameter(sounds, "c", 1.0);
  const Expr c_m = inside(speed), c_p = outside(speed);
  System::Boundary soft{.name = "soft"};
  sounds.energies = {{"square", {}}};
  const auto add = [&](const std::string& pressure, const std::string& velocity, double factor, double alpha) {
    const ScalarField p = add_scalar(sounds, pressure);
    const VectorField u = add_vector(sounds, velocity);
    const Expr jump_un = dot(normal(), jump(u));
    set(sounds.volume, p, -factor * c_m * divergence(u));
    set(sounds.volume, u, -factor * c_m * gradient(p));
    set(sounds.flux, p, factor * c_m * (c_p * jump_un - alpha * jump(p)) / (c_m + c_p));
    set(sounds.flux, u, (factor * c_m * (c_m * jump(p) - alpha * jump_un) / (c_m + c_p)) * normal());
    set(soft.outside, p, -inside(p));
    set(soft.outside, u, inside(u));
    set(sounds.energies[0].weights, p, 0.5);
    set(sounds.energies[0].weights, u, Vector(0.5, 0.5, 0.5));
  };
  add("p", "u", 1.0, 0.7);
  add("s", "v", 2.0, 0.4);
  sounds.boundaries.push_back(soft);
  sounds.max_speed = 2.0 * c_m;
  return sounds;
}

Problem make_problem(const std::string& system, const Discretization& discretization) {
  const double alpha = 0.7;
  if (system == "advection") return testing::random_problem(advection(), discretization);
  if (system == "two_sounds") return testing::random_problem(two_sounds(), discretization);
  if (system == "anisotropic") return testing::random_anisotropic_problem(alpha, discretization);
  return testing::random_problem(
      system == "maxwell" ? testing::maxwell_with_incident_wave(alpha) : acoustics::system({.alpha = alpha}),
      discretization);
}

class GeneratedKernels : public ::testing::TestWithParam<Case> {
 protected:
  const Case& c_ = GetParam();
  std::shared_ptr<const Discretization> discretization_ =
      std::make_shared<Discretization>(testing::random_mesh(c_.cells), c_.N);
  Problem problem_ = make_problem(c_.system, *discretization_);
  double bound_ = c_.precision == Dtype::float64 ? 1e-13 : 1e-5;

  void SetUp() override {
    if (c_.slicing.starts_with("lanes") && !maxwell_dg::testing::test_device().info().is_cpu) {
      GTEST_SKIP() << "lanes are for CPUs";
    }
  }

  Operator make_operator() {
    Operator::Options options{.precision = c_.precision};
    if (c_.slicing == "default") {
      return {maxwell_dg::testing::test_compiler(), discretization_, problem_, options};
    }
    if (c_.slicing == "nodes") {
      const int elements = c_.N <= 3 ? 3 : 1;
      options.schedule = Schedule{Schedule::Nodes{.node_padding = 4, .volume = {elements}, .surface = {elements}}};
    }
    // Two rows of tiles; parts together and apart; one tile a warp and more; tiles of 16 and of 8 elements; fluxes by
    // node and by face; matrices fetched in turn and ahead; elements in memory apart and close together.
    if (c_.slicing == "tiles") {
      static constexpr std::array names{"tiles_e32_w2_r1",       "tiles_e32_w4_r1_apart", "tiles_e32_w4_r1",
                                        "tiles_e16_w6_r1_apart", "tiles_e8_w7_r1",        "tiles_e8_w12_r1_apart",
                                        "tiles_e8_w8_r1",        "tiles_e8_w11_r1",       "tiles_e8_w14_r1"};
      const bool is_double = c_.precision == Dtype::float64;  // operands by each warp, and once for all
      options.schedule = Schedule::named(names.at(static_cast<std::size_t>(c_.N) - 1) +
                                         ((c_.N % 2 == 1) == is_double ? std::string("_group") : "") +
                                         (c_.N >= 2 && c_.N <= 4 ? "_faces" : "") +
                                         (c_.N % 3 == 1   ? "_liftahead"
                                          : c_.N % 3 == 2 ? "_ahead"
                                                          : "") +
                                         (c_.N % 3 == 0 ? "_tight" : ""));
    }
    if (c_.slicing == "elements") {
      options.schedule = Schedule::named(c_.N == 1 ? "elements_e32_r1" : "elements_e32_r1_apart");
    }
    if (!options.schedule) options.schedule = Schedule::named(c_.slicing);
    return {maxwell_dg::testing::test_compiler_for(c_.slicing), discretization_, problem_, options};
  }
};

TEST_P(GeneratedKernels, right_hand_side_equals_the_reference) {
  Operator op = make_operator();
  const ReferenceOperator reference(*discretization_, problem_);
  const std::vector<double> q = random_values(op.dofs());
  std::vector<double> expected(op.dofs()), found(op.dofs());
  const double t = 0.37;
  op.set_state(q);
  op.evaluate_rhs(t, found);
  reference.rhs(q, t, expected);
  EXPECT_LT(relative_difference(found, expected), bound_);
}

TEST_P(GeneratedKernels, stages_and_energies_equal_the_reference) {
  Operator op = make_operator();
  const ReferenceOperator reference(*discretization_, problem_);
  std::vector<double> q = random_values(op.dofs()), res(op.dofs(), 0.0), rhs(op.dofs());
  op.set_state(q);
  const double dt = 1e-3;
  const double a[] = {0.0, -0.4}, b[] = {0.3, 0.6};
  for (int stage = 0; stage < 2; ++stage) {
    op.stage(a[stage], b[stage], dt, 0.1);
    reference.rhs(q, 0.1, rhs);
    for (std::size_t i = 0; i < q.size(); ++i) {
      res[i] = a[stage] * res[i] + dt * rhs[i];
      q[i] += b[stage] * res[i];
    }
  }
  std::vector<double> found(op.dofs());
  op.get_state(found);
  EXPECT_LT(relative_difference(found, q), bound_);
  EXPECT_LT(relative_difference(op.energies(), reference.energies(q)), 10 * bound_);
}

INSTANTIATE_TEST_SUITE_P(All, GeneratedKernels, ::testing::ValuesIn(all_cases()), ::testing::PrintToStringParamName());

/// Kernels for a mesh that no cache of a CPU holds, run on a small one: with rows of whole lines and of half a line.
TEST(KernelsForManyElements, stages_equal_the_reference) {
  const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
  if (!compiler.device().info().is_cpu) GTEST_SKIP() << "lanes are for CPUs";
  for (const Case& c : {Case{"maxwell", 2, Dtype::float64, "lanes8_n4_apart", a_smaller_one},
                        Case{"maxwell", 2, Dtype::float32, "lanes8_n4_apart", a_prime_number_of_cells},
                        Case{"acoustics", 3, Dtype::float64, "lanes4_n3", a_smaller_one}}) {
    const auto d = std::make_shared<const Discretization>(testing::random_mesh(c.cells), c.N);
    const Schedule schedule = Schedule::named(c.slicing);
    constexpr std::size_t a_million = 1'000'000;
    const DeviceProblem problem(compiler, compiler.device().create_stream(), d, make_problem(c.system, *d), c.precision,
                                schedule, a_million);
    StageKernels& stages = problem.stages();
    stages.load(rtcg::Compiler(compiler).compile(stages.source()));
    const auto text_for = [&](std::size_t elements) {
      return DeviceProblem(compiler, compiler.device().create_stream(), d, problem.problem(), c.precision, schedule,
                           elements)
          .stages()
          .source()
          .text;
    };
    ASSERT_NE(stages.source().text, text_for(d->K())) << "not the kernels of a large mesh";
    const ReferenceOperator reference(*d, problem.problem());
    std::vector<double> q = random_values(problem.dofs()), res(q.size(), 0.0), rhs(q.size()), found(q.size());
    problem.set_state(q);
    const double dt = 1e-3;
    const double a[] = {0.0, -0.4}, b[] = {0.3, 0.6};
    for (int stage = 0; stage < 2; ++stage) {
      stages.advance(a[stage], b[stage], dt, 0.1);
      reference.rhs(q, 0.1, rhs);
      for (std::size_t i = 0; i < q.size(); ++i) {
        res[i] = a[stage] * res[i] + dt * rhs[i];
        q[i] += b[stage] * res[i];
      }
    }
    problem.read(stages.cartesian_state(), found);
    EXPECT_LT(relative_difference(found, q), c.precision == Dtype::float64 ? 1e-13 : 1e-5) << c;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
