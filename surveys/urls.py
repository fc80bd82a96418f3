from django.urls import path

from surveys import api, page, poster, shared_report
from surveys.domain.page import bundle
from surveys.features.frames.page import page_in_frame
from surveys.features.interviews import page as interviews
from surveys.features.notice.page import notice
from surveys.features.shared import page as shared

urlpatterns = [
    # The respondent's page: the same bytes at every survey, and at every survey's test.
    path("s/<slug:slug>/", page.page, name="survey"),
    path("t/<slug:code>/test/", page.page, name="trial"),
    path("s/<slug:slug>/receipts/", page.page, {"name": bundle.RECEIPTS}, name="receipts-page"),
    path("client/manifest.txt", page.manifest, name="client-manifest"),
    path("client/<path:name>", page.file, name="client-file"),
    path("s/<slug:slug>/poster/", poster.poster, name="poster"),
    # The privacy notice, and that of a draft that is tried.
    path("s/<slug:slug>/notice/", notice, name="notice"),
    path("t/<slug:code>/test/notice/", notice),
    # The same page for other sites to hold, where the survey names them; it asks below its own address.
    path("f/<slug:slug>/", page_in_frame, name="framed"),
    path("f/<slug:slug>/questionnaire", api.questionnaire),
    path("f/<slug:slug>/versions/<str:sha256>", api.version),
    path("f/<slug:slug>/responses", api.responses),
    path("f/<slug:slug>/invitations", api.invitations),
    path("f/<slug:slug>/receipts/<str:receipt>", api.receipts),
    # The page that tablets install, and what it asks for beside questionnaires.
    *(path(bundle.place(name), page.page, {"name": name}) for name in bundle.OF_TABLETS),
    path("s/<slug:slug>/tablets", interviews.tablets, name="tablets"),
    path("s/<slug:slug>/parcels", interviews.parcels, name="parcels"),
    path("s/<slug:slug>/boxes", shared.boxes, name="boxes"),
    # What the page asks for.
    path("s/<slug:slug>/questionnaire", api.questionnaire, name="questionnaire"),
    path("s/<slug:slug>/responses", api.responses, name="responses"),
    path("s/<slug:slug>/invitations", api.invitations, name="invitations"),
    path("s/<slug:slug>/receipts/<str:receipt>", api.receipts, name="receipts"),
    path("s/<slug:slug>/versions/<str:sha256>", api.version, name="version"),
    path("s/<slug:slug>/groups", api.groups, name="groups"),
    path("s/<slug:slug>/media/<str:name>", api.medium, name="medium"),
    # Parts of a report, for everybody who has the link.
    path("r/<str:token>/", shared_report.report_by_link, name="shared-report"),
    path("r/<str:token>/<str:key>/<str:name>.svg", shared_report.picture, name="shared-picture"),
    path("r/<path:token>", shared_report.report_by_link),  # without its last slash, or no link at all
    path("r/", shared_report.report_by_link, {"token": ""}),
    # What a closed survey publishes.
    path("s/<slug:slug>/statement", api.statement, name="statement"),
    path("s/<slug:slug>/statement/<int:number>", api.receipt_piece, name="receipt-piece"),
    # Test mode has endpoints and storage of its own.
    path("t/<slug:code>/test/questionnaire", api.trial_questionnaire, name="trial-questionnaire"),
    path("t/<slug:code>/test/groups", api.trial_groups, name="trial-groups"),
    path("t/<slug:code>/test/responses", api.trial_responses, name="trial-responses"),
    path("t/<slug:code>/test/receipts/<str:receipt>", api.trial_receipts, name="trial-receipts"),
]
