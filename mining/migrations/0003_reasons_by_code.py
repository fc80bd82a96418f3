"""Runs keep why they ended, and results why an engine was taken, by a code in place of an English sentence."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The sentences as they were written at the time, whatever is said for these codes later.
REFUSALS = {
    "mlxtend knows no answers that were not asked, as a sampled block has them.": "sampled",
    "Flips can count records for an itemset that show none of it, so that no threshold on the supports mlxtend sees is "
    "sure to keep every itemset.": "flips",
    "The combined estimator weighs the groups anew for every rule, while mlxtend takes one support per itemset.": "combined",
    "With several coins and a direct group no threshold on the supports mlxtend sees is sure to keep every itemset of "
    "the stratified estimator.": "several",
    "With so few records of this design no threshold on the supports mlxtend sees is sure to keep every itemset.": "few",
}
CHOICES = REFUSALS | {
    "It was asked for.": "asked",
    "The reference engine takes up to 100,000 answers (records × items).": "small",
    "There are more than 100,000 answers (records × items), too many for the reference engine.": "large",
    "So many itemsets may pass the threshold that the reference engine would take long.": "many",
    "There are no records.": "empty",
}
ENDS = {
    "{literals:,} literals are too many for itemsets of length {length}: lower the length.": "literals",
    "Length {length} has {candidates:,} candidates, more than {most:,}: raise the support or lower the length.": "candidates",
    "More than {most:,} itemsets reach a support of {support:g}: raise the support or lower the length.": "itemsets",
    "More than {most:,} rules reach a confidence of {confidence:g}: raise the support or the confidence, or lower the "
    "length.": "rules",
    "It took longer than {most:g} seconds: raise the support or lower the length.": "late",
    "It needed more than {most} MiB of memory: raise the support or lower the length.": "memory",
    "Mining broke on these records ({error}); the log of the worker tells more.": "broke",
    "The process that mined ended unexpectedly (status {status}). Tried {attempts} times.": "stopped",
    "The worker died {attempts} times during this run.": "died",
}


def keep_codes(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    runs, results = apps.get_model("mining", "MiningRun").objects, apps.get_model("mining", "MiningResult").objects
    for key, ended_for in runs.exclude(ended_for={}).values_list("pk", "ended_for"):
        runs.filter(pk=key).update(ended_for=_reason_by_code(ended_for["sentence"], ended_for["values"]))
    for key, summary in results.values_list("pk", "summary"):
        results.filter(pk=key).update(summary=summary | {"why": CHOICES.get(summary.get("why"), "")})


def _reason_by_code(sentence: str, values: dict) -> dict:
    if values.get("refusal") in REFUSALS:
        return {"code": REFUSALS[values["refusal"]], "values": {}}
    if sentence in ENDS:
        return {"code": ENDS[sentence], "values": values}
    return {"code": "other", "values": {"error": sentence.format(**values)}}


class Migration(migrations.Migration):
    dependencies = [("mining", "0002_phases_and_reasons")]

    operations = [migrations.RunPython(keep_codes)]
