"""Who may do what with a survey, and the log of what was done with it."""

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.people import log as logs
from surveys.domain.people.roles import ABOUT, Action, Role, give, take
from surveys.models import Survey
from surveys.sentences import sentence_of

SHOWN = 200


class GiveForm(forms.Form):
    username = forms.CharField(
        label=gettext_lazy("E-mail, or the name of somebody on this site"),
        max_length=254,
        widget=forms.TextInput({"autocomplete": "off", "class": "input measure"}),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.EDITOR)

    def clean_username(self) -> User:
        """Somebody who has an account; the sentence tells an owner, and nobody else comes here, that there is none."""
        asked = User.normalize_username(self.cleaned_data["username"])
        here = User.objects.filter(is_active=True, is_staff=True)
        if person := here.filter(username=asked).first():
            return person
        known = list(here.filter(email__iexact=asked)[:2])
        if len(known) != 1:
            raise forms.ValidationError(_("Nobody of this name has come here yet. Who runs the site can invite them."))
        return known[0]


@studio(Action.MANAGE, "GET", "POST")
def people(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The people of a survey; POST gives somebody a role, or takes it away."""
    taken = request.POST.get("take", "")
    form = GiveForm(request.POST if request.method == "POST" and not taken else None)
    try:
        if taken:
            _take(request, survey, taken)
            return redirect("studio:people", survey.pk)
        if form.is_valid():
            person, role = form.cleaned_data["username"], form.cleaned_data["role"]
            give(survey, person, role)
            logs.note_down(survey, request.user, "%(person)s became %(role)s.", person=person, role=Role(role).label)
            return redirect("studio:people", survey.pk)
    except InputError as error:
        messages.error(request, sentence_of(error))
    members = list(survey.memberships.select_related("user"))
    owners = [member for member in members if member.role == Role.OWNER]
    context = {
        "survey": survey,
        "form": form,
        "members": members,
        "everybody": [member.user for member in members],
        "last_owner": owners[0].pk if len(owners) == 1 else None,
        "roles": [(role, ABOUT[role]) for role in Role],
    }
    return render(request, "studio/people.html", context)


def _take(request: HttpRequest, survey: Survey, pk: str) -> None:
    known = survey.memberships.select_related("user")
    membership = next((one for one in known if str(one.pk) == pk), None)
    if membership is None:
        return
    take(survey, membership.user)
    logs.note_down(survey, request.user, "%(person)s no longer has a role.", person=membership.user)


@studio(Action.SEE)
def log(request: HttpRequest, survey: Survey) -> HttpResponse:
    return render(request, "studio/log.html", {"survey": survey, "notes": logs.notes(survey, SHOWN)})
