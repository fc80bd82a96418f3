from django.urls import path

from surveys.studio import (
    erase,
    erased,
    exchange,
    fieldwork,
    home,
    people,
    preview,
    protocol,
    publish,
    rehearse,
    terms,
    translation,
    write,
)

app_name = "studio"

urlpatterns = [
    path("", home.home, name="home"),
    path("new/", home.new, name="new"),
    path("erased/", erased.erased, name="erased"),
    path("terms/", terms.terms, name="terms"),
    path("import/", exchange.look, name="import"),
    path("import/accept/", exchange.accept, name="import-accept"),
    path("<int:pk>/", write.write, name="write"),
    path("<int:pk>/change/", write.change, name="change"),
    path("<int:pk>/alternatives/", write.alternatives, name="alternatives"),
    path("<int:pk>/history/", write.history, name="history"),
    path("<int:pk>/copy/", home.copy, name="copy"),
    path("<int:pk>/translation/", translation.translation, name="translation"),
    path("<int:pk>/publish/", publish.publish, name="publish"),
    path("<int:pk>/protocol/", protocol.protocol, name="protocol"),
    path("<int:pk>/preregistration/", protocol.preregistration, name="preregistration"),
    path("<int:pk>/rehearsal/", rehearse.rehearse, name="rehearsal"),
    path("<int:pk>/rehearsal/start/", rehearse.start, name="rehearsal-start"),
    path("<int:pk>/rehearsal/discard/", rehearse.discard, name="rehearsal-discard"),
    path("<int:pk>/rehearsal/progress/", rehearse.progress, name="rehearsal-progress"),
    path("<int:pk>/fieldwork/", fieldwork.fieldwork, name="fieldwork"),
    path("<int:pk>/dates/", fieldwork.dates, name="dates"),
    path("<int:pk>/invite/", fieldwork.invite, name="invite"),
    path("<int:pk>/close/", fieldwork.close, name="close"),
    path("<int:pk>/erase/", erase.erase, name="erase"),
    path("<int:pk>/export/", exchange.export, name="export"),
    path("<int:pk>/export/<slug:name>/", exchange.file, name="export-file"),
    path("<int:pk>/people/", people.people, name="people"),
    path("<int:pk>/log/", people.log, name="log"),
    # The respondent's page on the draft: nothing that is sent there is stored.
    path("<int:pk>/preview/", preview.page, name="preview"),
    path("<int:pk>/preview/questionnaire", preview.questionnaire, name="preview-questionnaire"),
    path("<int:pk>/preview/responses", preview.responses, name="preview-responses"),
]
