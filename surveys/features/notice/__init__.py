"""The privacy notice: what the law wants respondents to know, on a page beside the first one (/s/SLUG/notice/).

in a document      "controller": TEXT, "officer": TEXT, "basis": TEXT, "obtained": TEXT, "objection": TEXT
in a definition    "notice": {"controller": TEXT, "basis": TEXT, "objection": TEXT, "officer"?: TEXT, "obtained"?: TEXT}

The page adds what the system itself stores and how long, and which rights reach what. Published surveys without a
notice stay as they are.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.questions.question import check_text

NOTICE = {
    "controller": gettext_lazy("who is responsible for the data, with an address"),
    "officer": gettext_lazy("data protection officer"),
    "basis": gettext_lazy("legal basis"),
    "obtained": gettext_lazy("where the addresses of those invited come from"),
    "objection": gettext_lazy("how to object, and where to complain"),
}
NEEDED = {"controller", "basis", "objection"}


def _check(around: Around) -> None:
    notice = around.source["notice"]
    if not isinstance(notice, dict) or not NEEDED <= set(notice) <= set(NOTICE):
        raise InputError(f"notice has {', '.join(sorted(NEEDED))}, and perhaps officer and obtained.")
    for name, text in notice.items():
        check_text(text, around.source["languages"], name)


def _says(_source: Source, _named: Named) -> Iterator[str]:
    yield _("A privacy notice of its own is linked from the first page.")


PRIVACY_NOTICE = Feature(
    "notice", {name: {} for name in NOTICE}, _check, _says, parts=("draft", "staff"), rehearsed=False
)
