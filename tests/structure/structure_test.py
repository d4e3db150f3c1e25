"""Each check of structure.py notices a violation, and is silent about a clean tree."""

import tempfile
import unittest
from pathlib import Path

import structure

CLEAN = {
    "core/error.hpp": "#pragma once\n",
    "rtcg/compile/compiler.hpp": '#include "core/error.hpp"\n',
    "dg/mesh/mesh.hpp": '#include "rtcg/compile/compiler.hpp"\n',
    "core/opencl/opencl.cpp": "#include <CL/cl.h>\n",
    "docs/a.md": "# A heading: here\n[to itself](#a-heading-here) and [b](b.md#b) and [far](https://example.org)\n",
    "docs/shown.md": "```cpp\n// core/error.hpp\n#pragma once\n```\n```cpp\n// any other comment\n```\n",
    "docs/table.md": "| a | test |\n|---|---|\n| **part** | |\n| x | `A.b`, `c` |\n| y | `A.*` |\n\n| a | b |\n|---|---|\n| | |\n",
    "docs/symptoms.md": "| message or observation | a |\n|---|---|\n| `device '...' is not there` | `no message` |\n",
    "apps/says.cpp": 'throw Error("device \'" + name + "\' is "\n      "not there");\n',
    "tests/a_test.cpp": "TEST_F(A, b) {}\nTEST(A, c) {}\n",
    "docs/b.md": "# B\n```sh\n[not a link](nowhere)\n```\n",
}

# name of the check, files, what the finding says
VIOLATIONS = [
    ("floors", {"core/up.hpp": '#include "dg/mesh/mesh.hpp"\n'}, "core/up.hpp:1: core includes dg/mesh/mesh.hpp"),
    ("floors", {"dg/up.cpp": '// x\n#include "apps/config/config.hpp"\n'}, "dg/up.cpp:2: dg includes apps"),
    ("floors", {"dg/gone.cpp": '#include "core/gone.hpp"\n'}, "there is no core/gone.hpp"),
    ("vendors", {"dg/mesh/x.cpp": "#include <CL/cl.h>\n"}, "includes CL/cl.h; OpenCL belongs to core/opencl/"),
    ("vendors", {"dg/x.cpp": "#  include <vtkNew.h>\n"}, "dg/x.cpp:1: includes vtkNew.h; VTK belongs to nowhere yet"),
    ("vendors", {"apps/x.cpp": "#include <mpi.h>\n"}, "MPI belongs to core/mpi/"),
    ("rooms", {"dg/time/t.hpp": '#include "dg/time/u.hpp"\n', "dg/time/u.hpp": '#include "dg/time/t.hpp"\n'},
     "headers include each other: dg/time/t.hpp -> dg/time/u.hpp"),
    ("rooms", {"dg/mesh/a.hpp": '#include "dg/operator/b.hpp"\n', "dg/operator/b.hpp": '#include "dg/mesh/mesh.hpp"\n'},
     "rooms include each other: dg/mesh -> dg/operator (dg/mesh/a.hpp:1)"),
    ("order_of_rooms", {"dg/mesh/a.cpp": '#include "dg/time/b.hpp"\n'},
     "dg/mesh/a.cpp:1: dg/mesh includes dg/time/b.hpp, which is not in a room below it"),
    ("order_of_rooms", {"dg/time/a.cpp": '#include "dg/tuning/b.hpp"\n'}, "dg/time includes dg/tuning/b.hpp"),
    ("order_of_rooms", {"dg/attic/a.cpp": '#include "dg/mesh/mesh.hpp"\n'}, "rules.py lists no room dg/attic"),
    ("order_of_rooms", {"apps/config/a.cpp": '#include "apps/simulation/b.hpp"\n'},
     "apps/config includes apps/simulation/b.hpp"),
    ("order_of_rooms", {"apps/simulation/checks/a.cpp": '#include "apps/maxwell_dg/b.hpp"\n'},
     "apps/simulation includes apps/maxwell_dg/b.hpp"),
    ("order_of_rooms", {"dg/codegen/wedges/a.cpp": '#include "dg/codegen/prisms/b.hpp"\n'},
     "dg/codegen/wedges includes dg/codegen/prisms/b.hpp"),
    ("order_of_rooms", {"dg/codegen/wedges/wedge_choices.hpp": '#include "dg/codegen/slicing.hpp"\n'},
     "dg/schedule includes dg/codegen/slicing.hpp"),
    ("macros", {"dg/codegen/a.kernel": "#define AT(i) (2 * (i))\n#define SET(x) x = 1;\n"},
     "dg/codegen/a.kernel:2: SET is more than one expression"),
    ("macros", {"dg/codegen/a.kernel": "#define SET(x) \\\n  x = 1\n"}, "dg/codegen/a.kernel:1: SET is more"),
    ("sizes", {"dg/mesh/a.cpp": "int a;\n" * 401}, "dg/mesh/a.cpp: 401 lines"),
    ("sizes", {f"dg/mesh/a{i}.hpp": "" for i in range(31)}, "units; make folders in it"),
    ("json", {"apps/x.cpp": "file << json.dump(2);\n"}, "apps/x.cpp:1: calls dump(); json_text of core/json_text.hpp"),
    ("words", {"scripts/x": "a " + "TO" + "DO list\n"}, "scripts/x:1: 'TO" + "DO'"),
    ("words", {"dg/x.cpp": "// not " + "implemented\n"}, "dg/x.cpp:1: 'not " + "implemented'"),
    ("words", {"configs/x.yaml": "file: /ho" + "me/somebody/x.msh\n"}, "configs/x.yaml:1: '/ho" + "me/s'"),
    ("links", {"docs/c.md": "see [x](gone.md)\n"}, "docs/c.md:1: there is no gone.md"),
    ("links", {"docs/c.md": "see [x](b.md#gone)\n"}, "b.md has no heading for #gone"),
    ("snippets", {"docs/c.md": "# C\n```cpp\n// apps/x.cpp\nint x;\n```\n", "apps/x.cpp": "int y;\n"},
     "docs/c.md:3: apps/x.cpp is not what is shown here"),
    ("snippets", {"docs/c.md": "```cpp\n// apps/gone.cpp\n```\n"}, "docs/c.md:2: there is no apps/gone.cpp"),
    ("tables", {"docs/c.md": "| a | test |\n|---|---|\n| | `A.b` |\n"}, "docs/c.md:3: an empty cell"),
    ("tables", {"docs/c.md": "| a | test |\n|---|---|\n| x | A.b |\n"}, "docs/c.md:3: no test"),
    ("tables", {"docs/c.md": "| a | test |\n|---|---|\n| x | `A.b`, `d` |\n"}, "docs/c.md:3: there is no test A.d"),
    ("messages", {"docs/c.md": "| message or observation | a |\n|---|---|\n| `device '...' is gone` | x |\n"},
     "docs/c.md:3: nothing says '' is gone'"),
]


def findings(check, tree):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(structure.CHECKS[check](Path(folder)))


class Structure(unittest.TestCase):

    def test_clean_tree_has_no_findings(self):
        for check in structure.CHECKS:
            self.assertEqual(findings(check, CLEAN), [], check)

    def test_each_violation_is_noticed_once(self):
        for check, tree, message in VIOLATIONS:
            with self.subTest(check=check, tree=tree):
                found = findings(check, CLEAN | tree)
                self.assertEqual(len(found), 1, found)
                self.assertIn(message, found[0])


if __name__ == "__main__":
    unittest.main()
