"""Two arms on the pages of staff."""

from django.utils.translation import gettext as _, gettext_lazy

from surveys.definition import Definition
from surveys.studio.staff_part import StaffPart


def _disguise(definition: Definition) -> str:
    if not definition.design.arms:
        return ""
    return _(
        "Devices draw at random which of two strengths of the disguise they use. The strength is stored beside the "
        "answers, and the promise is that of the weaker one."
    )


PART = StaffPart(
    disguise=_disguise,
    plan=gettext_lazy(
        "Whether devices disguise, by two arms of different strength that must give the same shares: all differences "
        "together, at 5 %."
    ),
)
