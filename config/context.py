"""What the pages of staff show around their content. Each is looked up only where a template asks."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from surveys.domain.database import damage
from surveys.domain.people.roles import Action, everywhere


def staff(request: HttpRequest) -> dict[str, Any]:
    return {
        "damaged": damage.is_reported,
        "sees_runs": lambda: everywhere(request.user, Action.FINDINGS),
        "base": lambda: "staff.html" if _inside(request) else "page.html",
    }


def _inside(request: HttpRequest) -> bool:
    """Whether a page about an error is shown to somebody of the staff. Of others no session is looked up."""
    return request.path.startswith(settings.STAFF_PATH) and request.user.is_authenticated and request.user.is_staff
