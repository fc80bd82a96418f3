from django.db import migrations, models


class Migration(migrations.Migration):
    """For new surveys only: what is stored stays, and no database holds the default."""

    dependencies = [("surveys", "0017_statements")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "survey",
                    "direct",
                    models.BooleanField(
                        default=False,
                        help_text="Respondents may choose to answer undisguised; they have no protection by the "
                        "disguise then.",
                        verbose_name="may answer directly",
                    ),
                )
            ]
        )
    ]
