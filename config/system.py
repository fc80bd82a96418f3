"""The page about the running of the site, for those who run it; other staff have no such page."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from config.run import last_backup, state
from surveys.access import signed_in
from surveys.domain.closed import statement


@signed_in()
def system(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise PermissionDenied
    heard, mining, age = state.broker(), state.runs(), last_backup.age()
    context = {
        "title": _("System"),
        "ready": state.readiness(),
        "broker": heard,
        "runs": mining,
        "versions": state.versions(),
        "takes_none": state.takes_none(heard, mining),
        "lists": statement.being_made(),
    }
    if age is not None:
        context |= {"backup_hours": age / 3600, "backup_late": age > last_backup.LATE}
    return render(request, "system.html", context)
