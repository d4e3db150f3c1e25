#include "dg/symbolic/term.hpp"

#include <algorithm>
#include <functional>

namespace maxwell_dg::dg {

namespace {

/// The numbers of entries `first` to `last` - 1, from lists that have equally many numbers for each of `count` entries.
void keep(std::vector<std::vector<double>>& lists, std::size_t count, std::size_t first, std::size_t last) {
  for (std::vector<double>& list : lists) {
    const std::size_t row = count == 0 ? 0 : list.size() / count;
    list = {list.begin() + static_cast<std::ptrdiff_t>(first * row),
            list.begin() + static_cast<std::ptrdiff_t>(last * row)};
  }
}

template <class T>
std::vector<T> kept(const std::vector<T>& list, std::size_t first, std::size_t last) {
  return {list.begin() + static_cast<std::ptrdiff_t>(first), list.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// How many of these elements or faces, which are ascending, are in elements before `element`.
template <class T, class Element>
std::size_t count_before(std::size_t element, const std::vector<T>& list, Element element_of) {
  const auto end = std::ranges::lower_bound(list, static_cast<std::int32_t>(element), {}, element_of);
  return static_cast<std::size_t>(end - list.begin());
}

}  // namespace

ElementTerm part_of(const ElementTerm& term, std::size_t begin, std::size_t end) {
  const std::size_t count = term.elements.size();
  const std::size_t first = count_before(begin, term.elements, std::identity{});
  const std::size_t last = count_before(end, term.elements, std::identity{});
  ElementTerm part = term;
  part.elements = kept(term.elements, first, last);
  keep(part.parameters, count, first, last);
  keep(part.profiles, count, first, last);
  return part;
}

FaceTerm part_of(const FaceTerm& term, std::size_t begin, std::size_t end) {
  const std::size_t count = term.faces.size();
  const std::size_t first = count_before(begin, term.faces, &FaceTerm::Face::element);
  const std::size_t last = count_before(end, term.faces, &FaceTerm::Face::element);
  FaceTerm part = term;
  part.faces = kept(term.faces, first, last);
  if (!term.others.empty()) part.others = kept(term.others, first, last);
  keep(part.parameters, count, first, last);
  keep(part.profiles, count, first, last);
  return part;
}

}  // namespace maxwell_dg::dg
