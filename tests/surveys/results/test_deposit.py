"""A study as archives take it: DDI-Codebook 2.5, and what Zenodo and Dataverse ask of a deposit."""

import json
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zipfile import ZipFile

import pytest

from surveys.domain.exports import codebook, files
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot
from surveys.results import study_pack  # noqa: F401  adds itself to the files
from tests.surveys.results.making import survey_with_results

DDI, LANG = "{ddi:codebook:2_5}", "{http://www.w3.org/XML/1998/namespace}lang"
CHILDREN = {  # in the order that DDI-Codebook 2.5 prescribes; ? at most once, ! exactly once
    "codeBook": "docDscr stdyDscr fileDscr dataDscr otherMat",
    "stdyDscr": "citation studyAuthorization stdyInfo studyDevelopment method dataAccs othrStdyMat notes",
    "citation": "titlStmt! rspStmt? prodStmt? distStmt? serStmt verStmt biblCit holdings notes",
    "titlStmt": "titl! subTitl altTitl parTitl IDNo",
    "rspStmt": "AuthEnty othId",
    "prodStmt": "producer copyright? prodDate prodPlac software fundAg grantNo",
    "distStmt": "distrbtr contact depositr depDate distDate",
    "verStmt": "version verResp notes",
    "stdyInfo": "studyBudget subject abstract sumDscr qualityStatement? notes exPostEvaluation",
    "sumDscr": "timePrd collDate nation geogCover geogUnit geoBndBox? boundPoly anlyUnit universe dataKind",
    "method": "dataColl notes anlyInfo? stdyClas dataProcessing codingInstructions",
    "dataColl": "timeMeth dataCollector collectorTraining frequenc sampProc sampleFrame targetSampleSize deviat "
    "collMode resInstru instrumentDevelopment sources? collSitu actMin ConOps weight cleanOps",
    "fileDscr": "fileTxt locMap? notes",
    "fileTxt": "fileName fileCitation? dataFingerprint fileCont fileStrc? dimensns? fileType format filePlac dataChck "
    "ProcStat dataMsng software verStmt",
    "dimensns": "caseQnty varQnty logRecL recPrCas recNumTot",
    "dataDscr": "varGrp nCubeGrp var nCube notes",
    "var": "location labl imputation security embargo respUnit anlysUnit qstn valrng invalrng undocCod universe "
    "TotlResp sumStat txt stdCatgry catgryGrp catgry codInstr verStmt concept derivation? varFormat? geoMap catLevel "
    "notes",
    "qstn": "preQTxt qstnLit postQTxt forward backward ivuInstr",
    "catgry": "catValu? labl txt catStat mrow?",
}


@pytest.fixture
def snapshot() -> Snapshot:
    return latest(survey_with_results(300).survey)


def description(snapshot: Snapshot) -> Element:
    with files.write_file(snapshot, "ddi.xml") as path:
        return ElementTree.fromstring(path.read_bytes())


def variable(root: Element, name: str) -> Element:
    (found,) = (each for each in root.iter(f"{DDI}var") if each.get("name") == name)
    return found


def texts(parent: Element, path: str) -> dict[str | None, str | None]:
    return {each.get(LANG): each.text for each in parent.findall("/".join(DDI + step for step in path.split("/")))}


def test_every_element_is_where_the_standard_has_it(snapshot: Snapshot) -> None:
    """Nothing but known elements, in the order of the standard, and as often as it allows."""
    wrong = []
    for element in description(snapshot).iter():
        known = CHILDREN.get(element.tag.removeprefix(DDI), "").split()
        order = [each.rstrip("?!") for each in known]
        tags = [child.tag.removeprefix(DDI) for child in element]
        places = [order.index(tag) if tag in order else -1 for tag in tags]
        often = {each for each in known if each[-1] in "?!" and tags.count(each[:-1]) > 1}
        never = {each for each in known if each[-1] == "!" and tags.count(each[:-1]) < 1}
        if -1 in places or places != sorted(places) or often or never:
            wrong.append((element.tag, tags))
    assert wrong == []


def test_names_within_the_file_are_used_once_and_lead_somewhere(snapshot: Snapshot) -> None:
    root = description(snapshot)
    names = [each.attrib["ID"] for each in root.iter() if "ID" in each.attrib]
    assert len(names) == len(set(names))
    assert {each.get("files") for each in root.iter(f"{DDI}var")} == {"F_records", "F_texts"}
    assert {"F_records", "F_texts"} <= set(names)


def test_a_variable_has_its_question_and_answers_in_every_language(snapshot: Snapshot) -> None:
    drugs = variable(description(snapshot), "drugs_disguised")
    assert texts(drugs, "qstn/qstnLit") == {
        "en": "Have you ever used illegal drugs?",
        "zh-hans": "您曾经使用过毒品吗？",
    }
    assert [texts(each, "labl")["en"] for each in drugs.findall(f"{DDI}catgry")] == ["No", "Yes"]


def test_the_channel_of_a_disguised_variable_is_in_its_notes(snapshot: Snapshot) -> None:
    """Age is kept with probability .7, and is otherwise one of three, each as likely."""
    notes = [note.text for note in variable(description(snapshot), "age_disguised").findall(f"{DDI}notes")]
    assert notes == [
        "In the questionnaire, and in counts and rules: age",
        "Disguised on the respondent's device. "
        "Recorded 18-29, given the true answer: 18-29: 0.8, 30-49: 0.1, 50+: 0.1. "
        "Recorded 30-49, given the true answer: 18-29: 0.1, 30-49: 0.8, 50+: 0.1. "
        "Recorded 50+, given the true answer: 18-29: 0.1, 30-49: 0.1, 50+: 0.8.",
    ]
    assert variable(description(snapshot), "faculty").findall(f"{DDI}notes") == []


def test_a_sign_that_xml_has_not_is_replaced(snapshot: Snapshot) -> None:
    """Otherwise no program could read the file."""
    parent = Element("labl")
    codebook._add(parent, "txt", "a\x00b\x0bc\ud800d\ufffee\tf\n😀")
    (child,) = ElementTree.fromstring(ElementTree.tostring(parent, encoding="utf-8"))
    assert child.text == "a�b�c�d�e\tf\n😀"


def test_the_study_pack_has_what_archives_ask(snapshot: Snapshot, tmp_path: Path) -> None:
    """Access is restricted until its people say otherwise, and no account of the site is named."""
    with files.write_file(snapshot, "study-pack.zip") as path, ZipFile(path) as pack:
        archive = {name: json.loads(pack.read(f"study-v1/{name}.json")) for name in ("zenodo", "dataverse")}
        assert pack.read("study-v1/ddi.xml").startswith(b"<?xml")
    asked = archive["zenodo"]["metadata"]
    required = ("upload_type", "title", "creators", "access_right", "access_conditions")
    assert [asked[name] for name in required] == ["dataset", "Heading", [{"name": "Who"}], "restricted", "Ask: Who"]
    fields = archive["dataverse"]["datasetVersion"]["metadataBlocks"]["citation"]["fields"]
    assert {each["typeName"] for each in fields if each["value"]} >= {
        "title",
        "author",
        "datasetContact",
        "dsDescription",
        "subject",
    }
