"""The facts API, at ``/api/v1/``.

A ref may hold slashes, so it stands last. No ref is ``observations``, ``requests/...`` or
``history/...``: refs begin with a namespace and a colon.
"""

from django.urls import include, path

from facts.api.answers import AnswersView, LookupsView, OutcomesView, VerificationView
from facts.api.intake import IntegrationsView, PlanView, UsageView
from facts.api.reading import FactsView, HistoryView
from facts.api.writing import FactView, ObservationsView, RequestsView, RequestView

facts = [
    path("facts", FactsView.as_view()),
    path("facts/observations", ObservationsView.as_view()),
    path("facts/requests", RequestsView.as_view()),
    path("facts/requests/<path:ref>", RequestView.as_view()),
    path("facts/history/<path:ref>", HistoryView.as_view()),
    path("facts/<path:ref>", FactView.as_view()),
]

answers = [
    path("answers", AnswersView.as_view()),
    path("answers/lookups", LookupsView.as_view()),
    path("answers/<int:answer>/outcomes", OutcomesView.as_view()),
    path("answers/<int:answer>/verification", VerificationView.as_view()),
]

urlpatterns = [
    *facts,
    *answers,
    path("usage", UsageView.as_view()),
    path("integrations", IntegrationsView.as_view()),
    path("plan", PlanView.as_view()),
    path("people/<str:person>/", include(facts)),
]
