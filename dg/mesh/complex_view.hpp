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
/// their copies in the same order. Real fields have one part, which all elements hold.
class ComplexView {
 public:
  ComplexView(std::size_t elements, FieldNumbers numbers)
      : places_(numbers == FieldNumbers::complex ? elements / 2 : elements), numbers_(numbers) {}

  [[nodiscard]] bool is_complex() const { return numbers_ == FieldNumbers::complex; }
  /// How many places there are: elements that hold real parts, 0, 1 ... places() - 1.
  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] std::span<const FieldPart> parts() const {
    static constexpr std::array all{FieldPart::real, FieldPart::imaginary};
    return std::span(all).first(is_complex() ? 2 : 1);
  }
  /// Which part element k holds.
  [[nodiscard]] FieldPart part(std::size_t k) const { return k < places_ ? FieldPart::real : FieldPart::imaginary; }
  /// The element that holds a part, one of parts(), in the place of element k.
  [[nodiscard]] std::size_t element(std::size_t k, FieldPart part) const {
    return k % places_ + (part == FieldPart::imaginary ? places_ : 0);
  }

 private:
  std::size_t places_;
  FieldNumbers numbers_;
};

}  // namespace maxwell_dg::dg
