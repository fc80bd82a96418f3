from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config.views import home, robots, security_contact

admin.autodiscover()
handler400 = "config.views.bad_request"
handler500 = "config.views.server_error"

urlpatterns = [
    path("", home, name="home"),
    path("admin/login/", admin.site.login, name="account_login"),  # as the library of the second factor calls it
    path("admin/account/", include("config.signin.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("config.api.urls")),
    path("studio/", include("surveys.studio.urls")),
    path("", include("surveys.urls")),
    path("favicon.ico", RedirectView.as_view(url="/client/icon.svg")),  # browsers ask for it on pages that name no icon
    path("robots.txt", robots),
    path(".well-known/security.txt", security_contact),
    path("language/", include("django.conf.urls.i18n")),
]
