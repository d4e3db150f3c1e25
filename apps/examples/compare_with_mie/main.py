"""What a metal sphere scatters of a pulsed plane wave, at points around it, beside the Mie series."""

import os

import numpy as np
from numpy.typing import NDArray

import maxwell_dg as mdg

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

c_0, Z_0 = 299792458.0, 376.730313668
radius, frequency, bandwidth = 0.1, 0.7e9, 1.2e9  # m, Hz


def riccati_bessel(x: Reals, count: int) -> tuple[Reals, Reals, Complexes, Complexes]:
    """[n - 1, place], n = 1 ... count: psi_n(x) = x j_n(x), its derivative, xi_n(x) = x h_n(x), its derivative. psi by its
    logarithmic derivatives D, downwards; of h, the part chi upwards (Bohren & Huffman 1983, section 4.8)."""
    D = np.zeros((count + 20, *x.shape))
    for n in range(count + 19, 0, -1):
        D[n - 1] = n / x - 1 / (D[n] + n / x)
    psi, chi = [np.sin(x)], [-np.cos(x), -np.cos(x) / x - np.sin(x)]
    for n in range(1, count + 1):
        psi.append(psi[n - 1] / (D[n] + n / x))
        chi.append((2 * n + 1) / x * chi[n] - chi[n - 1])
    psi_all, xi_all, n_over_x = np.array(psi), np.array(psi) + 1j * np.array(chi[:-1]), np.arange(1, count + 1)[:, None] / x
    return (psi_all[1:], psi_all[:-1] - n_over_x * psi_all[1:], xi_all[1:], xi_all[:-1] - n_over_x * xi_all[1:])


def mie_series(a: float, k: float, points: Reals) -> Complexes:
    """[point, Ex Ey Ez Hx Hy Hz], H times Z_0: what a metal sphere of radius a around the origin scatters of the wave
    E_x = exp(i k z), for exp(-i w t) (Bohren & Huffman 1983, equations 4.17 to 4.20, 4.45)."""
    count = int(k * a + 4.05 * (k * a) ** (1 / 3) + 12)
    psi, dpsi, xi, dxi = riccati_bessel(np.array([k * a]), count)
    tm, te = dpsi / dxi, psi / xi  # tangential E vanishes at r = a
    r = np.linalg.norm(points, axis=1)
    theta, phi = np.arccos(points[:, 2] / r), np.arctan2(points[:, 1], points[:, 0])
    _, _, xi, dxi = riccati_bessel(k * r, count)
    E, H = np.zeros((2, 3, len(r)), dtype=complex)  # along r, theta, phi
    before, pi = np.zeros(len(r)), np.ones(len(r))  # P_n^1 / sin(theta) of n - 1 and n
    for n in range(1, count + 1):
        tau = n * np.cos(theta) * pi - (n + 1) * before
        weight = 1j**n * (2 * n + 1) / (n * (n + 1)) / (k * r)
        M_tm, N_tm = weight * tm[n - 1] * xi[n - 1], weight * 1j * tm[n - 1] * dxi[n - 1]
        M_te, N_te = weight * te[n - 1] * xi[n - 1], weight * 1j * te[n - 1] * dxi[n - 1]
        radial = n * (n + 1) * np.sin(theta) * pi / (k * r)
        E += np.array([1j * M_tm * radial, N_tm * tau - M_te * pi, -N_tm * pi + M_te * tau])
        H += np.array([1j * M_te * radial, -M_tm * pi + N_te * tau, -M_tm * tau + N_te * pi])
        before, pi = pi, ((2 * n + 1) * np.cos(theta) * pi - (n + 1) * before) / n
    c, s, C, S = np.cos(phi), np.sin(phi), np.cos(theta), np.sin(theta)
    E, H = E * [c, c, s], H * [s, s, c]
    axes = np.array([[S * c, S * s, C], [C * c, C * s, -S], [-s, c, np.zeros(len(r))]])  # [r theta phi, axis, point]
    return np.concatenate([np.einsum("vp,vxp->px", field, axes) for field in (E, H)], axis=1)


# Probes on an arc around the sphere, off the planes of symmetry.
angle = np.radians(7.1 + 15 * np.arange(12))
arc = 0.15 * np.stack([np.sin(angle) * np.cos(0.35), np.sin(angle) * np.sin(0.35), np.cos(angle)], axis=1)
simulation = mdg.Simulation(
    mesh=mdg.examples.sphere(radius=radius), device=os.environ.get("MAXWELL_DG_DEVICE", "auto"),
    solver=mdg.Solver(order=2, tuning_seconds=0), materials=[mdg.Material(region="air")],
    boundaries=[mdg.PEC(region="metal"), mdg.Absorbing(region="outer")],
    sources=[mdg.PlaneWave(direction=[0, 0, 1], polarization=[1, 0, 0], injection=mdg.ScatteredField(),
                           waveform=mdg.GaussianPulse(frequency=frequency, bandwidth=bandwidth))],
    time=mdg.Time(end="10 ns"),
    outputs=mdg.Outputs(probes=[mdg.Probe(name=f"p{i}", at=at) for i, at in enumerate(arc)]))
probes = simulation.run().probes
time = probes["time"]
signals = np.array([[probes[f"p{i}.{field}"] for field in ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz")] for i in range(len(arc))])
signals[:, 3:] *= Z_0
assert abs(signals[..., -len(time) // 20:]).max() < 0.01 * abs(signals).max()  # they have died away

# The pulse at the origin, where the incident wave has no phase.
width = (2 * np.log(10)) ** 0.5 / (np.pi * bandwidth)
pulse = np.exp(-((time / width - 5) ** 2) / 2) * np.sin(2 * np.pi * frequency * (time - 5 * width))


def deviation(f: float, a: float) -> float:
    """Relative, of all fields at all probes, at a frequency, from the series of a sphere of radius a."""
    phases = np.exp(2j * np.pi * f * time)
    exact = mie_series(a, 2 * np.pi * f / c_0, arc)
    return float(np.linalg.norm(signals @ phases / (pulse @ phases) - exact) / np.linalg.norm(exact))


for f in (0.5e9, 0.7e9, 1e9):
    print(f"{f / 1e9:.1f} GHz, ka = {2 * np.pi * f / c_0 * radius:.2f}: {100 * deviation(f, radius):.2f} % from the Mie series")
    assert deviation(f, radius) < 0.03
assert deviation(1e9, 1.05 * radius) > 0.03  # another sphere is another answer
