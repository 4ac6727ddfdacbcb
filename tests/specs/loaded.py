"""Short ways to a spec in force, for tests that are about something else."""

from django.contrib.auth.models import Permission, User

from specs import loading
from specs.documents import pretty
from specs.models import SpecVersion
from tests.facts.observing import NINE

ORDER = {"level": "REQUIRED", "label": "Order", "minCount": 1}
CARRIER = {"level": "REQUIRED", "label": "Carrier", "minCount": 1}


def spec(id_: str, *needs: dict) -> dict:
    return {"id": id_, "needs": list(needs) or [ORDER]}


def feature(name: str) -> dict:
    return {"level": "REQUIRED", "feature": name}


def load(*documents: dict, now=NINE) -> list[SpecVersion]:
    return loading.load({document["id"]: pretty(document) for document in documents}, now=now)


def states() -> list[tuple[str, int, str]]:
    """Every version there is."""
    versions = SpecVersion.objects.order_by("spec", "number")
    return list(versions.values_list("spec", "number", "state"))


def staff(name: str, *permissions: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user
