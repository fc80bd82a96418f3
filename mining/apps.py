from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MiningConfig(AppConfig):
    name = "mining"
    verbose_name = _("Mining")
    duties = (("mining.domain.request.start_due_runs", 5), ("mining.domain.request.mine_rehearsals", 2))
