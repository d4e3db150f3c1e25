"""What can go wrong, by kind. Each message has place, cause and remedy; docs/user_guide.md lists the same kinds as exit codes
of the program."""


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


class MeshError(Error, ValueError):
    """A mesh is missing, unreadable or unfit for computing on."""

    exit_code = 3


class DeviceError(Error, RuntimeError):
    """The device, its driver or its compiler failed."""

    exit_code = 4


class OutOfDeviceMemory(DeviceError, MemoryError):
    """The device has too little memory."""


class DivergenceError(Error, ArithmeticError):
    """The fields grew beyond what sources inject, or are no numbers any more."""

    exit_code = 5


class OutputError(Error, OSError):
    """A file could not be written. What was written before is intact."""

    exit_code = 6
