"""What the pages of staff show around their content. Each is looked up only where a template asks."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from config.people import sees_people
from mining.views import has_some
from surveys.domain.database import damage
from surveys.domain.people.roles import Action


def staff(request: HttpRequest) -> dict[str, Any]:
    return {
        "damaged": damage.is_reported,
        "sees_runs": lambda: has_some(request.user, Action.FINDINGS),
        "sees_people": lambda: sees_people(request.user),
    }
