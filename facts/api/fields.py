"""Serializers that refuse what they do not know, and fields whose messages repeat no value."""

from datetime import datetime
from typing import Any, NoReturn

from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from facts.errors import KenError
from facts.refs import MAX_LENGTH, Ref

NOT_OF_A_BODY = {"account", "person"}
EARLIEST = 1970  # year: an instant in any zone from here on has a UTC form Python can read


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses unknown fields, so that nothing sent is silently dropped."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            known = [name for name, field in self.fields.items() if not field.read_only]
            unknown = [name for name in data if name not in known]
            if unknown:
                raise serializers.ValidationError(
                    {name: [_unknown(name, known)] for name in unknown}, code="unknown"
                )
        return super().to_internal_value(data)


def _unknown(name: str, known: list[str]) -> str:
    if name in NOT_OF_A_BODY:
        return f"the credential says which {name}; a body does not"
    return f"there is no such field; the fields are {', '.join(known)}"


@extend_schema_field({"type": "string", "maxLength": MAX_LENGTH, "example": "data:label:Order"})
class RefField(serializers.Field[Ref, str, str, Any]):
    """The address of a fact."""

    def to_internal_value(self, data: Any) -> Ref:
        if not isinstance(data, str):
            raise serializers.ValidationError("a ref is text")
        try:
            return Ref.parse(data)
        except KenError as fault:
            raise serializers.ValidationError(str(fault)) from None

    def to_representation(self, value: Ref) -> str:
        return str(value)


@extend_schema_field(OpenApiTypes.DATETIME)
class InstantField(serializers.Field[datetime, str, str, Any]):
    """A time with a zone. Without one it would be another instant on every server."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            instant = parse_datetime(data) if isinstance(data, str) else None
        except ValueError:
            instant = None
        if instant is None or instant.utcoffset() is None or instant.year < EARLIEST:
            raise serializers.ValidationError("a time with its zone: 2026-03-02T09:00:00Z")
        return instant

    def to_representation(self, value: datetime) -> str:
        return value.isoformat().replace("+00:00", "Z")


class OneOfField(serializers.ChoiceField):
    """One of a few words; the refusal lists them and does not repeat what was sent."""

    def fail(self, key: str, **_kwargs: Any) -> NoReturn:  # noqa: ARG002 - DRF's signature
        raise serializers.ValidationError(f"one of {', '.join(self.choices)}")
