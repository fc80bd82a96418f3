"""Every operation of the API. Addresses, checks, the OpenAPI document and the page about it follow from this table."""

from config.api import figures, files, invitations, runs, surveys
from config.api.operation import Operation, Schema

OPERATIONS: tuple[Operation, ...] = tuple(
    operation for module in (surveys, figures, files, invitations, runs) for operation in module.operations
)

# What stands in an address, by its name there.
PATH: dict[str, Schema] = {
    "survey": {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,50}$", "description": "the name in its link"},
    "number": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "of the version"},
    "file": {"type": "string", "pattern": "^[-a-z]{1,20}[.][a-zA-Z]{1,10}$", "description": "as the list has it"},
    "format": {"type": "string", "pattern": "^[a-z]{1,20}$", "description": "json or xlsform"},
    "batch": {"type": "integer", "minimum": 1, "maximum": 10**15, "description": "as the list has it"},
    "run": {"type": "integer", "minimum": 1, "maximum": 10**15, "description": "as the list has it"},
}
