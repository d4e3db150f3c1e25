#!/usr/bin/env python3
"""Writes apps/python/maxwell_dg/config.py, the typed classes of a config, from the description by which the program checks one:

    maxwell_dg --schema | apps/python/generate_config.py > apps/python/maxwell_dg/config.py

A test compares the file with what this makes.
"""

import json
import keyword
import re
import sys
import textwrap

# Classes are called by the last key of their path, or by the word that chooses them: `Solver`, `PlaneWave`. These are not.
# A path has [] for the items of a list and <word> for a chosen alternative.
NAMES = {
    "": "Config",
    "outputs.fields": "FieldOutput",
    "outputs.surface_fields": "SurfaceFieldOutput",
    "outputs.probes[]": "Probe",
    "outputs.energy": "EnergyOutput",
    "outputs.frequency_fields": "FrequencyFieldOutput",
    "outputs.far_field": "FarFieldOutput",
    "outputs.far_field.theta": "Angles",
    "outputs.resonances": "ResonanceOutput",
    "outputs.probe_spectra": "ProbeSpectrumOutput",
    "outputs.s_parameters": "SParameterOutput",
    "outputs.elements": "ElementOutput",
    "sweep.plane_wave": "SweepOfPlaneWave",
    "sweep.plane_wave.theta": "SweepAngles",
    "materials[]": "Material",
    "boundaries[]<pec>": "PEC",
    "boundaries[]<pmc>": "PMC",
    "boundaries[]<pml>": "BoundaryPML",
    "imaginary": "ImaginaryPart",
    "imaginary.initial_fields": "InitialFields",
    "imaginary.reference_solution": "ReferenceSolution",
    "symmetry[]": "SymmetryPlane",
    "sources[]<current>": "CurrentSource",
    "sources[]<port>": "PortSource",
    "sources[].waveform<expression>": "ExpressionWaveform",
    "ports[]<guide>": "GuidePort",
    "ports[]<lumped>": "LumpedPort",
    "elements[]<rlc>": "RLC",
    "elements[]<network>": "NetworkElement",
    "pml": "PML",
}
MORE = {"mesh": ["MeshData"], "system": ["System"]}  # what may stand in place of keys of such a path, beside what a file may have
LEFT_OUT = {"anchors"}  # a help of YAML's
HEADER = '''"""The keys of a config as classes, with types, defaults and meaning.

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
'''


def camel(word):
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


class Generator:
    def __init__(self):
        self.classes = {}  # name: (shape, text)

    def class_of(self, schema, path, system):
        """The name of the class of an object with known keys; it is written where it is new."""
        word = (schema.get("title", "") or "").partition(": ")[2]
        place = re.sub(r"<[^<>]*>(?=.)", "", path) + (f"<{word}>" if word and path else "")
        name = NAMES.get(place) or camel(word if word and path else path.rpartition(".")[2].rstrip("[]"))
        shape = json.dumps([schema["properties"], schema.get("required", [])], sort_keys=True)
        if name in self.classes and self.classes[name][0] != shape:
            name = camel(system) + name
        if name in self.classes and self.classes[name][0] != shape:
            raise SystemExit(f"{path}: the name {name} is taken by a class with other keys; name it in NAMES")
        if name not in self.classes:
            self.classes[name] = shape, ""  # in its place before those that it holds
            self.classes[name] = shape, self.text_of(name, schema, path, system)
        return name

    def text_of(self, name, schema, path, system):
        required = schema.get("required", [])
        fixed = {key: entry["const"] for key, entry in schema["properties"].items() if "const" in entry}
        lines = [f"class {name}(Keys):"]
        doc = schema.get("description", "")
        where = f"`{path}`" if path else "the whole config"
        about = f"{where}{': ' + doc if doc else ''}"
        lines += docstring(about[:1].upper() + about[1:] if not path else about, "    ")
        if fixed:
            lines += ["", f"    _fixed: ClassVar[dict[str, str]] = {fixed!r}"]
        for key, entry in schema["properties"].items():
            if key in fixed or key in LEFT_OUT:
                continue
            field = key + "_" if keyword.iskeyword(key) else key
            kind = self.type_of(entry, f"{path}.{key}" if path else key, system)
            lines += ["", f"    {field}: {kind}" + ("" if key in required else " | None = None")]
            lines += docstring(entry.get("description", "") + default_of(entry), "    ")
        return "\n".join(lines) + "\n"

    def type_of(self, schema, path, system):
        return " | ".join(dict.fromkeys(self.kinds_of(schema, path, system)))

    def kinds_of(self, schema, path, system):
        if "enum" in schema:
            return [f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"]
        alternatives = schema.get("anyOf") or schema.get("oneOf") or []
        if any(alternative.keys() - {"required"} for alternative in alternatives):  # else they say which keys belong together
            kinds = []
            for alternative in alternatives:
                kinds += self.kinds_of(alternative, path, system)
            return kinds
        names = schema.get("type", [])
        kinds = []
        for name in [names] if isinstance(names, str) else names:
            if name == "object" and "properties" in schema:
                kinds += [self.class_of(schema, path, system), "Mapping[str, object]"]
            elif name == "object":
                more = schema.get("additionalProperties", {})
                kinds.append(f"Mapping[str, {self.type_of(more, path, system) if more else 'object'}]")
                kinds += ["ByPlace"] if schema.get("required") == ["from_mesh"] else []
            elif name == "array":
                kinds.append(f"Sequence[{self.type_of(schema['items'], path + '[]', system)}]")
            else:
                kinds.append({"integer": "int", "number": "float", "string": "str", "boolean": "bool"}[name])
        if not kinds:
            raise SystemExit(f"{path}: {json.dumps(schema)[:100]} has no type")
        return kinds


def one_sequence(kinds):
    """The types, with one sequence in place of several: of a list of several classes type checkers find no other."""
    sequences = [kind.removeprefix("Sequence[")[:-1] for kind in kinds if kind.startswith("Sequence[")]
    if len(sequences) < 2:
        return list(kinds)
    items = dict.fromkeys(item for sequence in sequences for item in sequence.split(" | "))
    return [*(kind for kind in kinds if not kind.startswith("Sequence[")), f"Sequence[{' | '.join(items)}]"]


def docstring(text, indent):
    if not text:
        return []
    text = text.replace("\\", "\\\\")
    wrapped = textwrap.wrap(text, 125 - len(indent))
    if len(wrapped) == 1 and len(wrapped[0]) < 115:
        return [f'{indent}"""{wrapped[0]}"""']
    return [f'{indent}"""{wrapped[0]}'] + [indent + line for line in wrapped[1:]] + [f'{indent}"""']


def default_of(entry):
    default = entry.get("default")
    if default is None or default == [] or isinstance(default, dict):
        return ""
    return f" (default: {default if isinstance(default, str) else json.dumps(default)})"


def main():
    schema = json.load(sys.stdin)
    generator = Generator()
    keys = {}  # of all systems together: [type, docs]
    for alternative in schema["oneOf"]:
        system = alternative["title"].partition(": ")[2]
        for key, entry in alternative["properties"].items():
            if key in LEFT_OUT:
                continue
            kinds = [f"Literal[{json.dumps(entry['const'])}]"] if "const" in entry else generator.kinds_of(entry, key, system)
            kinds += MORE.get(key, [])
            known, _ = keys.setdefault(key, ({}, entry.get("description", "") + default_of(entry)))
            known.update(dict.fromkeys(kinds))
    text = HEADER
    for _, body in generator.classes.values():
        text += "\n\n" + body
    text += "\n\nclass ConfigKeys(TypedDict, total=False):\n"
    text += '    """The keys of a whole config, which are the arguments of Simulation."""\n'
    for key, (kinds, doc) in keys.items():
        text += f"\n    {key}: {' | '.join(one_sequence(kinds))}\n"
        text += "".join(line + "\n" for line in docstring(doc, "    "))
    names = sorted([*generator.classes, "ConfigKeys"])
    text += "\n\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
