"""The models of randomised response by name, each as a design.

Every function takes `items`: names of yes/no items, or where the model has categories a mapping from names to their
options. With `ask` each respondent is asked only so many of the items, drawn at random. Unless `direct` is False a
respondent may choose to answer undisguised. Designs are joined by `+`, each keeping its own coins.
"""

from privacy.design.models import (
    binary as binary,
    crosswise as crosswise,
    flip as flip,
    forced_response as forced_response,
    gamma_diagonal as gamma_diagonal,
    grouped as grouped,
    improved_grouped as improved_grouped,
    k_ary as k_ary,
    one_of as one_of,
    one_sided as one_sided,
    unrelated_question as unrelated_question,
    warner as warner,
)

__all__ = [name for name in dir() if not name.startswith("_")]
