"""Fields of records that tests write by hand."""

from privacy.design.fields import Field, Steps


def number(name: str, steps: Steps) -> Field:
    return Field(name, (steps,))


def pair(name: str, x: Steps, y: Steps) -> Field:
    return Field(name, (x, y))
