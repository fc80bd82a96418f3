"""The records of what was erased: for those who had a role in it, and for administrators."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.access import signed_in
from surveys.domain.closed.record import DATE, records
from surveys.domain.people.roles import Action, everywhere
from surveys.models import Erasure

MOST = 200


@signed_in()
def erased(request: HttpRequest) -> HttpResponse:
    rows = Erasure.objects.order_by("-id")
    if not everywhere(request.user, Action.SEE):
        rows = rows.filter(people=request.user.pk)
    shown = [
        (record, datetime.fromisoformat(record.said["erased"]), record.said["why"] == DATE)
        for record in records(rows[:MOST])
    ]
    return render(request, "studio/erased.html", {"records": shown})
