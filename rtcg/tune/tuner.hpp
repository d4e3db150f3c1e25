#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/tune/measure.hpp"
#include "rtcg/tune/search.hpp"
#include "rtcg/tune/search_space.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::rtcg {

/// What one configuration means: code, and how to run it once.
struct Candidate {
  KernelSource source{};  ///< without text nothing is compiled: `run` brings its own code
  std::string kernel{};   ///< its registers, spills and shared memory are looked at; launched unless `run` is given
  core::LaunchShape shape{};
  std::vector<core::KernelArgument> arguments{};
  /// Puts one run into the stream, where that takes more than one launch.
  std::function<void(const core::Module& module, const core::Stream& stream)> run{};
  /// Runs of single operations of the timed problem, by their names in SearchSpace::operation.
  std::map<std::string, std::function<void(const core::Module& module, const core::Stream& stream)>> operations{};
  /// The run that is verified, where that is a smaller one than the one that is timed.
  std::function<void(const core::Module& module, const core::Stream& stream)> rehearsal{};
  /// Makes what the timed run needs beside the rehearsal; called once, after that was verified, and not timed.
  std::function<void(const core::Module& module, const core::Stream& stream)> make_ready{};
  std::string refusal{};     ///< not empty: why this configuration cannot work; nothing is compiled
  double least_seconds = 0;  ///< no run can be faster, by bytes and operations: skipped if something else already was
};

struct TuningProblem {
  std::string question;  ///< "matmul float32"
  Record shape;          ///< what the answer depends on besides: {n: 4096}
  SearchSpace space;
  /// For a choice after which parameters no longer mean the same, such as a memory layout. A few candidates of every
  /// space are tried, then more of the most promising ones; one that is far slower than the best is left.
  std::vector<SearchSpace> other_spaces{};
  /// Changes when the generator of the candidates does: a version, or the template's text.
  std::string code{};
  /// Throws CompileError or std::invalid_argument for a configuration that cannot be generated.
  std::function<Candidate(const Configuration&)> candidate;
  /// Brings inputs and outputs into the state from which one run is checked; may be left out.
  std::function<void(const core::Stream&)> prepare{};
  /// After one run: "", or in what the result is wrong.
  std::function<std::string(const core::Stream&)> verify;
  /// Tried before all others.
  std::vector<Configuration> first{};
  /// In which candidates run; one of the tuner's own where there is none.
  std::optional<core::Stream> stream{};
  /// Answers that come with the program: the text of wisdom files, of many questions.
  std::string_view shipped{};

  /// `space` and the others.
  [[nodiscard]] std::vector<const SearchSpace*> spaces() const;
};

/// How well an earlier answer fits, the better the greater.
enum class Match {
  none,
  elsewhere,    ///< another device, driver or code: tried first, never taken without tuning
  shipped,      ///< comes with the program for this device, or for CPUs like this one
  other_shape,  ///< the same but for the problem's shape, or the text that it generates
  exact,
};

struct TuneOptions {
  SearchKind search = SearchKind::automatic;
  double seconds = 60;                 ///< in all; at least one batch of candidates is tried
  std::size_t most_candidates = 1000;  ///< in all, with those proposed first and those of single operations
  std::size_t patience = 64;           ///< a local search ends after so many candidates without a better one
  double candidate_seconds = 5;        ///< a single run that takes longer is given up
  double hang_seconds = 30;            ///< how long to wait then for the device; after that it is abandoned
  std::size_t spill_bytes = 64;  ///< CUDA: private memory a work-item may have beside its registers; sin() takes some
  /// So many times slower than the best, a candidate is looked at no more than twice, and a space whose best is that
  /// slow is not searched on.
  double slow_factor = 2;
  /// A GPU that computes for longer than the moment of a measurement is slower, as its power is limited, and not by as
  /// much with every candidate. If this is not 0, the fastest ones are measured again, each after it has run for so
  /// long, and that decides. As many as fit into a quarter of `seconds`; where that is not two, none.
  double sustained_seconds = 0;
  std::size_t finalists = 6;      ///< so many of them,
  double finalist_factor = 1.08;  ///< that take up to so many times the time of the best
  Match accept = Match::exact;    ///< how good a match is taken without tuning
  bool anew = false;              ///< tune even where an answer is known; it is tried first
  bool keep = true;               ///< store the answer; not where only a part of the space is asked, say
  std::uint64_t seed = 1;
  MeasureOptions measure{.warm_up = 1, .repeats = 7, .seconds_per_repeat = 0.002};
};

struct CandidateReport {
  Configuration configuration;
  double seconds{};         ///< the best of several runs; 0 when rejected
  double sustained{};       ///< the median after `TuneOptions::sustained_seconds` of runs; 0 when it was no finalist
  std::string rejection{};  ///< why, or ""
  core::KernelAttributes attributes{};
};

/// One operation tuned by itself (SearchSpace::operation).
struct OperationReport {
  Configuration base;  ///< the best so far of its space: what the other parameters were
  std::string name;
  Configuration best;                    ///< the operation's parameters alone
  double seconds{};                      ///< of the operation alone; 0 where not even the base could be timed
  std::vector<CandidateReport> table{};  ///< whole configurations, seconds of the operation alone; the base comes first

  [[nodiscard]] std::size_t tried() const { return table.size(); }
};

struct TuningResult {
  Configuration best;
  double seconds{};                           ///< of one run, when it was measured; sustained, where that was
  Match match = Match::none;                  ///< of the earlier answer that was taken, or tried first
  std::string known_device{};                 ///< on which that answer was found
  bool tuned = false;                         ///< false: the earlier answer was taken
  std::size_t space_size{};                   ///< points that meet the requirements
  std::vector<CandidateReport> table{};       ///< in the order in which they were tried; empty unless tuned
  std::vector<OperationReport> operations{};  ///< of each space that has any and was promising, in turn
};

/// The finalists by what they sustain, then others, fastest first, then the rejected ones with their reasons; the same
/// of each operation, of which only a few of the others.
[[nodiscard]] std::string table_text(const TuningResult& result);
/// The second part of it, of operations.
[[nodiscard]] std::string operations_text(const TuningResult& result);

/// Finds the fastest of many kernels that compute the same, by trying them on the device. An answer once found is kept
/// in a wisdom directory and is not looked for again; processes that ask the same at once wait for the first.
///
/// Candidates are compiled in parallel, rejected early (private memory, group too large, shared memory, lower bound),
/// verified before they are timed. One that does not compile, launch, verify or end is rejected with its reason; one
/// that takes the device with it is left out the next time. One that was running when the process ended is tried last
/// the next time, even beyond `seconds` and `most_candidates`, as Ctrl-C may have ended it, and left out if it ends
/// that process as well. All this is forgotten once the question is answered. Where a space has operations, each is
/// first tuned by itself around the best candidate found; what becomes of all their best together decides. An earlier
/// answer is verified like any other before it is taken; that it is no longer right is a warning.
class Tuner {
 public:
  /// `wisdom_directory` empty: `wisdom/` in default_cache_directory().
  explicit Tuner(Compiler compiler, std::filesystem::path wisdom_directory = {});

  /// Throws DeviceError when no candidate works, or when one blocks the device.
  [[nodiscard]] TuningResult tune(const TuningProblem& problem, const TuneOptions& options = {});
  /// What is known without tuning: the best match of at least `options.accept` that is still right, if there is any.
  [[nodiscard]] std::optional<TuningResult> find(const TuningProblem& problem, const TuneOptions& options = {});
  /// What `find` would try first: the best match of at least `accept`. Nothing is run, so it may no longer be right.
  [[nodiscard]] std::optional<TuningResult> known(const TuningProblem& problem, Match accept = Match::exact) const;

  /// One configuration by itself: "" where it is right, else why it is rejected.
  [[nodiscard]] std::string objection(const TuningProblem& problem, const Configuration& configuration,
                                      const TuneOptions& options = {});
  /// One configuration by itself, also timed. `objection` need not have been asked.
  [[nodiscard]] CandidateReport attempt(const TuningProblem& problem, const Configuration& configuration,
                                        const TuneOptions& options = {});

  [[nodiscard]] const Wisdom& wisdom() const { return wisdom_; }

 private:
  Compiler compiler_;
  Wisdom wisdom_;
};

}  // namespace maxwell_dg::rtcg
