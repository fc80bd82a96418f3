"""What the pages of staff ask of each feature: its part *staff*."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, path

from surveys.domain.questionnaire.draft import Draft
from surveys.features import parts_of
from surveys.models import SurveyVersion


@dataclass(frozen=True)
class StaffPart:
    """A feature on the pages of staff.

    page      the view of its page, whose address and name are the feature's
    menu      what the menu of a survey calls this page, as a gettext-lazy text
    remarks   what the checklist says of a draft, and where
    field     the template of its fields, on the page where the questionnaire is written
    plan      the sentence of the preregistration before what it will find, as a gettext-lazy text
    outside   what the page of fieldwork shows of a version
    """

    page: Callable[..., Any] | None = None
    menu: Any = ""
    remarks: Callable[[Draft], Iterable[tuple[str, str]]] = lambda _draft: ()
    field: str = ""
    plan: Any = ""
    outside: Callable[[HttpRequest, SurveyVersion], Mapping[str, Any]] = lambda _request, _version: {}


def addresses() -> list[URLPattern]:
    pages = ((name, part.page) for name, part in parts_of(StaffPart).items())
    return [path(f"<int:pk>/{name}/", page, name=name) for name, page in pages if page]


def menu() -> Iterator[tuple[str, str]]:
    """The name of each page for people, and that of its address."""
    return ((str(part.menu), name) for name, part in parts_of(StaffPart).items() if part.page)


def remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    for part in parts_of(StaffPart).values():
        yield from part.remarks(draft)


def fields() -> list[str]:
    return [part.field for part in parts_of(StaffPart).values() if part.field]


def plans(found: Mapping[str, str]) -> list[tuple[str, str]]:
    """The sentences of a preregistration about features of which `found` says what they will find."""
    return [(str(part.plan), found[name]) for name, part in parts_of(StaffPart).items() if name in found]


def outside(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    return {name: of for part in parts_of(StaffPart).values() for name, of in part.outside(request, version).items()}
