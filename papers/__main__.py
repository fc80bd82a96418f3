"""Write every part into a folder (default var/papers), and a page of all of them: index.html.

With --docs the page is also written as papers.md into that folder, and its pictures into images/papers there.
"""

from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter

from papers import parts
from papers.about import as_html, as_markdown
from privacy.files import whole_file


def main() -> None:
    parser = ArgumentParser(prog="python -m papers", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("var/papers"))
    parser.add_argument("--docs", type=Path, help="the folder of papers.md")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    chosen = parts()
    for part in chosen:
        start = perf_counter()
        part.write(folder)
        print(f"{perf_counter() - start:6.1f} s  {part.TITLE}", flush=True)
    write_page(folder / "index.html", as_html(chosen, lambda file: (folder / file).exists()))
    if arguments.docs:
        write_page(arguments.docs / "papers.md", as_markdown(chosen, "images/papers"))
        images = arguments.docs / "images" / "papers"
        images.mkdir(parents=True, exist_ok=True)
        for file in (file for part in chosen for file, _ in part.ABOUT.pictures if (folder / file).exists()):
            write_page(images / file, (folder / file).read_text(encoding="utf-8"))
    print(f"written to {folder}")


def write_page(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text.encode())


if __name__ == "__main__":
    main()
