#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace maxwell_dg::dg {

/// What numbers the fields on a discretization are.
enum class FieldNumbers { real, complex };

enum class FieldPart { real, imaginary };

/// Complex fields as a view of a discretization: which of its elements hold which part. Equations, kernels and files of
/// the state know real numbers in elements alone. Each place has an element for the real part, and where fields are
/// complex another for the imaginary part: the first half of the elements are those of the real part, the second half
/// their copies in the same order; and so do ghosts behind them. Real fields have one part, which all elements hold.
class ComplexView {
 public:
  /// Of so many elements, and ghosts behind them.
  ComplexView(std::size_t elements, FieldNumbers numbers, std::size_t ghosts = 0)
      : elements_(elements),
        places_(numbers == FieldNumbers::complex ? elements / 2 : elements),
        places_of_ghosts_(numbers == FieldNumbers::complex ? ghosts / 2 : ghosts),
        numbers_(numbers) {}

  [[nodiscard]] bool is_complex() const { return numbers_ == FieldNumbers::complex; }
  /// How many places there are, without ghosts': elements that hold real parts, 0, 1 ... places() - 1.
  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] std::span<const FieldPart> parts() const {
    static constexpr std::array all{FieldPart::real, FieldPart::imaginary};
    return std::span(all).first(is_complex() ? 2 : 1);
  }
  /// Which part element k holds.
  [[nodiscard]] FieldPart part(std::size_t k) const {
    const bool is_real = k < elements_ ? k < places_ : k - elements_ < places_of_ghosts_;
    return is_real ? FieldPart::real : FieldPart::imaginary;
  }
  /// The element that holds a part, one of parts(), in the place of element k.
  [[nodiscard]] std::size_t element(std::size_t k, FieldPart part) const {
    const bool is_ghost = k >= elements_;
    const std::size_t first = is_ghost ? elements_ : 0, count = is_ghost ? places_of_ghosts_ : places_;
    return first + (k - first) % count + (part == FieldPart::imaginary ? count : 0);
  }

 private:
  std::size_t elements_;  ///< without ghosts
  std::size_t places_, places_of_ghosts_;
  FieldNumbers numbers_;
};

}  // namespace maxwell_dg::dg
