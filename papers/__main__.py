"""Write every part into a folder (default var/papers), and a page of all of them with a table of all rows: papers.md.

With --docs the page is also written as papers.md into that folder, and its pictures into images/papers there.
The pages of the guides hold the rows of all data: where reference data is missing, --docs writes nothing.
"""

from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter

from papers import as_markdown, parts, write_table, write_text
from papers.reference import how_to_get, reference_file
from papers.rows import ROWS, row


def main() -> None:
    parser = ArgumentParser(prog="python -m papers", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("var/papers"))
    parser.add_argument("--docs", type=Path, help="the folder of papers.md")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    chosen = parts()
    needed = sorted({file for part in chosen for file in getattr(part, "DATA", ())})
    missing = [how_to_get(file) for file in needed if not reference_file(file).exists()]
    if missing and arguments.docs:
        sentences = "\n".join(missing)
        raise SystemExit(f"{arguments.docs / 'papers.md'} would lose rows, so nothing is written.\n{sentences}")
    for sentence in missing:
        print(f"What needs it is left out. {sentence}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    for part in chosen:
        start = perf_counter()
        part.write(folder)
        print(f"{perf_counter() - start:6.1f} s  {part.TITLE}", flush=True)
    cells = row.compute_rows(ROWS, row.tables_in(folder))
    table = row.as_markdown(cells)
    write_table(folder / "rows.csv", row.HEADINGS, cells)
    for line in cells:
        print(" | ".join(line))
    print(f"{len(cells)} rows; {len(ROWS) - len(cells)} without their data")
    if differ := [line[1] for line in cells if line[-1] == row.DIFFERS]:
        raise SystemExit(f"No page is written: these rows differ, and nothing says why: {'; '.join(differ)}.")
    write_text(folder / "papers.md", as_markdown(chosen, ".", table, lambda file: (folder / file).exists()))
    if arguments.docs:
        write_text(arguments.docs / "papers.md", as_markdown(chosen, "images/papers", table))
        images = arguments.docs / "images" / "papers"
        images.mkdir(parents=True, exist_ok=True)
        for file in (file for part in chosen for file, _ in part.ABOUT.pictures if (folder / file).exists()):
            write_text(images / file, (folder / file).read_text(encoding="utf-8"))
    print(f"written to {folder}")


if __name__ == "__main__":
    main()
