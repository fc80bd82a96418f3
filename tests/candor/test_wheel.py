"""What an analyst gets by `pip install .`: the library and its command, and nothing of the site."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

from tests.servers import ROOT, copied

BUILT = ("candor", "config", "mining", "privacy", "surveys", "LICENSE", "README.md", "pyproject.toml")
NOT_THERE = ("celery", "config", "django", "mlxtend", "papers", "redis", "simsimd", "surveys", "tests")
GUIDE = "docs/analysts.md"


class Installed:
    """An environment that holds the wheel, and sees what the wheel asks for and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "environment" / "bin" / "python"
        checkout, wheels = folder / "checkout", folder / "wheels"
        checkout.mkdir()
        for name in BUILT:
            copied(ROOT / name, checkout)
        run(sys.executable, "-m", "venv", "--without-pip", folder / "environment")
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        offline = ("--no-index", "--no-deps")
        run(*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", wheels, checkout)
        (self.wheel,) = wheels.iterdir()
        run(*pip, "--python", self.python, "install", *offline, "--no-compile", self.wheel)
        (self.packages,) = folder.glob("environment/lib/python*/site-packages")
        self.dependencies = folder / "dependencies"
        self.dependencies.mkdir()
        for name in required("candor"):
            tops = {
                path.parts[0] for path in distribution(name).files or () if path.parts[0] not in ("..", "__pycache__")
            }
            for top in tops:
                (self.dependencies / top).symlink_to(distribution(name).locate_file(top))

    def run(self, *words: object, folder: Path | None = None) -> str:
        own = os.environ | {"PYTHONPATH": str(self.dependencies)}
        return run(self.python, *words, cwd=folder or self.dependencies, env=own)


def run(*words: object, **options: object) -> str:
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def required(name: str) -> set[str]:
    """The packages that a package asks for without extras, and those that these ask for."""
    wanted: set[str] = set()
    for line in distribution(name).requires or ():
        if "extra ==" not in line and "sys_platform" not in line and "python_version" not in line:
            one = re.match(r"[\w.-]+", line)[0]  # type: ignore[index]
            wanted |= {one} | required(one)
    return wanted


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_it_asks_for_numpy_scipy_and_pandas_alone(installed: Installed) -> None:
    """An analyst's environment holds these and what they themselves need: so says the wheel itself."""
    (folder,) = installed.packages.glob("candor-*.dist-info")
    own = [line for line in Distribution.at(folder).requires or () if "extra ==" not in line]

    assert sorted(re.match(r"\w+", line)[0] for line in own) == ["numpy", "pandas", "scipy"]  # type: ignore[index]


def test_only_the_library_is_installed(installed: Installed) -> None:
    """site-packages gets candor, privacy and the engines of mining: every module of them, and no other file."""
    wanted = {
        path.relative_to(ROOT)
        for name in ("candor", "privacy", "mining/engines")
        for path in (ROOT / name).rglob("*")
        if path.suffix in (".py", ".js") or path.name == "py.typed"
    }

    files = [path.relative_to(installed.packages) for path in installed.packages.rglob("*") if path.is_file()]
    there = {path for path in files if path.suffix != ".pyc"}  # what other tests of this environment have compiled

    assert {path for path in there if not path.parts[0].endswith(".dist-info")} == wanted
    assert {path.parts[0] for path in there} == {"candor", "candor-0.1.0.dist-info", "mining", "privacy"}


def test_nothing_of_the_site_can_be_imported(installed: Installed) -> None:
    """The environment of these tests is as empty as it should be, so that they mean something."""
    code = f"from importlib.util import find_spec; print([name for name in {NOT_THERE} if find_spec(name)])"

    assert installed.run("-c", code) == "[]\n"


def test_every_module_can_be_imported(installed: Installed) -> None:
    """No module of the library reaches for what is not installed, but for the reference engine, which needs mlxtend."""
    code = (
        "import importlib, pkgutil, candor, mining.engines, privacy\n"
        "for package in (candor, mining.engines, privacy):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        if not module.name.endswith(('__main__', 'engines.reference')):\n"
        "            importlib.import_module(module.name)\n"
    )

    assert installed.run("-W", "error", "-c", code) == ""


def test_the_command_is_installed(installed: Installed) -> None:
    """`candor` starts, and says its version."""
    assert installed.run(installed.python.with_name("candor"), "--version") == "candor 0.1.0\n"


def test_the_guide_of_analysts_comes_true(installed: Installed, tmp_path: Path) -> None:
    """Every example of the guide prints what the guide says, with no other package than an analyst has."""
    shutil.copy(ROOT / "tests" / "docs" / "guide.py", tmp_path)
    shutil.copy(ROOT / GUIDE, tmp_path)

    installed.run("-W", "error", "guide.py", "analysts.md", folder=tmp_path)

    assert (tmp_path / "analysts.md").read_text(encoding="utf-8") == (ROOT / GUIDE).read_text(encoding="utf-8")
