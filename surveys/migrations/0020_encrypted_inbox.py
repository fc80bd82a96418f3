"""The inbox encrypted. What this does with old rows is written out here: it stays the same when the program changes."""

import os
from contextlib import contextmanager
from pathlib import Path

import django.db.models.deletion
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations, models

from surveys.schema import keep_no_order, keep_no_samples

INBOX = "surveys_inbox"
NONCE = bytes(12)  # every key encrypts one message only


@contextmanager
def without_triggers_on(schema_editor, table):
    """Put aside the triggers that name the table while it is rebuilt: SQLite renames no table to a name they use."""
    if schema_editor.connection.vendor != "sqlite":
        yield
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND instr(sql, %s)", [table])
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _, created in triggers:
            cursor.execute(created)


def remake_table(apps, schema_editor):
    """Encrypt what waits. The table is made again, without the columns that held it in clear.

    Open answers are filled up to the longest ones of their version that wait, so that no length tells whose a box is.
    The first round of sealing fills them up to the longest ones that the questions allow.
    """
    inbox, versions = (apps.get_model("surveys", name) for name in ("Inbox", "SurveyVersion"))
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT key, version_id, record, open FROM {INBOX} ORDER BY key")
        rows = [(bytes(key), version, bytes(record), bytes(open)) for key, version, record, open in cursor]
        with without_triggers_on(schema_editor, INBOX):
            cursor.execute(f"DROP TABLE {INBOX}")
            schema_editor.create_model(inbox)
            keep_no_order(schema_editor, [INBOX])
    keep_no_samples(schema_editor, [INBOX])
    if not rows:
        return
    begun = apps.get_model("surveys", "SealingRound").objects.create(key=os.urandom(16))
    public = make_pair()
    apps.get_model("surveys", "SealingKey").objects.create(public=public, round=begun)
    hashes = dict(versions.objects.values_list("pk", "sha256"))
    longest = dict[int, int]()
    for _, version, _, answers in rows:
        longest[version] = max(len(answers), longest.get(version, 0))
    for key, version, record, answers in rows:
        content = record + answers.ljust(longest[version], b"\0")
        box = close(content, public, b"candor waiting" + bytes.fromhex(hashes[version]) + key)
        inbox.objects.create(key=key, version_id=version, round=begun, box=box)
    apps.get_model("surveys", "Residue").objects.create()


def make_pair():
    """The public half of a pair whose private half is on the disk, file and folder."""
    private = X25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    folder = Path(settings.CANDOR_DATA) / "sealing_keys"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(folder / public.hex(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, private.private_bytes_raw())
        os.fsync(file)
    finally:
        os.close(file)
    for place in (folder, folder.parent):
        names = os.open(place, os.O_RDONLY)
        try:
            os.fsync(names)
        finally:
            os.close(names)
    return public


def close(content, recipient, bound):
    """A box for one public key: how many recipients, the public half drawn for it, the wrapped content key, the content."""
    drawn = X25519PrivateKey.generate()
    public, content_key = drawn.public_key().public_bytes_raw(), os.urandom(32)
    secret = drawn.exchange(X25519PublicKey.from_public_bytes(recipient))
    wrapping = HKDF(SHA256(), 32, None, b"candor box" + public + recipient).derive(secret)
    wrapped = AESGCM(wrapping).encrypt(NONCE, content_key, None)
    return b"\x01" + public + wrapped + AESGCM(content_key).encrypt(NONCE, content, bound)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0019_quota_is_only_raised")]
    operations = [
        migrations.CreateModel(
            name="SealingRound",
            fields=[
                ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("current", models.BooleanField(default=True)),
                ("lost", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)), fields=("current",), name="one_current_round"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="SealingKey",
            fields=[
                ("public", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="surveys.sealinground",
                    ),
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("inbox", "record"),
                migrations.RemoveField("inbox", "open"),
                migrations.AddField(
                    "inbox",
                    "round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="inbox",
                        to="surveys.sealinground",
                    ),
                    preserve_default=False,
                ),
                migrations.AddField("inbox", "box", models.BinaryField()),
            ]
        ),
        migrations.RunPython(remake_table),
    ]
