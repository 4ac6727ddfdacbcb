"""Reads of facts: a lookup, and a request for what is stale. Nothing is computed."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from facts import reads, store
from facts.api import describing, serializers
from facts.api.etags import answered, etag_of
from facts.api.pages import FactPages, HistoryPages
from facts.api.scoped import ScopedView
from facts.derivations.looking_up import is_stale
from facts.models import Fact, FactQuerySet
from facts.refs import Ref
from facts.trust import Trust


class FactsView(ScopedView):
    query = serializers.FactsQuerySerializer

    @describing.LIST
    def get(self, request: Request, **_path: Any) -> Response:
        pages = FactPages()
        page = pages.paginate_queryset(self._chosen(), request, view=self) or []
        shown = serializers.FactSerializer(context={"now": self.now})
        return pages.get_paginated_response([shown.to_representation(fact) for fact in page])

    def _chosen(self) -> FactQuerySet:
        facts, asked = self.facts(), self.asked
        if "prefix" in asked:
            facts = reads.under(facts, asked["prefix"])
        if "kind" in asked:
            facts = reads.of_kind(facts, asked["kind"])
        if "failing" in asked:
            facts = facts.failing() if asked["failing"] else facts.readable()
        if "open" in asked:
            facts = facts.open() if asked["open"] else facts.settled()
        ages = {
            name: timedelta(seconds=asked[name])
            for name in ("older_than", "newer_than")
            if name in asked
        }
        facts = reads.measured(facts, now=self.now, **ages)
        if "trust" in asked:
            state, cut_offs = Trust(asked["trust"]), settings.TRUST_CUT_OFFS
            facts = reads.in_state(facts, state, now=self.now, cut_offs=cut_offs)
        return facts


class HistoryView(ScopedView):
    query = serializers.PageQuerySerializer

    @describing.HISTORY
    def get(self, request: Request, ref: str, **_path: Any) -> Response:
        fact, pages = self.fact_at(Ref.parse(ref)), HistoryPages()
        page = pages.paginate_queryset(fact.history.all(), request, view=self) or []
        shown = serializers.HistorySerializer()
        return pages.get_paginated_response([shown.to_representation(line) for line in page])


class ReadingOfOne(ScopedView):
    """The read of one fact; the view of its address adds the write."""

    @describing.READ
    def get(self, request: Request, ref: str, **_path: Any) -> Response:
        fact = self.fact_at(Ref.parse(ref))
        shown = serializers.FactSerializer(fact, context={"now": self.now}).data
        etag = etag_of(fact.version, shown)
        self._request_if_stale(fact)
        return answered(request, shown, etag)

    def _request_if_stale(self, fact: Fact) -> None:
        """Ask for a fresh measurement of what a reader would have to distrust."""
        if self.scope.requests and is_stale(fact, now=self.now) and not fact.is_absent:
            store.request(
                self.scope.account, fact.ref, by=self.scope.asker, now=self.now, person=fact.person
            )
