"""The URLs of readiness: the reads of the assistant's planner."""

from django.urls import include, path

from readiness.api import HeaderView, KnowledgeView, ReadinessView

reads = [
    path("header", HeaderView.as_view()),
    path("readiness", ReadinessView.as_view()),
    path("knowledge/<str:about>", KnowledgeView.as_view()),
]

urlpatterns = [*reads, path("people/<str:person>/", include(reads))]
