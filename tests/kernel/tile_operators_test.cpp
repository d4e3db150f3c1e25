// Stages by tiles whose matrices are in shared memory or in constant memory, or whose neighbours are known by their
// nodes: what that takes of memory, and what is refused. What they compute: generated_kernels_test.cpp.
#include <stdexcept>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/stage_arrays.hpp"
#include "dg/variants/stage_generator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

template <class Make>
std::string refusal(const Make& make) {
  try {
    (void)make();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

TEST(TileOperators, in_shared_memory_have_room_for_every_factor) {
  const LoweredSystem maxwell = lower(maxwell::system()), acoustics = lower(acoustics::system());
  for (const LoweredSystem* lowered : {&maxwell, &acoustics}) {
    for (const std::string size : {"tensor_e16_w4_r1", "tensor_e8_w3_r1", "tiles_e16_w3_r1", "tiles_e8_w5_r1"}) {
      for (const std::string begin : {"", "_faces", "_mirror", "_mirrorfirst"}) {
        for (const std::string end : {"", "_basis"}) {
          for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
            for (const int N : {2, 4, 7}) {
              const auto make = [&](const std::string& operators) {
                return make_stage_generator(*lowered,
                                            {"some", N, precision, Schedule::named(size + begin + operators + end)});
              };
              const auto shared = make("_shared"), streamed = make("");
              EXPECT_EQ(streamed->shared_bytes() % 16, 0U) << "they are copied by 16 bytes";
              const ReferenceElement reference = ReferenceElement::make(N);
              const std::size_t factors =
                  shared->derivative_factors(reference).size() + shared->lift_factors(reference).size();
              EXPECT_EQ(shared->shared_bytes() - streamed->shared_bytes(), factors * size_of(precision))
                  << size << begin << end << " N" << N;
            }
          }
        }
      }
    }
  }
}

TEST(TileOperators, that_do_not_fit_in_constant_memory_are_refused) {
  const LoweredSystem lowered = lower(maxwell::system());
  const auto make = [&](int N, const std::string& name) {
    return refusal([&] {
      return make_stage_generator(lowered, {"maxwell", N, Dtype::float32, Schedule::named(name)});
    });
  };
  EXPECT_EQ(make(4, "tensor_e16_w5_r1_constant"), "none");
  EXPECT_EQ(make(4, "tensor_e8_w5_r1_constant"),
            "schedule tensor_e8_w5_r1_constant: matrices of 121856 bytes do not fit in constant memory, 63488 bytes");
  EXPECT_EQ(make(9, "tiles_e8_w16_r1_mirror_constant"),
            "schedule tiles_e8_w16_r1_mirror_constant: matrices of 235008 bytes do not fit in constant memory, 63488 "
            "bytes");
}

/// Some problem, with tiles by numbered nodes.
struct OperatorSetting {
  Discretization discretization{testing::random_mesh(5), 2};
  Problem problem = testing::random_problem(acoustics::system(), discretization);
  LoweredSystem lowered = lower(problem.system);
  MaterialTable materials = MaterialTable::make(lowered, problem.parameters, discretization.K());
  VaryingMedia media{lowered, problem, materials};
  Schedule schedule = Schedule::named("tiles_e16_w2_r1_nodemap");

  [[nodiscard]] StageSetting of_elements(std::size_t K) const {
    return {.compiler = test_compiler(),
            .discretization = discretization,
            .problem = problem,
            .lowered = lowered,
            .materials = materials,
            .media = media,
            .precision = Dtype::float32,
            .schedule = schedule,
            .layout = StateLayout(schedule, Dtype::float32, K, 4, 10),
            .stream = test_compiler().device().create_stream()};
  }
};

TEST(OutsideNodes, that_32_bits_do_not_number_are_refused) {
  const OperatorSetting setting;
  const auto upload = [&](std::size_t K) {
    return refusal([&] { return upload_outside_nodes(setting.of_elements(K)); });
  };
  EXPECT_EQ(upload(setting.discretization.K()), "none");
  EXPECT_EQ(upload(214'748'365),
            "schedule tiles_e16_w2_r1_nodemap numbers nodes in 32 bits, which 2147483650 nodes exceed; take one that "
            "connects faces");
}

TEST(OutsideNodes, are_part_of_the_forecast) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(2000), 2);
  const Problem problem = testing::random_problem(acoustics::system(), *discretization);
  for (const std::string name : {"tiles_e16_w2_r1", "tiles_e16_w2_r1_nodemap"}) {
    const Operator::Options options{.precision = Dtype::float32, .schedule = Schedule::named(name)};
    const core::Device device = test_compiler().device();
    const std::size_t before = device.allocated_bytes();
    const Operator op(test_compiler(), discretization, problem, options);
    const auto held = static_cast<double>(device.allocated_bytes() - before);
    const Operator::Usage usage{
        .problem = problem,
        .N = 2,
        .options = options,
        .size = {
            .elements = 2000, .boundary_faces = discretization->connectivity.boundary_faces.size(), .materials = 2000}};
    const auto forecast = static_cast<double>(Operator::forecast_bytes(usage, device.info()));
    EXPECT_NEAR(held / forecast, 1.0, 0.02) << name;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
