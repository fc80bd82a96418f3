"""A design as an analyst holds it: all the randomness that is applied to answers, and what it promises."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.results import Result, TextColumns
from privacy import design as core
from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.output import as_json, counted

if TYPE_CHECKING:
    import pandas as pd

    from candor.promise import Guarantee

_MOST_CHANNELS = 4  # that a notebook draws


class Design(Result, core.Design):
    """What happens to answers before they are stored: blocks of items, each with its coins or flips.

    Make one by `candor.models`, from a file by `candor.read_design`, or from its JSON by `Design.parse`. Two designs
    are joined by `+`.

    Examples
    --------
    >>> import candor
    >>> design = candor.Design.parse(
    ...     {"blocks": [{"keep": 0.3, "items": [
    ...         {"id": "drugs", "theta": 0.6},
    ...         {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]}]}]})
    >>> design
    2 items; gamma 6.35715; nobody may answer directly
    block  draws     items
    1      keep 0.3  drugs (theta 0.6), age (options 18-29 30-49 50+; noise 0.4 0.4 0.2)
    """

    @classmethod
    def parse(cls, source: str | bytes | Mapping[str, Any]) -> "Design":
        """Return the design that a JSON text, its bytes or the object read from it describes.

        Parameters
        ----------
        source : str, bytes or mapping
            A design as docs/analysts.md describes it, or its exact form.

        Returns
        -------
        Design

        Raises
        ------
        InputError
            Where the text is no design; the sentence names the place.
        """
        return cls.of(core.Design.parse(source))

    @classmethod
    def of(cls, design: core.Design) -> "Design":
        """Return a design of the library as one that prints."""
        return cls(design.blocks, design.direct)

    def __add__(self, other: core.Design) -> "Design":
        """Return the design that has the blocks of both; respondents may answer directly where both allow it."""
        other = arguments.design(other, "+")
        return Design((*self.blocks, *other.blocks), self.direct and other.direct)

    def guarantee(
        self,
        prior: float = 0.05,
        respondents: int | None = None,
        delta: float | None = None,
        cases: str | None = None,
        *,
        measures: bool = False,
    ) -> "Guarantee":
        """Return what the design promises to those who answer disguised.

        Parameters
        ----------
        prior : float
            How likely a fact was thought before the answer was seen.
        respondents : int, optional
            How many answer disguised: then also what a crowd of them adds, and how far one forged response moves a
            figure. Where open answers are told beside the records, the smallest crowd that shares all of them.
        delta : float, optional
            Of the crowd: the chance that more is told, 1e-6 where none is given.
        cases : {"available", "complete"}, optional
            Of forged responses: how figures of sampled blocks are estimated (as in `candor.reconstruct`).
        measures : bool
            Also what one stored answer tells on average: bits, and how often it is true.

        Returns
        -------
        Guarantee
            γ, ε and how likely the fact can be thought afterwards: in total, per block and per item.

        Examples
        --------
        >>> import candor
        >>> candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6).guarantee(prior=0.05)
                           asked    gamma   epsilon  0.05 becomes at most
        whole record           2  3.67858   1.30253              0.162205
        block 1                2  3.67858   1.30253              0.162205
          drugs, alone         -  2.07143  0.728239             0.0983051
          cheating, alone      -  2.07143  0.728239             0.0983051
        <BLANKLINE>
        The direct group answers undisguised and has no such protection.
        """
        from candor.promise import Guarantee
        from privacy.guarantee import guarantee

        for name, value in (("delta", delta), ("cases", cases)):
            if value is not None and respondents is None:
                raise InputError(f"{name}: {shown(value)} goes with respondents.")
        promise = guarantee(self, arguments.number(prior, "prior"))
        made = Guarantee(promise, self)
        if arguments.flag(measures, "measures"):
            from privacy.guarantee.answers import answer_measures

            made = replace(made, measures=answer_measures(self, promise.prior))
        if respondents is None:
            return made
        from privacy.choices import AVAILABLE, CASES
        from privacy.guarantee.crowd import shuffled
        from privacy.guarantee.forged import forged

        n = arguments.whole(respondents, "respondents")
        among = max(n // 2, 1) if self.arms else n  # of two arms, which can be told apart
        crowd = shuffled(self, among, 1e-6 if delta is None else arguments.number(delta, "delta"))
        cases = AVAILABLE if cases is None else arguments.choice(cases, "cases", CASES)
        return replace(made, shuffled=crowd, forged=tuple(forged(self, n, cases)))

    def write(self, path: str | Path) -> None:
        """Write the design to a JSON file, which appears only when it is complete.

        Parameters
        ----------
        path : str or Path
            The file; `candor.read_design` reads it.

        Examples
        --------
        >>> import candor, tempfile
        >>> design = candor.models.warner(["drugs"], theta=0.7)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     design.write(f"{folder}/design.json")
        ...     candor.read_design(f"{folder}/design.json") == design
        True
        """
        from privacy.records.files import check_ending, whole_file

        target = arguments.path(path)
        check_ending(target, ".json")
        with whole_file(target) as file:
            file.write(as_json(self.to_json()).encode() + b"\n")

    def to_json(self) -> dict[str, Any]:
        """Return the design as people write it: the shortest decimals that are read back as the same design."""
        return core.Design.to_json(self)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per item: its block, counted from 1, its name and its options."""
        import pandas as pd

        rows = [
            (place, item.id, item.options) for place, block in enumerate(self.blocks, start=1) for item in block.items
        ]
        return pd.DataFrame(rows, columns=["block", "item", "options"])

    def picture(self) -> str:
        """What one record can do to a belief."""
        return self.guarantee().picture()

    def pictures(self) -> list[str]:
        """Below that the channels of its first blocks: how likely each record is, by the true answers."""
        from candor.channel_pictures import channel_pictures

        return [self.picture(), *islice(channel_pictures(self), _MOST_CHANNELS)]

    def contents(self) -> Iterator[str | TextColumns]:
        from privacy.guarantee import rounded_up

        count = len(self.items)
        who = "respondents may answer directly" if self.direct else "nobody may answer directly"
        yield f"{counted(count, 'item')}; gamma {float(rounded_up(self.gamma, 6)):g}; {who}"
        rows = [
            [str(place), _fields(block, ", "), ", ".join(map(_item, block["items"]))]
            for place, block in enumerate(self.to_json()["blocks"], start=1)
        ]
        yield TextColumns(["block", "draws", "items"], rows)

    __hash__ = core.Design.__hash__


def read_design(path: str | Path) -> Design:
    """Read a design from a JSON file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Design

    Raises
    ------
    InputError
        Where there is no such file or its content is no design; the sentence names the file and the place.

    Examples
    --------
    >>> import candor, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write('{"blocks": [{"keep": 0.4, "items": [{"id": "drugs", "theta": 0.5}]}]}')
    ...     file.flush()
    ...     candor.read_design(file.name)
    1 item; gamma 2.33334; nobody may answer directly
    block  draws     items
    1      keep 0.4  drugs (theta 0.5)
    """
    from privacy.records.files import read_design

    return Design.of(read_design(arguments.path(path)))


def _item(entry: Mapping[str, Any]) -> str:
    fields = _fields({name: value for name, value in entry.items() if name != "id"}, "; ")
    return f"{entry['id']} ({fields})" if fields else str(entry["id"])


def _fields(entry: Mapping[str, Any], between: str) -> str:
    """The fields of a block or an item as words, whatever kind it is; its items stand elsewhere."""
    named = {name: value for name, value in entry.items() if name != "items"}
    return between.join(
        f"{name} {' '.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for name, value in named.items()
    )
