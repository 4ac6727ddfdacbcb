"""The specs' URLs."""

from django.urls import path

from specs.views import schema

urlpatterns = [
    path("specs/schema.json", schema, name="spec-schema"),
]
