"""People in the administration: Django's page, and what ends sessions or removes a second factor that was lost."""

from allauth.account.admin import EmailAddress
from allauth.mfa.admin import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from config.signin import factor, sessions

for model in (EmailAddress, Authenticator, User):  # nothing is mailed, and secrets are no table to read
    admin.site.unregister(model)


@admin.register(User)
class People(UserAdmin):
    actions = ("end_sessions", "remove_factors")

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
