"""The link to a survey: where its page is, and the hash that the questionnaire must have.

After `&`, an invitation or what a panel gives may be added to it.
"""

from urllib.parse import urljoin

from django.conf import settings

from surveys.models import Survey, SurveyVersion


def link(site: str, version: SurveyVersion) -> str:
    """The link to a version: at this site, of which `site` is any address, or at the page's own origin, if any."""
    between = "&" if settings.PAGE_ORIGIN else "#"
    return f"{address(site, version.survey)}{between}v={version.sha256}"


def address(site: str, survey: Survey) -> str:
    """Where people open the survey: what all its links begin with."""
    own = settings.PAGE_ORIGIN
    return f"{own}/#s={survey.slug}" if own else urljoin(site, f"/s/{survey.slug}/")
