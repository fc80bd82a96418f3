"""Publishing refuses a design that protects less than the site asks for, with a figure that is never too small."""

import pytest

from privacy.errors import InputError
from surveys.domain.questionnaire.document import empty, read_document
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey, set_block


@pytest.mark.parametrize(
    ("keep", "shown"),
    [(0.535316, "19.0001"), (0.9, "141.625"), (1.0, "∞")],
    ids=["just above the limit", "far above it", "no disguise at all"],
)
def test_a_gamma_over_the_limit_is_refused_and_said_rounded_up(survey: Survey, keep: float, shown: str) -> None:
    """Nothing is published, and the sentence names a γ above the limit even where it is above by a hair."""
    set_block(survey, settings={"keep": keep, "theta": 0.6})

    with pytest.raises(InputError) as caught:
        publish(survey)

    assert str(caught.value) == (
        f"γ is {shown}, above this site's limit of 19: disguise more, or sign the override, which respondents will see."
    )
    assert not SurveyVersion.objects.exists()


def test_a_new_survey_offers_no_direct_answer() -> None:
    """Who wants it ticks it; a draft that offered it goes on to do so."""
    offers = make_survey(direct=True)
    assert (empty("New", ["en"])["direct"], read_document(offers)["direct"]) == (False, True)
