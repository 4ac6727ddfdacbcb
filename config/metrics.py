"""``/metrics`` for Prometheus: what this process answered, and figures that any process tells.

What is counted in the database is the same whichever process is asked. Requests are counted by the
process that answers them: where there are several, Prometheus asks each by its own address and
adds them up, as its clients are meant to be used. ``start`` runs one. The workers answer no
requests, and what they do shows in the database.

Metrics name no account and no person. They are for this machine only, or for who sends
``METRICS_TOKEN``.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address

import prometheus_client
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from facts.figures import Counts, Figures, figures

# Of each of ours a second series, that nobody reads.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # not typed there

REGISTRY = CollectorRegistry()
_REQUESTS = Counter(
    "ken_requests",
    "Requests that this process answered.",
    ["method", "route", "status"],
    registry=REGISTRY,
)
_SECONDS = Histogram(
    "ken_request_seconds", "How long they took.", ["method", "route"], registry=REGISTRY
)
ProcessCollector(registry=REGISTRY)


def count(*, method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that this process has answered."""
    _REQUESTS.labels(method=method, route=route, status=status).inc()
    _SECONDS.labels(method=method, route=route).observe(seconds)


class Database(Collector):
    """The figures of the database, or that it does not answer."""

    def collect(self) -> Iterable[Metric]:
        try:
            found = figures(now=timezone.now())
        except DatabaseError:
            yield GaugeMetricFamily("ken_database", "Whether the database answers.", value=0)
            return
        yield GaugeMetricFamily("ken_database", "Whether the database answers.", value=1)
        yield from _told(found)

    def describe(self) -> Iterable[Metric]:
        """Name no metrics, so that none is counted before one is asked for."""
        return []


REGISTRY.register(Database())


def _told(found: Figures) -> Iterator[Metric]:
    yield _gauge("facts", "Facts by state.", ["namespace", "state"], found.facts)
    yield _gauge("open_requests", "Facts that wait.", ["namespace"], found.open_requests)
    yield _gauge("failures", "What can't be read.", ["of", "code"], found.failures)
    yield _gauge("checks", "Checks by state.", ["kind", "state"], found.checks)
    yield _gauge("checks_failing", "That failed last.", ["kind"], found.checks_failing)
    yield _single("overdue_seconds", "How late the latest check is.", found.overdue)
    yield _gauge("sources", "Sources by state.", ["state"], found.sources)
    yield _gauge("budget_seconds", "What an hour may take.", ["state"], _by_one(found.budget))
    yield _gauge("spent_seconds", "What this hour took so far.", ["state"], _by_one(found.spent))
    yield _gauge("probes", "Probes of this hour so far.", ["outcome"], found.probes)
    yield _single("queued_tasks", "Tasks that wait for a worker.", found.queued)
    if found.beaten is not None:
        yield _single("heartbeat_age_seconds", "Since the workers' last beat.", found.beaten)


def _single(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"ken_{name}", help_text, value=value)


def _gauge(
    name: str,
    help_text: str,
    labels: list[str],
    values: Counts | Mapping[tuple[str, ...], float],
) -> Metric:
    family = GaugeMetricFamily(f"ken_{name}", help_text, labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric(key, value)
    return family


def _by_one(values: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    return {(key,): value for key, value in values.items()}


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics as text; 401 without the token where there is one, 403 from elsewhere."""
    if settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        if not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}"):
            return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    elif not _is_of_this_machine(request):
        return HttpResponse(
            "metrics are for this machine; set METRICS_TOKEN to read them from another\n",
            status=403,
            content_type="text/plain",
        )
    text = prometheus_client.generate_latest(REGISTRY)
    return HttpResponse(text, content_type=prometheus_client.CONTENT_TYPE_LATEST)


def _is_of_this_machine(request: HttpRequest) -> bool:
    """Whether a program of this machine asks. What came through a proxy is nobody knows whose."""
    if settings.SECURE or {"Forwarded", "X-Forwarded-For"} & request.headers.keys():
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
