"""What can go wrong, by kind. Each message has place, cause and remedy; docs/user_guide.md lists the same kinds as exit codes
of the program."""

from __future__ import annotations

import re

# "horn.yaml:12:5: outputs.fields.evry: unknown key; did you mean 'every'?": place, key, cause, remedy; of an error of classes
# and arguments "Simulation: time.end: ..."
_FINDING = re.compile(r"(?:(?:[^\n]*?:\d+:\d+|\S*): )?(?:(?P<key>[A-Za-z_]\w*(?:\.\w+)*): )?[^;\n]*(?:; (?P<remedy>[^\n]*))?")


class Error(Exception):
    """Base of all errors of maxwell_dg."""

    exit_code = 1

    @property
    def findings(self) -> list[str]:
        """The message line by line: a config has an entry for each thing that is wrong in it."""
        return str(self).splitlines()


class ConfigError(Error, ValueError):
    """A config, a key of it or an argument is wrong."""

    exit_code = 2

    @property
    def key(self) -> str | None:
        """The path of the key that the first finding is about, "materials.0.epsilon_r"; None where it is about no key."""
        return self._part("key")

    @property
    def remedy(self) -> str | None:
        """What the first finding says is allowed, or meant; None where it says nothing."""
        return self._part("remedy")

    def _part(self, name: str) -> str | None:
        found = _FINDING.match(str(self))
        return found[name] if found else None


class MeshError(Error, ValueError):
    """A mesh is missing, unreadable or unfit for computing on."""

    exit_code = 3


class DeviceError(Error, RuntimeError):
    """The device, its driver or its compiler failed."""

    exit_code = 4


class OutOfDeviceMemory(DeviceError, MemoryError):
    """The device has too little memory."""


class CompileError(DeviceError):
    """A kernel does not compile: the line, the compiler's words, and where the text was saved."""


class ArrayError(Error, ValueError):
    """Arrays of maxwell_dg.rtcg: a shape, a type of elements or an argument does not fit."""

    exit_code = 2


class ArrayIndexError(ArrayError, IndexError):
    """An index or an axis that an array does not have."""


class DivergenceError(Error, ArithmeticError):
    """The fields grew beyond what sources inject, or are no numbers any more."""

    exit_code = 5


class OutputError(Error, OSError):
    """A file could not be written. What was written before is intact."""

    exit_code = 6
