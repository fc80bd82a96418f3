"""What Django's admin shows of surveys."""

from surveys.admin import survey
