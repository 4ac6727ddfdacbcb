"""The URLs of readiness: the staff's pages, and the reads of the assistant's planner."""

from django.urls import URLPattern, URLResolver, include, path

from readiness import views
from readiness.api import HeaderView, KnowledgeView, ReadinessView

reads = [
    path("header", HeaderView.as_view()),
    path("readiness", ReadinessView.as_view()),
    path("knowledge/<str:about>", KnowledgeView.as_view()),
]

api: list[URLPattern | URLResolver] = [*reads, path("people/<str:person>/", include(reads))]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("readiness/", views.accounts, name="readiness-list"),
    path("readiness/accounts.csv", views.export, name="readiness-export"),
    path("readiness/<int:pk>/", views.account, name="readiness-account"),
    path("readiness/<int:pk>/check-again/", views.check_again, name="readiness-check-again"),
    path("readiness/<int:pk>/explain/", views.explained, name="readiness-explain"),
    path("api/v1/", include(api)),
]
