import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

GROUPS = ("Support", "Operators", "Spec reviewers")


@pytest.fixture
def login(db):
    """A client of a member of staff: of a group, of none, or of the administrator."""

    def made(who):
        user = User.objects.create_user(
            who.lower().replace(" ", "-"), is_staff=True, is_superuser=who == "administrator"
        )
        if who in GROUPS:
            user.groups.add(Group.objects.get(name=who))
        client = Client()
        client.force_login(user)
        return client

    return made


@pytest.fixture
def support(login):
    return login("Support")


@pytest.fixture
def operator(login):
    return login("Operators")


@pytest.fixture
def administrator(login):
    return login("administrator")
