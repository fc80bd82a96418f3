"""What each part says of its paper, and the page made of it: papers.md beside the figures, and in docs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType

__all__ = ["PAPERS", "About", "as_markdown"]


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


def as_markdown(parts: Iterable[ModuleType], folder: str, written: Callable[[str], bool] = lambda _file: True) -> str:
    """The page, with the pictures in a folder beside it that were `written`."""
    lines = [f"# {TITLE}", "", LEAD.replace("make papers", "`make papers`", 1), ""]
    for paper, modules in _by_paper(parts):
        lines += [f"## {paper}", ""]
        for module in modules:
            about: About = module.ABOUT
            lines += [f"### {module.TITLE}", "", "| | |", "| --- | --- |"]
            lines += [f"| {name} | {say(about)} |" for name, say in ROWS]
            pictures = [f"![{caption}]({folder}/{file})" for file, caption in about.pictures if written(file)]
            lines += ["", *pictures, ""]
    return "\n".join(lines).rstrip() + "\n"


def _by_paper(parts: Iterable[ModuleType]) -> list[tuple[str, list[ModuleType]]]:
    listed = list(parts)
    return [(name, [part for part in listed if part.ABOUT.paper == key]) for key, name in PAPERS.items()]
