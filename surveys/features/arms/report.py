"""Two arms in reports: whether both give the same shares."""

from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.design import ARM
from privacy.guarantee.forgery_tests import LEVEL
from privacy.reconstruct.arms import Arms, arms
from surveys.features.arms.draft import power
from surveys.results.reading import ReportData
from surveys.results.report_part import ReportingPart
from surveys.results.sections import TrustTopic
from surveys.results.two_groups import table_of_two


def _topic(data: ReportData) -> TrustTopic:
    """Whether both arms, a weaker and a stronger disguise, give the same shares."""
    heading = _("Do both disguises give the same shares?")
    drawn = _("A random half of the devices disguised more. Honest devices give the same shares in both arms.")
    if data.answers is None:
        return TrustTopic(heading, (drawn, _("The arm of each response is reported after this version is closed.")))
    column = data.answers.column(ARM).map(str, "")
    tested = arms(replace(data.sealed, open_columns={ARM: column}), least=data.least)
    if not tested.answers:
        return TrustTopic(heading, (drawn, _("Too few answered in one of the arms for a comparison.")))
    shares = {"weaker": data.people(tested.n[0]), "stronger": data.people(tested.n[1])}
    said = [drawn, _("%(weaker)s drew the weaker one, %(stronger)s the stronger one.") % shares]
    if tested.drawn < LEVEL:
        said.append(
            _("Chance makes such uneven arms in few surveys (p = %(p)s): somebody may have chosen their arm.")
            % {"p": f"{tested.drawn:.2g}"}
        )
    said.append(_of_arms(tested))
    said.append(power(data.version.design, sum(tested.n)))
    table = table_of_two(
        data.version, tested.answers, {"first": _("weaker disguise"), "second": _("stronger disguise")}
    )
    return TrustTopic(
        heading, tuple(said), table, not tested.alike, _("no difference is found") if tested.alike else ""
    )


def _of_arms(tested: Arms) -> str:
    p = {"p": f"{tested.p:.2g}"}
    if tested.alike:
        return (
            _(
                "Together, the answers differ no more than chance explains (p = %(p)s). People who answer at random "
                "change both arms alike, so this test does not see them."
            )
            % p
        )
    return (
        _(
            "The arms give different shares (p = %(p)s): some devices do not disguise as agreed, or responses were "
            "forged. Do not trust figures of these answers."
        )
        % p
    )


PART = ReportingPart(topics=lambda data: [_topic(data)])
