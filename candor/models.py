"""The models of randomised response by name, each as a design.

Every function takes `items`: names of yes/no items, or where the model has categories a mapping from names to their
options. With `ask` each respondent is asked only so many of the items, drawn at random. Unless `direct` is False a
respondent may choose to answer undisguised. Designs are joined by `+`, each keeping its own coins.
"""

from privacy.design.models import (
    binary,
    crosswise,
    flip,
    forced_response,
    gamma_diagonal,
    grouped,
    improved_grouped,
    k_ary,
    one_of,
    one_sided,
    unrelated_question,
    warner,
)

__all__ = [
    "binary",
    "crosswise",
    "flip",
    "forced_response",
    "gamma_diagonal",
    "grouped",
    "improved_grouped",
    "k_ary",
    "one_of",
    "one_sided",
    "unrelated_question",
    "warner",
]
