"""What other apps offer on the page of a survey; they register it, since surveys know none of them."""

from collections.abc import Callable

from django.http import HttpRequest

from surveys.models import Survey

Offer = Callable[[HttpRequest, Survey], tuple[str, str] | None]
OFFERS: list[Offer] = []
"""Each gives a name and an address, or None where there is nothing to do."""
