"""What every page shows in one way: moments, badges, and what waits for its reader."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from facts.admin import shared
from facts.probing.codes import in_words
from facts.waiting import waiting_for

register = template.Library()
register.simple_tag(shared.badge)
register.simple_tag(shared.moment)
register.filter(in_words)


@register.simple_tag(takes_context=True)
def waiting(context: template.Context) -> list[dict[str, Any]]:
    """What waits for the user of the page, each with the address where it is done."""
    return [
        {
            "count": each.count,
            "words": each.words,
            "where": reverse(each.page) + (f"?{each.query}" if each.query else ""),
        }
        for each in waiting_for(context["request"].user, now=timezone.now())
    ]
