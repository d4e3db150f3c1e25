#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtcg/source/expression.hpp"

namespace maxwell_dg::rtcg {

/// One point of a search space: a value for each parameter's name.
using Configuration = Record;

/// "block=64 lanes=8"
[[nodiscard]] std::string written(const Configuration& configuration);

/// Points of a space, by number: a few bytes each, so that there may be millions.
class SearchPoints {
 public:
  using Parameter = std::pair<std::string, std::vector<Value>>;
  explicit SearchPoints(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Configuration operator[](std::size_t point) const;
  [[nodiscard]] std::optional<std::size_t> find(const Configuration& configuration) const;
  /// Do they differ in exactly one parameter?
  [[nodiscard]] bool are_neighbours(std::size_t a, std::size_t b) const;
  /// Adds the point with these values, as numbers in the parameters' lists.
  void add(std::span<const std::uint16_t> choice);

 private:
  [[nodiscard]] std::span<const std::uint16_t> choice(std::size_t point) const;

  std::vector<Parameter> parameters_;
  std::vector<std::uint16_t> choices_;  ///< one number a parameter for each point
  std::size_t size_ = 0;
};

/// Named parameters with the values that each may take, less what the requirements rule out.
class SearchSpace {
 public:
  /// Throws std::invalid_argument for a name that is there already and for an empty list.
  SearchSpace& add(std::string name, std::vector<Value> values);
  /// A name that requirements may use but that does not vary: a device's limit, a size of the problem.
  SearchSpace& constant(std::string name, Value value);
  /// An expression (see rtcg/source/expression.hpp) that must be true: "block * lanes <= 1024". Throws CompileError for
  /// one that is not well formed or names what is not there: parameters and constants come first.
  SearchSpace& require(std::string_view expression);
  /// A condition that no expression says, by name: it is asked as soon as all of `needed` have values, with all that
  /// have one then. Throws std::invalid_argument for a name that is no parameter.
  SearchSpace& only_if(std::string name, const std::vector<std::string>& needed,
                       std::function<bool(const Configuration& chosen)> condition);
  /// One of several kernels that run one after the other, so that their times add up, and the parameters that concern
  /// it alone. Throws std::invalid_argument for a name that is there already, and for a parameter that is not there or
  /// that another operation has.
  SearchSpace& operation(std::string name, std::vector<std::string> parameters);

  /// All points that meet every requirement; the first parameter varies slowest. A requirement is evaluated as soon as
  /// its names are known. Throws CompileError for one that is no bool, std::length_error beyond ten million points.
  [[nodiscard]] SearchPoints points() const;
  [[nodiscard]] bool contains(const Configuration& configuration) const;
  /// The part of it in which only these parameters vary; all others have the values of `at`. Throws
  /// std::invalid_argument for a name that is no parameter, and where `at` lacks one or has a value that is not there.
  [[nodiscard]] SearchSpace restricted(const Configuration& at, std::span<const std::string> varying) const;
  /// 64 hexadecimal digits that change with anything in here, of conditions with their names.
  [[nodiscard]] std::string digest() const;

  using Parameter = SearchPoints::Parameter;
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  struct Operation {
    std::string name;
    std::vector<std::string> parameters;
  };
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }

 private:
  struct Requirement {
    Expression expression;
    std::size_t parameters_needed{};  ///< how many of the first ones it takes to evaluate it
  };
  struct Condition {
    std::string name;
    std::size_t parameters_needed{};
    std::function<bool(const Configuration&)> holds;
  };
  void extend(NameScope& scope, std::vector<std::uint16_t>& choice, SearchPoints& found) const;
  [[nodiscard]] bool meets(const NameScope& scope, std::size_t depth) const;
  void expect_parameter(const std::string& name) const;

  std::vector<Parameter> parameters_;
  Record constants_;
  std::vector<Requirement> requirements_;
  std::vector<Condition> conditions_;
  std::vector<Operation> operations_;
};

}  // namespace maxwell_dg::rtcg
