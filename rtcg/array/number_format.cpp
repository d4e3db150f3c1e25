#include "rtcg/array/number_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace maxwell_dg::rtcg {

namespace {

std::string chars(auto value, auto... options) {
  std::array<char, 512> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, options...).ptr;
  return {buffer.data(), end};
}

float wide(Half value) {
  return static_cast<float>(value);
}
template <std::floating_point T>
T wide(T value) {
  return value;
}

// The fewest digits that read back as the same number of its type, as -d.ddde+xx.
template <class T>
std::string shortest(T value, std::chars_format format) {
  if constexpr (std::same_as<T, Half>) {
    // to_chars knows no Half; five digits always tell one from its neighbours.
    for (int digits = 0; digits < 5; ++digits) {
      const std::string text = chars(wide(value), std::chars_format::scientific, digits);
      const float read = std::strtof(text.c_str(), nullptr);
      if (Half(read).bits() == value.bits()) return chars(read, format);
    }
  }
  return chars(wide(value), format);
}

/// A number's text in pieces: "-12", "5", and the exponent "+03" or nothing.
struct Pieces {
  std::string whole, fraction, exponent;
};

Pieces pieces_of(const std::string& text) {
  Pieces pieces;
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  pieces.whole = text.substr(0, point);
  if (point < e) pieces.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) pieces.exponent = text.substr(e + 1);
  return pieces;
}

template <class T>
Pieces pieces_of(T value, std::chars_format format, int precision) {
  Pieces pieces = pieces_of(shortest(value, format));
  if (pieces.fraction.size() > static_cast<std::size_t>(precision)) {
    pieces = pieces_of(chars(wide(value), format, precision));
    pieces.fraction.erase(pieces.fraction.find_last_not_of('0') + 1);
  }
  return pieces;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// Very large, very small or very different numbers are written with exponents.
template <class T>
bool needs_exponents(std::span<const T> values) {
  double smallest = INFINITY, largest = 0;
  for (const T value : values) {
    const double magnitude = std::fabs(static_cast<double>(wide(value)));
    if (!std::isfinite(magnitude) || magnitude == 0) continue;
    smallest = std::min(smallest, magnitude);
    largest = std::max(largest, magnitude);
  }
  return largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
}

template <class T>
std::vector<std::string> aligned_reals(std::span<const T> values, int precision, bool always_signed = false) {
  const bool has_exponents = needs_exponents(values);
  const auto format = has_exponents ? std::chars_format::scientific : std::chars_format::fixed;
  std::vector<Pieces> all;
  std::size_t fraction = 0;
  for (const T value : values) {
    if (!std::isfinite(wide(value))) continue;
    all.push_back(pieces_of(value, format, precision));
    fraction = std::max(fraction, all.back().fraction.size());
  }
  std::vector<std::string> texts;
  std::size_t width = 0;
  auto piece = all.begin();
  for (const T value : values) {
    std::string text;
    if (std::isfinite(wide(value))) {
      if (has_exponents) *piece = pieces_of(chars(wide(value), format, static_cast<int>(fraction)));
      text = (always_signed && piece->whole[0] != '-' ? "+" : "") + piece->whole + "." + piece->fraction;
      if (has_exponents) {
        text += "e" + piece->exponent;
      } else {
        text.append(fraction - piece->fraction.size(), ' ');
      }
      ++piece;
    } else {
      const bool is_nan = std::isnan(wide(value)), is_negative = !is_nan && wide(value) < 0;
      text = is_nan ? "nan" : is_negative ? "-inf" : "inf";
      if (always_signed && !is_negative) text.insert(0, "+");
    }
    width = std::max(width, text.size());
    texts.push_back(text);
  }
  for (std::string& text : texts) text = padded(text, width);
  return texts;
}

}  // namespace

template <Element T>
std::vector<std::string> aligned_numbers(std::span<const T> values, int precision) {
  if constexpr (is_real(dtype_of<T>)) {
    return aligned_reals(values, precision);
  } else if constexpr (is_complex(dtype_of<T>)) {
    using Real = typename T::value_type;
    std::vector<Real> re, im;
    for (const T value : values) {
      re.push_back(value.real());
      im.push_back(value.imag());
    }
    std::vector<std::string> texts = aligned_reals(std::span<const Real>(re), precision);
    const std::vector<std::string> imaginary = aligned_reals(std::span<const Real>(im), precision, true);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      // The j follows the last digit, the blanks follow the j.
      const std::size_t end = imaginary[i].find_last_not_of(' ') + 1;
      texts[i] += imaginary[i].substr(0, end) + "j" + imaginary[i].substr(end);
    }
    return texts;
  } else {
    std::vector<std::string> texts;
    std::size_t width = 0;
    for (const T value : values) {
      if constexpr (std::same_as<T, bool>) {
        texts.emplace_back(value ? "True" : "False");
      } else {
        texts.push_back(std::to_string(value));
      }
      width = std::max(width, texts.back().size());
    }
    for (std::string& text : texts) text = padded(text, width);
    return texts;
  }
}

template std::vector<std::string> aligned_numbers(std::span<const bool>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::int8_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::int16_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::int32_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::int64_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::uint8_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::uint16_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::uint32_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::uint64_t>, int);
template std::vector<std::string> aligned_numbers(std::span<const Half>, int);
template std::vector<std::string> aligned_numbers(std::span<const float>, int);
template std::vector<std::string> aligned_numbers(std::span<const double>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::complex<float>>, int);
template std::vector<std::string> aligned_numbers(std::span<const std::complex<double>>, int);

}  // namespace maxwell_dg::rtcg
