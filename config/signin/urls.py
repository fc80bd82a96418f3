"""The sign-in, and the pages of one's own account.

Those of the second factor are the library's, under the names that it asks for.
"""

from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as code
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as app
from allauth.mfa.webauthn import views as key
from django.contrib.auth.views import LogoutView
from django.urls import path
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from config.signin.account import accept_invitation, api_tokens, own_account, page
from config.signin.views import ChangePassword, SignIn, View
from surveys.access import staff_only

HOME = page(own_account, _("Your account"))
SIGN_IN: Any = SignIn.as_view()
CHANGE: Any = ChangePassword.as_view()


def of_university(name: str) -> View:
    """A view whose module, with what it needs, is loaded when somebody comes."""
    return lambda request: import_string(f"config.signin.university.{name}")(request)


signing_in = [
    path("login/", page(SIGN_IN, _("Log in")), name="account_login"),
    path("logout/", LogoutView.as_view(template_name="account/logged_out.html"), name="account_logout"),
    path(
        "password_change/",
        page(staff_only("GET", "HEAD", "POST")(CHANGE), _("Change password")),
        name="password_change",
    ),
]
urlpatterns = [
    *(path("", HOME, name=name) for name in ("account", "mfa_index", "mfa_list_webauthn")),
    path("tokens/", page(api_tokens, _("Tokens of the API")), name="api_tokens"),
    path("invited/<str:text>/", page(accept_invitation, _("Your account")), name="account_invited"),
    path("university/", page(of_university("begin"), _("Log in")), name="university"),
    path("university/back/", page(of_university("come_back"), _("Log in")), name="university_back"),
    path("code/", page(code.authenticate, _("Second factor")), name="mfa_authenticate"),
    path("confirm/", page(account.reauthenticate, _("Is it you?")), name="account_reauthenticate"),
    path("confirm/code/", page(code.reauthenticate, _("Is it you?")), name="mfa_reauthenticate"),
    path("confirm/key/", page(key.reauthenticate_webauthn, _("Is it you?")), name="mfa_reauthenticate_webauthn"),
    path("app/", page(app.activate_totp, _("Set up an app")), name="mfa_activate_totp"),
    path("app/remove/", page(app.deactivate_totp, _("Remove the app")), name="mfa_deactivate_totp"),
    path("recovery/", page(recovery.view_recovery_codes, _("Recovery codes")), name="mfa_view_recovery_codes"),
    path(
        "recovery/new/",
        page(recovery.generate_recovery_codes, _("New recovery codes")),
        name="mfa_generate_recovery_codes",
    ),
    path("key/", page(key.add_webauthn, _("Add a security key")), name="mfa_add_webauthn"),
    path("key/<int:pk>/remove/", page(key.remove_webauthn, _("Remove the key")), name="mfa_remove_webauthn"),
]
