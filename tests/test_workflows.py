"""The workflows of the public forge do what the Makefile and pyproject.toml say, and may do no more than they need."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from candor.commands import all_commands
from tests.servers import ROOT

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))


def name_of(path: Path) -> str:
    return path.stem


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_every_action_is_pinned_by_its_commit(path: Path) -> None:
    """A tag can be moved to other code; beside the commit a comment names the version for readers."""
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    pinned = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+|\$/\.github/workflows/[\w-]+\.yml")
    assert used
    assert [one for one in used if not pinned.fullmatch(one)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_a_workflow_may_do_only_what_its_jobs_name(path: Path) -> None:
    """Nothing is granted to all jobs; each names its rights and its time, and keeps no credentials."""
    workflow = read(path)
    assert workflow["permissions"] == {}
    jobs = workflow["jobs"].values()
    assert [job for job in jobs if "permissions" not in job or not ("timeout-minutes" in job or "uses" in job)] == []
    writes = {right for job in jobs for right, way in job["permissions"].items() if way == "write"}
    assert writes == ({"attestations", "id-token"} if path.stem == "release" else set())
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert [step["with"] for step in checkouts] == [{"persist-credentials": False}] * len(checkouts)


def test_tests_and_packages_meet_every_python_on_two_systems() -> None:
    """Those that pyproject.toml names, on Linux and macOS."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d", line)]
    for workflow, job in (("tests", "test"), ("packages", "install")):
        matrix = read(FOLDER / "workflows" / f"{workflow}.yml")["jobs"][job]["strategy"]["matrix"]
        assert matrix["python"] == named
        assert [system.partition("-")[0] for system in matrix["system"]] == ["ubuntu", "macos"]


def test_workflows_run_commands_that_there_are() -> None:
    """What they ask of make is a target of the Makefile, and of `candor` a command."""
    ran = "\n".join(step["run"] for path in WORKFLOWS for step in steps(read(path)) if "run" in step)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    commands = {command.name for command in all_commands()}
    made = set(re.findall(r"^make ([a-z-]+)", ran, re.MULTILINE))
    called = set(re.findall(r"^candor (\w+)", ran, re.MULTILINE))
    assert (made - targets, called - commands) == (set(), set())
    assert made >= {"check", "dist", "test", "test-long"}
    assert called


def test_the_release_publishes_what_was_tested_and_attested() -> None:
    """PyPI gets the packages last, by trusted publishing: there is no password anywhere."""
    jobs = read(FOLDER / "workflows" / "release.yml")["jobs"]
    assert (jobs["attest"]["needs"], jobs["publish"]["needs"]) == (["tests", "packages"], "attest")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert [path for path in WORKFLOWS if "secrets." in path.read_text(encoding="utf-8")] == []


def test_every_form_can_be_filled_in() -> None:
    """Each field has a label and an own id; the forms send nobody to a public place with a weakness."""
    forms = [read(path) for path in (FOLDER / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    for form in forms:
        assert {"name", "description", "body"} <= form.keys()
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert len({field["id"] for field in fields}) == len(fields)
        assert [field for field in fields if not field["attributes"].get("label")] == []
    assert any("SECURITY.md" in str(form) for form in forms)
