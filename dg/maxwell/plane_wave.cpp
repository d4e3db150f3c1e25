#include "dg/maxwell/plane_wave.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

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

}  // namespace

Expr value_at(const Waveform& w, const Expr& t) {
  switch (w.kind) {
    case Waveform::Kind::sine:
      return w.amplitude * smooth_step(0.5 * w.frequency * (t - w.start)) * sin(2 * pi * w.frequency * t);
    case Waveform::Kind::gaussian_pulse: return pulse(w, t);
    case Waveform::Kind::ricker: return ricker(w, t);
    case Waveform::Kind::expression:
      return w.amplitude * substitute(w.expression, [&](const Symbol& symbol) {
               return symbol.kind == Symbol::Kind::time ? t : Expr(symbol);
             });
  }
  throw std::logic_error("value_at: unknown waveform");
}

Vector electric_field(const PlaneWave& wave) {
  const auto [dx, dy, dz] = wave.direction;
  const auto [px, py, pz] = wave.polarization;
  const double d = std::hypot(dx, dy, dz), p = std::hypot(px, py, pz);
  if (d == 0 || p == 0)
    throw std::invalid_argument("a plane wave needs a direction and a polarization other than zero");
  if (std::abs(dx * px + dy * py + dz * pz) > 1e-9 * d * p) {
    throw std::invalid_argument("the polarization of a plane wave must be perpendicular to its direction");
  }
  const double slowness = wave.medium.refractive_index() / d;
  const Expr retarded = time() - dot(Vector(dx * slowness, dy * slowness, dz * slowness), position());
  return value_at(wave.waveform, retarded) * Vector(px / p, py / p, pz / p);
}

std::vector<Expr> fields(const PlaneWave& wave) {
  const auto [dx, dy, dz] = wave.direction;
  const double admittance = 1 / (wave.medium.impedance() * std::hypot(dx, dy, dz));
  const Vector E_inc = electric_field(wave),
               H_inc = cross(Vector(dx * admittance, dy * admittance, dz * admittance), E_inc);
  std::vector<Expr> all;
  set(all, E, E_inc);
  set(all, H, H_inc);
  return all;
}

}  // namespace maxwell_dg::dg::maxwell
