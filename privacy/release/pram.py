"""Columns of a release that are disguised: the post-randomisation method (PRAM; Gouweleeuw and others 1998).

Each value goes through a channel of its own. Nothing else of the release looks at these columns, so γ of the block
holds for the release. The design is published with the table, and who has both reconstructs shares, tables, rules and
regressions.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.draws import Take
from privacy.design.reading import only_keys
from privacy.disguise import disguise
from privacy.release.channel import ReleaseChannel
from privacy.release.coin import CoinChannel
from privacy.release.wave import WaveChannel

CHANNELS: dict[str, type[ReleaseChannel]] = {one.name: one for one in (CoinChannel, WaveChannel)}
"""The channels of columns, by the member `channel` of a spec; the first is taken without it."""


def read_channel(entry: Mapping[str, Any], where: str) -> ReleaseChannel:
    """Read the members of a column with the role disguised.

    >>> read_channel({"gamma": 9, "values": ["flu", "cold"]}, "attributes.disease").keys
    ('gamma', 'invariant', 'values', 'starts')
    """
    name = entry.get("channel", next(iter(CHANNELS)))
    arguments.choice(name, f"{where}.channel", CHANNELS)
    only_keys(entry, ("role", "channel", *CHANNELS[name].keys), where)
    return CHANNELS[name].read(entry, where)


def design_of_columns(table: Mapping[str, Sequence[str]], asked: Mapping[str, ReleaseChannel]) -> Design:
    """The design by which columns of a table are disguised, each by itself.

    >>> asked = {"sex": read_channel({"gamma": 9, "values": ["f", "m"]}, "attributes.sex")}
    >>> design_of_columns({"sex": ["f", "m", "m", "f"]}, asked).items[0].options
    ('f', 'm')
    """
    return Design(tuple(one.block(name, table[name]) for name, one in asked.items()), direct=False)


def disguise_columns(
    design: Design, table: Mapping[str, Sequence[str]], asked: Mapping[str, ReleaseChannel], take: Take | None = None
) -> dict[str, list[str]]:
    """Disguise columns of a table by their design.

    Without `take` the randomness is the operating system's, the only one that is fit for people.

    >>> from privacy.disguise.random_words import words_from_seed
    >>> asked, table = {"sex": read_channel({"gamma": 9}, "attributes.sex")}, {"sex": list("fmmf")}
    >>> disguise_columns(design_of_columns(table, asked), table, asked, words_from_seed(5))
    {'sex': ['f', 'm', 'm', 'f']}
    """
    names = [item.id for item in design.items]
    codes = [asked[name].encode(block, table[name]) for name, block in zip(names, design.blocks, strict=True)]
    sent = disguise(design, np.stack(codes, axis=1), take=take).codes
    published = {}
    for name, field, own in zip(names, design.fields, sent.T, strict=True):
        texts = {code: field.text(code) for code in np.unique(own).tolist()}
        published[name] = [texts[code] for code in own.tolist()]
    return published
