"""Paper on the pages of staff: whether people may answer so, what is printed, and how sheets are entered."""

import json
import secrets
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import get_language, gettext as _, gettext_lazy, ngettext

from privacy.errors import EntryError, InputError
from privacy.output import format_count
from surveys.access import studio
from surveys.definition import Definition
from surveys.domain.exchange.apart import read_apart
from surveys.domain.exchange.files import read_table
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may
from surveys.domain.responses import counts
from surveys.features.paper import MODE, POOLED, SHEET, VERSION, batches, check_paper, typed
from surveys.features.paper.batches import MOST, UnsettledError, check_open, enter_batch, version_on_paper
from surveys.features.paper.form import SheetForm, SheetLot, count_lots, form_of
from surveys.features.paper.layout import lay_out
from surveys.features.paper.printing import (
    design_of_people,
    guide,
    pane as kinds_pane,
    remarks as kinds_remarks,
    say_kinds,
    say_when,
    sheets,
    xlsform,
)
from surveys.features.paper.report import say_error
from surveys.features.paper.sheets import SETTLED, EntryDifference, SheetTable
from surveys.features.paper.words import text_of_question
from surveys.models import PaperBatch, Survey, SurveyVersion, TypedSheets
from surveys.results.figures import heading
from surveys.sentences import capital, sentence_of
from surveys.studio import fieldwork
from surveys.studio.staff_part import AS_LONG, HERE, Fieldwork, Pane, StaffPart, StoredRow, Way, say_refusal, state_of

PAPER = "paper"  # the way in which people come
STORED = (
    StoredRow(
        gettext_lazy("of each stack of sheets four counts, and a mark of what was sent"), HERE, AS_LONG, (PaperBatch,)
    ),
    StoredRow(
        gettext_lazy("what was typed of a stack and is not stored yet"),
        gettext_lazy("in the same database, encrypted under a key that only that browser has"),
        gettext_lazy("until the stack is stored; after a week nobody can read it"),
        (TypedSheets,),
    ),
    StoredRow(gettext_lazy("the sheets themselves"), gettext_lazy("with the researcher")),
)

SAMPLE = 10  # one sheet in so many is entered twice


class PaperForm(forms.Form):
    paper = forms.BooleanField(
        label=gettext_lazy("People may also answer on paper"),
        help_text=gettext_lazy(
            "Only where they draw every sensitive answer themselves. It is part of what you publish, because each "
            "response says whether it came on paper."
        ),
        required=False,
    )
    pooled = forms.BooleanField(
        label=gettext_lazy("Pool web and paper where the report compares them"),
        help_text=gettext_lazy(
            "Right only if the same people would have answered alike in both. Otherwise each mode counts by its share "
            "of people, which is always right. The difference is shown either way."
        ),
        required=False,
    )


class BatchForm(forms.Form):
    """Counted sheets, as a file or as they were typed; a second entry of some of them is compared with the first."""

    counted = forms.IntegerField(
        label=gettext_lazy("How many sheets lie before you?"),
        help_text=gettext_lazy("Count them first. More cannot be entered."),
        min_value=1,
        max_value=MOST,
    )
    aside = forms.IntegerField(
        label=gettext_lazy("Of these, how many cannot be entered?"),
        help_text=gettext_lazy("A page is missing, a box is empty, or two are crossed."),
        min_value=0,
        initial=0,
    )
    file = forms.FileField(label=gettext_lazy("All sheets that can be entered, as CSV or XLSX"), required=False)
    again = forms.FileField(
        label=gettext_lazy("Some of them entered a second time, by somebody who does not see the first"), required=False
    )
    typed = forms.CharField(required=False, strip=False)
    typed_again = forms.CharField(required=False, strip=False)
    token = forms.CharField(max_length=32, required=False)
    places = forms.CharField(required=False)  # of the sheets in the stack, from the top

    def __init__(self, person: int | None, posted: Any = None, files: Any = None) -> None:
        super().__init__(posted, files)
        self.person = person
        for name in ("counted", "aside"):
            self.fields[name].widget.attrs |= {"class": "short", "autocomplete": "off"}
        self.fields["counted"].widget.attrs["min"] = batches.FEWEST

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            cleaned["first"] = self._of_file("file") or self._of_text(cleaned.get("typed", ""))
            cleaned["second"] = self._of_file("again") or self._of_text(cleaned.get("typed_again", ""))
        except InputError as error:
            raise forms.ValidationError(capital(sentence_of(error))) from None
        if cleaned["first"] is None:
            raise forms.ValidationError(_("Type the sheets, or choose a file."))
        return cleaned

    def _of_file(self, name: str) -> SheetTable | None:
        if not (sent := self.cleaned_data.get(name)):
            return None
        content = sent.read()
        return SheetTable(**read_apart(self.person, "table", content), content=content)

    def _of_text(self, text: str) -> SheetTable | None:
        """Sheets that were typed; the token of the page tells them from others that were typed alike."""
        if not text.strip():
            return None
        token = self.cleaned_data.get("token", "")
        return SheetTable(**read_table(text.encode()), content=(token + text).encode(), token=token)


@studio(Action.WRITE, "GET", "POST")
def choose(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Whether people may answer on paper, from the next version on that is published; Field shows the form."""

    def change(form: forms.Form) -> dict[str, Any]:
        given = form.cleaned_data
        return {"do": "survey", "field": "paper", "value": given["paper"] and (not given["pooled"] or POOLED)}

    return fieldwork.save_way(request, survey, PAPER, PaperForm(request.POST), change)


@studio(Action.ENTER, "GET", "POST")
def paper(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The page on which sheets are entered; it shows no figure of the survey."""
    context: dict[str, Any] = {"of": survey, "title": survey.title, "token": secrets.token_hex(16)}
    if may(request.user, Action.SEE, survey):
        context["survey"] = survey
    try:
        version = version_on_paper(survey)
        if request.method != "POST":  # what was typed stays on the page
            check_open(version)
    except EntryError as error:
        page = render(request, "studio/features/paper/enter.html", context | {"why_not": sentence_of(error)})
        if survey.closed_at is not None:  # for good: nobody can store what was typed
            typed.forget(request, survey, page)
        return page
    context["title"] = heading(version, get_language() or "en")
    form = BatchForm(request.user.pk, *((request.POST, request.FILES) if request.method == "POST" else ()))
    stored = ""
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            receipts = enter_batch(
                version, given["counted"], given["aside"], given["first"], given["second"], request.POST.dict()
            )
        except UnsettledError as unsettled:
            context |= _differ(version, given, unsettled.args)
            page = render(request, "studio/features/paper/differ.html", context, status=422)
            typed.mark_compared(request, version, given["first"].token, page)
            return page
        except EntryError as error:
            form.add_error(None, capital(sentence_of(error)))
        else:
            log.note_down(survey, request.user, "Paper: a stack of sheets was entered.")
            said = ngettext("Paper: %(n)s sheet was entered.", "Paper: %(n)s sheets were entered.", len(receipts))
            context |= {"said": said % {"n": format_count(len(receipts))}, "receipts": receipts}
            stored = "" if given["file"] else given["token"]
            form = BatchForm(request.user.pk)
    sheet = form_of(version)
    context |= {"form": form, "sheet": sheet, "keys": json.dumps(_keys(sheet)), "sample": SAMPLE}
    context |= {"header": ",".join(sheet.columns), "header_again": ",".join([SHEET, *sheet.columns])}
    if request.method == "GET":
        context["kept"] = typed.read(request, version)
    elif form.errors:  # it is the same stack that is mended
        context["token"] = form.cleaned_data.get("token", context["token"])
    page = render(request, "studio/features/paper/enter.html", context, status=422 if form.errors else 200)
    if stored:
        typed.forget_stored(request, version, stored, page)
    typed.give_key(request, survey, page)
    return page


def _differ(version: SurveyVersion, given: dict[str, Any], found: Sequence[EntryDifference]) -> dict[str, Any]:
    """What the page of differences shows: each with what was typed, and all that was sent, to be sent again."""
    form, languages = form_of(version), version.parsed.source["languages"]
    language = tag if (tag := get_language()) in languages else languages[0]
    places = dict(enumerate(given["places"].split(","), 1)) if given["places"] else {}
    shown = []
    for one in found:
        if one.field:
            question = text_of_question(form, one.field, one.number, language)
            boxes = {str(key): f"{key} {words}" for key, words, _picture in question["boxes"]}
            asks, typed = f"{one.number} {question['asks']}", [boxes.get(box, _("no box")) for box in one.typed]
        else:
            asks, typed = _("Which lot is it?"), [_("lot {lot}").format(lot=name) for name in one.typed]
        meant = _("typed first"), _("typed second"), _("set the sheet aside")
        ways = [*zip(SETTLED, [*typed, _("Neither")], meant, strict=True)]
        shown.append((one.name, places.get(one.row, one.row), asks, ways))
    sent = {name: given[name] for name in ("counted", "aside", "places")} | {"token": given["first"].token}
    sent |= {"typed": _as_text(form, given["first"]), "typed_again": _as_text(form, given["second"])}
    return {
        "said": ngettext("%(n)s answer differs", "%(n)s answers differ", len(shown)) % {"n": format_count(len(shown))},
        "differences": shown,
        "sent": sent,
    }


def _as_text(form: SheetForm, table: SheetTable) -> str:
    """The table as somebody would type it: its cells are numbers, and what other programs add is left out."""
    names = [name for name in table.names if name in (*form.columns, SHEET)]
    lines = [names, *([row.get(name, "").strip() for name in names] for row in table.rows)]
    return "\n".join(map(",".join, lines))


@studio(Action.ENTER, "POST")
def keep_typed(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Keep what is typed so far, as the page sends it after each sheet; nothing is sent to forget it, at any time."""
    response = HttpResponse(status=204)
    if not request.body:
        typed.forget(request, survey, response)
        return response
    if len(request.body) > typed.MOST_BYTES:
        return _refuse(413, _("This is more than a stack of sheets: nothing was kept."))
    try:
        version = version_on_paper(survey)
        check_open(version)
        typed.keep(request, version, request.body.decode(), response)
    except EntryError as error:
        return _refuse(409, sentence_of(error))
    except UnicodeDecodeError:
        return _refuse(422, _("This is no stack of sheets: nothing was kept."))
    return response


def _refuse(status: int, sentence: str) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


def _keys(form: SheetForm) -> dict[str, Any]:
    """What the page needs to read keys: its columns, and for each lot the names and the numbers of boxes."""
    return {
        "mark": form.mark,
        "columns": form.columns,
        "version": VERSION,
        "sheet": SHEET,
        "sample": SAMPLE,
        "lots": [_keys_of_lot(form, lot) for lot in form.lots],
    }


def _keys_of_lot(form: SheetForm, lot: SheetLot) -> dict[str, Any]:
    """A lot as it is printed, its look where there are two, and of each field its name, boxes and page."""
    return {
        "name": form.lot_name(lot),
        "look": lot.look + 1 if form.says_look else None,
        "fields": [
            [field.name, len(field.boxes), field.required, page]
            for page, fields in enumerate(lay_out(form, lot), 1)
            for field in fields
        ],
    }


def _way(field: Fieldwork) -> Way:
    chosen, version = field.draft.document["paper"], field.version
    published = version is not None and MODE in version.parsed.source
    shown: dict[str, Any] = {
        "paper_form": field.refused.get(PAPER) or PaperForm(initial={"paper": bool(chosen), "pooled": chosen == POOLED})
    }
    shown |= {
        "on_paper": published,
        "refusal": "" if published else say_refusal(field, "paper", check_paper),
    }
    design = version.design if published and version else design_of_people(field.draft)
    shown |= {"kinds": design and say_kinds(count_lots(design), field.survey.least), "decided": say_when(field.draft)}
    entered = version is not None and any(batch.sheets for batch in version.paper_batches.all())
    count = counts.Count(version.sheets_shown if entered and version else 0, exact=False)
    shown |= {"entered": entered and count, "error": say_error(version) if entered and version else ""}
    return Way(
        PAPER,
        "print",
        _("On paper"),
        _("For people without a device, or who trust none. You print sheets, and type what comes back."),
        state_of(chosen, published),
        "studio/features/paper/steps.html",
        shown,
        was=_("%(n)s sheets were entered") % {"n": count} if entered else "",
    )


def _disguise(definition: Definition) -> str:
    if MODE not in definition.source:
        return ""
    return _(
        "People may also answer on paper. They draw by themselves, put the sheet into a ballot box, and staff enter "
        "it in mixed batches. Whether a response came by web or on paper is stored beside it."
    )


PART = StaffPart(
    pages=[
        path("<int:pk>/paper/", paper, name="paper"),
        path("<int:pk>/paper/typed/", keep_typed, name="paper-typed"),
        path("<int:pk>/paper/choose/", choose, name="paper-choose"),
        path("<int:pk>/paper/print/", sheets, name="paper-print"),
        path("<int:pk>/paper/guide/", guide, name="paper-guide"),
        path("<int:pk>/paper/odk/", xlsform, name="paper-odk"),
    ],
    fields={"paper": gettext_lazy("answers on paper")},
    disguise=_disguise,
    way=_way,
    stores=lambda definition: STORED if MODE in definition.source and not definition.has_invitations else (),
    panels=(Pane("paper", "protect", "studio/features/paper/pane.html", kinds_pane, gettext_lazy("On paper")),),
    remarks=kinds_remarks,
)
