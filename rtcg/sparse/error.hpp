#pragma once

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

/// A system of equations that a solver cannot solve: not positive definite, or not converging.
class SolverError : public Error {
 public:
  explicit SolverError(const std::string& message) : Error(ExitCode::diverged, message) {}
};

}  // namespace maxwell_dg::rtcg
