"""What archives ask about a study pack that is deposited: as the APIs of Zenodo and of Dataverse read it."""

from typing import Any

from django.utils.html import escape

from privacy.output import as_json
from surveys.models import Snapshot

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
