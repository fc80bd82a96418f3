"""What is said of a table that is published: its measures, and the attacks that were tried on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from privacy.arrays import Ints
from privacy.release.attacks import Attack, on_secrets, reidentification
from privacy.release.classes import number_classes, tally
from privacy.release.measures import ABOUT_ANSWERS, TableMeasures, measure, sizes_alone, worst
from privacy.release.models import Closeness


def audit(
    member: Ints, secrets: Mapping[str, Ints], distances: Sequence[Closeness]
) -> tuple[TableMeasures, tuple[Attack, ...]]:
    """Measure the classes of a table and attack them; of several sensitive attributes the worst of each figure.

    Suppressed records are a class. `secrets`: the value of each record as a code, by the name that attacks then have;
    −1 where a record has no such value, or none that is true. `distances`: by which t of each of them is measured.

    >>> from privacy.release.models import EQUAL
    >>> measures, attacks = audit(np.array([0, 0, 1]), {"ill": np.array([0, 1, 1])}, [EQUAL])
    >>> measures.k, [attack.succeeded for attack in attacks]
    (1, [1, 1, 3])
    """
    sizes = tally(member, np.zeros(len(member), np.int64))
    measures, tried = sizes_alone(measure(sizes)), [reidentification(sizes)]
    measured = []
    for (name, codes), distance in zip(secrets.items(), distances, strict=True):
        known = codes >= 0
        if known.any():
            classes = tally(number_classes([member[known]]), codes[known])
            own = measure(classes, distance)
            about = {key: replace(one, about=name) for key in ("rise", "fall") if (one := getattr(own, key))}
            measured.append(replace(own, **about))
            tried += [replace(attack, about=name) for attack in on_secrets(classes)]
    if measured:
        least = worst(measured)
        measures = replace(measures, **{name: getattr(least, name) for name in ABOUT_ANSWERS})
    return measures, tuple(tried)
