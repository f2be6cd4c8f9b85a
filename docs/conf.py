"""How Sphinx builds these pages: offline, and with every warning an error (`make docs`)."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "State-Aware Retrieval Study"
author = "The contributors of the State-Aware Retrieval Study"
project_copyright = author
release = version = installed_version("state-aware-retrieval-study")
language = "en"

# No intersphinx: it would fetch the inventories of other projects.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sourced"]
exclude_patterns = ["_build", "extensions"]
# A name between single backticks, as the docstrings write it.
default_role = "code"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "exclude-members": "model_config"}
napoleon_google_docstring = False
# Attributes have their own docstrings; a second entry for each would be a duplicate.
napoleon_use_ivar = True
python_use_unqualified_type_names = True
# The contents beside a page of the reference name its modules; each name below has its own anchor.
toc_object_entries = False

html_theme = "furo"
html_title = "State-Aware Retrieval Study"
html_copy_source = False
html_show_sourcelink = False

# Whatever a page or a docstring refers to must be there, but for these.
nitpicky = True
nitpick_ignore_regex = [
    # Annotations of other projects, and parts of composed ones: no inventory is fetched.
    (r"py:.*", r"(?!(router|surface|conditions|harness|gates)\.).*"),
    # Type variables and what a module keeps to itself, in annotations.
    (r"py:class", r".*\.([A-Z]|Quantity|_\w+)"),
    # The router's page has what the library offers; annotations name what it is made of.
    (r"py:class", r"router\..*"),
]
