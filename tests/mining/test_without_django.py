"""The engines and the command are for analysts with files: they need no site, and no Django."""

import json
import subprocess
import sys

import pytest

from tests.cases import first
from tests.servers import ROOT

REFUSED = """
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("django", "celery", "surveys", "config") or name in REFUSED:
            raise ModuleNotFoundError(f"{name} must not be imported here")

REFUSED = %r
sys.meta_path.insert(0, Refused())
"""


def run(code, *refused):
    return subprocess.run(
        [sys.executable, "-c", REFUSED % (refused,) + code], capture_output=True, text=True, cwd=ROOT, check=False
    )


@pytest.mark.parametrize("engine", first(1, ["bitset", "mlxtend"]))
def test_the_command_mines_a_file_without_a_site(tmp_path, engine):
    """Itemsets, rules and warnings of 200 records, of whom nobody answered directly. And no module of the engines, nor
    the command, imports Django, the surveys, or the rest of the mining app.
    """
    rows = ["0,1,1,1"] * 90 + ["0,1,0,1"] * 30 + ["0,0,0,0"] * 80
    (tmp_path / "records.csv").write_text("\n".join(["direct,a,b,c", *rows]) + "\n")
    block = {"keep": 0.5, "items": [{"id": name, "theta": 0.5} for name in "abc"]}
    (tmp_path / "design.json").write_text(json.dumps({"candor": 1, "blocks": [block]}))
    asked = [str(tmp_path / "records.csv"), str(tmp_path / "design.json"), "--engine", engine, "--json"]
    said = run(
        f"""
import pkgutil
from importlib import import_module
from candor.commands import main
status = main(["mine", *{asked!r}, "--min-support", "0.1", "--min-confidence", "0.3"])
import mining.engines
for module in pkgutil.iter_modules(mining.engines.__path__):
    import_module(f"mining.engines.{{module.name}}")
print(sorted(name for name in sys.modules if name.startswith("mining.") and not name.startswith("mining.engines")))
sys.exit(status)
"""
    )
    printed, others = said.stdout.rsplit("\n", 2)[:2]
    assert (said.returncode, said.stderr, others) == (0, "", "[]")
    document = json.loads(printed)
    assert (document["engine"], document["n"], len(document["itemsets"])) == (engine, 200, 7)
    assert document["warnings"][0].startswith("4 itemsets or rules have supports above 1")
