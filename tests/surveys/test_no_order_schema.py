"""The database itself keeps two promises: some tables have no order, others never change."""

import pytest
from django.db import DatabaseError, connection, models, transaction

from surveys.domain.publish import publish
from surveys.models import NO_ORDER, Part, Snapshot, Survey, SurveyVersion
from tests.surveys.making import make_survey

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", NO_ORDER)
def test_tables_on_the_no_order_list_are_sorted_by_their_key_on_sqlite(model: type[models.Model]) -> None:
    """Every table on the list is WITHOUT ROWID, whatever migrations have done to it since."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no sorted tables; sealing rewrites them")
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [model._meta.db_table])
        (sql,) = cursor.fetchone()
    assert sql.endswith("WITHOUT ROWID")


@pytest.mark.parametrize("model", NO_ORDER)
def test_tables_on_the_no_order_list_hold_no_time_and_no_sequence(model: type[models.Model]) -> None:
    """Their keys are bytes, drawn or hashed, and no column counts or dates."""
    kinds = {type(field) for field in model._meta.concrete_fields}
    assert isinstance(model._meta.pk, models.BinaryField)
    assert kinds <= {models.BinaryField, models.ForeignKey}


def test_a_published_version_cannot_be_changed() -> None:
    """UPDATE on a published version fails in the database, also around Django's models."""
    version = publish(make_survey())
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        SurveyVersion.objects.filter(pk=version.pk).update(definition=b"{}")
    assert SurveyVersion.objects.get().sha256 == version.sha256


@pytest.mark.parametrize("model", [SurveyVersion, Part, Snapshot])
def test_immutable_tables_have_their_trigger(model: type[models.Model]) -> None:
    """A later migration that remakes a table and loses the trigger is found here."""
    catalogue = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger",
    }
    with connection.cursor() as cursor:
        cursor.execute(catalogue[connection.vendor])
        triggers = {name for (name,) in cursor.fetchall()}
    assert f"{model._meta.db_table}_immutable" in triggers


def test_a_published_survey_reports_on_no_fewer_people_than_it_promised() -> None:
    """The database refuses to lower the number of respondents a report needs; before publication it may change."""
    survey = make_survey()
    Survey.objects.filter(pk=survey.pk).update(least=50)
    publish(Survey.objects.get())
    Survey.objects.filter(pk=survey.pk).update(least=60)
    with pytest.raises(DatabaseError, match="lowered"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(least=59)
    assert Survey.objects.get().least == 60
