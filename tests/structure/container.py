"""Whether the Containerfile names what is there: container.py ROOT. It is not built here: that needs an engine of containers."""

import os
import pathlib
import re
import subprocess
import sys
import tomllib

WORDS = {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "USER", "CMD"}


def instructions(text):
    """(word, the rest) of each, whose lines are joined."""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


def findings(root):
    made = instructions((root / "Containerfile").read_text(encoding="utf-8"))
    extras = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    yield from (f"{word} is no instruction that is known here" for word, _ in made if word not in WORDS)
    if made[0][0] != "FROM":
        yield "does not begin with FROM"
    stages = [rest.split(" AS ")[1] for word, rest in made if word == "FROM" and " AS " in rest]
    for word, rest in made:
        if word == "COPY":
            yield from (f"COPY --from={stage}: there is no such stage" for stage in re.findall(r"--from=(\S+)", rest) if stage not in stages)
        if word != "RUN":
            continue
        if subprocess.run(["sh", "-n", "-c", rest], check=False).returncode:
            yield f"RUN {rest}: is no command of sh"
        for script in re.findall(r"\./(scripts/\w+)", rest):
            if not os.access(root / script, os.X_OK):
                yield f"RUN {rest}: there is no program {script}"
        for names in re.findall(r"\.whl\)\[([\w,]+)\]", rest):
            yield from (f"RUN {rest}: pyproject.toml has no extra {name}" for name in names.split(",") if name not in extras)


def main():
    found = list(findings(pathlib.Path(sys.argv[1])))
    for finding in found:
        print(f"Containerfile: {finding}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
