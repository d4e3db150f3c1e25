#pragma once

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

/// An operation on arrays was asked for that has no meaning: what was given, and what was expected.
class ArrayError : public Error {
 public:
  explicit ArrayError(const std::string& message) : Error(ExitCode::config, message) {}
};

/// Shapes do not fit each other, or a size is negative or overflows.
class ShapeError : public ArrayError {
 public:
  using ArrayError::ArrayError;
};

/// An element type that the operation does not take.
class DtypeError : public ArrayError {
 public:
  using ArrayError::ArrayError;
};

/// An index or an axis that is not there.
class IndexError : public ArrayError {
 public:
  using ArrayError::ArrayError;
};

}  // namespace maxwell_dg::rtcg
