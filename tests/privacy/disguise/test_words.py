"""Sources of random words."""

import numpy as np
import pytest

from privacy.disguise.table import system_words, words_from_seed
from tests.privacy.disguise.words import given_words


def test_a_seed_repeats_its_words_on_every_machine() -> None:
    """The words of seed 1 are fixed for good, so that a study can be repeated years later."""
    assert words_from_seed(1)(5).tolist() == [2032329983, 2198257139, 3243419750, 4082210491, 149690573]


def test_a_seed_goes_on_where_it_stopped() -> None:
    """A second call brings new words."""
    take = words_from_seed(1)

    assert take(4).tolist() != take(4).tolist()


@pytest.mark.parametrize("source", [system_words(), words_from_seed(1)])
@pytest.mark.parametrize("count", [0, 1, 2, 1001])
def test_a_source_gives_as_many_words_as_asked(source, count: int) -> None:
    """Words come as 32-bit whole numbers, any number of them."""
    words = source(count)

    assert (words.shape, words.dtype) == ((count,), np.dtype(np.uint32))


def test_words_use_all_their_bits() -> None:
    """Each of the 32 bits is set in half of 10^5 words of the operating system, within five standard errors."""
    words = system_words()(100_000)

    shares = [np.mean(words >> bit & 1) for bit in range(32)]

    assert max(abs(share - 0.5) for share in shares) < 5 * 0.5 / 100_000**0.5


def test_given_words_end() -> None:
    """Asking for more words than were given is an error, not a repetition."""
    take = given_words(np.array([1, 2, 3], np.uint32))
    take(2)

    with pytest.raises(ValueError, match="3 words were given"):
        take(2)
