#include "apps/maxwell_dg/kernels.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "apps/kernel_files.hpp"
#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/simulation/initial_state.hpp"
#include "apps/simulation/outputs/observers.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/variant.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

/// A folder for the files that observers begin, which goes with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "maxwell_dg_kernels_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw OutputError(name + ": no folder can be made there; set TMPDIR to a directory that can be written");
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;  // in the folder of temporary files an empty one may stay
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string write_kernels(const CommandLine& command) {
  config::Config config = load_config(command);
  KernelFiles files(command.kernels);
  const ScratchFolder scratch;
  config.outputs.directory = scratch.path();
  simulation::Plan plan = simulation::make_plan(std::move(config));
  rtcg::Compiler compiler = files.compiler_for(plan.device);
  plan.device = compiler.device();
  const auto [variant, may_be_tuned] = simulation::expect_variant(plan, compiler);
  if (may_be_tuned) {
    log_warning("the run may first look for a kernel variant faster than " + variant.schedule.name() + " (" +
                variant.origin + "), whose kernels these are; --tune looks for it now");
  }
  files.set_purpose({.system = plan.problem.system.name,
                     .N = plan.discretization->N(),
                     .precision = plan.config.solver.precision,
                     .schedule = variant.schedule,
                     .device = plan.device.info()});
  // As a run does before its first step, and all that it compiles it compiles there.
  dg::Operator op = simulation::make_operator(plan, compiler, variant.schedule);
  (void)simulation::reference_solution(plan, op);
  simulation::set_initial_state(plan, op);
  const simulation::Observers observers(plan, op);
  return files.finish();
}

}  // namespace maxwell_dg
