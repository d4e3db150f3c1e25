#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg {
class KernelFiles;
namespace dg {
class Operator;
}
}  // namespace maxwell_dg

namespace maxwell_dg::bench {

/// The meshes that are measured on, each made once: a unit cube of distorted tetrahedra for each order, of which those
/// in an upper part may be curved.
class Boxes {
 public:
  /// `elements`: about; 0: the standard number of the order for this kind of device.
  /// `curved`: per cent of the cube, about.
  Boxes(const core::DeviceInfo& device, std::size_t elements, double curved = 0)
      : is_cpu_(device.is_cpu), elements_(elements), curved_(curved) {}
  [[nodiscard]] std::shared_ptr<const dg::Discretization> of_order(int order);

 private:
  bool is_cpu_;
  std::size_t elements_;
  double curved_;
  std::map<int, std::shared_ptr<const dg::Discretization>> made_;
};

enum class Materials {
  random,   ///< each element has its own, up to twice what the system's parameters are by default
  uniform,  ///< these everywhere
};

/// The system's first boundary condition all around the box.
[[nodiscard]] dg::Problem box_problem(const dg::System& system, const dg::Discretization& discretization,
                                      Materials materials);

/// The variant that maxwell_dg would take for a run too short to tune for.
[[nodiscard]] dg::Schedule taken_schedule(const rtcg::Compiler& compiler,
                                          const std::shared_ptr<const dg::Discretization>& discretization,
                                          const dg::Problem& problem, Dtype precision);

/// Fields by random numbers, the same in every run.
void set_random_state(dg::Operator& op);

struct Question {
  dg::System system;
  int order{};
  Dtype precision{};
  std::vector<dg::Schedule> schedules{};  ///< empty: the one that a run takes
  Materials materials{};
  std::string slicing{};  ///< to tune these alone, if it is not empty
  double turns{};         ///< seconds in which they and ceilings take turns, if not 0
  double sustained{};     ///< seconds that the device has been at it when it is timed
  bool has_curved{};      ///< whether elements of the mesh are curved
};

/// One line of the report. Counting rules: docs/performance.md.
struct Answer {
  std::string system;
  int order{};
  Dtype precision{};
  std::size_t elements{};
  std::size_t curved{};  ///< of these elements
  double ns_per_element_stage{};
  double gdof_per_second{};
  double gflops{};         ///< nominal
  double gb_per_second{};  ///< least traffic
  double bandwidth_fraction{};
  double compute_fraction{};
  double roofline_fraction{};
  std::string variant;
  double max_relative_error{};  ///< of one right-hand side on random fields against the reference
};

/// What a sample of running Fourier sums of all fields in every node adds to a step.
struct SumsAnswer {
  std::string system;
  int order{};
  Dtype precision{};
  std::size_t elements{};
  std::size_t frequencies{};
  double step_ms{};          ///< without a sample
  double sample_ms{};        ///< what a sample adds
  double gb{};               ///< least traffic of a sample: the state read once, the sums read and written
  double over_least_time{};  ///< sample_ms over the time that copying so many bytes takes
};

/// A schedule by its name. Throws ConfigError.
[[nodiscard]] dg::Schedule parse_variant(const std::string& name);

/// Throws ConfigError where a schedule of the question is none for its system, order and precision, or for the device.
void check(const Question& question, const core::DeviceInfo& device);

/// The error of a right-hand side of a schedule on a small mesh (Answer::max_relative_error); `elements`: of the mesh
/// that it is for. Throws DeviceError where that is more than rounding.
[[nodiscard]] double verified_error(const rtcg::Compiler& compiler, const Question& question,
                                    const dg::Schedule& schedule, std::size_t elements);

/// Times stages on random fields; verifies on a small mesh of the same kind, with random materials. One answer a
/// schedule. In turns (rtcg::measure_in_turns) fractions are of ceilings that took turns as well, not of `ceilings`:
/// others that use the machine are in the way of both. Throws DeviceError for a schedule whose results are wrong.
[[nodiscard]] std::vector<Answer> run(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                                      const Question& question);

/// Asks the compiler, which is that of `files`, for the kernels of each schedule: of a question without one, that which
/// a run takes, unverified.
void list_kernels(rtcg::Compiler& compiler, KernelFiles& files, Boxes& boxes, const Question& question);

/// Times steps with and without a sample for so many frequencies, with the variant that a run takes.
[[nodiscard]] SumsAnswer run_sums(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                                  const Question& question, std::size_t frequencies);

}  // namespace maxwell_dg::bench
