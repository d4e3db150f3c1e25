"""Exact values, from series and mode matching; none of the compared programs has a part in them."""

import cmath
import math


def psi(order, x):
    """Riccati-Bessel functions x j_n(x), n = 0 to order, and their derivatives: by recurrence downwards."""
    start = order + int(math.ceil(x)) + 40
    values = [0.0] * (start + 2)
    values[start] = 1e-300
    for n in range(start, 0, -1):
        values[n - 1] = (2 * n + 1) / x * values[n] - values[n + 1]
        if abs(values[n - 1]) > 1e200:
            values = [v * 1e-200 for v in values]
    scale = math.sin(x) / values[0] if abs(math.sin(x)) > 0.1 else (math.sin(x) / x - math.cos(x)) / values[1]
    f = [scale * v for v in values[: order + 1]]
    return f, [math.cos(x)] + [f[n - 1] - n / x * f[n] for n in range(1, order + 1)]


def chi(order, x):
    """Riccati-Neumann functions x y_n(x) and their derivatives: by recurrence upwards."""
    f = [-math.cos(x), -math.cos(x) / x - math.sin(x)]
    for n in range(1, order):
        f.append((2 * n + 1) / x * f[n] - f[n - 1])
    return f, [math.sin(x)] + [f[n - 1] - n / x * f[n] for n in range(1, order + 1)]


def sphere_rcs(ka, refractive_index, theta):
    """Radar cross section over pi a^2 of a sphere, in the plane of E and in that of H, at angles theta in degrees.

    A refractive index of None: metal. Bohren & Huffman, Absorption and Scattering of Light by Small Particles (1983),
    sections 4.3 and 4.4.
    """
    order = int(math.ceil(ka + 4 * ka ** (1 / 3))) + 8
    p, dp = psi(order, ka)
    c, dc = chi(order, ka)
    xi, dxi = [a + 1j * b for a, b in zip(p, c)], [a + 1j * b for a, b in zip(dp, dc)]
    if refractive_index is None:
        a = [dp[n] / dxi[n] for n in range(order + 1)]
        b = [p[n] / xi[n] for n in range(order + 1)]
    else:
        m = refractive_index
        q, dq = psi(order, m * ka)
        a = [(m * q[n] * dp[n] - p[n] * dq[n]) / (m * q[n] * dxi[n] - xi[n] * dq[n]) for n in range(order + 1)]
        b = [(q[n] * dp[n] - m * p[n] * dq[n]) / (q[n] * dxi[n] - m * xi[n] * dq[n]) for n in range(order + 1)]
    in_e, in_h = [], []
    for angle in theta:
        mu = math.cos(math.radians(angle))
        before, pi_n, s1, s2 = 0.0, 1.0, 0j, 0j
        for n in range(1, order + 1):
            tau = n * mu * pi_n - (n + 1) * before
            weight = (2 * n + 1) / (n * (n + 1))
            s1 += weight * (a[n] * pi_n + b[n] * tau)
            s2 += weight * (a[n] * tau + b[n] * pi_n)
            before, pi_n = pi_n, ((2 * n + 1) * mu * pi_n - (n + 1) * before) / n
        in_e.append(4 / ka**2 * abs(s2) ** 2)
        in_h.append(4 / ka**2 * abs(s1) ** 2)
    return in_e, in_h


def root(f, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def ball_mode():
    """Angular frequency of TM_11 of a metal ball of radius 1: (x j_1)' = 0."""
    return root(lambda x: psi(1, x)[1][1], 2.5, 3.0)


def box_mode(a, b):
    """Angular frequency of TE_110 of a metal box of sides a and b across the field."""
    return math.pi * math.hypot(1 / a, 1 / b)


def iris_reflection(frequency, width, aperture, thickness, modes=400):
    """|S11| of a symmetric inductive iris in a rectangular guide, by mode matching of TE_m0, m odd: half a guide, from
    its wall to the plane in the middle. Lengths in metres, frequency in hertz. Needs NumPy."""
    import numpy

    k = 2 * math.pi * frequency / 299792458.0
    n_guide, n_iris = modes, max(1, int(round(modes * aperture / width)))

    def propagation(size, count):
        transverse = numpy.array([(2 * i + 1) * math.pi / size for i in range(count)])
        return transverse, numpy.array([1j * cmath.sqrt(complex(k * k - t * t)) if k > t else
                                        math.sqrt(t * t - k * k) for t in transverse])

    kx, gamma = propagation(width, n_guide)
    qx, delta = propagation(aperture, n_iris)
    # Modes cos(kx x), x from the middle, with integral 1 over the half; C[i, j] is the overlap on the aperture.
    half = aperture / 2
    plus, minus = kx[:, None] + qx[None, :], kx[:, None] - qx[None, :]
    with numpy.errstate(divide="ignore", invalid="ignore"):
        sinc = numpy.where(abs(minus) * half < 1e-9, half, numpy.sin(minus * half) / minus)
    overlap = (sinc + numpy.sin(plus * half) / plus) * 2 / math.sqrt(width * aperture)
    # Even and odd excitation of the iris, of which half is then closed by a magnetic or an electric wall.
    result = 0
    for closed, sign in ((numpy.tanh(delta * thickness / 2), 1), (1 / numpy.tanh(delta * thickness / 2), -1)):
        admittance = numpy.diag(delta * closed)  # of the iris as seen from its end
        # E: a + b = C e, e the amplitudes in the aperture; H: C^T gamma (a - b) = admittance e.
        matrix = overlap.T @ (gamma[:, None] * overlap) + admittance
        incident = numpy.zeros(n_guide, dtype=complex)
        incident[0] = 1
        field = numpy.linalg.solve(matrix, 2 * overlap.T @ (gamma * incident))
        result += ((overlap @ field)[0] - 1) / 2
    return abs(result)
