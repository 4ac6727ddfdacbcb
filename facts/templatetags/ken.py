"""What every page shows in one way: moments and badges."""

from django import template

from facts.admin import shared

register = template.Library()
register.simple_tag(shared.badge)
register.simple_tag(shared.moment)
