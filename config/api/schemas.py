"""What the API answers, as the components of the OpenAPI document."""

from typing import Any

from config.api.operation import Schema
from privacy.options import Options
from privacy.plan.verdict import AIMS

TEXT: Schema = {"type": "string"}
LINE = r"^[^\x00-\x1f]*$"  # the pattern of texts without control characters
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUE: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": ["string", "null"], "format": "date-time"}
DAY: Schema = {"type": "string", "format": "date"}
PEOPLE: Schema = {"type": "integer", "description": "while the version collects the last full hundred before it"}
EXACT: Schema = {"type": "boolean", "description": "whether numbers of people are exact, and not in hundreds"}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def record(**properties: Schema) -> Schema:
    """An object that has all of these members."""
    return {"type": "object", "required": list(properties), "properties": properties}


def body_schema(options: Options) -> Schema:
    """The body of an operation that takes the options of an analysis."""
    offered = options.for_place("api")
    return {
        "type": "object",
        "required": [one.name for one in offered if one.required or one.begins is not None],
        "additionalProperties": False,
        "properties": {
            one.name: one.kind.schema() | ({} if one.required or one.begins is not None else {"default": one.default})
            for one in offered
        },
    }


def array_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def reference_to(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_VERSION: dict[str, Schema] = {
    "number": WHOLE,
    "sha256": HASH,
    "published_on": DAY,
    "link": {"type": "string", "format": "uri"},
    "respondents": PEOPLE,
    "exact": EXACT,
    "snapshot": nullable(HASH),
    "told": record(
        direct={"type": "boolean", "description": "whether figures contain the direct group"},
        open={"type": "boolean", "description": "whether files and undisguised answers are to be had"},
    ),
}

COMPONENTS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "description": "RFC 9457; `detail` is one sentence that names the value and the rule, `at` the field.",
        "required": ["type", "title", "status", "detail"],
        "properties": {"type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT, "at": TEXT},
    },
    "Survey": record(
        name=TEXT,
        title=TEXT,
        state={"type": "string", "enum": ["draft", "open", "early", "closed"]},
        simulated=TRUE,
        access={"type": "string", "enum": ["open", "invitation"]},
        least=WHOLE,
        versions=WHOLE,
        closed_at=MOMENT,
    ),
    "Published": record(number=WHOLE, sha256=HASH, published_on=DAY, link={"type": "string", "format": "uri"}),
    "Version": record(**_VERSION),
    "NewVersion": record(
        **_VERSION,
        warnings=array_of(
            {"type": "string", "description": "what the studio would have asked for before, though nothing is wrong"}
        ),
    ),
    "Verdict": record(
        respondents=WHOLE,
        stop={"type": "boolean", "description": "whether nobody should run it as it is"},
        aims=array_of(
            record(
                aim={"type": "string", "enum": list(AIMS)},
                figure=nullable(NUMBER),
                met=TRUE,
                needed=nullable({"type": "integer", "description": "how many people are enough, if planned for"}),
            )
        ),
        said=array_of({"type": "string", "description": "the sentences of the studio, in English"}),
    ),
    "Share": record(value=NUMBER, se=NUMBER, low=NUMBER, high=NUMBER),
    "Question": record(
        name=TEXT,
        text=TEXT,
        sensitive=TRUE,
        why_not={"type": "string", "description": "why nothing is reported; empty where something is"},
        displays=array_of(
            {
                "type": "object",
                "required": ["name", "n", "heading"],
                "properties": {"name": TEXT, "n": PEOPLE, "heading": TEXT},
            }
        ),
    ),
    "Pattern": record(
        pattern=TEXT,
        n=PEOPLE,
        all=nullable(reference_to("Share")),
        direct=nullable(reference_to("Share")),
        disguised=nullable(reference_to("Share")),
        difference=nullable(reference_to("Share")),
        attentive=nullable(reference_to("Share")),
    ),
    "File": record(name=TEXT, about=TEXT, content_type=TEXT, responses=TRUE),
    "Export": record(
        at={"type": "string", "format": "date-time"},
        by=TEXT,
        file=TEXT,
        version=WHOLE,
        snapshot=HASH,
        respondents=PEOPLE,
        exact=EXACT,
        size=nullable(WHOLE),
        sha256=nullable(HASH),
    ),
    "Batch": record(id=WHOLE, label=TEXT, count=WHOLE, created_on=DAY, drawn=TRUE),
    "Links": record(links=array_of(TEXT)),
    "Run": record(
        id=WHOLE,
        survey=TEXT,
        snapshot=HASH,
        parameters={"type": "object"},
        state={"type": "string", "enum": ["queued", "running", "done", "failed", "cancelled"]},
        doing=TEXT,
        share={"type": "number", "minimum": 0, "maximum": 1},
        reason=TEXT,
        summary=nullable({"type": "object"}),
        files=array_of(TEXT),
    ),
}
