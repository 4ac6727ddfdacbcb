import json
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from activities import derivation, reads, rules
from activities.reads import Activity
from activities.wording import tenths
from facts.commands import KenCommand, account_named, person_named
from facts.models import Account
from facts.wording import counted

FIRST_YEAR = 1900  # a window before it would start before there were instants to write down


class Command(KenCommand):
    help = "Print what the people of an account work on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", metavar="ACCOUNT")
        parser.add_argument("--person", help="this person's only")
        parser.add_argument(
            "--as-of", type=_instant, metavar="T", help="compute them for a moment, store nothing"
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(
        self,
        *,
        account: str,
        person: str | None,
        as_of: datetime | None,
        as_json: bool,
        **_options: Any,
    ) -> None:
        found = account_named(account)
        somebody = person_named(found, person) if person is not None else None
        if as_of is None:
            activities = reads.activities_of(found, somebody)
            if derivation.is_due(found, timezone.now()):
                self.stderr.write("There is news that is not built in yet: `settle` does that.")
        else:
            activities = reads.preview(found, as_of)
        shown = [
            activity
            for activity in activities
            if somebody is None or activity.person == somebody.external_id
        ]
        for activity in shown:
            self.stdout.write(line(found, activity) if as_json else row(activity))
        if not shown and not as_json:
            who = "nobody works on anything" if person is None else f"{person} works on nothing"
            self.stdout.write(f"{who} that shows yet")


def line(account: Account, activity: Activity) -> str:
    """An activity as JSON."""
    return json.dumps(
        {
            "account": account.external_id,
            "person": activity.person,
            "verb": activity.verb,
            "title": activity.title,
            "sessions": activity.sessions,
            "days": activity.days,
            "others": activity.others,
            "colleagues": activity.colleagues,
            "lift": rules.ratio(activity.lift),
            "first": activity.first,
            "last": activity.last,
        },
        ensure_ascii=False,
    )


def row(activity: Activity) -> str:
    """An activity for a person who reads."""
    return (
        f"{activity.person}: {activity.title}: {counted(activity.sessions, 'session')} on"
        f" {counted(activity.days, 'day')}, lift {tenths(activity.lift)} times"
        f" ({counted(activity.others, 'session')} by {counted(activity.colleagues, 'colleague')})"
    )


def _instant(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.utcoffset() is None:
            raise ArgumentTypeError("T needs an offset from UTC, as in 2026-03-01T09:30:00Z")
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArgumentTypeError("T is an instant such as 2026-03-01T09:30:00Z") from None
    if moment.year < FIRST_YEAR:
        raise ArgumentTypeError(f"T lies before the year {FIRST_YEAR}")
    return moment
