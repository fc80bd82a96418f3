from django.apps import AppConfig
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _


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
        ("surveys.domain.closed.statement.state_all", 5),
        ("surveys.releases.ask.start_due_releases", 20),
        ("surveys.domain.rehearsal.ask.start_due_rehearsals", 20),
        ("surveys.domain.mail.send.start_due_batches", 20),
        ("surveys.domain.mail.notices.send_due_notices", 60),
        ("surveys.domain.closed.erase.erase_due", 60),
        ("surveys.domain.database.scrub.remove", 5),
        ("surveys.domain.database.scrub.mix_arrivals", 10),
        ("surveys.domain.closed.erase.note_removed", 5),
        ("surveys.domain.database.checkpoints.shorten_log", 5),
    )

    def ready(self) -> None:
        """Look at the database before it is migrated, and refuse a feature whose row and folder differ."""
        from surveys import features
        from surveys.domain.database.former import refuse_former

        pre_migrate.connect(refuse_former, sender=self)
        features.load()
