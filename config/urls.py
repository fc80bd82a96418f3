from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import autodiscover_modules
from django.views.generic import RedirectView

from config import guides, people
from config.signin.urls import signing_in
from config.views import home, robots, security_contact, system

autodiscover_modules("offers")
handler400 = "config.views.bad_request"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"

of_staff: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="studio:home")),
    path("admin/", include(signing_in)),
    path("admin/account/", include("config.signin.urls")),
    path("system/", system, name="system"),
    path("", include("mining.urls")),
    path("studio/", include("surveys.studio.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("people/", people.people, name="people"),
    path("help/", guides.read_as_staff, name="help"),
    path("help/<slug:name>/", guides.read_as_staff, name="help-guide"),
]
urlpatterns = [
    path("", home, name="home"),
    path(settings.STAFF_PATH[1:], include(of_staff)),
    path("help/", guides.read, name="guides"),
    path("help/<slug:name>/", guides.read, name="guide"),
    path("api/", include("config.api.serve")),
    path("", include("surveys.urls")),
    path("favicon.ico", RedirectView.as_view(url="/client/icon.svg")),  # browsers ask for it on pages that name no icon
    path("robots.txt", robots),
    path(".well-known/security.txt", security_contact),
]
