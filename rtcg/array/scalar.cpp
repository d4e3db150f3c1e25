#include "rtcg/array/scalar.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

template <class T>
[[noreturn]] void reject(const Scalar& scalar) {
  throw DtypeError("the number " + scalar.text() + " is not a value of " + std::string(name_of(dtype_of<T>)));
}

template <Element T, class From>
T number_as(From value, const Scalar& scalar) {
  if constexpr (std::same_as<From, std::complex<double>>) {
    if constexpr (is_complex(dtype_of<T>)) {
      return T(static_cast<typename T::value_type>(value.real()), static_cast<typename T::value_type>(value.imag()));
    } else {
      if (value.imag() != 0) reject<T>(scalar);
      return number_as<T>(value.real(), scalar);
    }
  } else if constexpr (is_complex(dtype_of<T>)) {
    return T(static_cast<typename T::value_type>(value));
  } else if constexpr (std::same_as<T, Half>) {
    return Half(static_cast<float>(value));
  } else if constexpr (std::floating_point<T> || std::same_as<From, bool>) {
    return static_cast<T>(value);
  } else if constexpr (std::same_as<T, bool>) {
    return value != From{};
  } else if constexpr (std::floating_point<From>) {
    // The bounds are powers of two, exact in double.
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double begin = std::signed_integral<T> ? -end : 0.0;
    if (!(value >= begin && value < end) || value != std::floor(value)) reject<T>(scalar);
    return static_cast<T>(value);
  } else {
    if (!std::in_range<T>(value)) reject<T>(scalar);
    return static_cast<T>(value);
  }
}

}  // namespace

WeakKind Scalar::kind() const {
  constexpr std::array kinds{WeakKind::boolean, WeakKind::integer, WeakKind::integer, WeakKind::real,
                             WeakKind::complex};
  return kinds[value_.index()];
}

Dtype Scalar::dtype() const {
  constexpr std::array dtypes{Dtype::boolean, Dtype::int64, Dtype::uint64, Dtype::float64, Dtype::complex128};
  const auto* natural = std::get_if<std::uint64_t>(&value_);
  return natural != nullptr && std::in_range<std::int64_t>(*natural) ? Dtype::int64 : dtypes[value_.index()];
}

std::string Scalar::text() const {
  std::ostringstream out;
  out.precision(17);
  out << std::boolalpha;
  std::visit([&](auto value) { out << value; }, value_);
  return out.str();
}

template <Element T>
T Scalar::as() const {
  return std::visit([this](auto value) { return number_as<T>(value, *this); }, value_);
}

template bool Scalar::as() const;
template std::int8_t Scalar::as() const;
template std::int16_t Scalar::as() const;
template std::int32_t Scalar::as() const;
template std::int64_t Scalar::as() const;
template std::uint8_t Scalar::as() const;
template std::uint16_t Scalar::as() const;
template std::uint32_t Scalar::as() const;
template std::uint64_t Scalar::as() const;
template Half Scalar::as() const;
template float Scalar::as() const;
template double Scalar::as() const;
template std::complex<float> Scalar::as() const;
template std::complex<double> Scalar::as() const;

Dtype promote(Dtype array, const Scalar& scalar) {
  const Dtype dtype = promote(array, scalar.kind());
  if (scalar.kind() == WeakKind::integer && is_integer(dtype)) {
    visit_dtype(dtype, [&](auto zero) { (void)scalar.as<decltype(zero)>(); });
  }
  return dtype;
}

}  // namespace maxwell_dg::rtcg
