"""Write every part into a folder (default var/papers), and say what was written and how long it took."""

from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter

from privacy.papers import parts


def main() -> None:
    parser = ArgumentParser(prog="python -m privacy.papers", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("var/papers"))
    parser.add_argument("--also", action="append", default=[], metavar="MODULE", help="a part of a layer above")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts(arguments.also):
        start = perf_counter()
        part.write(folder)
        print(f"{perf_counter() - start:6.1f} s  {part.TITLE}", flush=True)
    print(f"written to {folder}")


if __name__ == "__main__":
    main()
