"""Messages wait for the next page in a cookie: Django's own would come to every page of the site."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpResponse


class StaffCookie(CookieStorage):
    cookie_name = "staff_messages"

    def _update_cookie(self, encoded_data: str, response: HttpResponse) -> None:
        super()._update_cookie(encoded_data, response)  # type: ignore[misc]  # which its types do not name
        response.cookies[self.cookie_name]["path"] = settings.STAFF_PATH


class StaffMessages(FallbackStorage):
    """Messages for staff in a cookie, or in the session if they are too long for it."""

    storage_classes = (StaffCookie, SessionStorage)
