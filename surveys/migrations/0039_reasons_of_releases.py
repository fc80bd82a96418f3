"""Releases keep why they ended without a table by a code, in place of an English sentence; others stay as they are."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The sentences as they were written at the time, whatever is said for these codes later.
ENDS = {
    "even with every quasi-identifier generalised to its root the table does not fulfil it; ask for less, or let more "
    "records be suppressed.": "root",
    "the value {value} of the column {column} is missing.": "missing",
    "Each group of direct respondents is to have {least} answers to “{item}”, and all of them together gave {given}; "
    "ask for less.": "few",
    "Every response would be hidden; ask for less, or treat fewer answers as known to others.": "hidden",
    "Together with earlier releases of the same people this one would tell “{attribute}” of {count} of them, which no "
    "release tells alone; take coarser levels, or the same ones as before.": "disclosed",
    "Rows of an earlier release of the same people and of this one could be put together, so that all that is "
    "published of {count} of them would be known; take coarser levels, or the same ones as before.": "joined",
    "ilp-l changes answers, and not everybody was asked the sensitive question.": "unasked",
    "the sensitive attribute has fewer than {least} values.": "values",
    "a class of {k} records cannot have {l} values.": "class",
    "the sensitive value {value} is missing.": "utility_value",
    "the value {value} has no utility of {name}.": "utility_name",
    "No responses are sealed yet; there is nothing to show.": "unsealed",
    "Tables are released once this version is closed and its last response is sealed.": "open",
    "Fewer than {least} people have answered so that their answers may be counted; nothing is reported about so "
    "few.": "least",
    "The site was renewed since this was asked; ask again.": "renewed",
    "The responses have changed since this was asked; ask again.": "changed",
    "It took longer than {most} seconds: leave columns out, or ask whoever runs the site for more time.": "late",
    "It needed more than {most} MiB of memory: leave columns out, or ask whoever runs the site for more "
    "memory.": "memory",
    "Its worker died {attempts} times; ask again.": "died",
    "It could not be made: {error}": "other",
}


def keep_codes(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    releases = apps.get_model("surveys", "TableRelease").objects
    for key, ended_for in releases.exclude(ended_for={}).values_list("pk", "ended_for"):
        if code := ENDS.get(ended_for.get("sentence")):
            releases.filter(pk=key).update(ended_for={"code": code, "values": ended_for["values"]})


class Migration(migrations.Migration):
    dependencies = [("surveys", "0038_long_lists")]

    operations = [migrations.RunPython(keep_codes)]
