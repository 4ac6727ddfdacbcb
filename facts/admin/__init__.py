"""The store in Django's admin: what is known of accounts, and the sources and tokens they have."""

from django.contrib import admin

from facts.admin import (
    accounts,
    answers,
    budget,
    checks,
    facts,
    integrations,
    sources,
    tables,
    tokens,
)

admin.site.site_header = admin.site.site_title = "Ken"
admin.site.index_title = "What is known, and what it is learned from"

__all__ = [
    "accounts",
    "answers",
    "budget",
    "checks",
    "facts",
    "integrations",
    "sources",
    "tables",
    "tokens",
]
