"""What the library says of what it does not take."""

from collections.abc import Callable

import pytest

from privacy.errors import InputError


def refusal_of(call: Callable[[], object]) -> str:
    """The sentence with which this is refused."""
    with pytest.raises(InputError) as refused:
        call()
    return str(refused.value)
