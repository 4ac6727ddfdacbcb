import pytest

from tests.activities.diary import Diary, in_force, registry


@pytest.fixture
def diary(db: None) -> Diary:
    """The account acme: refunding ranks above invoicing, "open page" is navigation."""
    in_force(registry(["refund", "invoice", "reply"], **{"open page": None}))
    return Diary()
