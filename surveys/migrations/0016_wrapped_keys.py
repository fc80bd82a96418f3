import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations


def wrap(key, place):
    """As keys were wrapped when this migration was written: it makes the same of old databases, whatever comes later."""
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=b"candor: keys in the database")
    nonce = os.urandom(12)
    cipher = AESGCM(derived.derive(settings.SECRET_KEY.encode()))
    return b"\x01" + nonce + cipher.encrypt(nonce, key, place.encode())


def wrap_keys(apps, schema_editor):
    """Put every signing key back wrapped. The rows are rewritten, so that no old version of them stays in the table;
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
