"""The terms of *Experts*, each with an explanation that its one sentence beside the field leads to."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from surveys.studio.access import signed_in

# By the name of the field that asks for it: what it is called, what it is, and what follows when it is changed.
TERMS: dict[str, tuple[Any, Any, Any]] = {
    "block": (
        _("Block"),
        _("Questions that are disguised together. Chance decides once for all of them, or for each by itself."),
        _("The γ of all blocks multiply: what one block gets of the promise the others do not have."),
    ),
    "keep": (
        _("p: the truth stays"),
        _(
            "With this chance the true answers of a block are stored; otherwise an answer "
            "drawn by chance replaces each."
        ),
        _(
            "A larger p makes figures more exact and the promise weaker. At 0 nothing could "
            "be told, at 1 nothing is hidden."
        ),
    ),
    "theta": (
        _("θ: noise says yes"),
        _("How often an answer drawn by chance is yes. A half hides yes and no alike."),
        _("Far from a half the rarer answer of the noise gives true answers away: γ grows fast."),
    ),
    "ask": (
        _("Asked are only some"),
        _("Each device draws so many questions of the block and asks no others."),
        _(
            "Fewer questions share the promise, so each is disguised less; but fewer people "
            "answer each, and pairs suffer most."
        ),
    ),
    "flips": (
        _("Flips"),
        _(
            "The chances that none, one, two and more of the yes/no answers asked are turned "
            "over; every choice of so many is alike."
        ),
        _("They can tell more than a coin under the same γ, and know no third answer: no “Prefer not to say”."),
    ),
    "gamma": (
        _("γ: the promise"),
        _("Whatever is stored, it changes the odds between two truths of a person at most by this factor."),
        _("Somebody who was 5 % sure becomes at most γ ∕ (γ + 19) sure: 50 % with γ = 19, 33 % with 9.4."),
    ),
    "epsilon": (
        _("ε"),
        _("The natural logarithm of γ, as local differential privacy counts it. The ε of blocks add up."),
        _("A smaller ε protects more, and every figure needs more people."),
    ),
    "radius": (
        _("Radius"),
        _("Up to so many turned answers are as likely as none; more are rarer."),
        _("Which radius errs least depends on how many questions are asked; the proposal tries them all."),
    ),
    "harmless": (
        _("The harmless answer"),
        _("A one-sided block hides one answer only: whoever would give the harmless one sometimes says the other."),
        _("A stored harmless answer is true. Choose it only where nobody is harmed by giving it."),
    ),
}


@signed_in()
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/terms.html", {"terms": TERMS})
