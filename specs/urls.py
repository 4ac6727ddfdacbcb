"""The specs' URLs."""

from django.urls import path

from specs.api import SpecsView, SpecView, VerdictsView, VerdictView
from specs.views import schema

urlpatterns = [
    path("api/v1/specs", SpecsView.as_view()),
    path("api/v1/specs/<slug:spec>", SpecView.as_view()),
    path("api/v1/verdicts", VerdictsView.as_view()),
    path("api/v1/verdicts/<slug:spec>", VerdictView.as_view()),
    path("specs/schema.json", schema, name="spec-schema"),
]
