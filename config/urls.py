from django.contrib import admin
from django.urls import include, path

from config.views import home

handler500 = "config.views.server_error"

urlpatterns = [
    path("", home, name="home"),
    path("admin/", admin.site.urls),
    path("", include("surveys.urls")),
    path("language/", include("django.conf.urls.i18n")),
]
