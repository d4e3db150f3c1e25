"""The site of these documents, by Sphinx: scripts/site builds it from a copy of this folder, with notebooks of the tutorials."""

import os
import re

from pygments.lexers.c_cpp import CLexer

project = "maxwell_dg"
author = "the maxwell_dg developers"
copyright = "the maxwell_dg developers"  # noqa: A001  # the name that Sphinx reads
version = release = os.environ.get("MAXWELL_DG_VERSION", "")

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["conf.py", "site"]
html_theme = "furo"
html_title = f"maxwell_dg {version}".strip()
html_copy_source = False

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 5
myst_links_external_new_tab = True
suppress_warnings = ["misc.highlighting_failure"]  # fragments of JSON and YAML with "..." in them

nb_execution_mode = "off"  # scripts/site has run them

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True


def docstring_as_rst(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code` and, from the config's description, links of Markdown."""
    text = "\n".join(lines)
    text = re.sub(r"\[([^\]]+)\]\([\w./#-]+\.md[\w./#-]*\)", r"\1", text)
    text = re.sub(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)", lambda found: "``" + " ".join(found[1].split()) + "``", text)
    text = re.sub(r"(?<![`\w])([*_|])", r"\\\1", text)
    text = re.sub(r"(\w)_(?=\W|$)", r"\1\\_", text)
    lines[:] = text.splitlines()


def setup(app):
    app.connect("autodoc-process-docstring", docstring_as_rst)
    app.add_lexer("geo", CLexer)  # Gmsh's scripts look like C
    app.add_lexer("kernel", CLexer)
