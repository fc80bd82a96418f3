"""`candor lot` on the command line."""

import pytest

DESIGN = '{"direct": true, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]}'


@pytest.fixture
def files(tmp_path):
    """Half were drawn: a tenth of them says so directly, and of the others .4 of the records, so three in ten."""
    (tmp_path / "design.json").write_text(DESIGN)
    lines = "1,1\n" * 100 + "1,0\n" * 900 + "0,1\n" * 400 + "0,0\n" * 600
    (tmp_path / "records.csv").write_text("direct,drugs\n" + lines)
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_what_the_disguise_changes_is_told_in_words_and_in_json(files, shell):
    """The difference as if everybody kept to the lot, and an interval that holds for any choice of who declined."""
    printed = shell.out("lot", *files, "--share", "0.5")
    document = shell.json("lot", *files, "--share", "0.5", "--json")
    assert "The disguise changes what people say of drugs." in printed
    (effect,) = document["effects"]
    assert (document["n"], document["direct"], effect["answer"]) == (2000, 1000, "drugs")
    assert effect["kept"]["difference"] == pytest.approx(-0.2)
    assert [round(end, 2) for end in effect["whoever_declined"]["ci"]] == [-0.31, -0.04]


@pytest.mark.parametrize(
    ("share", "sentence"),
    [
        ("0.2", "The draw gives this many direct answers in few surveys"),
        ("0.9", "people who declined could explain this as well as the disguise"),
    ],
)
def test_direct_answers_that_are_too_many_or_too_few_for_the_lot_are_said(files, shell, share, sentence):
    """Half answered directly."""
    assert sentence in shell.out("lot", *files, "--share", share)


def test_small_groups_are_left_out(files, shell):
    """As a survey's own minimum asks."""
    assert "There are not two groups to compare." in shell.out("lot", *files, "--share", "0.5", "--least", "1001")


@pytest.mark.parametrize("least", ["0", "-4"])
def test_a_least_number_below_one_is_refused(files, shell, least):
    """One sentence names value and rule, exit status 2."""
    assert (
        shell.refusal("lot", *files, "--share", "0.5", "--least", least)
        == f"candor lot: --least: {least} is below 1.\n"
    )
