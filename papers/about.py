"""What each part says of its paper, and the page made of it: `index.html` beside the figures, and docs/papers.md."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from types import ModuleType

__all__ = ["PAPERS", "About", "as_html", "as_markdown"]


@dataclass(frozen=True)
class About:
    """What a paper claims, what came out here, where and why it differs, and the pictures that show it."""

    paper: str
    claims: str
    found: str
    differs: str
    pictures: Sequence[tuple[str, str]] = ()


PAPERS = {
    "breaches": "Li Gang, Yin Tao, Li Haiqiang, Meng Xia and Zhang Yun: Limiting Privacy Breaches in Context-Awareness "
    "Data Mining",
    "2010": "Zhu Qing, Zhao Tong and Wang Shan: Privacy Preservation Algorithm for Service-Oriented Information Search "
    "(2010)",
    "2019": "纳文琪: 论文阅读笔记：隐私 (notes on reading papers: privacy) (2019)",
    "2023": "Feng Ligang and Zhu Youwen: The square mechanism for places, and its utility-optimised form (described; "
    "the copy at hand bears no title) (2023)",
    "grouped": "Kan Ying-ying and Cao Tian-jie: Privacy-preserving Algorithm Based on Grouping Unrelated-question "
    "Model",
}
"""The five papers as CITATION.cff names them, by the key that a part names."""

TITLE = "The five papers, and what came out here"
LEAD = (
    "make papers runs the published experiments again, with stated seeds. For each paper: what it claims, what came "
    "out here, and where and why it differs. All of it takes about 40 seconds of one processor."
)
ROWS: Sequence[tuple[str, Callable[[About], str]]] = (
    ("It claims", lambda about: about.claims),
    ("Here", lambda about: about.found),
    ("Where it differs, and why", lambda about: about.differs),
)


def as_html(parts: Iterable[ModuleType], written: Callable[[str], bool]) -> str:
    """The page beside the figures, with those that were `written`."""
    body = [f"<h1>{escape(TITLE)}</h1>", f"<p>{escape(LEAD)}</p>"]
    for paper, modules in _by_paper(parts):
        body.append(f"<h2>{escape(paper)}</h2>")
        for module in modules:
            about: About = module.ABOUT
            body.append(f"<h3>{escape(module.TITLE)}</h3>")
            rows = "".join(f"<tr><th scope=row>{name}</th><td>{escape(say(about))}</td></tr>" for name, say in ROWS)
            body.append(f"<table>{rows}</table>")
            for file, caption in about.pictures:
                if written(file):
                    said = escape(caption)
                    body.append(f'<figure><img src="{file}" alt="{said}"><figcaption>{said}</figcaption></figure>')
    style = (
        "body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
        "th{text-align:left;vertical-align:top;width:9rem}td,th{padding:.3rem;border-top:1px solid #999}"
        "img{max-width:100%;background:#fff}figure{margin:1rem 0}"
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(TITLE)}</title><style>{style}</style><body>{''.join(body)}</body></html>\n"
    )


def as_markdown(parts: Iterable[ModuleType], folder: str) -> str:
    """The same as docs/papers.md, with the pictures in a folder beside it."""
    lines = [f"# {TITLE}", "", LEAD.replace("make papers", "`make papers`", 1), ""]
    for paper, modules in _by_paper(parts):
        lines += [f"## {paper}", ""]
        for module in modules:
            about: About = module.ABOUT
            lines += [f"### {module.TITLE}", "", "| | |", "| --- | --- |"]
            lines += [f"| {name} | {say(about)} |" for name, say in ROWS]
            lines += ["", *(f"![{caption}]({folder}/{file})" for file, caption in about.pictures), ""]
    return "\n".join(lines).rstrip() + "\n"


def _by_paper(parts: Iterable[ModuleType]) -> list[tuple[str, list[ModuleType]]]:
    listed = list(parts)
    return [(name, [part for part in listed if part.ABOUT.paper == key]) for key, name in PAPERS.items()]
