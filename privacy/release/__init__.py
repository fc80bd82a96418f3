"""Tables with a row per person, before they leave the house: how recognisable they make people, and what they tell.

    classes = classes_of([ages, sexes], diseases)
    measure(classes), attacks(classes)
    anonymize(read_table("people.csv"), read_spec("spec.json"))

Attributes that others may know are quasi-identifiers; records alike in all of them are a class. A record whose
quasi-identifiers are all `*` is suppressed: people who fit no other class are among these records, which are a class.
"""

from privacy.release.anonymize import anonymize
from privacy.release.attacks import Attack, attacks, background, of_subsets
from privacy.release.classes import as_csv, classes_of, read_table
from privacy.release.measures import TableMeasures, measure
from privacy.release.measures.disguised import judge_disguised
from privacy.release.methods import METHODS
from privacy.release.models import Closeness
from privacy.release.specs import Spec, parse_spec, read_spec
