#include "apps/simulation/sweep.hpp"

#include <cmath>
#include <numbers>
#include <variant>

namespace maxwell_dg::simulation {

std::vector<double> angles(const config::AngleRange& range) {
  std::vector<double> result;
  const long whole = std::lround(std::floor((range.to - range.from) / range.step * (1 + 1e-12)));
  for (long i = 0; i <= whole; ++i) result.push_back(range.from + static_cast<double>(i) * range.step);
  if (range.to - result.back() > 1e-9 * range.step) result.push_back(range.to);
  return result;
}

std::vector<Incidence> incidences(const config::PlaneWaveSweep& sweep) {
  std::vector<Incidence> all;
  for (const double phi : sweep.phi) {
    for (const double theta : angles(sweep.theta)) all.push_back({theta, phi});
  }
  return all;
}

config::Config config_of(const config::Config& config, const Incidence& incidence) {
  constexpr double degree = std::numbers::pi / 180;
  const double st = std::sin(incidence.theta * degree), ct = std::cos(incidence.theta * degree);
  const double sp = std::sin(incidence.phi * degree), cp = std::cos(incidence.phi * degree);
  config::Config one = config;
  auto& wave = std::get<config::PlaneWave>(one.sources.front());
  wave.direction = {-st * cp, -st * sp, -ct};
  const bool along_theta = config.sweep->polarization == config::PlaneWaveSweep::Polarization::theta;
  wave.polarization = along_theta ? config::Vector3{ct * cp, ct * sp, -st} : config::Vector3{-sp, cp, 0};
  one.outputs.far_field->theta = {.from = incidence.theta, .to = incidence.theta, .step = 1};
  one.outputs.far_field->phi = {incidence.phi};
  one.sweep.reset();
  return one;
}

}  // namespace maxwell_dg::simulation
