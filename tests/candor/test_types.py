"""What type checkers know of the words of a parameter is what the function takes."""

from typing import get_args

from mining.engines.options import ENGINES
from privacy import choices
from privacy.reconstruct.metrics import keys_with_error


def test_the_words_that_are_typed_are_those_that_are_taken() -> None:
    """A word more or less would be refused by one of them alone."""
    typed = {
        choices.Estimator: choices.ESTIMATORS,
        choices.Cases: choices.CASES,
        choices.Measure: keys_with_error(),
        choices.Engine: ENGINES,
        choices.Family: choices.FAMILIES,
        choices.Distance: choices.DISTANCES,
        choices.Disguiser: choices.DISGUISERS,
    }
    assert [get_args(words) for words in typed] == [tuple(taken) for taken in typed.values()]
