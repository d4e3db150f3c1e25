#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

/// Runs the built program as a user would.
namespace maxwell_dg::testing {

struct Outcome {
  int exit_code = -1;  ///< 128 + signal when one ended the program
  std::string out, err;
};

struct Conditions {
  std::map<std::string, std::string> environment{};  ///< added to the test's own
  std::optional<rlim_t> largest_file{};              ///< bytes; writing more fails as on a full disk
  std::vector<int> closed{};                         ///< descriptors
  std::vector<int> without_reader{};                 ///< descriptors that are pipes which nobody reads
  std::vector<int> ignored_signals{};                ///< as by nohup
  std::optional<rlim_t> address_space{};             ///< bytes
  /// Options of a tmpfs of the program's own, which TMPDIR names; exit code 77 where it cannot be mounted.
  std::string temporary_files{};
  bool obeys_permissions{false};      ///< also where tests run as root
  bool without_seccomp{false};        ///< as on a system that has none
  std::string program{"maxwell_dg"};  ///< or another that is built beside it
};

/// A program that has been started; what it says goes to files in `scratch`.
class Program {
 public:
  Program(std::vector<std::string> arguments, const std::filesystem::path& scratch, const Conditions& conditions = {});
  ~Program();
  Program(Program&&) noexcept;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  Program& operator=(Program&&) = delete;

  void send(int signal) const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] Outcome wait();

 private:
  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
};

/// Where the program lies.
[[nodiscard]] std::string program_path();

[[nodiscard]] Outcome run_program(std::vector<std::string> arguments, const std::filesystem::path& scratch,
                                  const Conditions& conditions = {});

/// Writes a config into `folder` and runs it with more arguments, output to `folder`/out.
[[nodiscard]] Outcome run_config(const std::filesystem::path& folder, const std::string& config,
                                 const std::vector<std::string>& more = {});

/// Arguments that assign each of these, "key=value".
[[nodiscard]] std::vector<std::string> with_set(const std::vector<std::string>& assignments);

/// What the program was built with: without Gmsh it reads no .msh.
constexpr bool has_gmsh = MAXWELL_DG_HAVE_GMSH;

/// A closed cavity with a known solution: 24 tetrahedra of order 2, some ten steps, every kind of output but fields.
[[nodiscard]] std::string cavity_config();

/// Arguments that make it write two snapshots beyond the first.
[[nodiscard]] inline std::vector<std::string> with_fields() {
  return {"--set", "outputs.fields={count: 2, quantities: [E, H]}"};
}

/// Writes the cavity's config into `folder` and runs it with more arguments, output to `folder`/out.
[[nodiscard]] Outcome run_cavity(const std::filesystem::path& folder, std::vector<std::string> more = {},
                                 const Conditions& conditions = {});

}  // namespace maxwell_dg::testing
