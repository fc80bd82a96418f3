"""The script that counts the product counts what a reader has to read, however it is written down."""

from pathlib import Path

from config.tools.lines import rooms


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_blank_lines_do_not_count_and_a_long_one_counts_as_what_it_fills(tmp_path: Path) -> None:
    """Joining lines does not make the product smaller."""
    _write(tmp_path, "surveys/domain/page.py", "a = 1\n\n    \n" + "b" * 241 + "\n")

    assert rooms(tmp_path) == {"surveys/domain": 4}


def test_tests_benchmarks_docs_and_migrations_are_not_the_product(tmp_path: Path) -> None:
    """What is vendored counts; what nobody installs does not."""
    _write(tmp_path, "surveys/client/vendor/code.js", "let a;\n")
    _write(tmp_path, "manage.py", "import django\n")
    for other in ("tests/test_a.py", "benchmarks/bench_a.py", "docs/a.py", "surveys/migrations/0001.py", "a/notes.md"):
        _write(tmp_path, other, "a = 1\n")

    assert rooms(tmp_path) == {"surveys/client": 1, ".": 1}
