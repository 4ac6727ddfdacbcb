"""What needs are called, for templates."""

from django import template

from specs.needs import Need
from specs.wording import about

register = template.Library()


@register.filter(name="about")
def about_need(need: Need) -> str:
    """What a need asks for, in words."""
    return about(need)
