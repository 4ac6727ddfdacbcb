"""What this app refuses. Messages name verbs, actions, fields and line numbers, never an event."""

from facts.errors import KenError


class BadRegistry(KenError):
    """The registry of verbs has a fault; the one in force stays."""

    code = "bad-registry"


class BadPeople(KenError):
    """The file of zones and service accounts has a fault; nothing of it is taken."""

    code = "bad-people"


class BadEvent(KenError):
    """A line is no event; the message is the reason, without anything the line holds."""

    code = "bad-event"


class BrokenFile(KenError):
    """The file of events ends or breaks off in the middle; what came before is kept."""

    code = "broken-file"


class UnknownVerb(KenError):
    """The registry has no such verb."""

    code = "unknown-verb"


class UnknownAction(KenError):
    """Neither the registry nor the events have such an action."""

    code = "unknown-action"


class NothingToTakeBack(KenError):
    """The person said nothing about the verb that is in force."""

    code = "nothing-to-take-back"


class BadPreferences(KenError):
    """Preferences that can't be kept."""

    code = "bad-preferences"
