"""What the lists of staff share: pages, and a deletion that asks first."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.admin.utils import get_deleted_objects
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

ROWS = 100  # on one page, where the list says no other number


def page_of(request: HttpRequest, rows: QuerySet[Any], at_once: int = ROWS) -> Page[Any]:
    return Paginator(rows, at_once).get_page(request.GET.get("page"))


def delete(request: HttpRequest, chosen: QuerySet[Any], back: str) -> HttpResponse:
    """Ask whether the chosen rows, and what goes with them, shall be deleted; once sure, delete and lead `back`."""
    _names, counts, lacking, protected = get_deleted_objects(chosen, request, admin.site)
    if lacking or protected:
        raise PermissionDenied
    if request.POST.get("sure"):
        assert request.user.is_authenticated
        LogEntry.objects.log_actions(request.user.pk, chosen, DELETION)
        chosen.delete()
        messages.success(request, _("Deleted."))
    else:
        context = {"title": _("Delete?"), "chosen": chosen, "counts": counts.items(), "back": back}
        return render(request, "delete.html", context)
    return redirect(back)
