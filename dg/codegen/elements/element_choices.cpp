#include "dg/codegen/elements/element_choices.hpp"

#include <string>
#include <vector>

#include "dg/schedule/choice_tables.hpp"

namespace maxwell_dg::dg::slicings {

namespace {

using namespace choice_tables;
using Written = Choice::Written;

std::vector<Choice> of_elements() {
  return {slicing_itself("elements",
                         [](const Schedule& s) {
                           return "A stage is one kernel. A work-item computes an element; a work-group has " +
                                  elements(s.as<Elements>().elements) + ". Matrices are literals of the text.";
                         }),
          chosen_at<&Elements::elements>({.key = "elements", .letters = "_e"}),
          chosen_at<&Elements::resident_groups>(
              {.key = "resident",
               .letters = "_r",
               .words = [](const Schedule& s) { return resident_in_words(s.as<Elements>().resident_groups); }}),
          chosen_at<&Elements::parts>(parts("Each work-item computes all fields.",
                                            "Fields that share no derivative have work-items of their own.")),
          chosen_at<&Elements::basis>(basis())};
}

}  // namespace

Traits traits_of(const Elements& /*elements*/) {
  return {.may_interleave = true, .distance = Traits::Distance::whole_vectors, .fluxes = Traits::Fluxes::of_elements};
}

std::span<const Choice> choices_of(const Elements& /*elements*/) {
  static const std::vector<Choice> all = of_elements();
  return all;
}

}  // namespace maxwell_dg::dg::slicings
