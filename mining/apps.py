from django.apps import AppConfig


class MiningConfig(AppConfig):
    name = "mining"
    default_auto_field = "django.db.models.BigAutoField"
    duties = (("mining.domain.request.take_up", 5),)
