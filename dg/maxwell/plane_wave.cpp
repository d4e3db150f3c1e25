#include "dg/maxwell/plane_wave.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "dg/maxwell/maxwell.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;
using std::numbers::pi;

double pulse_width(double bandwidth) {
  return std::sqrt(2.0 * std::log(10.0)) / (pi * bandwidth);
}

double peak_time(const Waveform& w) {
  if (w.delay >= 0) return w.delay;
  return 5.0 *
         (w.kind == Waveform::Kind::ricker ? 1.0 / (std::numbers::sqrt2 * pi * w.frequency) : pulse_width(w.bandwidth));
}

namespace {

/// 0 before 0, 1 after 1, with two continuous derivatives: r^3 (10 - 15 r + 6 r^2).
Expr smooth_step(const Expr& s) {
  const Expr r = min(max(s, 0.0), 1.0);
  return r * r * r * (10.0 - r * (15.0 - 6.0 * r));
}

Expr pulse(const Waveform& w, const Expr& t) {
  const double tau = pulse_width(w.bandwidth);
  const Expr since = t - peak_time(w);
  return w.amplitude * exp(-0.5 / (tau * tau) * (since * since)) * sin(2 * pi * w.frequency * since);
}

Expr ricker(const Waveform& w, const Expr& t) {
  const Expr phase = pi * w.frequency * (t - peak_time(w));
  const Expr a = phase * phase;
  return w.amplitude * (1.0 - 2.0 * a) * exp(-a);
}

/// `start`: of a sine.
Expr value_at(const Waveform& w, const Expr& t, const Expr& start) {
  switch (w.kind) {
    case Waveform::Kind::sine:
      return w.amplitude * smooth_step(0.5 * w.frequency * (t - start)) * sin(2 * pi * w.frequency * t);
    case Waveform::Kind::gaussian_pulse: return pulse(w, t);
    case Waveform::Kind::ricker: return ricker(w, t);
    case Waveform::Kind::expression:
      return w.amplitude * substitute(w.expression, [&](const Symbol& symbol) {
               return symbol.kind == Symbol::Kind::time ? t : Expr(symbol);
             });
  }
  throw std::logic_error("value_at: unknown waveform");
}

using Numbers = std::array<double, 3>;

/// What of a wave does not depend on its waveform.
struct Directions {
  Numbers slowness, E, H;  ///< 1/speed along the direction; fields of an E of 1
};

Directions directions_of(const PlaneWave& wave) {
  const auto [dx, dy, dz] = wave.direction;
  const auto [px, py, pz] = wave.polarization;
  const double d = std::hypot(dx, dy, dz), p = std::hypot(px, py, pz);
  if (d == 0 || p == 0)
    throw std::invalid_argument("a plane wave needs a direction and a polarization other than zero");
  if (std::abs(dx * px + dy * py + dz * pz) > 1e-9 * d * p) {
    throw std::invalid_argument("the polarization of a plane wave must be perpendicular to its direction");
  }
  const double slowness = wave.medium.refractive_index() / d, Z = wave.medium.impedance() * d * p;
  return {.slowness = {dx * slowness, dy * slowness, dz * slowness},
          .E = {px / p, py / p, pz / p},
          .H = {(dy * pz - dz * py) / Z, (dz * px - dx * pz) / Z, (dx * py - dy * px) / Z}};
}

Vector constant(const Numbers& v) {
  return {v[0], v[1], v[2]};
}

Expr retarded(const Vector& slowness) {
  return time() - dot(slowness, position());
}

std::vector<Expr> fields(const Expr& amplitude, const Vector& of_E, const Vector& of_H) {
  std::vector<Expr> all;
  set(all, E, amplitude * of_E);
  set(all, H, amplitude * of_H);
  return all;
}

}  // namespace

Expr value_at(const Waveform& w, const Expr& t) {
  return value_at(w, t, w.start);
}

Vector electric_field(const PlaneWave& wave) {
  const Directions of = directions_of(wave);
  return value_at(wave.waveform, retarded(constant(of.slowness))) * constant(of.E);
}

std::vector<Expr> fields(const PlaneWave& wave) {
  const Directions of = directions_of(wave);
  return fields(value_at(wave.waveform, retarded(constant(of.slowness))), constant(of.E), constant(of.H));
}

IncidentField incident_field(const PlaneWave& wave) {
  const Directions of = directions_of(wave);
  std::vector<double> numbers;
  const auto parameter = [&](double value) {
    numbers.push_back(value);
    return Expr(Symbol{.kind = Symbol::Kind::parameter, .index = static_cast<int>(numbers.size()) - 1});
  };
  const auto parameters = [&](const Numbers& v) -> Vector {
    const Expr x = parameter(v[0]), y = parameter(v[1]), z = parameter(v[2]);
    return {x, y, z};
  };
  const Vector slowness = parameters(of.slowness), of_E = parameters(of.E), of_H = parameters(of.H);
  const bool is_sine = wave.waveform.kind == Waveform::Kind::sine;
  const Expr start = is_sine ? parameter(wave.waveform.start) : Expr(0.0);
  return {fields(value_at(wave.waveform, retarded(slowness), start), of_E, of_H), std::move(numbers)};
}

}  // namespace maxwell_dg::dg::maxwell
