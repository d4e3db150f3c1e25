"""A run of a config in memory, some steps at a time."""

import pathlib
import sys

import maxwell_dg as mdg

simulation = mdg.Simulation.from_yaml(pathlib.Path(__file__).with_name("guide.yaml"))
largest = 0.0
while simulation.step(100) > 0:
    largest = max(largest, abs(simulation.fields(["Ey"])["Ey"]).max())
results = simulation.results
signal = results.probes["middle.Ey"]
print(f"{simulation.steps} steps to t = {simulation.time:g} s, the signal has {len(signal)} values, |Ey| was at most {largest:.3g} V/m")

network = results.s_parameters  # the last step has ended the run
for frequency, S in zip(network.frequency, network.S, strict=True):
    print(f"{frequency / 1e6:g} MHz: |S11| = {abs(S[0, 0]):.4f}, |S21| = {abs(S[1, 0]):.4f}")
sys.exit(0 if abs(network.S[:, 0, 0]).max() < 0.01 and abs(1 - abs(network.S[:, 1, 0])).max() < 0.01 else 1)
