"""People in the administration: Django's page, and what ends sessions or removes a second factor that was lost.

Whoever finds a superuser's open session could make themselves at home with any of it, so all that changes people asks
first for what the sign-in asked for.
"""

from typing import Any

from allauth.account.admin import EmailAddress
from allauth.mfa.admin import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from config.signin import factor, sessions
from config.signin.account import confirmed

for model in (EmailAddress, Authenticator, User):  # nothing is mailed, and secrets are no table to read
    admin.site.unregister(model)


@admin.register(User)
@method_decorator(confirmed, name="changeform_view")
@method_decorator(confirmed, name="delete_view")
@method_decorator(confirmed, name="user_change_password")
class People(UserAdmin):
    actions = ("end_sessions", "remove_factors")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Looking is free; what is done with the people chosen is not."""
        look = super().changelist_view
        answer: HttpResponse = (confirmed(look) if request.method == "POST" else look)(request, extra_context)
        return answer

    def has_ending_permission(self, request: HttpRequest) -> bool:
        """Superusers alone: whoever may merely change people shall not lock out those above."""
        return request.user.is_active and request.user.is_superuser

    @admin.action(description=_("End all sessions of the people chosen"), permissions=["ending"])
    def end_sessions(self, request: HttpRequest, people: QuerySet[User]) -> None:
        number = sum(sessions.end(sessions.open_sessions(person)) for person in people)
        sentence = ngettext("%(number)d session was ended.", "%(number)d sessions were ended.", number)
        self.message_user(request, sentence % {"number": number}, messages.SUCCESS)

    @admin.action(description=_("Remove the second factor of the people chosen"), permissions=["ending"])
    def remove_factors(self, request: HttpRequest, people: QuerySet[User]) -> None:
        number = sum(factor.remove(person) > 0 for person in people)
        sentence = ngettext(
            "%(number)d person signs in with the password alone now.",
            "%(number)d people sign in with the password alone now.",
            number,
        )
        self.message_user(request, sentence % {"number": number}, messages.SUCCESS)
