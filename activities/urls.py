"""The URLs of activities: the person's page, the door for events, and what a person says.

A verb may hold slashes, so it stands last.
"""

from django.urls import include, path

from activities import views
from activities.api.events import EventsView
from activities.api.own import (
    ActivitiesView,
    FeedbackOnVerbView,
    FeedbackView,
    PreferencesView,
)

own = [
    path("activities", ActivitiesView.as_view()),
    path("feedback", FeedbackView.as_view()),
    path("feedback/<path:verb>", FeedbackOnVerbView.as_view()),
    path("preferences", PreferencesView.as_view()),
]

urlpatterns = [
    path("me/", views.what_i_work_on, name="what-i-work-on"),
    path("me/say/", views.say, name="say"),
    path("me/preferences/", views.prefer, name="prefer"),
    path("api/v1/events", EventsView.as_view()),
    path("api/v1/", include(own)),
    path("api/v1/people/<str:person>/", include(own)),
]
