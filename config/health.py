"""Whether the site is alive, and whether it is ready for its work."""

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from facts import heartbeat


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is looked at."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """Whether the database answers, is migrated, and the workers' heart beats; 503 if not."""
    found = {"database": False, "migrations": False, "workers": False}
    try:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        found["database"] = True
        found["migrations"] = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        found["workers"] = found["migrations"] and heartbeat.is_alive(
            heartbeat.QUEUE, now=timezone.now()
        )
    except DatabaseError:
        pass
    return JsonResponse(found, status=200 if all(found.values()) else 503)
