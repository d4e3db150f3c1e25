"""The keys of a config as classes, with types, defaults and meaning.

Written by apps/python/generate_config.py from the program's own description of a config; do not edit. A key that is None is
left out. Quantities are numbers in SI units or texts with a unit, such as "8.2 GHz".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypedDict

from ._keys import ByPlace, Keys

if TYPE_CHECKING:
    from .meshes import MeshData
    from .system import System

# ruff: noqa: E501


class Mesh(Keys):
    """`mesh`: the mesh of tetrahedra"""

    file: str | None = None
    """mesh to read; a relative path starts in the config's folder. Gmsh `.msh` (2.2, 4.1), `.h5`; `.geo` (Gmsh) and `.step`,
    `.stp`, `.iges`, `.igs`, `.brep` (CAD) are meshed by the program
    """

    scale: float | None = None
    """metres per mesh unit of the file; of a STEP or IGES file only where its own unit is not meant"""

    order: int | None = None
    """order of the geometry where the program meshes: from 2 on elements follow curved surfaces; 1: straight elements"""

    size: float | str | None = None
    """length of edges to aim at where the program meshes; where a `.geo` asks for smaller ones it gets them"""

    box: Box | Mapping[str, object] | None = None
    """instead of a file: a box with the volume `interior` and the faces `x_min` to `z_max`"""

    slices_above: int | None = None
    """of a box or an `.h5` file with more elements than this, each of several ranks reads a slice, and none holds the whole
    mesh: it is divided along its space-filling curve. Where the whole mesh is needed all the same, the log says why. See
    [Clusters](clusters.md#large-meshes) (default: 5000000)
    """


class Box(Keys):
    """`mesh.box`: instead of a file: a box with the volume `interior` and the faces `x_min` to `z_max`"""

    min: Sequence[float | str] | None = None
    """the corner with the smallest coordinates (default: [-1, -1, -1])"""

    max: Sequence[float | str] | None = None
    """the opposite corner (default: [1, 1, 1])"""

    cells: Sequence[int]
    """cuboids along x, y, z; each is cut into six tetrahedra"""


class Solver(Keys):
    """`solver`: how the equations are solved"""

    order: int | None = None
    """order of the polynomials in each tetrahedron (default: 4)"""

    precision: Literal["single", "double"] | None = None
    """precision of the fields and of all computations with them (default: single)"""

    flux: Literal["upwind", "central"] | float | None = None
    """`upwind` damps what the mesh does not resolve, `central` conserves energy; a number lies between them (0 = central, 1 =
    upwind) (default: upwind)
    """

    integrator: Literal["lsrk54", "lsrk144"] | None = None
    """Runge-Kutta method; left out: the one that needs the fewest stages per simulated time at this order and flux"""

    cfl: float | None = None
    """time step; 1 is the largest stable step known for the order, with a margin (default: 1)"""

    tuning_seconds: float | None = None
    """longest search for the fastest kernels, in seconds; made only if none are known for this order on this device and the run
    would take more than five times as long; 0: never (default: 60)
    """


class Time(Keys):
    """`time`: simulated time"""

    end: float | str | None = None
    """end of the simulated time; the time step is reduced so that a step ends there"""

    periods: float | None = None
    """instead of `end`: number of periods of the first source's frequency"""

    until: Until | Mapping[str, object] | None = None
    """instead of `end`: the run ends when the sources have ended and the fields have died away; of several ports that are
    driven, each one's share ends so by itself
    """

    at_most: float | str | None = None
    """with `until`, where it is needed: end of the simulated time if the fields have not died away before; ports that are
    driven share it equally
    """


class Until(Keys):
    """`time.until`: instead of `end`: the run ends when the sources have ended and the fields have died away; of several ports
    that are driven, each one's share ends so by itself
    """

    decay: float | str
    """level below its peak to which the energy, the wave out of each port, and the field at each probe of
    `outputs.probe_spectra` must have fallen; of powers: -50 dB is a factor of 1e-5
    """


class Outputs(Keys):
    """`outputs`: output files"""

    directory: str | None = None
    """folder of the output files; a relative path starts in the current folder. It is created if missing"""

    fields: FieldOutput | Mapping[str, object] | None = None
    """time series of the fields in the volume: VTK files of the solver's order"""

    surface_fields: SurfaceFieldOutput | Mapping[str, object] | None = None
    """time series of the fields on named surfaces only: small files"""

    probes: Sequence[Probe | Mapping[str, object]] | None = None
    """fields at points, recorded at every step"""

    energy: EnergyOutput | Mapping[str, object] | None = None
    """energy over time, in energy.csv"""

    frequency_fields: FrequencyFieldOutput | Mapping[str, object] | None = None
    """fields in the frequency domain, divided by the first source's amplitude: for each frequency a VTK file with real and
    imaginary parts
    """

    far_field: FarFieldOutput | Mapping[str, object] | None = None
    """far field, by a near-to-far-field transform: rcs.csv with the radar cross section, or for other first sources
    radiation.csv, pattern.csv and antenna.csv
    """

    resonances: ResonanceOutput | Mapping[str, object] | None = None
    """frequencies and quality factors of resonances, from the decaying signals of probes; written to resonances.csv"""

    probe_spectra: ProbeSpectrumOutput | Mapping[str, object] | None = None
    """Fourier transforms of the signals of probes, divided by that of the first source's waveform; written to probe_spectra.csv
    """

    s_parameters: SParameterOutput | Mapping[str, object] | None = None
    """scattering parameters of all ports as a Touchstone file, s_parameters.sNp, and the waves a and b at each port in
    port_waves.csv
    """

    elements: ElementOutput | Mapping[str, object] | None = None
    """voltage across and current through each entry of `elements` over time, in elements.csv"""


class FieldOutput(Keys):
    """`outputs.fields`: time series of the fields in the volume: VTK files of the solver's order"""

    every: float | str | None = None
    """time between two files"""

    count: int | None = None
    """instead of `every`: number of files after the first, evenly spaced"""

    quantities: Sequence[Literal["E", "H", "p", "u"]] | None = None
    """fields to write: `E`, `H` (maxwell), `p`, `u` (acoustics)"""


class SurfaceFieldOutput(Keys):
    """`outputs.surface_fields`: time series of the fields on named surfaces only: small files"""

    surfaces: str | Sequence[str]
    """names of surfaces, or `*`"""

    every: float | str | None = None
    """time between two files"""

    count: int | None = None
    """instead of `every`: number of files after the first, evenly spaced"""

    quantities: Sequence[Literal["E", "H", "p", "u", "J"]] | None = None
    """fields to write: `E`, `H` (maxwell), `p`, `u` (acoustics); `J` (maxwell): the surface current on a conductor, n x H with
    n pointing away from it, on each side of a wall inside the mesh that of the side
    """


class Probe(Keys):
    """`outputs.probes[]`"""

    name: str
    """name of the probe; its columns in probes.csv start with it"""

    at: Sequence[float | str]
    """a point of the mesh"""


class EnergyOutput(Keys):
    """`outputs.energy`: energy over time, in energy.csv"""

    every: int | None = None
    """steps between two lines (default: 10)"""

    balance: bool | None = None
    """also write balance.csv: the powers of boundaries, losses, sources and the upwind flux. They are integrated at every
    stage, which slows a run down (default: false)
    """


class FrequencyFieldOutput(Keys):
    """`outputs.frequency_fields`: fields in the frequency domain, divided by the first source's amplitude: for each frequency a
    VTK file with real and imaginary parts
    """

    frequencies: Sequence[float | str]
    """frequencies to compute. The first source must contain them: a sine contains its own alone, a pulse those where its
    spectrum is above -60 dB of its peak
    """

    quantities: Sequence[Literal["E", "H", "p", "u"]] | None = None
    """fields to write"""


class FarFieldOutput(Keys):
    """`outputs.far_field`: far field, by a near-to-far-field transform: rcs.csv with the radar cross section, or for other
    first sources radiation.csv, pattern.csv and antenna.csv
    """

    enclosing: str | Sequence[str]
    """volume regions inside the transform's surface, which consists of the faces between them and other regions; outside of it
    there must be one medium without losses
    """

    frequencies: Sequence[float | str]
    """frequencies to compute. The first source must contain them: a sine contains its own alone, a pulse those where its
    spectrum is above -60 dB of its peak
    """

    theta: Angles | Mapping[str, object] | None = None
    """polar angle from +z"""

    phi: Sequence[float] | None = None
    """azimuth in degrees, from +x towards +y; each is combined with every theta (default: [0, 90])"""

    ground: Ground | Mapping[str, object] | None = None
    """an endless perfectly conducting ground on which the surface stands: boundaries of type pec lie in it, and the far field
    is that above it
    """

    co_polarization: CoPolarization | Mapping[str, object] | None = None
    """what pattern.csv divides the field of an antenna by: Ludwig's third definition"""

    pattern_step: float | None = None
    """degrees between the directions of an antenna's pattern as a surface for ParaView, pattern_000.vtp and so on"""


class Angles(Keys):
    """`outputs.far_field.theta`: polar angle from +z"""

    from_: float | None = None
    """first angle, degrees (default: 0)"""

    to: float | None = None
    """last angle, always included, degrees (default: 180)"""

    step: float | None = None
    """step between two angles, degrees (default: 1)"""


class Ground(Keys):
    """`outputs.far_field.ground`: an endless perfectly conducting ground on which the surface stands: boundaries of type pec
    lie in it, and the far field is that above it
    """

    plane: Literal["x", "y", "z"] | None = None
    """the coordinate that is the same all over the ground: `x`, `y` or `z` (default: z)"""

    at: float | str | None = None
    """its value there (default: 0)"""


class CoPolarization(Keys):
    """`outputs.far_field.co_polarization`: what pattern.csv divides the field of an antenna by: Ludwig's third definition
    """

    boresight: Sequence[float] | None = None
    """a direction; its length does not matter (default: [0, 0, 1])"""

    along: Sequence[float] | None = None
    """direction of E of the co-polarization in that direction, at a right angle to it (default: [1, 0, 0])"""


class ResonanceOutput(Keys):
    """`outputs.resonances`: frequencies and quality factors of resonances, from the decaying signals of probes; written to
    resonances.csv
    """

    probes: Sequence[str] | None = None
    """names of the probes (of outputs.probes) whose signals are used"""

    from_: float | str
    """lowest frequency of the band"""

    to: float | str
    """highest frequency of the band"""

    start: float | str | None = None
    """time from which the signals are used; choose it after the sources have ended (default: 0)"""


class ProbeSpectrumOutput(Keys):
    """`outputs.probe_spectra`: Fourier transforms of the signals of probes, divided by that of the first source's waveform;
    written to probe_spectra.csv
    """

    probes: Sequence[str] | None = None
    """names of the probes (of outputs.probes) whose signals are used"""

    from_: float | str
    """lowest frequency"""

    to: float | str
    """highest"""

    count: int | None = None
    """number of frequencies, evenly spaced, both ends included (default: 101)"""

    shielding: bool | None = None
    """whether shielding.csv is written, too: how much weaker than the incident plane wave, the only source, the total field is,
    in dB (default: false)
    """


class SParameterOutput(Keys):
    """`outputs.s_parameters`: scattering parameters of all ports as a Touchstone file, s_parameters.sNp, and the waves a and b
    at each port in port_waves.csv
    """

    from_: float | str
    """lowest frequency"""

    to: float | str
    """highest"""

    count: int | None = None
    """number of frequencies, evenly spaced, both ends included (default: 101)"""

    reference: float | str | None = None
    """reference impedance of all ports in the Touchstone file; for lumped and coaxial ports"""


class ElementOutput(Keys):
    """`outputs.elements`: voltage across and current through each entry of `elements` over time, in elements.csv"""

    every: int | None = None
    """steps between two lines (default: 1)"""


class Checkpoint(Keys):
    """`checkpoint`: files from which `--resume` continues an interrupted run; the last one is written at the end of the run
    """

    every: float | str | None = None
    """wall-clock time between two checkpoints"""

    steps: int | None = None
    """instead of `every`: steps between two checkpoints"""

    keep: int | None = None
    """number of checkpoints to keep, the latest ones (default: 2)"""


class Sweep(Keys):
    """`sweep`: a run for each angle from which the plane wave comes, all in one process: monostatic.csv has the radar cross
    section back there
    """

    plane_wave: SweepOfPlaneWave | Mapping[str, object] | None = None
    """the angles"""


class SweepOfPlaneWave(Keys):
    """`sweep.plane_wave`: the angles"""

    theta: SweepAngles | Mapping[str, object] | None = None
    """polar angle from +z that the wave comes from"""

    phi: Sequence[float] | None = None
    """azimuth in degrees, from +x towards +y; each is combined with every theta (default: [0])"""

    polarization: Literal["theta", "phi"] | None = None
    """direction of E: the unit vector of `theta` or of `phi` there (default: theta)"""


class SweepAngles(Keys):
    """`sweep.plane_wave.theta`: polar angle from +z that the wave comes from"""

    from_: float | None = None
    """first angle, degrees (default: 0)"""

    to: float | None = None
    """last angle, always included, degrees (default: 180)"""

    step: float | None = None
    """step between two angles, degrees (default: 5)"""


class Material(Keys):
    """`materials[]`"""

    region: str | Sequence[str]
    """volume regions of this material"""

    name: Literal["air", "aluminum", "brass", "copper", "duroid_5880", "fr4", "gallium_arsenide", "glass_pyrex", "gold", "plexiglass", "polyethylene", "polystyrene", "quartz_fused", "rexolite", "ro3003", "ro4003c", "ro4350b", "silicon", "silver", "teflon", "vacuum", "water"] | None = None
    """name of a material in the table below, which gives the constants that are left out here"""

    active: bool | None = None
    """allows a `sigma` below 0: a gain medium, which adds energy (default: false)"""

    epsilon_r: float | str | Mapping[str, str] | ByPlace | Sequence[float | str | Mapping[str, str] | ByPlace] | Sequence[Sequence[float | str | Mapping[str, str] | ByPlace]] | None = None
    """relative permittivity (default: 1)"""

    mu_r: float | str | Mapping[str, str] | ByPlace | Sequence[float | str | Mapping[str, str] | ByPlace] | Sequence[Sequence[float | str | Mapping[str, str] | ByPlace]] | None = None
    """relative permeability (default: 1)"""

    sigma: float | str | Mapping[str, str] | ByPlace | None = None
    """electric conductivity (default: 0)"""

    profile: Literal["constant", "smooth"] | None = None
    """what tetrahedra take of an expression, or of values at vertices: `constant`: each its mean; `smooth`: all, so that the
    medium varies within them: an expression to the order of the fields, values at vertices linearly between them, so to the
    square of the element size (default: constant)
    """

    dispersion: Sequence[Debye | Mapping[str, object] | Drude | Lorentz] | None = None
    """poles of the permittivity, added to `epsilon_r`, which is then the value at infinite frequency"""

    loss_tangent: LossTangent | Mapping[str, object] | None = None
    """losses of a dielectric as data sheets give them, by poles that are fitted to them: within 3 % of the value. `epsilon_r`
    is a number then, and holds in the band
    """


class Debye(Keys):
    """`materials[].dispersion[]`: delta_epsilon / (1 + j w tau)"""

    _fixed: ClassVar[dict[str, str]] = {'model': 'debye'}

    delta_epsilon: float
    """contribution of the pole to epsilon_r at frequency 0"""

    tau: float | str
    """relaxation time"""


class Drude(Keys):
    """`materials[].dispersion[]`: -w_p^2 / (w^2 - j w gamma), w_p and gamma being 2 pi times the frequencies of the keys"""

    _fixed: ClassVar[dict[str, str]] = {'model': 'drude'}

    plasma_frequency: float | str
    """in Hz"""

    collision_frequency: float | str
    """in Hz"""


class Lorentz(Keys):
    """`materials[].dispersion[]`: delta_epsilon w_0^2 / (w_0^2 - w^2 + j w gamma)"""

    _fixed: ClassVar[dict[str, str]] = {'model': 'lorentz'}

    delta_epsilon: float
    """contribution of the pole to epsilon_r at frequency 0"""

    frequency: float | str
    """resonance frequency in Hz"""

    damping: float | str
    """gamma / (2 pi), in Hz"""


class LossTangent(Keys):
    """`materials[].loss_tangent`: losses of a dielectric as data sheets give them, by poles that are fitted to them: within 3 %
    of the value. `epsilon_r` is a number then, and holds in the band
    """

    value: float | None = None
    """imaginary over real part of the permittivity, the same in all of the band; default: that of `name`"""

    from_: float | str
    """lower end of the band"""

    to: float | str
    """upper end of the band"""

    at: float | str | None = None
    """frequency of the band at which `epsilon_r` is the real part; default: the geometric mean of its ends"""


class PEC(Keys):
    """`boundaries[]`: perfect electric conductor"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'pec'}

    region: str | Sequence[str]
    """named surfaces"""


class PMC(Keys):
    """`boundaries[]`: perfect magnetic conductor"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'pmc'}

    region: str | Sequence[str]
    """named surfaces"""


class Absorbing(Keys):
    """`boundaries[]`: first-order (Silver-Mueller)"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'absorbing'}

    region: str | Sequence[str]
    """named surfaces"""


class Impedance(Keys):
    """`boundaries[]`: a surface of constant impedance"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'impedance'}

    region: str | Sequence[str]
    """named surfaces"""

    impedance: float | str
    """tangential E over tangential H at the surface"""


class Periodic(Keys):
    """`boundaries[]`: joined to another surface, so that what leaves through one enters through the other"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'periodic'}

    region: str | Sequence[str]
    """named surfaces"""

    with_: str
    """the other surface, which must have the same mesh; `region` must then be a single name"""

    phase: float | None = None
    """phase in degrees by which the fields at `with` lag behind those at `region`: the wave vector times the vector from one to
    the other. Unless it is 0, fields are complex and a run computes both parts (default: 0)
    """


class BoundaryPML(Keys):
    """`boundaries[]`: a PML inside a built-in box (in other meshes: `pml.region`)"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'pml'}

    region: str | Sequence[str]
    """named surfaces"""

    thickness: float | str
    """thickness of the PML, the same on all sides; all cells that reach into it belong to it"""


class Sheet(Keys):
    """`boundaries[]`: a thin conducting film, on faces between two elements"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'sheet'}

    region: str | Sequence[str]
    """named surfaces"""

    resistance: float | str
    """sheet resistance, that of a square of the film: tangential E over the surface current density"""


class InitialFields(Keys):
    """`initial_fields`: fields at t = 0; those left out are zero"""

    E: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""

    H: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""


class ReferenceSolution(Keys):
    """`reference_solution`: exact solution; the error norms at the end of the run are written to summary.json"""

    E: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""

    H: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""


class ImaginaryPart(Keys):
    """`imaginary`: imaginary parts of the fields, which are complex if periodic surfaces have a `phase`"""

    initial_fields: InitialFields | Mapping[str, object] | None = None
    """at t = 0"""

    reference_solution: ReferenceSolution | Mapping[str, object] | None = None
    """exact solution"""


class SymmetryPlane(Keys):
    """`symmetry[]`"""

    plane: Literal["x", "y", "z"]
    """the coordinate that is 0 in the plane"""

    kind: Literal["electric", "magnetic"]
    """`electric`: E is normal to the plane there; `magnetic`: E lies in the plane"""


class PlaneWave(Keys):
    """`sources[]`: its phase is zero at the origin"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'plane_wave'}

    direction: Sequence[float]
    """direction of propagation; its length does not matter"""

    polarization: Sequence[float]
    """direction of E, perpendicular to `direction`"""

    waveform: Sine | Mapping[str, object] | GaussianPulse | Ricker | ExpressionWaveform
    """E at the origin over time"""

    injection: TotalField | Mapping[str, object] | ScatteredField
    """how the wave enters the mesh"""


class Sine(Keys):
    """`sources[].waveform`: ramps up smoothly over two periods"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'sine'}

    amplitude: float | None = None
    """of a plane wave: peak of E in V/m; of a dipole: factor of its moment; of a port: peak of the mode's voltage, which is the
    square root of the integral of |E|^2 over the port (default: 1)
    """

    frequency: float | str
    """carrier frequency; of a ricker: where its spectrum peaks"""


class GaussianPulse(Keys):
    """`sources[].waveform`: a sine under a Gaussian"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'gaussian_pulse'}

    amplitude: float | None = None
    """of a plane wave: peak of E in V/m; of a dipole: factor of its moment; of a port: peak of the mode's voltage, which is the
    square root of the integral of |E|^2 over the port (default: 1)
    """

    frequency: float | str
    """carrier frequency; of a ricker: where its spectrum peaks"""

    bandwidth: float | str
    """full width of the spectrum at -20 dB"""

    delay: float | str | None = None
    """time at which the pulse peaks at the origin; left out: late enough for the pulse to start from zero"""


class Ricker(Keys):
    """`sources[].waveform`: second derivative of a Gaussian"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'ricker'}

    amplitude: float | None = None
    """of a plane wave: peak of E in V/m; of a dipole: factor of its moment; of a port: peak of the mode's voltage, which is the
    square root of the integral of |E|^2 over the port (default: 1)
    """

    frequency: float | str
    """carrier frequency; of a ricker: where its spectrum peaks"""

    delay: float | str | None = None
    """time at which the pulse peaks at the origin; left out: late enough for the pulse to start from zero"""


class ExpressionWaveform(Keys):
    """`sources[].waveform`: given by `value`"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'expression'}

    amplitude: float | None = None
    """of a plane wave: peak of E in V/m; of a dipole: factor of its moment; of a port: peak of the mode's voltage, which is the
    square root of the integral of |E|^2 over the port (default: 1)
    """

    value: str | float
    """expression of t, multiplied by the amplitude"""


class TotalField(Keys):
    """`sources[].injection`: through the surface of `regions`, which hold the total field"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'total_field'}

    regions: str | Sequence[str]
    """volume regions that hold incident plus scattered field; all others hold the scattered field alone"""


class ScatteredField(Keys):
    """`sources[].injection`: the unknowns are the scattered field everywhere; boundaries, and media other than that of the open
    space, radiate it
    """

    _fixed: ClassVar[dict[str, str]] = {'type': 'scattered_field'}


class Dipole(Keys):
    """`sources[]`: a point source"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'dipole'}

    at: Sequence[float | str]
    """a point of the mesh"""

    moment: Sequence[float]
    """dipole moment in C m, of a magnetic dipole in A m^2; multiplied by the waveform"""

    kind: Literal["electric", "magnetic"] | None = None
    """`electric` or `magnetic` (default: electric)"""

    waveform: Sine | Mapping[str, object] | GaussianPulse | Ricker | ExpressionWaveform
    """the moment over time"""


class CurrentSource(Keys):
    """`sources[]`: an impressed current density"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'current'}

    region: str | Sequence[str]
    """volume regions in which the current flows"""

    density: Sequence[str | float]
    """components of the current density in A/m^2, expressions of x, y, z and t"""

    imaginary_density: Sequence[str | float] | None = None
    """imaginary part of the current density, if fields are complex (default: ["0", "0", "0"])"""


class PortSource(Keys):
    """`sources[]`: a mode that enters through a port"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'port'}

    ports: str | Sequence[str] | None = None
    """names of the ports to drive, one after the other, each for an equal share of the run"""

    waveform: Sine | Mapping[str, object] | GaussianPulse | Ricker | ExpressionWaveform
    """voltage of the incoming mode over time"""


class GuidePort(Keys):
    """`ports[]`: the end of a uniform guide, with a mode of it"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'guide'}

    name: str
    """name of the port in sources and files"""

    boundary: str
    """of a guide a plane surface at its end, which ports of different modes may share; of a lumped port the faces that span the
    gap, between elements or on the outside of the mesh. No entry of `boundaries` may cover it
    """

    mode: Literal["tem", "te01", "te02", "te03", "te10", "te11", "te12", "te13", "te20", "te21", "te22", "te23", "te30", "te31", "te32", "te33", "tm01", "tm02", "tm03", "tm11", "tm12", "tm13", "tm21", "tm22", "tm23", "tm31", "tm32", "tm33"]
    """`te10`, `tm11` and so on: a mode of a rectangular guide, with the numbers of half waves along its longer and its shorter
    side; `te11`, `tm01` and so on: of a round one, with the number of periods around its axis and the rank among the modes
    with as many; `tem`: the mode between two conductors, of a ring (a coaxial line) or around a strip of metal without
    thickness that ends on the port
    """

    polarization: Sequence[float] | None = None
    """of a mode of a round guide: the direction in which its radial E is largest, for te11 and tm11 that of E on the axis; by
    default the first coordinate axis in the plane of the port, or what `symmetry` leaves
    """

    plane: float | str | None = None
    """how far from the boundary, into the guide, the reference plane of the scattering parameters lies; below 0 outside of it
    (default: 0)
    """


class LumpedPort(Keys):
    """`ports[]`: a source with a resistance across the gap between conductors"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'lumped'}

    name: str
    """name of the port in sources and files"""

    boundary: str
    """of a guide a plane surface at its end, which ports of different modes may share; of a lumped port the faces that span the
    gap, between elements or on the outside of the mesh. No entry of `boundaries` may cover it
    """

    impedance: float | str
    """resistance of the source, which is the port's reference for scattering parameters"""

    from_: str
    """the conductor at one end of the gap, a surface of type pec or impedance: voltage is counted from it to the other, and
    current through the port into it
    """

    to: str
    """the conductor at the other end"""


class RLC(Keys):
    """`elements[]`: a resistance, an inductance and a capacitance, or some of them"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'rlc'}

    name: str | None = None
    """name of the element in files"""

    boundary: str
    """the faces that span the gap, between elements of the mesh or on its outside. No entry of `boundaries`, `ports` or
    `elements` may cover it besides
    """

    from_: str
    """the conductor at one end of the gap, a surface of type pec or impedance: voltage is counted from it to the other, and
    current through the element to the other
    """

    to: str
    """the conductor at the other end"""

    topology: Literal["series", "parallel"] | None = None
    """how the parts are connected that are given (default: series)"""

    resistance: float | str | None = None
    """of a resistor. What is left out, here and below, is in series a short, in parallel an open end"""

    inductance: float | str | None = None
    """of a coil"""

    capacitance: float | str | None = None
    """of a capacitor"""


class NetworkElement(Keys):
    """`elements[]`: a passive circuit by its equations of state"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'network'}

    name: str | None = None
    """name of the element in files"""

    boundary: str
    """the faces that span the gap, between elements of the mesh or on its outside. No entry of `boundaries`, `ports` or
    `elements` may cover it besides
    """

    from_: str
    """the conductor at one end of the gap, a surface of type pec or impedance: voltage is counted from it to the other, and
    current through the element to the other
    """

    to: str
    """the conductor at the other end"""

    A: Sequence[Sequence[float]]
    """rows of the matrix in dx/dt = A x + B V and I = C x + D V, with the voltage V across the gap, the current I through it,
    and up to 12 states x of any unit; in the config's units: V in volt, I in ampere, t in seconds
    """

    B: Sequence[float]
    """a number for each state"""

    C: Sequence[float]
    """a number for each state"""

    D: float | None = None
    """the conductance at high frequencies, I over V (default: 0)"""


class PML(Keys):
    """`pml`: a perfectly matched layer (PML), which absorbs waves at any angle: open space"""

    region: str | Sequence[str]
    """volume regions of the PML"""

    thickness: float | str
    """thickness of the PML, measured inwards from the outer boundary"""

    reflection: float | None = None
    """reflection of a wave at normal incidence, on an infinitely fine mesh; the default is as low as elements of the order can
    follow, at least 1e-8, and `--check`, `run.log` and `summary.json` say what it is
    """

    alpha: float | str | None = None
    """frequency below which the PML damps less; keeps static fields and grazing waves from growing"""

    kappa: float | None = None
    """real stretch of lengths along the depth of the PML: it grows linearly from 1 at the inner face to this value at the outer
    boundary, so that evanescent fields decay; field files show the PML stretched (default: 1)
    """

    shape: Literal["box", "sphere", "cylinder"] | None = None
    """shape of the outer boundary: `box`, `sphere`, or `cylinder` (along z)"""


class AcousticsMaterial(Keys):
    """`materials[]`"""

    region: str | Sequence[str]
    """volume regions of this material"""

    rho: float | str | Mapping[str, str] | ByPlace | None = None
    """density (default: 1)"""

    c: float | str | Mapping[str, str] | ByPlace | None = None
    """speed of sound (default: 1)"""

    profile: Literal["constant", "smooth"] | None = None
    """what tetrahedra take of an expression, or of values at vertices: `constant`: each its mean; `smooth`: all, so that the
    medium varies within them: an expression to the order of the fields, values at vertices linearly between them, so to the
    square of the element size (default: constant)
    """


class Rigid(Keys):
    """`boundaries[]`: no normal velocity"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'rigid'}

    region: str | Sequence[str]
    """named surfaces"""


class PressureRelease(Keys):
    """`boundaries[]`: no pressure"""

    _fixed: ClassVar[dict[str, str]] = {'type': 'pressure_release'}

    region: str | Sequence[str]
    """named surfaces"""


class AcousticsInitialFields(Keys):
    """`initial_fields`: fields at t = 0; those left out are zero"""

    p: str | float | None = None
    """the scalar field (default: 0)"""

    u: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""


class AcousticsReferenceSolution(Keys):
    """`reference_solution`: exact solution; the error norms at the end of the run are written to summary.json"""

    p: str | float | None = None
    """the scalar field (default: 0)"""

    u: Sequence[str | float] | None = None
    """the field's x, y and z components (default: ["0", "0", "0"])"""


class AcousticsImaginaryPart(Keys):
    """`imaginary`: imaginary parts of the fields, which are complex if periodic surfaces have a `phase`"""

    initial_fields: AcousticsInitialFields | Mapping[str, object] | None = None
    """at t = 0"""

    reference_solution: AcousticsReferenceSolution | Mapping[str, object] | None = None
    """exact solution"""


class ConfigKeys(TypedDict, total=False):
    """The keys of a whole config, which are the arguments of Simulation."""

    units: Literal["si", "normalized"]
    """`si`: numbers in SI units, or texts with a unit. `normalized`: epsilon_0 = mu_0 = c_0 = 1, and bare numbers (default: si)
    """

    constants: Mapping[str, float | str]
    """named numbers for use in expressions"""

    mesh: Mesh | Mapping[str, object] | MeshData
    """the mesh of tetrahedra"""

    solver: Solver | Mapping[str, object]
    """how the equations are solved"""

    device: str
    """where to compute: `auto`, `cuda`, `cuda:1`, `opencl`, `opencl:0`, `cpu`; `cuda:all` starts a process for each GPU of this
    host, or shares out the angles of a `sweep` among them; `--device` overrides it (default: auto)
    """

    time: Time | Mapping[str, object]
    """simulated time"""

    outputs: Outputs | Mapping[str, object]
    """output files"""

    checkpoint: Checkpoint | Mapping[str, object]
    """files from which `--resume` continues an interrupted run; the last one is written at the end of the run"""

    sweep: Sweep | Mapping[str, object]
    """a run for each angle from which the plane wave comes, all in one process: monostatic.csv has the radar cross section back
    there
    """

    materials: Sequence[Material | Mapping[str, object] | AcousticsMaterial]
    """media. Exactly one entry must cover each volume region. Values are constant in each tetrahedron, the mean of an
    expression, but for `profile: smooth`
    """

    boundaries: Sequence[PEC | Mapping[str, object] | PMC | Absorbing | Impedance | Periodic | BoundaryPML | Sheet | Rigid | PressureRelease]
    """boundary conditions. Exactly one entry must cover each exterior face. A condition that does not absorb also holds on
    faces between two elements, on both sides of them, where an entry names their surface: `pec` there is metal without
    thickness
    """

    initial_fields: InitialFields | Mapping[str, object] | AcousticsInitialFields
    """fields at t = 0; those left out are zero"""

    reference_solution: ReferenceSolution | Mapping[str, object] | AcousticsReferenceSolution
    """exact solution; the error norms at the end of the run are written to summary.json"""

    imaginary: ImaginaryPart | Mapping[str, object] | AcousticsImaginaryPart
    """imaginary parts of the fields, which are complex if periodic surfaces have a `phase`"""

    symmetry: Sequence[SymmetryPlane | Mapping[str, object]]
    """planes through the origin in which the problem is its own mirror image: the mesh is the part on one side of each.
    Exterior faces in these planes need no entry of `boundaries`
    """

    sources: Sequence[PlaneWave | Mapping[str, object] | Dipole | CurrentSource | PortSource]
    """what drives the fields"""

    ports: Sequence[GuidePort | Mapping[str, object] | LumpedPort]
    """where waves enter, are absorbed and are measured: ends of waveguides, and gaps between conductors"""

    elements: Sequence[RLC | Mapping[str, object] | NetworkElement]
    """resistors, inductors, capacitors and passive networks across gaps between conductors"""

    pml: PML | Mapping[str, object]
    """a perfectly matched layer (PML), which absorbs waves at any angle: open space"""

    system: Literal["maxwell"] | System | Literal["acoustics"]
    """equations to solve"""


__all__ = [
    "Absorbing",
    "AcousticsImaginaryPart",
    "AcousticsInitialFields",
    "AcousticsMaterial",
    "AcousticsReferenceSolution",
    "Angles",
    "BoundaryPML",
    "Box",
    "Checkpoint",
    "CoPolarization",
    "ConfigKeys",
    "CurrentSource",
    "Debye",
    "Dipole",
    "Drude",
    "ElementOutput",
    "EnergyOutput",
    "ExpressionWaveform",
    "FarFieldOutput",
    "FieldOutput",
    "FrequencyFieldOutput",
    "GaussianPulse",
    "Ground",
    "GuidePort",
    "ImaginaryPart",
    "Impedance",
    "InitialFields",
    "Lorentz",
    "LossTangent",
    "LumpedPort",
    "Material",
    "Mesh",
    "NetworkElement",
    "Outputs",
    "PEC",
    "PMC",
    "PML",
    "Periodic",
    "PlaneWave",
    "PortSource",
    "PressureRelease",
    "Probe",
    "ProbeSpectrumOutput",
    "RLC",
    "ReferenceSolution",
    "ResonanceOutput",
    "Ricker",
    "Rigid",
    "SParameterOutput",
    "ScatteredField",
    "Sheet",
    "Sine",
    "Solver",
    "SurfaceFieldOutput",
    "Sweep",
    "SweepAngles",
    "SweepOfPlaneWave",
    "SymmetryPlane",
    "Time",
    "TotalField",
    "Until",
]
