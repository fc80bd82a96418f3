"""The options of analyses, each declared once in `tables`. Nothing here is slow to import.

What asks for them is made from the tables: the arguments of a command by `option`, the fields of a form by
`mining.forms`, the body of an operation by `config.api.schemas`, and the checks of a function by
`check_arguments`.
"""

from privacy.options import tables
from privacy.options.option import REQUIRED, Option, Options, check_arguments

__all__ = ["REQUIRED", "Option", "Options", "check_arguments", "tables"]
