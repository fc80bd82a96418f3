from django.db import migrations

from surveys.schema import keep_no_samples

TABLES = ("mining_miningrun", "mining_miningresult", "mining_rulereview")


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, TABLES, but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("mining", "0006_bins")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
