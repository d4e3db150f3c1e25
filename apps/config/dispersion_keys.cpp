#include "apps/config/dispersion_keys.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

Key strength_key(Pole& pole) {
  return {"delta_epsilon", positive(pole.delta_epsilon), "contribution of the pole to epsilon_r at frequency 0",
          required};
}

TypePtr not_negative(double& frequency) {
  return number(frequency, {.dimension = Dimension::frequency, .min = 0.0});
}

Object pole_keys(Pole& pole) {
  using Model = Pole::Model;
  return {.keys = {},
          .choice = choice<Model>(
              "model", pole.model, "form of the pole, with w = 2 pi f",
              {{"debye", Model::debye, "delta_epsilon / (1 + j w tau)",
                [&pole] {
                  return std::vector<Key>{strength_key(pole),
                                          {"tau", positive(pole.tau, Dimension::time), "relaxation time", required}};
                }},
               {"drude", Model::drude,
                "-w_p^2 / (w^2 - j w gamma), w_p and gamma being 2 pi times the frequencies of the keys",
                [&pole] {
                  return std::vector<Key>{
                      {"plasma_frequency", positive(pole.plasma_frequency, Dimension::frequency), "in Hz", required},
                      {"collision_frequency", not_negative(pole.collision_frequency), "in Hz", required}};
                }},
               {"lorentz", Model::lorentz, "delta_epsilon w_0^2 / (w_0^2 - w^2 + j w gamma)",
                [&pole] {
                  return std::vector<Key>{strength_key(pole),
                                          {"frequency", positive(pole.frequency, Dimension::frequency),
                                           "resonance frequency in Hz", required},
                                          {"damping", not_negative(pole.damping), "gamma / (2 pi), in Hz", required}};
                }}},
              required)};
}

}  // namespace

Key dispersion_key(std::vector<Pole>& poles) {
  return {"dispersion", list<Pole>(poles, 0, [](Pole& pole) { return object(pole_keys(pole)); }),
          "poles of the permittivity, added to `epsilon_r`, which is then the value at infinite frequency"};
}

std::vector<std::string> pole_models() {
  Pole pole;
  return pole_keys(pole).choice.value().word.words;
}

}  // namespace maxwell_dg::config
