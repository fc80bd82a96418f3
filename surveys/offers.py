"""What other apps say on the page of a rehearsal. They add it to this list, because surveys knows none of them."""

from collections.abc import Callable

from surveys.models import Snapshot

STANDING: list[Callable[[Snapshot], str | None]] = []
"""Each says what it is still working out of the answers of a rehearsal, or None once it has."""
