"""What the store tells the rooms above it, within the transaction that did it.

Each is sent once a call, with everything it touched, so that a receiver can work in sets.
"""

from django.dispatch import Signal

observed = Signal()  # account, facts: list[Fact] whose value or failing or trust state changed, now
requested = Signal()  # account, facts: list[Fact] somebody newly asked for, by, now
used = Signal()  # account, refs: list[Ref] somebody used, now
demanded = Signal()  # checks: list[Check] that more or less is built on than before, now
