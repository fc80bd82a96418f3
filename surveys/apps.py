from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SurveysConfig(AppConfig):
    name = "surveys"
    verbose_name = _("Surveys")
    default_auto_field = "django.db.models.BigAutoField"
    # What `manage.py tend` calls again and again, and the seconds between two calls.
    duties = (
        ("surveys.domain.damage.check_database", 6 * 3600),
        ("surveys.domain.sealing_keys.prepare", 5),
        ("surveys.domain.seal.seal_all", 180),
        ("surveys.domain.seal.seal_closed", 5),
        ("surveys.domain.statement.state_all", 5),
        ("surveys.domain.traces.remove", 5),
        ("surveys.domain.checkpoints.shorten_log", 5),
    )
