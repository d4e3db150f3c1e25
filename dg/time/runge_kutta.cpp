#include "dg/time/runge_kutta.hpp"

#include <algorithm>
#include <array>

namespace maxwell_dg::dg {

const RungeKutta& lsrk54() {
  static const RungeKutta method{
      .name = "lsrk54",
      .order = 4,
      .a = {0.0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
            -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0},
      .b = {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0, 1720146321549.0 / 2090206949498.0,
            3134564353537.0 / 4481467310338.0, 2277821191437.0 / 14882151754819.0},
      .c = {0.0, 1432997174477.0 / 9575080441755.0, 2526269341429.0 / 6820363962896.0,
            2006345519317.0 / 3224310063776.0, 2802321613138.0 / 2924317926251.0},
  };
  return method;
}

const RungeKutta& lsrk144() {
  static const RungeKutta method{
      .name = "lsrk144",
      .order = 4,
      .a = {0.0, -0.7188012108672410, -0.7785331173421570, -0.0053282796654044, -0.8552979934029281,
            -3.9564138245774565, -1.5780575380587385, -2.0837094552574054, -0.7483334182761610, -0.7032861106563359,
            0.0013917096117681, -0.0932075369637460, -0.9514200470875948, -7.1151571693922548},
      .b = {0.0367762454319673, 0.3136296607553959, 0.1531848691869027, 0.0030097086818182, 0.3326293790646110,
            0.2440251405350864, 0.3718879239592277, 0.6204126221582444, 0.1524043173028741, 0.0760894927419266,
            0.0077604214040978, 0.0024647284755382, 0.0780348340049386, 5.5059777270269628},
      .c = {0.0, 0.0367762454319673, 0.1249685262725025, 0.2446177702277698, 0.2476149531070420, 0.2969311120382472,
            0.3978149645802642, 0.5270854589440328, 0.6981269994175695, 0.8190890835352128, 0.8527059887098624,
            0.8604711817462826, 0.8627060376969976, 0.8734213127600976},
  };
  return method;
}

double growth(const RungeKutta& method, std::complex<double> z) {
  std::complex<double> q = 1.0, res = 0.0;
  for (std::size_t i = 0; i < method.a.size(); ++i) {
    res = method.a[i] * res + z * q;
    q += method.b[i] * res;
  }
  return std::abs(q);
}

std::span<const RungeKutta* const> runge_kutta_methods() {
  static const std::array methods{&lsrk54(), &lsrk144()};
  return methods;
}

const RungeKutta* find_runge_kutta(const std::string& name) {
  const auto methods = runge_kutta_methods();
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const RungeKutta* m) { return m->name == name; });
  return found == methods.end() ? nullptr : *found;
}

}  // namespace maxwell_dg::dg
