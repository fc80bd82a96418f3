from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.migrations import Migration
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _


def check_before(plan: Sequence[tuple[Migration, bool]], using: str, **_: Any) -> None:
    """Refuse an upgrade that cannot be made before its first migration: some migrations look at what there is."""
    for migration, _backwards in plan:
        if check := getattr(migration, "check_before", None):
            check(connections[using])


class SurveysConfig(AppConfig):
    name = "surveys"
    verbose_name = _("Surveys")
    # What `manage.py tend` calls again and again, and the seconds between two calls.
    duties_of_each_host = (
        ("surveys.domain.responses.sealing_keys.prepare", 5),
        ("surveys.domain.responses.seal.start_sealing", 5),
        ("surveys.domain.responses.sealing_keys.destroy", 5),  # those of this host, whichever host has sealed
    )
    duties = (
        ("surveys.domain.database.damage.check_database", 6 * 3600),
        ("surveys.domain.responses.seal.seal_all", 180),
        ("surveys.domain.responses.seal.seal_closed", 5),
        ("surveys.features.noisy_counts.counts.draw_due", 5),
        ("surveys.domain.closed.statement.state_all", 5),
        ("surveys.releases.ask.start_due_releases", 20),
        ("surveys.domain.rehearsal.ask.start_due_rehearsals", 20),
        ("surveys.domain.mail.send.start_due_batches", 20),
        ("surveys.domain.mail.notices.send_due_notices", 60),
        ("surveys.domain.closed.retention.erase_due", 60),
        ("surveys.domain.database.scrub.remove", 5),
        ("surveys.domain.database.scrub.mix_arrivals", 10),
        ("surveys.domain.closed.record.note_removed", 5),
        ("surveys.domain.database.checkpoints.shorten_log", 5),
    )

    def ready(self) -> None:
        """Hold the database before it is migrated, and refuse a feature whose row and folder differ."""
        from surveys import features

        pre_migrate.connect(check_before, sender=self)
        features.load()
