"""What the pages of staff show around their content, and the cookie in which their messages wait.

Each is looked up only where a template asks. Django's own cookie would come to every page of the site.
"""

from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse

from privacy.version import version
from surveys.domain.database import damage
from surveys.domain.people.roles import Action, everywhere, surveys_of


def staff(request: HttpRequest) -> dict[str, Any]:
    return {
        "damaged": damage.is_reported,
        "candor_version": version,
        "university": settings.OIDC and settings.OIDC.name,
        "reviews": lambda: _reviews(request.user),
        "base": lambda: "staff.html" if _inside(request) else "page.html",
    }


def _reviews(user: Any) -> bool:
    """Whether the list of what waits for review has something for the person to do or to see."""
    return everywhere(user, Action.FINDINGS) or surveys_of(user, Action.REVIEW).exists()


def _inside(request: HttpRequest) -> bool:
    """Whether a page about an error is shown to somebody of the staff. Of others no session is looked up."""
    return request.path.startswith(settings.STAFF_PATH) and request.user.is_authenticated and request.user.is_staff


class StaffCookie(CookieStorage):
    cookie_name = "staff_messages"

    def _update_cookie(self, encoded_data: str, response: HttpResponse) -> None:
        super()._update_cookie(encoded_data, response)  # type: ignore[misc]  # which its types do not name
        response.cookies[self.cookie_name]["path"] = settings.STAFF_PATH


class StaffMessages(FallbackStorage):
    """Messages for staff in a cookie, or in the session if they are too long for it."""

    storage_classes = (StaffCookie, SessionStorage)
