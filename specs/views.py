"""What the specs show outside the admin."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from specs.schema import SCHEMA


@require_safe
def schema(_request: HttpRequest) -> JsonResponse:
    """The JSON Schema of a spec. It holds nobody's data, so anybody may read it."""
    return JsonResponse(SCHEMA, content_type="application/schema+json")
