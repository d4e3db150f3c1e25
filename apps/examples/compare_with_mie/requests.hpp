#pragma once

#include <string>
#include <vector>

/// What compare_with_mie is asked, and its answers on stdout. Lengths and frequencies in the run's units.
namespace maxwell_dg::analytic {

struct Request {
  std::string directory;  ///< of the finished run
  double radius = 0;
  double absorbing_radius = 0;      ///< 0: free space
  std::string medium;               ///< the region that fills the sphere; none: it is of metal
  std::string coat;                 ///< the region of a coat; none: the sphere is bare
  double core_radius = 0;           ///< of what the coat covers
  std::vector<double> frequencies;  ///< of probes; none: the pulse's
  double bound = 0;                 ///< relative for probes, dB for the radar cross section
  double peak_bound = 0;            ///< relative, of the frequency where the cross section peaks; 0: not asked
};

/// Fields at probes. Do all deviations keep the bound? Throws ConfigError where the run is none to compare.
[[nodiscard]] bool compare_probes(const Request& request);

/// The radar cross section in rcs.csv, at its frequencies, where it is within 20 dB of its largest in the same cut
/// (frequency and phi).
[[nodiscard]] bool compare_rcs(const Request& request);

}  // namespace maxwell_dg::analytic
