#include "dg/symbolic/term.hpp"

#include <algorithm>
#include <functional>

namespace maxwell_dg::dg {

namespace {

/// Of each list, which has a row of numbers a place, those of places `first` to `last` - 1.
void keep(std::vector<std::vector<double>>& lists, std::size_t places, std::size_t first, std::size_t last) {
  for (std::vector<double>& list : lists) {
    const std::size_t row = places == 0 ? 0 : list.size() / places;
    list = {list.begin() + static_cast<std::ptrdiff_t>(first * row),
            list.begin() + static_cast<std::ptrdiff_t>(last * row)};
  }
}

template <class Place>
std::vector<Place> kept(const std::vector<Place>& places, std::size_t first, std::size_t last) {
  return {places.begin() + static_cast<std::ptrdiff_t>(first), places.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// How many of these places, which ascend, are in elements before this one.
template <class Place, class Element>
std::size_t places_before(std::size_t element, const std::vector<Place>& places, Element element_of) {
  const auto behind = std::ranges::lower_bound(places, static_cast<std::int32_t>(element), {}, element_of);
  return static_cast<std::size_t>(behind - places.begin());
}

}  // namespace

ElementTerm part_of(const ElementTerm& term, std::size_t begin, std::size_t end) {
  const std::size_t places = term.elements.size();
  const std::size_t first = places_before(begin, term.elements, std::identity{});
  const std::size_t last = places_before(end, term.elements, std::identity{});
  ElementTerm part = term;
  part.elements = kept(term.elements, first, last);
  keep(part.parameters, places, first, last);
  keep(part.profiles, places, first, last);
  return part;
}

FaceTerm part_of(const FaceTerm& term, std::size_t begin, std::size_t end) {
  const std::size_t places = term.faces.size();
  const std::size_t first = places_before(begin, term.faces, &FaceTerm::Face::element);
  const std::size_t last = places_before(end, term.faces, &FaceTerm::Face::element);
  FaceTerm part = term;
  part.faces = kept(term.faces, first, last);
  if (!term.others.empty()) part.others = kept(term.others, first, last);
  keep(part.parameters, places, first, last);
  keep(part.profiles, places, first, last);
  return part;
}

}  // namespace maxwell_dg::dg
