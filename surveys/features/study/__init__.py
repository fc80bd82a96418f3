"""A study: surveys that ask the same in ways of their own, its arms, of which each device draws one.

in a document      "study": null | {"here": 1, "arms": [{"slug": "copying-own", "version": "…", "parts": 1}, …]}
                   proportions, that of this survey first
in a definition    "study": {"here": 2147483648, "arms": [{"slug": …, "version": …, "chance": 2147483648}, …]}
                   chances out of 2^32; a version is named by its hash

The device draws before the first page and goes on to the survey of its arm, so that an arm has its own design, promise,
gate and report, and the arm of a response is the survey that it came to.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError, to_translate
from surveys.features.feature import Around, Feature, Named, Source

MOST = 8  # arms beside this survey
SLUG, HASH = re.compile(r"[-a-zA-Z0-9_]{1,50}"), re.compile("[0-9a-f]{64}")
_BY_LINK = to_translate("A study draws an arm for each person who opens its link: it has no invitations and no paper.")


def check_arms(study: Any, weight: str) -> None:
    """Refuse anything but a few different surveys, each with a whole `weight` above 0."""
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
    check_arms(source["study"], "chance")
    if sum(arm["chance"] for arm in source["study"]["arms"]) + source["study"]["here"] != ONE:
        raise InputError("study: the chances of all arms are 2^32 together.")
    if source["access"] != "open" or "mode" in source:
        raise EntryError(_BY_LINK)
    if source["slug"] in [arm["slug"] for arm in source["study"]["arms"]]:
        raise EntryError("this survey is an arm already.", at="study")


def _says(source: Source, _named: Named) -> Iterator[str]:
    arms = {source["slug"]: source["study"]["here"]} | {arm["slug"]: arm["chance"] for arm in source["study"]["arms"]}
    yield _("Each device draws one of these surveys and goes on to it: %(arms)s. The arm is public.") % {
        "arms": _(", ").join(f"{slug} {100 * chance / ONE:.3g} %" for slug, chance in arms.items())
    }


STUDY = Feature("study", {"study": None}, _check, _says, rehearsed=False, parts=("draft", "changes", "report", "staff"))
