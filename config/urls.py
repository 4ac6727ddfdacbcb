"""Every URL of the site."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import (
    LoginView,
    LogoutView,
    PasswordChangeDoneView,
    PasswordChangeView,
)
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from config.health import healthz, readyz
from config.metrics import metrics
from readiness.mcp.endpoint import Endpoint

_OPEN: dict[str, Any] = {"authentication_classes": []}  # whoever is logged in or not reads these

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("admin/", admin.site.urls),
    path("mcp", Endpoint.as_view()),
    path("api/v1/", include("facts.api.urls")),
    path("api/v1/schema", SpectacularJSONAPIView.as_view(**_OPEN), name="schema"),
    path(
        "api/v1/docs", SpectacularSwaggerSplitView.as_view(url_name="schema", **_OPEN), name="docs"
    ),
    path("accounts/login/", LoginView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path(
        "accounts/password/",
        PasswordChangeView.as_view(template_name="registration/change_password.html"),
        name="password_change",
    ),
    path(
        "accounts/password/done/",
        PasswordChangeDoneView.as_view(template_name="registration/password_changed.html"),
        name="password_change_done",
    ),
    path("", include("activities.urls")),
    path("", include("specs.urls")),
    path("", include("readiness.urls")),
]

handler404 = "facts.problems.not_found"
handler500 = "facts.problems.server_error"
