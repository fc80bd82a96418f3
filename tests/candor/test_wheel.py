"""What `pip install candor-survey` brings: the library and its command, and the files that `candor serve` starts."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from readme_renderer import markdown

from tests.servers import ROOT, committed, copied, outside, running_site

LIBRARY, SITE = ("candor", "privacy", "mining"), ("config", "surveys", "templates", "locale", "docs")
BUILT = (*LIBRARY, *SITE, ".gitignore", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml")
ADDRESS = "https://forge.example/candor"
NOT_THERE = ("celery", "config", "django", "mlxtend", "papers", "redis", "simsimd", "surveys", "tests")
GUIDES = ("ten-lines.md", "analysts.md", "rules.md", "groups.md")
PATIENCE = 300  # seconds that checking a whole site may take, on a machine that has other work to do


class Installed:
    """An environment that holds the wheel, and sees what the wheel asks for and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "environment" / "bin" / "python"
        checkout = folder / "checkout"
        checkout.mkdir()
        for name in BUILT:
            copied(ROOT / name, checkout)
        with (checkout / "CITATION.cff").open("a") as file:
            file.write(f"repository-code: {ADDRESS}\n")
        self.commit = committed(checkout)
        self.checkout, self.wheel = checkout, built(checkout, "wheel")
        run(sys.executable, "-m", "venv", "--without-pip", folder / "environment")
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        offline = ("--no-index", "--no-deps")
        run(*pip, "--python", self.python, "install", *offline, "--no-compile", self.wheel)
        (self.packages,) = folder.glob("environment/lib/python*/site-packages")
        (self.about,) = self.packages.glob("candor_survey-*.dist-info")
        self.dependencies = folder / "dependencies"
        self.dependencies.mkdir()
        for name in self.required():
            tops = {
                path.parts[0] for path in distribution(name).files or () if path.parts[0] not in ("..", "__pycache__")
            }
            for top in tops:
                (self.dependencies / top).symlink_to(distribution(name).locate_file(top))

    def required(self) -> set[str]:
        """The packages that the wheel asks for without extras, and those that these ask for."""
        return required(Distribution.at(self.about))

    def run(self, *words: object, folder: Path | None = None) -> str:
        own = os.environ | {"PYTHONPATH": str(self.dependencies)}
        return run(self.python, *words, cwd=folder or self.dependencies, env=own)


def run(*words: object, **options: object) -> str:
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def built(checkout: Path, target: str) -> Path:
    """The source archive, "sdist", or the wheel, as `make dist` builds them."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, cwd=checkout)
    (made,) = (checkout / "dist").glob({"sdist": "*.tar.gz", "wheel": "*.whl"}[target])
    return made


def required(package: Distribution) -> set[str]:
    wanted: set[str] = set()
    for line in package.requires or ():
        if "extra ==" not in line and "sys_platform" not in line and "python_version" not in line:
            one = re.match(r"[\w.-]+", line)[0]  # type: ignore[index]
            wanted |= {one} | required(distribution(one))
    return wanted


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def archive(installed: Installed) -> Path:
    return built(installed.checkout, "sdist")


def test_it_asks_for_numpy_scipy_and_pandas_alone(installed: Installed) -> None:
    """An analyst's environment holds these and what they themselves need, ten packages at most with Candor itself."""
    own = [line for line in Distribution.at(installed.about).requires or () if "extra ==" not in line]

    assert sorted(re.match(r"\w+", line)[0] for line in own) == ["numpy", "pandas", "scipy"]  # type: ignore[index]
    assert len(installed.required()) < 10


def test_every_file_of_the_library_and_of_the_site_is_installed(installed: Installed) -> None:
    """And no other: what the site runs from is apart, where no import of an analyst meets it."""
    wanted = {
        Path("" if name in LIBRARY else "candor/site", path)
        for name in (*LIBRARY, *SITE)
        for path in (one.relative_to(ROOT) for one in (ROOT / name).rglob("*") if one.is_file())
        if "__pycache__" not in path.parts
        and path.parts[:2] != ("config", "tools")
        and path.suffix != ".po"
        and (path.parts[0] != "docs" or path.parts[1] == "images" or path.match("docs/*.md"))
    }

    files = [path.relative_to(installed.packages) for path in installed.packages.rglob("*") if path.is_file()]
    there = {path for path in files if path.suffix != ".pyc"}  # what other tests of this environment have compiled

    assert {path for path in there if path.parts[0] != installed.about.name} == wanted | {Path("privacy", "commit.txt")}
    assert {path.parts[0] for path in there} == {"candor", "candor_survey-0.2.0.dev0.dist-info", "mining", "privacy"}


def test_nothing_of_the_site_can_be_imported(installed: Installed) -> None:
    """The environment of these tests is as empty as it should be, so that they mean something."""
    code = f"from importlib.util import find_spec; print([name for name in {NOT_THERE} if find_spec(name)])"

    assert installed.run("-c", code) == "[]\n"


@pytest.mark.long
def test_every_module_can_be_imported(installed: Installed) -> None:
    """No module of the library reaches for what is not installed, but for the engine that needs mlxtend."""
    code = (
        "import importlib, pkgutil, candor, mining.engines, privacy\n"
        "for package in (candor, mining.engines, privacy):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        if not module.name.endswith(('__main__', 'engines.reference')):\n"
        "            importlib.import_module(module.name)\n"
    )

    assert installed.run("-W", "error", "-c", code) == ""


def test_the_command_is_installed(installed: Installed) -> None:
    """`candor` starts, and says its version and the commit it was built from."""
    command = installed.python.with_name("candor")

    assert installed.run(command, "--version") == f"candor 0.2.0.dev0+g{installed.commit}\n"


def test_an_index_shows_links_that_lead_somewhere(installed: Installed) -> None:
    """It has no files beside it: every link and picture, as an index renders them, has the address of the project."""
    about = Distribution.at(installed.about)
    page = markdown.render(about.metadata.get_payload())
    links = re.findall(r'(?:href|src)="([^"]+)"', page or "")

    assert about.metadata.get_all("Project-URL") == [f"Source, {ADDRESS}", f"Changes, {ADDRESS}/blob/HEAD/CHANGELOG.md"]
    assert {f"{ADDRESS}/raw/HEAD/docs/images/shares.png", f"{ADDRESS}/blob/HEAD/docs/first-survey.md"} <= {*links}
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_without_its_packages_the_site_says_how_to_get_them(installed: Installed) -> None:
    """An analyst who asks for the site learns in one line what to install."""
    command = [installed.python.with_name("candor"), "serve"]
    own = os.environ | {"PYTHONPATH": str(installed.dependencies)}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)

    said = "candor serve: the site needs more packages: run pip install 'candor-survey[site]'.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.long
def test_the_guides_of_analysts_come_true(installed: Installed, tmp_path: Path) -> None:
    """Every example of the guides prints what they say, with no other package than an analyst has."""
    shutil.copy(ROOT / "tests" / "docs" / "guide.py", tmp_path)
    guides = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in GUIDES}
    for name, text in guides.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "images").mkdir()  # beside them, for what their examples draw

    installed.run("-W", "error", "guide.py", *guides, folder=tmp_path)

    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in GUIDES} == guides


@pytest.mark.long
def test_what_the_source_archive_builds_is_the_same_byte_for_byte(
    installed: Installed, archive: Path, tmp_path: Path
) -> None:
    """Built again, elsewhere and from files of another time, so that anybody can check a release."""
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    (checkout,) = tmp_path.iterdir()
    (checkout / "PKG-INFO").unlink()  # is written by the build
    for path in checkout.rglob("*"):
        os.utime(path, (1e9, 1e9))

    again = [built(checkout, target) for target in ("sdist", "wheel")]

    assert [path.read_bytes() for path in again] == [archive.read_bytes(), installed.wheel.read_bytes()]


@pytest.mark.long
def test_an_index_takes_both(installed: Installed, archive: Path) -> None:
    """The checks that PyPI makes, and those of what wheels get wrong: an unknown file, a doubled one, one beside it."""
    run(sys.executable, "-m", "twine", "check", "--strict", archive, installed.wheel)

    run(sys.executable, "-m", "check_wheel_contents", installed.wheel, cwd=ROOT)


@pytest.mark.long
def test_the_installed_site_serves_what_the_checkout_serves(installed: Installed, tmp_path: Path) -> None:
    """Started where other projects' modules have its names, without a checkout, and kept in a folder of the user's."""
    home, other, packages = (tmp_path / name for name in ("home", "other", "packages"))
    data = home / ".local" / "share" / "candor"
    for folder in (data, other, packages):
        folder.mkdir(parents=True)
    for name in ("config", "surveys", "templates"):
        (other / f"{name}.py").write_text("raise SystemExit('another project was imported')\n")
    for path in Path(distribution("django").locate_file("")).iterdir():  # type: ignore[arg-type]
        if not path.name.startswith(("_candor", "candor")):
            (packages / path.name).symlink_to(path)
    own = {"HOME": str(home), "XDG_DATA_HOME": "", "CANDOR_DATA": "", "PYTHONPATH": str(packages)}
    candor = installed.python.with_name("candor")

    with running_site(data, command=(candor, "serve"), folder=other, **own) as site:
        printed = site.printed.read_text()
        front = site.get("/")
        chinese, guide = site.get("/?language=zh-hans"), site.get("/help/field/")
        manage = {"cwd": other, "env": outside() | own, "timeout": PATIENCE}
        checked = run(sys.executable, "manage.py", "client_manifest", "--check", f"{site.url}/", cwd=ROOT)
        run(candor, "manage", "backup", "here.tar", **manage)

    assert printed.startswith(f"Everything is kept in {data}; CANDOR_DATA names another folder.\n")
    assert {path.name for path in data.iterdir()} >= {"candor.sqlite3", "secret_key"}
    assert (other / "here.tar").exists()
    assert '"/s/demo/#v=' in front
    assert "问人们不愿说的事。" in chinese  # from the translations, which are compiled
    assert "/static/guides/field.png" in guide
    assert "byte for byte" in checked
