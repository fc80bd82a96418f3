"""How a form asks for a coin block."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from privacy.design import forms
from privacy.design.forms import EnteredItem, Explanation, Form, FormField, Stays, Value, Values
from privacy.design.notation import write_ask
from privacy.errors import EntryError, to_translate

_THETA = Explanation(
    to_translate("θ: noise says yes"),
    to_translate("How often a random answer is yes. One half hides yes and no equally."),
    to_translate("Far from one half, the rarer random answer gives true answers away: γ grows fast."),
)
_FIELDS = (
    FormField(
        "keep",
        Value.SHARE,
        to_translate("chance that the truth is kept, p"),
        help=to_translate(
            "p is the chance that the true answers of the block are kept. Otherwise noise replaces them."
        ),
        default=0.3,
        term=Explanation(
            to_translate("p: the truth is kept"),
            to_translate(
                "With this chance the true answers of a block are stored. Otherwise a random answer replaces each."
            ),
            to_translate(
                "A larger p makes figures more exact and the promise weaker. At 0 nothing can be estimated; at 1 "
                "nothing is hidden."
            ),
        ),
    ),
    FormField(
        "theta",
        Value.SHARE,
        to_translate("chance that noise says yes, θ"),
        help=to_translate("θ is how often noise says yes; a question may have its own."),
        default=0.6,
        term=_THETA,
    ),
    forms.ASK,
)
_ITEM_FIELDS = (
    FormField(
        "theta",
        Value.SHARE,
        to_translate("own θ"),
        help=to_translate("Empty: the block's."),
        yes_no=True,
        elsewhere=to_translate("θ is for yes/no answers under a coin: leave it empty."),
        term=_THETA,
    ),
    FormField(
        "noise",
        Value.SHARES,
        to_translate("noise"),
        help=to_translate(
            "Chance that noise gives this option. All empty: every option alike (several: the block's θ)."
        ),
        elsewhere=to_translate("Noise is for answers under a coin: leave it empty."),
    ),
)


def _entered_item(values: Values, item: EnteredItem) -> dict[str, Any]:
    if item.options is None:
        own_first = (item.values.get("noise"), item.values.get("theta"), values.get("theta"))
        theta = next((share for share in own_first if share is not None), None)
        if theta is None:
            raise EntryError("give θ, the chance that noise says yes, here or in its block.", at="theta")
        return {"id": item.id, "theta": theta}
    if item.values.get("theta") is not None:
        raise EntryError("θ is for yes/no answers under a coin: leave it empty.", at="theta")
    given = item.values.get("noise") or [None] * len(item.options)
    if all(share is None for share in given):
        given = [1 / len(item.options)] * len(item.options)
    if any(share is None for share in given):
        raise EntryError("give the noise of every option, or of none.", at="options")
    return {"id": item.id, "options": list(item.options), "noise": given}


def _entered(values: Values, items: Sequence[dict[str, Any]], *, each: bool) -> list[dict[str, Any]]:
    if values.get("keep") is None:
        raise EntryError("a coin needs p, the chance that the truth is kept.", at="keep")
    block = {"keep": values["keep"], **write_ask(values.get("ask"))}
    if each and "ask" not in block:
        return [block | {"items": [item]} for item in items]
    return [block | {"items": list(items)} | ({"coin": "each"} if each else {})]


FORMS: tuple[Form, ...] = tuple(
    Form(
        name=name,
        label=label,
        fields=_FIELDS,
        item_fields=_ITEM_FIELDS,
        takes=lambda item: not item.scale,
        refusal=to_translate("a coin works with options, not with numbers or places."),
        write_item=_entered_item,
        write=partial(_entered, each=each),
        stays=Stays(
            (each,),
            lambda share: {"keep": share, "theta": 0.5},
            lambda settings: settings.get("keep"),
            to_translate("Each by itself"),
        ),
    )
    for name, label, each in (
        ("coin", to_translate("one coin for the whole block"), False),
        ("each", to_translate("a coin for each question"), True),
    )
)
