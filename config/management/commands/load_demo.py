"""manage.py load_demo: surveys with simulated respondents, to look at before there are real respondents."""

from typing import Any

from django.core.management.base import BaseCommand

from config.web.logs import announce
from surveys.domain.demo import surveys as demo


class Command(BaseCommand):
    help = "Load the demo surveys and their simulated respondents; existing ones stay."

    def handle(self, **_options: Any) -> None:
        for survey, is_new in demo.load():
            announce(f"/s/{survey.slug}/ {'loaded' if is_new else 'is there already'}: {survey.title}")
