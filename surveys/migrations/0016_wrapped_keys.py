from django.db import migrations

from surveys.domain.database.wrapping import wrap


def wrap_keys(apps, schema_editor):
    """Put every signing key back wrapped. The rows are written anew, so that no old version of them stays in the table;
    the note makes the next round of `manage.py tend` rewrite the files.
    """
    key, residue = (apps.get_model("surveys", name) for name in ("InvitationKey", "Residue"))
    rows = list(key.objects.all())
    if not rows:
        return
    with schema_editor.connection.cursor() as cursor:
        postgresql = schema_editor.connection.vendor == "postgresql"
        cursor.execute(f"{'TRUNCATE' if postgresql else 'DELETE FROM'} surveys_invitationkey")
    for row in rows:
        row.private = wrap(bytes(row.private), f"invitations to survey {row.survey_id}")
        row.save(force_insert=True)
    residue.objects.create()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0015_settings_of_kinds")]
    operations = [migrations.RunPython(wrap_keys)]
