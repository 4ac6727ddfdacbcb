"""The URLs of activities: the person's page, and the door for events."""

from django.urls import path

from activities import views
from activities.api import EventsView

urlpatterns = [
    path("me/", views.what_i_work_on, name="what-i-work-on"),
    path("me/say/", views.say, name="say"),
    path("me/preferences/", views.prefer, name="prefer"),
    path("api/v1/events", EventsView.as_view()),
]
