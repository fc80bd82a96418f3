"""Make the tables of the site as 0001 to 0006 leave them, and end all sessions.

Version 0.1.0 has sessions, but none of these tables, so its databases come here. Browsers show those sessions under the
cookie of earlier versions, which is not read any more.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from surveys.schema import AtOnce


def end_sessions(apps: Any, _editor: Any) -> None:
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("site", "0001_first_password"),
        ("site", "0002_api_tokens"),
        ("site", "0003_account_invitations"),
        ("site", "0004_backup"),
        ("site", "0005_end_sessions"),
        ("site", "0006_invited_to_run"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        AtOnce(
            migrations.CreateModel(
                name="GeneratedPassword",
                fields=[
                    (
                        "user",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="ApiToken",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("name", models.CharField(max_length=100)),
                    ("scopes", models.JSONField()),
                    ("hash", models.BinaryField(max_length=32, unique=True)),
                    ("made_on", models.DateField()),
                    ("used_on", models.DateField(null=True)),
                    ("expires_at", models.DateTimeField()),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="api_tokens",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ("-id",),
                },
            ),
            migrations.CreateModel(
                name="AccountInvitation",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("username", models.CharField(max_length=150)),
                    ("creates", models.BooleanField(default=True)),
                    ("runs", models.BooleanField(db_default=False, default=False)),
                    ("hash", models.BinaryField(max_length=32, unique=True)),
                    ("made_at", models.DateTimeField()),
                    ("expires_at", models.DateTimeField()),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "made_by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ("-id",),
                },
            ),
            migrations.CreateModel(
                name="Backup",
                fields=[
                    ("row", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                    ("made_at", models.DateTimeField()),
                ],
            ),
        ),
        migrations.RunPython(end_sessions, migrations.RunPython.noop),
    ]
