#include "apps/config/frequency_keys.hpp"

namespace maxwell_dg::config {
namespace {

Key frequencies_key(std::vector<double>& frequencies) {
  return {"frequencies",
          list<double>(frequencies, 1, [](double& f) { return positive(f, core::Dimension::frequency); }),
          "at which; the first source must hold them: its own alone if it is a sine, else those down to -60 dB of its "
          "spectrum",
          required};
}

}  // namespace

Key frequency_fields_key(Outputs& outputs, const std::vector<std::string>& quantities) {
  return {"frequency_fields",
          optional(outputs.frequency_fields,
                   [quantities](FrequencyFieldOutput& f) {
                     return object(
                         {.keys = {frequencies_key(f.frequencies),
                                   {"quantities",
                                    list<std::string>(f.quantities, 1,
                                                      [quantities](std::string& q) { return word(q, quantities); }),
                                    "fields to write", Key::Presence::optional, "all"}}});
                   }),
          "VTK files of real and imaginary parts, one a frequency, of the fields over the first source's amplitude"};
}

}  // namespace maxwell_dg::config
