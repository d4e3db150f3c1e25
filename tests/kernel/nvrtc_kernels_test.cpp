// Every CUDA kernel that the generator emits compiles, for the architectures that NVRTC knows. No GPU is needed.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/cuda/nvrtc.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/curved/curved_energy.hpp"
#include "dg/codegen/curved/groups/group_generator.hpp"
#include "dg/codegen/curved/tiles/curved_tile_generator.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/codegen/terms/curved_term_generator.hpp"
#include "dg/codegen/terms/term_generator.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/power_terms.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/variants/stage_generator.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/source/dialect.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg {
namespace {

struct Case {
  int N;
  Dtype precision;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "N" << c.N << "_" << name_of(c.precision);
}

using Options = FusedGenerator::Options;

class NvrtcKernels : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (core::cuda::supported_architectures().empty()) GTEST_SKIP() << "needs NVRTC (a CUDA toolkit)";
  }

  void expect_compiles(const rtcg::KernelSource& source, const std::string& architecture) {
    if (!compiled_.insert(architecture + source.text).second) return;  // schedules share kernels
    const core::BuildResult result = core::cuda::compile(
        {.name = source.name,
         .text = rtcg::dialect_preamble(core::Backend::cuda) + "#line 1 \"" + source.name + "\"\n" + source.text},
        architecture);
    EXPECT_TRUE(result.ok) << architecture << "\n" << result.log;
    EXPECT_EQ(result.log.find("warning"), std::string::npos) << source.name << ": " << result.log;
  }

  static rtcg::KernelSource stage_of(const LoweredSystem& lowered, const Options& options) {
    if (options.schedule.is_fused()) return make_stage_generator(lowered, options)->stage();
    return SplitGenerator(lowered, options).stage();
  }

  std::vector<rtcg::KernelSource> sources(const LoweredSystem& lowered, const std::string& system,
                                          const Schedule& schedule) const {
    const auto [N, precision] = GetParam();
    const KernelGenerator generator(lowered, {system, N, precision, schedule});
    std::vector<rtcg::KernelSource> all;
    if (N == 1 || N == ReferenceElement::max_order)
      all = {generator.energy(), generator.sample(), generator.exchange()};
    if (N == 1) {  // all of these hardly depend on the order
      all.push_back(generator.fourier(true));
      all.push_back(generator.fourier(false));
    }
    all.push_back(stage_of(lowered, {system, N, precision, schedule}));
    return all;
  }

  /// In the basis of the element: by tensor cores in one form an order, by plain arithmetic where there are none and,
  /// at low orders, by elements.
  void expect_compiles_in_basis(const LoweredSystem& lowered, const std::string& system) {
    const auto [N, precision] = GetParam();
    const bool is_single = precision == Dtype::float32;
    const std::string of_order[] = {"_apart_group_liftahead_basis", "_apart_faces_tight_basis",
                                    is_single ? "_group_faces_ahead_basis" : "_ahead_basis"};
    const std::string by_mirror_sums =
        N % 2 == 0 ? "_e8_w16_r1_mirrorfirst_basis" : "_e8_w16_r1_apart_mirror_tight_basis";
    for (const std::string& architecture : architectures(N)) {
      const int number = std::stoi(architecture.substr(architecture.find('_') + 1));
      const std::string kind = number >= (is_single ? 80 : 90) ? "tensor" : "tiles";
      // Few tiles a warp: the more of them, the longer the text.
      std::vector<std::string> names{kind + (N <= 4 ? "_e16_w4_r1" : "_e16_w14_r1") + of_order[N % 3],
                                     kind + by_mirror_sums};
      if (N <= 2) names.insert(names.end(), {"elements_e64_r1_basis", "elements_e64_r1_apart_basis"});
      if (N <= 2 && element_basis(lowered)->has_two_of_each_kind()) {
        names.insert(names.end(), {"elements_e64_r1_interleaved", "elements_e64_r1_apart_interleaved"});
      }
      for (const std::string& name : names) {
        const Options options{system, N, precision, Schedule::named(name)};
        expect_compiles(make_stage_generator(lowered, options)->stage(), architecture);
      }
    }
  }

  std::set<std::string> compiled_;  // architecture and text

  /// Hopper, and at the ends of the range of orders the oldest and the newest, as PTX.
  static std::vector<std::string> architectures(int N) {
    const std::vector<std::string> all = core::cuda::supported_architectures();
    const auto as_ptx = [](const std::string& architecture) { return "compute_" + architecture.substr(3); };
    if (N == 1 || N == ReferenceElement::max_order) return {as_ptx(all.front()), "sm_90", as_ptx(all.back())};
    return {"sm_90"};
  }
};

TEST_P(NvrtcKernels, of_both_systems_compile) {
  const auto [N, precision] = GetParam();
  for (const System& system : {testing::maxwell_with_incident_wave(), acoustics::system()}) {
    const LoweredSystem lowered = lower(system);
    for (const std::string& architecture : architectures(N)) {
      // What is taken there, and what a GPU without tensor cores takes.
      const std::string itself = architecture.starts_with("compute_") ? "sm_" + architecture.substr(8) : architecture;
      for (const std::string& schedule_for : {itself, std::string("sm_75")}) {
        const core::DeviceInfo gpu{
            .backend = core::Backend::cuda, .architecture = schedule_for, .shared_memory_bytes = 232448};
        const Schedule schedule = default_schedule(gpu, {lowered, system.name, N, precision});
        for (const rtcg::KernelSource& source : sources(lowered, system.name, schedule)) {
          expect_compiles(source, architecture);
        }
      }
    }
  }
  for (const System& system : {testing::maxwell_with_incident_wave(), acoustics::system()}) {
    const LoweredSystem lowered = lower(system);
    std::vector<std::string> names{precision == Dtype::float64 ? "tensor_e16_w4_r1_group_faces"
                                   : N % 2 == 0                ? "tensor_e16_w4_r1_tight"
                                                               : "tensor_e8_w8_r1_apart_group_ahead"};
    names.emplace_back(N % 2 == 0 ? "tensor_e8_w16_r1_apart_mirror" : "tensor_e16_w8_r1_mirrorfirst");
    if (N <= 2) names.insert(names.end(), {"elements_e64_r1", "elements_e64_r1_apart"});
    // In three kernels, matrices from everywhere, as far as they fit.
    names.emplace_back("nodes_pad4_b4_v2x2x4_s2x2x1_Dshared_nodemap");
    if (N <= 3) names.emplace_back("nodes_pad1_v4x1x4_s4_Dregs_LIFTconst");
    for (const std::string& name : names) {
      expect_compiles(stage_of(lowered, {system.name, N, precision, Schedule::named(name)}), "sm_90");
    }
    expect_compiles_in_basis(lowered, system.name);
  }
  const std::vector<symbolic::Expr> values{symbolic::sin(symbolic::coordinate(0) * symbolic::time())};
  for (const bool curved : {false, true}) expect_compiles(nodal_values_kernel(values, N, curved), "sm_90");
}

/// Tiles whose matrices are in shared memory or in constant memory, whose neighbours are known by their nodes, and
/// whose elements are stored in blocks.
class NvrtcTiles : public NvrtcKernels {};

TEST_P(NvrtcTiles, of_other_operators_connectivity_and_layout_compile) {
  const auto [N, precision] = GetParam();
  const LoweredSystem maxwell = lower(testing::maxwell_with_incident_wave()), acoustics = lower(acoustics::system());
  const int first_with_tensor_cores = precision == Dtype::float32 ? 80 : 90;
  for (const int number : {75, 80, 90}) {
    const std::string architecture = (number == 90 ? "sm_" : "compute_") + std::to_string(number);
    const std::string kind = number >= first_with_tensor_cores ? "tensor" : "tiles";
    const auto compile = [&](const LoweredSystem& lowered, const std::string& system, const std::string& name) {
      const Options options{system, N, precision, Schedule::named(kind + name)};
      expect_compiles(make_stage_generator(lowered, options)->stage(), architecture);
    };
    compile(maxwell, "maxwell", "_e16_w5_r1_twos_shared_nodemap_tight_basis");
    compile(maxwell, "maxwell", "_e16_w5_r1_constant_basis");
    compile(maxwell, "maxwell", "_e8_w12_r1_mirrorfirst_constant_nodemap_basis");
    compile(acoustics, "acoustics", "_e8_w3_r1_group_ahead_shared");
    compile(acoustics, "acoustics", "_e16_w3_r1_faces_liftahead_nodemap");
    compile(maxwell, "maxwell", "_e16_w3_r1_twos_blocked_basis");
    compile(acoustics, "acoustics", "_e8_w3_r1_group_faces_blocked");
  }
}

/// Stages of one of several ranges of elements, in every slicing that there is for GPUs, and in the layouts in which an
/// element's values lie otherwise.
class NvrtcRanges : public NvrtcKernels {};

TEST_P(NvrtcRanges, of_every_slicing_compile) {
  const auto [N, precision] = GetParam();
  const LoweredSystem maxwell = lower(testing::maxwell_with_incident_wave());
  for (const char* name : {"elements_e64_r1", "elements_e64_r1_apart_interleaved", "tensor_e16_w4_r1_group_faces",
                           "tensor_e8_w12_r1_mirrorfirst_basis", "tensor_e16_w3_r1_twos_blocked_basis",
                           "tiles_e16_w3_r1_nodemap_tight_basis", "nodes_pad4_b4_v2x2x4_s2x2x1_Dshared_nodemap"}) {
    const Options options{.system = "maxwell",
                          .N = N,
                          .precision = precision,
                          .schedule = Schedule::named(name),
                          .has_ranges = true,
                          .has_curved = true};
    for (const char* architecture : {"sm_90", "compute_80"}) {
      if (std::string(architecture) == "compute_80" && precision == Dtype::float64) continue;  // no tensor cores
      expect_compiles(stage_of(maxwell, options), architecture);
    }
  }
}

/// Stages that compute terms of elements themselves.
class NvrtcStageTerms : public NvrtcKernels {};

TEST_P(NvrtcStageTerms, of_pmls_and_media_compile_in_tiles) {
  const auto [N, precision] = GetParam();
  const Discretization discretization(testing::random_mesh(19), N);
  Problem problem = testing::random_problem(testing::maxwell_with_incident_wave(), discretization);
  testing::add_all_terms(problem, discretization);
  const LoweredSystem lowered = lower(problem.system);
  std::vector<TermOfStage> terms;
  for (const ElementTerm& term : problem.element_terms) {
    LoweredTerm of_term = lower(problem.system, term);
    if (of_term.depends_on_time || of_term.depends_on_position) continue;
    terms.push_back(
        {.name = term.name, .lowered = std::move(of_term), .profiles = static_cast<int>(term.profiles.size())});
  }
  for (const bool has_ranges : {false, true}) {
    for (const char* name :
         {"tensor_e16_w5_r1_group_twos", "tensor_e16_w3_r1_blocked", "tensor_e8_w12_r1_mirrorfirst"}) {
      const auto generator = make_stage_generator(lowered, {.system = "maxwell",
                                                            .N = N,
                                                            .precision = precision,
                                                            .schedule = Schedule::named(name),
                                                            .has_ranges = has_ranges});
      generator->compute_terms(terms);
      expect_compiles(generator->stage(), "sm_90");
    }
  }
}

/// They hardly depend on the order.
class NvrtcPowers : public NvrtcKernels {};

TEST_P(NvrtcPowers, of_losses_inner_faces_and_every_boundary_condition_compile) {
  const auto [N, precision] = GetParam();
  const Discretization discretization(testing::random_mesh(19), N);
  const Problem problem = testing::random_problem(testing::maxwell_with_incident_wave(), discretization);
  const LoweredSystem lowered = lower(problem.system);
  const KernelGenerator stage(lowered, {problem.system.name, N, precision, Schedule{}});
  const TermGenerator generator(stage);
  const PowerTerms powers = power_terms(discretization, problem);
  for (const ElementTerm& term : powers.on_elements) {
    expect_compiles(generator.power(term, lower(problem.system, term)), "sm_90");
  }
  for (const FaceTerm& term : powers.on_faces) {
    expect_compiles(generator.power(term, lower(problem.system, term)), "sm_90");
  }
  expect_compiles(stage.power_sums(), "sm_90");
}

class NvrtcCurved : public NvrtcKernels {};

TEST_P(NvrtcCurved, stages_and_energies_of_curved_elements_compile) {
  const auto [N, precision] = GetParam();
  const ReferenceElement reference = ReferenceElement::make(N);
  const ElementQuadrature quadrature = ElementQuadrature::make(reference);
  for (const System& system :
       {testing::maxwell_with_incident_wave(), acoustics::system(), maxwell::system({.anisotropic = true})}) {
    const LoweredSystem lowered = lower(system);
    for (const char* schedule : {"tiles_e16_w3_r1", "tiles_e8_w1_r1_blocked_basis", "elements_e64_r1_basis"}) {
      const KernelGenerator::Options options{system.name, N, precision, Schedule::named(schedule)};
      const GroupGenerator generator({lowered, reference, quadrature, options});
      for (const char* architecture : {"sm_90", "compute_75"}) {
        expect_compiles(generator.stage(), architecture);
        for (const ConstantsOf constants : {ConstantsOf::elements, ConstantsOf::points}) {
          expect_compiles(
              curved_energy_kernel(lowered, generator.system(), quadrature.volume_points(), options, constants),
              architecture);
        }
      }
    }
  }
}

TEST_P(NvrtcCurved, stages_by_tiles_of_curved_elements_compile) {
  const auto [N, precision] = GetParam();
  const ReferenceElement reference = ReferenceElement::make(N);
  const ElementQuadrature quadrature = ElementQuadrature::make(reference);
  for (const System& system :
       {testing::maxwell_with_incident_wave(), acoustics::system(), maxwell::system({.anisotropic = true})}) {
    const LoweredSystem lowered = lower(system);
    for (const int number : {75, 80, 90}) {
      const CurvedProblem problem{
          lowered,
          reference,
          quadrature,
          {system.name, N, precision, Schedule::named(number == 80 ? "tiles_e16_w3_r1" : "tiles_e16_w3_r1_basis")}};
      const core::DeviceInfo gpu{.backend = core::Backend::cuda,
                                 .architecture = "sm_" + std::to_string(number),
                                 .shared_memory_bytes = 232448};
      const std::string architecture = (number == 90 ? "sm_" : "compute_") + std::to_string(number);
      const std::vector<CurvedVariant> variants = curved_tiles().variants(problem, gpu);
      if (variants.empty()) {
        EXPECT_GE(N * size_of(precision), 64U) << "fits from order 8 on no more, in double precision";
        continue;
      }
      expect_compiles(make_curved_generator(problem, variants.front())->stage(), architecture);
    }
  }
}

TEST_P(NvrtcCurved, terms_and_powers_of_curved_elements_compile) {
  const auto [N, precision] = GetParam();
  const Discretization discretization(testing::random_mesh(19), N);
  Problem problem = testing::random_problem(testing::maxwell_with_incident_wave(), discretization);
  testing::add_all_terms(problem, discretization);
  const LoweredSystem lowered = lower(problem.system);
  const CurvedSystem curved = CurvedSystem::of(lowered, problem.system.name);
  const KernelGenerator stage(lowered, {problem.system.name, N, precision, Schedule::named("tiles_e16_w3_r1")});
  const ElementQuadrature quadrature = ElementQuadrature::make(discretization.reference);
  const CurvedTermGenerator generator(stage, curved, quadrature, false), varying(stage, curved, quadrature, true);
  const FaceTerm& on_faces = problem.face_terms.front();
  expect_compiles(varying.face_term(on_faces, lower(problem.system, on_faces)).source, "sm_90");
  for (const ElementTerm& term : problem.element_terms) {
    expect_compiles(varying.element_term(term, lower(problem.system, term)).source, "sm_90");
    expect_compiles(generator.element_term(term, lower(problem.system, term)).source, "sm_90");
  }
  for (const FaceTerm& term : problem.face_terms) {
    expect_compiles(generator.face_term(term, lower(problem.system, term)).source, "sm_90");
  }
  if (N > 1) return;  // those of powers hardly depend on the order
  problem.element_terms.resize(1);
  problem.face_terms.clear();
  const PowerTerms powers = power_terms(discretization, problem);
  for (const ElementTerm& term : powers.on_elements) {
    expect_compiles(generator.power(term, lower(problem.system, term)).source, "sm_90");
  }
  for (const FaceTerm& term : powers.on_faces) {
    expect_compiles(generator.power(term, lower(problem.system, term)).source, "sm_90");
  }
}

TEST_P(NvrtcCurved, terms_in_tensors_compile) {
  const auto [N, precision] = GetParam();
  const Discretization discretization(testing::random_mesh(19), N);
  Problem problem = testing::random_anisotropic_problem(0.7, discretization);
  testing::add_linear_terms(problem, discretization);
  const LoweredSystem lowered = lower(problem.system);
  const CurvedSystem curved = CurvedSystem::of(lowered, problem.system.name);
  const KernelGenerator stage(lowered, {problem.system.name, N, precision, Schedule::named("tiles_e16_w3_r1")});
  const ElementQuadrature quadrature = ElementQuadrature::make(discretization.reference);
  for (const bool media_vary : {false, true}) {
    const CurvedTermGenerator generator(stage, curved, quadrature, media_vary);
    const ElementTerm& on_elements = problem.element_terms.front();
    const FaceTerm& on_faces = problem.face_terms.front();
    expect_compiles(generator.element_term(on_elements, lower_for_curved(problem.system, on_elements)).source, "sm_90");
    expect_compiles(generator.face_term(on_faces, lower_for_curved(problem.system, on_faces)).source, "sm_90");
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    for (const Dtype precision : {Dtype::float32, Dtype::float64}) cases.push_back({N, precision});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, NvrtcKernels, ::testing::ValuesIn(all_cases()), ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfSomeOrders, NvrtcCurved,
                         ::testing::Values(Case{1, Dtype::float64}, Case{4, Dtype::float32}, Case{9, Dtype::float64}),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfSomeOrders, NvrtcTiles, ::testing::Values(Case{2, Dtype::float64}, Case{4, Dtype::float32}),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfLowOrders, NvrtcRanges, ::testing::Values(Case{1, Dtype::float64}, Case{2, Dtype::float32}),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfSomeOrders, NvrtcStageTerms,
                         ::testing::Values(Case{2, Dtype::float64}, Case{4, Dtype::float32}),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(OfOrder1, NvrtcPowers, ::testing::Values(Case{1, Dtype::float32}, Case{1, Dtype::float64}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace maxwell_dg::dg
