from django.urls import path

from surveys.studio import home, people, preview, translation, write

app_name = "studio"

urlpatterns = [
    path("", home.home, name="home"),
    path("new/", home.new, name="new"),
    path("<int:pk>/", write.write, name="write"),
    path("<int:pk>/change/", write.change, name="change"),
    path("<int:pk>/history/", write.history, name="history"),
    path("<int:pk>/copy/", home.copy, name="copy"),
    path("<int:pk>/translation/", translation.translation, name="translation"),
    path("<int:pk>/people/", people.people, name="people"),
    path("<int:pk>/log/", people.log, name="log"),
    # The respondent's page on the draft: nothing that is sent there is stored.
    path("<int:pk>/preview/", preview.page, name="preview"),
    path("<int:pk>/preview/questionnaire", preview.questionnaire, name="preview-questionnaire"),
    path("<int:pk>/preview/responses", preview.responses, name="preview-responses"),
]
