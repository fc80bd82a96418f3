"""A study: surveys that ask the same in ways of their own, its arms, of which each device draws one.

in a document      "study": null | {"here": 1, "arms": [{"slug": "copying-own", "version": "…", "parts": 1}, …]}
                   proportions, that of this survey first; or, of an arm of a study by invitation, {"of": "copying"}
in a definition    "study": {"here": 2147483648, "arms": [{"slug": …, "version": …, "chance": 2147483648}, …]}
                   chances out of 2^32; a version is named by its hash. Or {"of": "copying"}: the invitations of that
                   survey let people in, and its key signs their tokens

The device draws before the first page and goes on to the survey of its arm, so that an arm has its own design, promise,
gate and report, and the arm of a response is the survey that it came to. On paper, who mixes the sheets draws.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source

MOST = 8  # arms beside this survey
SLUG, HASH = re.compile(r"[-a-zA-Z0-9_]{1,50}"), re.compile("[0-9a-f]{64}")


def invited_by(source: Mapping[str, Any]) -> str | None:
    """The slug of the survey whose invitations let people into this arm; None of any other survey."""
    return (source.get("study") or {}).get("of")


def for_another(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document for another survey, which is to become an arm: what stands in relation to this one is left out."""
    return {**document, "study": None}


def check_study(study: Any, weight: str) -> None:
    """Refuse anything but a few different surveys, each with a whole `weight` above 0, or the first one of an arm."""
    if isinstance(study, dict) and study.keys() == {"of"}:
        if not isinstance(study["of"], str) or not SLUG.fullmatch(study["of"]):
            raise InputError("the first survey of a study is named by its slug.")
        return
    if not isinstance(study, dict) or study.keys() != {"here", "arms"} or not isinstance(study["arms"], list):
        raise InputError("study holds the weight of this survey, here, and its other arms.")
    if not 0 < len(study["arms"]) <= MOST:
        raise EntryError("a study has 1 to {most} other arms.", at="study", most=MOST)
    for arm in study["arms"]:
        if not isinstance(arm, dict) or arm.keys() != {"slug", "version", weight}:
            raise InputError(f"an arm has a slug, a version and its {weight}.")
        if not all(isinstance(arm[name], str) for name in ("slug", "version")) or not (
            SLUG.fullmatch(arm["slug"]) and HASH.fullmatch(arm["version"])
        ):
            raise InputError("an arm is named by the slug of its survey and the hash of its version.")
    slugs = [arm["slug"] for arm in study["arms"]]
    if len(set(slugs)) < len(slugs):
        raise EntryError("name each arm once.", at="study")
    weights = [study["here"], *(arm[weight] for arm in study["arms"])]
    if any(type(one) is not int or one <= 0 for one in weights):
        raise EntryError("each arm needs a whole number above 0.", at="study")


def _check(around: Around) -> None:
    source = around.source
    check_study(source["study"], "chance")
    first = invited_by(source)
    if source["slug"] in ([first] if first else [arm["slug"] for arm in source["study"]["arms"]]):
        raise EntryError("this survey is an arm already.", at="study")
    if first:
        if source["access"] != "invitation" and "trial" not in source:
            raise EntryError(
                "Invitations to “{study}” let people into this arm: set its access to invitations, too.", study=first
            )
    elif sum(arm["chance"] for arm in source["study"]["arms"]) + source["study"]["here"] != ONE:
        raise InputError("study: the chances of all arms are 2^32 together.")


def _says(source: Source, _named: Named) -> Iterator[str]:
    if first := invited_by(source):
        yield _(
            "It is an arm of “%(study)s”, whose invitations let people in, each once in all arms. Devices draw "
            "the arm, and the site does not learn which invitation led to it."
        ) % {"study": first}
        return
    arms = {source["slug"]: source["study"]["here"]} | {arm["slug"]: arm["chance"] for arm in source["study"]["arms"]}
    yield _("Each device draws one of these surveys and goes on to it: %(arms)s. The arm is public.") % {
        "arms": _(", ").join(f"{slug} {100 * chance / ONE:.3g} %" for slug, chance in arms.items())
    }


STUDY = Feature(
    "study",
    {"study": None},
    _check,
    _says,
    rehearsed=False,
    online=True,
    parts=("draft", "report", "staff"),
)
