#include "rtcg/array/operation.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// Kinds of operations that share a rule about types.
enum class Rule {
  arithmetic,  ///< in the common dtype
  division,    ///< in the common dtype, of whole numbers float64
  whole,       ///< in the common dtype, not complex
  power,       ///< in the common dtype, not bool
  equality,    ///< bool, compared in the common dtype
  order,       ///< bool, compared in the common dtype, not complex
  logical,     ///< bool, of bools
  bits,        ///< of bools and integers
  shift,       ///< of integers
  analytic,    ///< real or complex function
  function,    ///< real function
  rounding,    ///< real to whole; whole numbers stay
  test,        ///< bool
  part,        ///< of a complex number a real one
  scaling,     ///< by a power of 2, which is an int32
  selection    ///< by a bool, in the common dtype of the others
};

#define MAXWELL_DG_OPERATION_RULE(name, arity, rule) Rule::rule,
constexpr std::array rules{MAXWELL_DG_ARRAY_OPERATIONS(MAXWELL_DG_OPERATION_RULE)};
#undef MAXWELL_DG_OPERATION_RULE
#define MAXWELL_DG_OPERATION_TEXT(name, arity, rule) std::string_view(#name),
constexpr std::array names{MAXWELL_DG_ARRAY_OPERATIONS(MAXWELL_DG_OPERATION_TEXT)};
#undef MAXWELL_DG_OPERATION_TEXT

Rule rule_of(Operation operation) {
  return rules[static_cast<std::size_t>(operation)];
}

[[noreturn]] void reject(Operation operation, std::span<const TypedTerm> terms) {
  std::string list;
  for (const TypedTerm& term : terms) {
    const auto* dtype = std::get_if<Dtype>(&term);
    list +=
        (list.empty() ? "" : ", ") + (dtype != nullptr ? std::string(name_of(*dtype)) : std::get<Scalar>(term).text());
  }
  throw DtypeError(std::string(name_of(operation)) + " is not defined for " + list);
}

std::optional<Dtype> promoted_arrays(std::span<const TypedTerm> terms) {
  std::optional<Dtype> common;
  for (const TypedTerm& term : terms) {
    if (const auto* dtype = std::get_if<Dtype>(&term)) common = common ? promote(*common, *dtype) : *dtype;
  }
  return common;
}

// Numbers adapt to arrays; among themselves they count as what they are alone.
Dtype common_dtype(std::span<const TypedTerm> terms) {
  const std::optional<Dtype> of_arrays = promoted_arrays(terms);
  std::optional<Dtype> common = of_arrays;
  for (const TypedTerm& term : terms) {
    const auto* scalar = std::get_if<Scalar>(&term);
    if (scalar == nullptr) continue;
    if (of_arrays) {
      common = promote(*common, *scalar);
    } else {
      common = common ? promote(*common, scalar->dtype()) : scalar->dtype();
    }
  }
  return *common;
}

// Whether a uint8 is less than 300 has an answer, although uint8 does not hold 300.
Dtype dtype_to_compare_in(std::span<const TypedTerm> terms) {
  const std::optional<Dtype> of_arrays = promoted_arrays(terms);
  try {
    return common_dtype(terms);
  } catch (const DtypeError&) {
    Dtype common = *of_arrays;
    for (const TypedTerm& term : terms) {
      if (const auto* scalar = std::get_if<Scalar>(&term)) common = promote(common, scalar->dtype());
    }
    return common;
  }
}

// Each array's own real dtype counts, so that int8 and uint8, which need no more than float16 each, stay there.
Dtype real_dtype(std::span<const TypedTerm> terms) {
  const std::optional<Dtype> of_arrays = promoted_arrays(terms);
  Dtype real = Dtype::float16;
  for (const TypedTerm& term : terms) {
    const auto* dtype = std::get_if<Dtype>(&term);
    if (dtype != nullptr) {
      real = std::max(real, real_for(*dtype));
    } else {
      const Scalar& number = std::get<Scalar>(term);
      real = std::max(real, real_for(of_arrays ? promote(*of_arrays, number) : number.dtype()));
    }
  }
  return real;
}

bool is_whole(Dtype dtype) {
  return dtype == Dtype::boolean || is_integer(dtype);
}

Dtype int8_for_bool(Dtype dtype) {
  return dtype == Dtype::boolean ? Dtype::int8 : dtype;
}

/// The text of one operation in one type.
class Text {
 public:
  Text(Operation operation, Dtype dtype, std::span<const std::string> operands)
      : operation_(operation),
        dtype_(dtype),
        type_(value_type(dtype)),
        a_(operands[0]),
        b_(operands.size() > 1 ? operands[1] : ""),
        c_(operands.size() > 2 ? operands[2] : "") {}

  [[nodiscard]] std::string text() const {
    if (operation_ == Operation::where) return "(" + a_ + " ? " + b_ + " : " + c_ + ")";
    if (is_complex(dtype_)) return of_complex();
    return dtype_ == Dtype::boolean ? of_bool() : of_number();
  }

 private:
  [[nodiscard]] std::string infix(const char* symbol) const { return "(" + a_ + " " + symbol + " " + b_ + ")"; }
  [[nodiscard]] std::string call(const std::string& function) const {
    return function + "(" + a_ + (b_.empty() ? "" : ", " + b_) + (c_.empty() ? "" : ", " + c_) + ")";
  }
  // A function of ours, one for each type: float32_mod.
  [[nodiscard]] std::string own(const std::string& function) const { return call(type_ + "_" + function); }

  // Signed integers wrap around, as unsigned ones do; C leaves that undefined.
  [[nodiscard]] std::string wrapping(const char* symbol) const {
    if (kind_of(dtype_) != DtypeKind::signed_integer || size_of(dtype_) < 4) {
      return is_integer(dtype_) ? "(" + type_ + ")" + infix(symbol) : infix(symbol);
    }
    const std::string bare = "u" + type_;
    return "(" + type_ + ")((" + bare + ")" + a_ + " " + symbol + " (" + bare + ")" + b_ + ")";
  }
  [[nodiscard]] std::string negated() const {
    return is_integer(dtype_) ? Text(Operation::subtract, dtype_, std::array<std::string, 2>{"0", a_}).text()
                              : "(-" + a_ + ")";
  }

  // The smaller, or with > the larger; unlike fmin's and fmax's, a NaN wins.
  [[nodiscard]] std::string smaller(const char* comparison) const {
    const std::string is_nan = is_real(dtype_) ? " || " + a_ + " != " + a_ : "";
    return "(" + a_ + comparison + b_ + is_nan + " ? " + a_ + " : " + b_ + ")";
  }

  [[nodiscard]] std::string of_complex() const {
    const std::string half[2] = {"(" + a_ + ").re", "(" + a_ + ").im"};
    switch (operation_) {
      case Operation::add: return own("add");
      case Operation::subtract: return own("sub");
      case Operation::multiply: return own("mul");
      case Operation::divide: return own("div");
      case Operation::negative: return own("neg");
      case Operation::square: return type_ + "_mul(" + a_ + ", " + a_ + ")";
      case Operation::equal: return own("equal");
      case Operation::not_equal: return "!" + own("equal");
      case Operation::real: return half[0];
      case Operation::imag: return half[1];
      case Operation::isnan: return "(isnan(" + half[0] + ") || isnan(" + half[1] + "))";
      case Operation::isinf: return "(isinf(" + half[0] + ") || isinf(" + half[1] + "))";
      case Operation::isfinite: return "(isfinite(" + half[0] + ") && isfinite(" + half[1] + "))";
      default: return own(std::string(name_of(operation_)));
    }
  }

  [[nodiscard]] std::string of_bool() const {
    switch (operation_) {
      case Operation::add:
      case Operation::logical_or:
      case Operation::bitwise_or:
      case Operation::fmax:
      case Operation::maximum: return infix("||");
      case Operation::multiply:
      case Operation::logical_and:
      case Operation::bitwise_and:
      case Operation::fmin:
      case Operation::minimum: return infix("&&");
      case Operation::logical_not:
      case Operation::bitwise_not: return "(!" + a_ + ")";
      case Operation::bitwise_xor: return infix("!=");
      default: return of_number();
    }
  }

  [[nodiscard]] std::string of_number() const {
    const bool is_int = is_whole(dtype_), is_signed = kind_of(dtype_) == DtypeKind::signed_integer;
    const std::string one = "((" + type_ + ")1)";
    std::string zero = "((" + type_ + ")0)";
    switch (operation_) {
      case Operation::add: return wrapping("+");
      case Operation::subtract: return wrapping("-");
      case Operation::multiply: return wrapping("*");
      case Operation::divide: return infix("/");
      case Operation::negative: return negated();
      case Operation::square: return Text(Operation::multiply, dtype_, std::array{a_, a_}).text();
      case Operation::equal: return infix("==");
      case Operation::not_equal: return infix("!=");
      case Operation::less: return infix("<");
      case Operation::less_equal: return infix("<=");
      case Operation::greater: return infix(">");
      case Operation::greater_equal: return infix(">=");
      case Operation::bitwise_and: return infix("&");
      case Operation::bitwise_or: return infix("|");
      case Operation::bitwise_xor: return infix("^");
      case Operation::bitwise_not: return "(" + type_ + ")(~" + a_ + ")";
      case Operation::floor_divide:
      case Operation::mod:
      case Operation::shift_left:
      case Operation::shift_right: return own(std::string(name_of(operation_)));
      case Operation::fmod: return is_int ? own("fmod") : call("fmod");
      case Operation::pow: return is_int ? own("pow") : call("pow");
      case Operation::fmin: return is_int ? smaller(" < ") : call("fmin");
      case Operation::fmax: return is_int ? smaller(" > ") : call("fmax");
      case Operation::minimum: return smaller(" < ");
      case Operation::maximum: return smaller(" > ");
      case Operation::floor:
      case Operation::ceil:
      case Operation::trunc:
      case Operation::round:
      case Operation::rint: return is_int ? a_ : call(std::string(name_of(operation_)));
      case Operation::isnan:
      case Operation::isinf: return is_int ? "0" : call(std::string(name_of(operation_)));
      case Operation::isfinite: return is_int ? "1" : call("isfinite");
      case Operation::signbit:
        if (is_int) return is_signed ? "(" + a_ + " < 0)" : "0";
        return "(signbit(" + a_ + ") != 0)";
      case Operation::abs:
        if (!is_int) return call("fabs");
        return is_signed ? "(" + a_ + " < 0 ? " + negated() + " : " + a_ + ")" : a_;
      case Operation::sign:
        if (is_int && !is_signed) return "(" + a_ + " > 0 ? " + one + " : " + zero + ")";
        return "(" + a_ + " != " + a_ + " ? " + a_ + " : " + a_ + " > 0 ? " + one + " : " + a_ + " < 0 ? ((" + type_ +
               ")-1) : " + zero + ")";
      case Operation::conj:
      case Operation::real: return a_;
      case Operation::imag: return zero;
      case Operation::arg: return "atan2(" + zero + ", " + a_ + ")";
      default: return call(std::string(name_of(operation_)));
    }
  }

  Operation operation_;
  Dtype dtype_;
  std::string type_, a_, b_, c_;
};

}  // namespace

std::string_view name_of(Operation operation) {
  return names[static_cast<std::size_t>(operation)];
}

Typing typing_of(Operation operation, std::span<const TypedTerm> terms) {
  const Rule rule = rule_of(operation);
  const auto all_in = [&](Dtype dtype, Dtype result) {
    return Typing{std::vector<Dtype>(terms.size(), dtype), result};
  };
  const auto require = [&](bool defined) {
    if (!defined) reject(operation, terms);
  };
  if (rule == Rule::logical) return all_in(Dtype::boolean, Dtype::boolean);
  if (rule == Rule::selection) {
    const Dtype common = common_dtype(terms.subspan(1));
    return {{Dtype::boolean, common, common}, common};
  }
  if (rule == Rule::scaling) {
    const Dtype number = real_for(common_dtype(terms.first(1))), power = common_dtype(terms.subspan(1));
    require(!is_complex(common_dtype(terms.first(1))) && is_whole(power));
    return {{number, Dtype::int32}, number};
  }
  const bool compares = rule == Rule::equality || rule == Rule::order;
  const Dtype common = compares ? dtype_to_compare_in(terms) : common_dtype(terms);
  switch (rule) {
    case Rule::arithmetic: {
      const bool needs_numbers =
          operation == Operation::subtract || operation == Operation::negative || operation == Operation::sign;
      require(!(common == Dtype::boolean && needs_numbers) && !(is_complex(common) && operation == Operation::sign));
      const bool counts = operation == Operation::conj || operation == Operation::square;
      const Dtype dtype = counts ? int8_for_bool(common) : common;
      return all_in(dtype, dtype);
    }
    case Rule::division: {
      const Dtype dtype = is_whole(common) ? Dtype::float64 : common;
      return all_in(dtype, dtype);
    }
    case Rule::whole: {
      require(!is_complex(common));
      const bool divides =
          operation == Operation::floor_divide || operation == Operation::mod || operation == Operation::fmod;
      const Dtype dtype = divides ? int8_for_bool(common) : common;
      return all_in(dtype, dtype);
    }
    case Rule::power: return all_in(int8_for_bool(common), int8_for_bool(common));
    case Rule::order: require(!is_complex(common)); [[fallthrough]];
    case Rule::equality: return all_in(common, Dtype::boolean);
    case Rule::bits: require(is_whole(common)); return all_in(common, common);
    case Rule::shift: require(is_whole(common)); return all_in(int8_for_bool(common), int8_for_bool(common));
    case Rule::analytic: {
      const Dtype dtype = is_complex(common) ? common : real_for(common);
      return all_in(dtype, dtype);
    }
    case Rule::function: {
      require(!is_complex(common));
      const Dtype dtype = real_dtype(terms);
      return all_in(dtype, operation == Operation::ilogb ? Dtype::int32 : dtype);
    }
    case Rule::rounding: require(!is_complex(common)); return all_in(common, common);
    case Rule::test:
      require(!is_complex(common) || operation != Operation::signbit);
      return all_in(common, Dtype::boolean);
    case Rule::part: {
      const Dtype dtype = operation == Operation::arg && is_whole(common) ? Dtype::float64 : common;
      return all_in(dtype, real_part_of(dtype));
    }
    case Rule::logical:
    case Rule::scaling:
    case Rule::selection: break;
  }
  reject(operation, terms);
}

std::string text_of(Operation operation, const Typing& typing, std::span<const std::string> operands) {
  return Text(operation, typing.operands[0], operands).text();
}

bool needs_array_functions(std::string_view text) {
  constexpr std::array<std::string_view, 6> own{"_floor_divide(", "_mod(",        "_fmod(",
                                                "_pow(",          "_shift_left(", "_shift_right("};
  return std::ranges::any_of(own, [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

}  // namespace maxwell_dg::rtcg
