"""What other apps offer on the page of a survey. They add it to this list, because surveys knows none of them."""

from collections.abc import Callable

from django.http import HttpRequest

from surveys.models import Snapshot, Survey

Offer = Callable[[HttpRequest, Survey], tuple[str, str] | None]
OFFERS: list[Offer] = []
"""Each returns the name and the address of a link, or None if it has nothing to offer."""

STANDING: list[Callable[[Snapshot], str | None]] = []
"""Each says what it is still working out of the answers of a rehearsal, or None once it has."""
