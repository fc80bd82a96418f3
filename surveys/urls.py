from django.urls import path

from surveys import api

urlpatterns = [
    # The respondent's page and its bundle, /s/<slug>/ and /t/<code>/test/ and /client/<name>, are served by the client.
    path("s/<slug:slug>/questionnaire", api.questionnaire, name="questionnaire"),
    path("s/<slug:slug>/responses", api.responses, name="responses"),
    path("s/<slug:slug>/receipts/<str:receipt>", api.receipts, name="receipts"),
    # Test mode has endpoints and storage of its own.
    path("t/<str:code>/test/questionnaire", api.trial_questionnaire, name="trial-questionnaire"),
    path("t/<str:code>/test/responses", api.trial_responses, name="trial-responses"),
    path("t/<str:code>/test/receipts/<str:receipt>", api.trial_receipts, name="trial-receipts"),
]
