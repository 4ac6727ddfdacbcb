from django.urls import path

from activities import views

urlpatterns = [
    path("", views.what_i_work_on, name="what-i-work-on"),
    path("say/", views.say, name="say"),
]
