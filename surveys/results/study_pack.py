"""The whole analysis of a version as one folder: README, questionnaire, design, records, figures, rules, scripts.

Other apps add what they have found to `ADDED`, because surveys knows none of them.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext_lazy

from privacy.design import Design
from privacy.errors import EntryError
from privacy.output import as_json
from privacy.records.csv_rows import csv_text
from privacy.version import maker
from surveys.definition import Definition
from surveys.domain.exports import files
from surveys.domain.exports.codebook import COLLECTED
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.features import present
from surveys.models import Snapshot, Statement
from surveys.results import figures
from surveys.results.answers import answers
from surveys.results.report import data_of
from surveys.results.words import words_of
from surveys.sentences import of_staff

NAME = "study-pack.zip"
BYTES = 1 << 16
ADDED: list[Callable[[Snapshot], Iterable[tuple[str, Iterable[bytes]]]]] = []
"""Each gives names within the folder, and the content of each, in pieces."""


def write(path: Path, snapshot: Snapshot) -> None:
    """Write the folder as a ZIP file."""
    folder = f"{snapshot.version.survey.slug}-v{snapshot.version.number}"
    sums = []
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, pieces in _content(snapshot):
            digest = sha256()
            with archive.open(_entry(f"{folder}/{name}"), "w", force_zip64=True) as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
            sums.append(f"{digest.hexdigest()}  {name}\n")
        archive.writestr(_entry(f"{folder}/SHA256SUMS"), "".join(sums))


def _entry(name: str) -> ZipInfo:
    """Return a ZIP entry without a time, so that equal packs have equal bytes."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _content(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the name of each file in the folder, and its content in pieces."""
    written = protocol(snapshot)
    yield "README.txt", [written.encode()]
    yield "zenodo.json", [zenodo(snapshot, written).encode()]
    yield "dataverse.json", [dataverse(snapshot, written).encode()]
    for file in files.list_files(snapshot):
        if file.name != NAME:
            place = f"scripts/{file.name}" if file.name.startswith("reproduce.") else file.name
            with files.write_file(snapshot, file.name) as path:
                yield place, _pieces(path)
    statement = Statement.published.filter(survey=snapshot.version.survey).first()
    if statement:
        yield "statement.json", [bytes(statement.content)]
    yield from _figures(snapshot)
    for added in ADDED:
        yield from added(snapshot)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(BYTES):
            yield piece


def _figures(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The figures of the report as SVG and CSV files; none where nothing may be reported."""
    language = snapshot.version.parsed.source["languages"][0]
    try:
        data = data_of(snapshot.version)
    except EntryError:
        return
    with translation.override(of_staff(language)):
        phrases = words_of(data.version, language).phrases
        asked = answers(data, language)
        shown = [figures.of_answers(data, question, phrases) for question in asked]
        for figure in chain(figures.overview(data, asked), *shown):
            if figure.svg:
                drawn = figures.document(figure, figures.citation(data.snapshot))
                yield f"figures/{figure.name}.svg", [drawn.encode()]
            if figure.table.head:
                yield f"figures/{figure.name}.csv", [csv_text(figure.table.with_raw).encode()]


def protocol(snapshot: Snapshot) -> str:
    """How the responses came about, in the words of a methods section."""
    version = snapshot.version
    definition: Definition = version.parsed
    survey = version.survey
    closed = (
        f"It was closed on {survey.closed_at:%Y-%m-%d}."
        if survey.closed_at
        else "It still collects, or a newer version took its place."
    )
    noted = [one.noted(definition.source) for one in present(definition.source) if one.noted]
    with translation.override("en"):
        said_of_rates = list(counts.say_rates(survey))
    lines = [
        f"{definition.source['title'][definition.source['languages'][0]]}",
        "",
        f"Survey {survey.slug}, version {version.number}, published on {version.published_on}",
        f"(SHA-256 {version.sha256}).",
        closed,
        f"Snapshot {cite(snapshot)}: {counts.of_snapshot(snapshot)} responses.",
        "The respondents are simulated." if definition.is_simulated else "",
        COLLECTED[definition.access],
        *said_of_rates,
        *(line for sentence, *known in noted for line in (sentence, f"{' '.join(known)}.")),
        "",
        "Sensitive answers were changed at random on the respondents' devices before they were sent; design.json is",
        f"the exact channel (SHA-256 {version.design.sha256}), codebook.html says what each column holds. Respondents "
        + (
            "could choose to answer directly, without the disguise."
            if version.design.direct
            else "could not answer directly."
        ),
        *_missing_parts(snapshot),
        f"No figure is reported about fewer than {disclosure.least_of(snapshot)} respondents.",
        "",
        "Shares are reconstructed by the stratified estimator (scripts/reproduce.py and .R). With Candor:",
        "",
        *(
            f"    candor reconstruct records.csv design.json --pattern {example}"
            for example in _examples(version.design)
        ),
        "    candor mine records.csv design.json --min-support 0.1 --min-confidence 0.5",
        "",
        "figures/ has the pictures and numbers of the report, rules/ the findings of mining runs on this snapshot,",
        "SHA256SUMS the hash of each file (sha256sum --check SHA256SUMS). For an archive: ddi.xml describes the study",
        "and its variables, zenodo.json and dataverse.json are what Zenodo and Dataverse ask of a deposit.",
        f"Made by {maker()}.",
        "",
    ]
    return "\n".join(lines)


def _examples(design: Design) -> Iterator[str]:
    """A pattern that this survey can tell, in quotation marks where a shell needs them; none of numbers and places."""
    for block in design.blocks:
        if block.distribution is None and (item := block.items[0]).has_options:
            words = block.patterns.word_list
            literal = words.words[0][0][0] if words else item.id if item.boolean else f"{item.id}={item.options[0]}"
            yield shlex.quote(literal)
            return


def _missing_parts(snapshot: Snapshot) -> Iterator[str]:
    if disclosure.is_of_few(snapshot):
        with translation.override("en"):  # as all of the README is
            yield minimum_of_version(snapshot.version).of_few
    elif not disclosure.is_settled(snapshot):
        yield "The version still collects: responses of those who answered directly are not in these files."
    elif disclosure.hides_direct(snapshot):
        yield "Too few answered directly: their responses are not in these files."
    elif disclosure.of_several(snapshot) != disclosure.reportable(snapshot):
        yield "Too few people gave the same direct answers: rules/ is about those who answered under disguise."


KEYWORDS = ("randomised response", "privacy", "survey")
CONTACT = "to be filled in: an e-mail address"


def zenodo(snapshot: Snapshot, protocol: str) -> str:
    """The metadata of a deposit for Zenodo, as JSON. Access is restricted until its people say otherwise: undisguised
    answers may name somebody, whatever the disguise protects.
    """
    title, who, _ = _opening(snapshot)
    return as_json(
        {
            "metadata": {
                "upload_type": "dataset",
                "title": title,
                "creators": [{"name": who}],
                "description": f"<pre>{escape(protocol)}</pre>",
                "version": str(snapshot.version.number),
                "publication_date": snapshot.version.published_on.isoformat(),
                "keywords": list(KEYWORDS),
                "access_right": "restricted",
                "access_conditions": escape(f"Ask: {who}"),
            }
        }
    )


def dataverse(snapshot: Snapshot, protocol: str) -> str:
    title, who, why = _opening(snapshot)
    fields = [
        _field("title", title),
        _field("author", [{"authorName": _field("authorName", who)}]),
        _field("datasetContact", [{"datasetContactEmail": _field("datasetContactEmail", CONTACT)}]),
        _field(
            "dsDescription", [{"dsDescriptionValue": _field("dsDescriptionValue", text)} for text in (why, protocol)]
        ),
        {"typeName": "subject", "typeClass": "controlledVocabulary", "multiple": True, "value": ["Social Sciences"]},
        _field("keyword", [{"keywordValue": _field("keywordValue", word)} for word in KEYWORDS]),
    ]
    return as_json({"datasetVersion": {"metadataBlocks": {"citation": {"fields": fields}}}})


def _field(name: str, value: str | list[dict[str, Any]]) -> dict[str, Any]:
    several = isinstance(value, list)
    return {"typeName": name, "typeClass": "compound" if several else "primitive", "multiple": several, "value": value}


def _opening(snapshot: Snapshot) -> tuple[str, str, str]:
    """The title, who asks, and why, in the main language of the questionnaire."""
    source = snapshot.version.parsed.source
    main = source["languages"][0]
    return source["title"][main], source["who"][main], source["why"][main]


files.FILES[NAME] = files.File(
    NAME,
    gettext_lazy("The study pack: all of these, with a README, figures and rules, in one folder"),
    "application/zip",
    write,
    True,
)
