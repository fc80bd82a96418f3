from django.urls import path

from mining import views

urlpatterns = [
    path("studio/<int:pk>/together/", views.search, name="mining_start"),
    path("studio/<int:pk>/together/review/", views.review_pair, name="mining_pair_review"),
    path("runs/", views.to_review, name="mining_runs"),
    path("runs/<int:run_id>/change/", views.report, name="mining_run"),
    path("runs/<int:run_id>/delete/", views.delete, name="mining_run_delete"),
    path("runs/<int:run_id>/progress/", views.progress, name="mining_run_progress"),
    path("runs/<int:run_id>/cancel/", views.cancel, name="mining_run_cancel"),
    path("runs/<int:run_id>/again/", views.again, name="mining_run_again"),
    path("runs/<int:run_id>/review/", views.review, name="mining_run_review"),
    path("runs/<int:run_id>/pictures/<str:name>.svg", views.picture, name="mining_run_picture"),
    path("runs/<int:run_id>/<str:name>", views.export, name="mining_run_export"),
]
