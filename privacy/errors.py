"""The one error a person may read."""


class InputError(ValueError):
    """Input that cannot be used. Its text is one sentence that names the place, the value and the rule."""
