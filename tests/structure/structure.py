"""Checks of the source tree itself: structure.py CHECK [ROOT]. Prints every finding and exits with 1 if there are any."""

import os
import re
import sys
from pathlib import Path

from rules import (FLOORS, JSON_PLACE, LODGERS, MORE_THAN_FORMULAS, MOST_LINES, MOST_UNITS, PRIVATE_PATH, ROOMS,
                   SKIPPED_FOLDERS, SOURCE_SUFFIXES, TEXT_SUFFIXES, TWINS, UNFINISHED, VENDORS)

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def files(root, suffixes):
    """Paths below root, relative to it, in a fixed order."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if not SKIPPED_FOLDERS.fullmatch(name))
        for name in sorted(names):
            path = Path(folder, name)
            if name == ".git":  # a file in worktrees
                continue
            if path.suffix in suffixes and not path.is_symlink():
                yield path.relative_to(root)


def lines(root, path):
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    return enumerate(text.splitlines(), start=1)


def includes(root):
    """(path, line number, included name) of every include of every source."""
    for path in files(root, SOURCE_SUFFIXES):
        for number, line in lines(root, path):
            if match := INCLUDE.match(line):
                yield path, number, match[1]


def check_floors(root):
    """An include points to its own floor or down."""
    for path, number, name in includes(root):
        here, there = path.parts[0], name.split("/")[0]
        if here in FLOORS and there in FLOORS and FLOORS.index(there) > FLOORS.index(here):
            yield f"{path}:{number}: {here} includes {name}, which is a floor above it"
        elif here in FLOORS and there == "tests":
            yield f"{path}:{number}: {here} includes {name}, which is a test"
        elif there in FLOORS and not (root / name).exists():
            yield f"{path}:{number}: there is no {name}"


def check_vendors(root):
    """A vendor's header is included only where it is wrapped."""
    for path, number, name in includes(root):
        for vendor, pattern, places in VENDORS:
            wrapped = any(str(path).startswith(place) if place.endswith("/") else str(path) == place for place in places)
            if path.parts[0] in FLOORS and re.fullmatch(pattern, name) and not wrapped:
                where = " or ".join(places) or "nowhere yet"
                yield f"{path}:{number}: includes {name}; {vendor} belongs to {where}"


def folder_of(path):
    """The folder that a file belongs to: its own, or that of the room whose lodger it is."""
    return next((Path(room) for pattern, room in LODGERS.items() if path.match(pattern)), path.parent)


def room(path):
    """'dg/mesh' of dg/mesh/mesh.hpp; the floor itself for files that stand in no room."""
    return "/".join(folder_of(path).parts[:2])


def find_cycle(graph):
    """A list of nodes, the first repeated at the end, or None."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return None
        trail.append(node)
        for neighbour in sorted(graph.get(node, ())):
            if cycle := visit(neighbour):
                return cycle
        done.add(trail.pop())
        return None

    for start in sorted(graph):
        if cycle := visit(start):
            return cycle
    return None


def check_rooms(root):
    """Interfaces (headers) of the rooms of a floor depend on each other without cycles, and so do single headers."""
    headers, rooms, witness = {}, {}, {}
    for path, number, name in includes(root):
        target = Path(name)
        if path.suffix != ".hpp" or path.parts[0] not in FLOORS or target.parts[0] not in FLOORS:
            continue
        headers.setdefault(str(path), set()).add(name)
        here, there = room(path), room(target)
        if here != there and path.parts[0] == target.parts[0]:
            rooms.setdefault(here, set()).add(there)
            witness.setdefault((here, there), f"{path}:{number}")
    if cycle := find_cycle(headers):
        yield "headers include each other: " + " -> ".join(cycle)
    if cycle := find_cycle(rooms):
        steps = [f"{a} -> {b} ({witness[a, b]})" for a, b in zip(cycle, cycle[1:])]
        yield "rooms include each other: " + ", ".join(steps)


def listed_room(folder, level):
    """The innermost of the folder and those around it that has a level, and the level; else the folder and None."""
    for candidate in (folder, *folder.parents[:-1]):
        name = TWINS.get(candidate.as_posix(), candidate.as_posix())
        for pattern, number in level.items():
            if name == pattern or ("*" in pattern and candidate.match(pattern)):
                return name, number
    return folder.as_posix(), None


def check_order_of_rooms(root):
    """Within a floor an include points to its own room or to one that rules.py lists below it."""
    levels = {floor: {name: number for number, names in enumerate(rooms) for name in names}
              for floor, rooms in ROOMS.items()}
    unlisted = set()
    for path, number, name in includes(root):
        target = Path(name)
        floor = path.parts[0]
        if floor not in levels or target.parts[0] != floor:
            continue
        level = levels[floor]
        (here, of_here), (there, of_there) = (listed_room(folder_of(file).relative_to(floor), level)
                                              for file in (path, target))
        for folder, known in ((here, of_here), (there, of_there)):
            if known is None and (floor, folder) not in unlisted:
                unlisted.add((floor, folder))
                yield f"{path}:{number}: rules.py lists no room {floor}/{folder}"
        if here != there and None not in (of_here, of_there) and of_there >= of_here:
            yield f"{path}:{number}: {floor}/{here} includes {name}, which is not in a room below it"


def check_sizes(root):
    """Outside of tests no source has more than 400 lines, and no folder more than 30 units."""
    units = {}
    for path in files(root, SOURCE_SUFFIXES):
        if path.parts[0] not in FLOORS:
            continue
        units.setdefault(path.parent, set()).add(path.stem)
        count = sum(1 for _ in lines(root, path))
        if count > MOST_LINES:
            yield f"{path}: {count} lines; divide it by its ideas, {MOST_LINES} are allowed"
    for folder, names in units.items():
        if len(names) > MOST_UNITS:
            yield f"{folder}: {len(names)} units; make folders in it, {MOST_UNITS} are allowed"


def check_macros(root):
    """Macros of the preprocessor in kernel texts are index formulas; what is more is a function or the template's macro."""
    for path in files(root, {".kernel"}):
        for number, line in lines(root, path):
            match = re.match(r"\s*#\s*define\s+(\w+)\(", line)
            if match and match[1] not in MORE_THAN_FORMULAS and re.search(r";|(?<!\$)\{|\\$", line):
                yield f"{path}:{number}: {match[1]} is more than one expression; make it a function or a macro of the template"


def check_words(root):
    """No unfinished work, no paths of one developer's machine."""
    for path in files(root, TEXT_SUFFIXES):
        for number, line in lines(root, path):
            for pattern in (*UNFINISHED, PRIVATE_PATH):
                if match := pattern.search(line):
                    yield f"{path}:{number}: '{match[0]}' has no place in the repository"


def check_json(root):
    """JSON is made by json_text alone, which no byte of a name can make throw."""
    for path in files(root, SOURCE_SUFFIXES):
        if path.parts[0] not in FLOORS or str(path) == JSON_PLACE:
            continue
        for number, line in lines(root, path):
            if re.search(r"\bdump\(", line):
                yield f"{path}:{number}: calls dump(); json_text of {JSON_PLACE} does that"


def anchors(text):
    """The anchors that GitHub gives to a document's headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ +(.+?) *$", text, flags=re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(root):
    """Relative links in Markdown files lead somewhere, headings included."""
    for path in files(root, {".md"}):
        in_code = False
        for number, line in lines(root, path):
            in_code ^= line.startswith("```")
            if in_code:
                continue
            for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"\w+:", link):
                    continue
                name, _, anchor = link.partition("#")
                target = root / path if not name else (root / path).parent / name
                if not target.exists():
                    yield f"{path}:{number}: there is no {link}"
                elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
                    yield f"{path}:{number}: {name or path} has no heading for #{anchor}"


def check_snippets(root):
    """A program that a document shows, a block of C++ whose first line names its file, is that file."""
    for path in files(root, {".md"}):
        text = (root / path).read_text(encoding="utf-8")
        for block in re.finditer(r"^```cpp\n// (\S+\.[ch]pp)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            number = text.count("\n", 0, block.start()) + 2
            program = root / block[1]
            if not program.exists():
                yield f"{path}:{number}: there is no {block[1]}"
            elif program.read_text(encoding="utf-8") != block[2]:
                yield f"{path}:{number}: {block[1]} is not what is shown here"


def test_names(root):
    """SUITE.CLAIM of every GoogleTest, example_NAME of every example, and tests that CMake names."""
    for path in files(root, {".cpp", ".txt"}):
        text = (root / path).read_text(encoding="utf-8")
        yield from (f"{suite}.{claim}" for suite, claim in re.findall(r"\bTEST(?:_[FP])?\((\w+),\s*(\w+)\)", text))
        yield from re.findall(r"add_test\(NAME ([\w.]+)", text)
        if path.parts[:2] == ("apps", "examples") and path.name == "main.cpp":
            yield f"example_{path.parts[2]}"


def check_tables(root):
    """Tables whose last column is `test` have no empty cell, and each row names tests that there are."""
    names = set(test_names(root))
    for path in files(root, {".md"}):
        in_table = False
        for number, line in lines(root, path):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            in_table = cells[-1:] == ["test"] or (in_table and bool(cells))
            if not in_table or cells[-1] == "test" or cells[0].startswith(("**", "---")):
                continue
            if not all(cells):
                yield f"{path}:{number}: an empty cell"
            tests = re.findall(r"`([\w.*]+)`", cells[-1])
            if not tests:
                yield f"{path}:{number}: no test"
            suite = ""
            for test in tests:  # a claim alone is of the suite before it
                suite = test.partition(".")[0] if "." in test else suite
                full = test if "." in test or test.startswith("example_") else f"{suite}.{test}"
                if not any(re.fullmatch(re.escape(full).replace(r"\*", ".*"), name) for name in names):
                    yield f"{path}:{number}: there is no test {full}"


def check_messages(root):
    """A message that a table of symptoms quotes, in its first column, is one that the program or a script has."""
    sources = "\n".join(re.sub(r'"\s*\n\s*"', "", (root / path).read_text(encoding="utf-8", errors="replace"))
                        for path in files(root, {".cpp", ".hpp", ".cmake", ""}) if path.parts[0] != "tests")
    for path in files(root, {".md"}):
        in_table = False
        for number, line in lines(root, path):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            in_table = cells[:1] == ["message or observation"] or (in_table and bool(cells))
            for message in re.findall(r"`([^`]+)`", cells[0]) if in_table else ():
                parts = [part.strip() for part in message.split("...")]
                if gone := [part for part in parts if len(part) > 2 and part not in sources]:
                    yield f"{path}:{number}: nothing says '{gone[0]}'"


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in CHECKS:
        sys.exit(f"usage: structure.py {{{'|'.join(CHECKS)}}} [ROOT]")
    root = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[2]).resolve()
    check = CHECKS[sys.argv[1]]
    findings = list(check(root))
    print(check.__doc__)
    print("\n".join(findings) or "holds")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
