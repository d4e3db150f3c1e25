#pragma once

namespace maxwell_dg::dg {

/// What an angular frequency counts in a term's fastest_rate, where a rate of decay counts as it is: methods take steps
/// that much shorter along the imaginary axis than along the negative real one. stable_step() divides rates by 0.86 of
/// the extent along the latter, 18.5 for lsrk144, which reaches 6.1 along the former; lsrk54 would need 1.2.
inline constexpr double weight_of_oscillation = 2.7;

}  // namespace maxwell_dg::dg
