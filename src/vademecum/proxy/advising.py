"""The advice that makes compactions lose less, at the end of a request's system text (C-38)."""

from __future__ import annotations

from vademecum.core.case import leading_system_rows
from vademecum.presets.advice import ADVICE
from vademecum.proxy.body import Asked
from vademecum.proxy.scan import scan, value_of
from vademecum.wire.bodies import BODIES
from vademecum.wire.values import encoded, mapping, sequence


def advised(request: Asked, body: bytes) -> bytes:
    """A request's body with the advice at the end of its system text; everything else keeps its bytes.

    The same system text always becomes the same one, so that the provider's cache goes on to hit.

    Args:
        request: The request as it came.
        body: The bytes that are to go upstream.
    """
    keys = BODIES[request.dialect.name]
    found = scan(body, keys.messages)
    if found is None:
        return body
    beside = next((key for key in (*keys.system, "system") if key in found.spans), None)
    if beside is not None:
        return found.written(None, {(beside,): encoded(_longer(value_of(found.raw(beside)), request.dialect.name))})
    if keys.system:
        at = body.index(b"{") + 1
        field = encoded({keys.system[0]: _longer(None, request.dialect.name)})[1:-1]
        return b"".join((body[:at], field, b",", body[at:]))
    heads = leading_system_rows(request.messages)
    row = (mapping(value_of(found.rows[heads - 1])) or {}) if heads else {}
    if row.get("role") not in ("system", "developer"):
        return found.written((encoded({"role": "system", "content": ADVICE}), *found.rows), {})
    changed = encoded({**row, "content": _longer(row.get("content"), request.dialect.name)})
    return found.written((*found.rows[: heads - 1], changed, *found.rows[heads:]), {})


def _longer(system: object, format: str) -> object:
    """A system text with the advice behind it; one of a shape that is not known stays as it is."""
    if not system:
        return {"parts": [{"text": ADVICE}]} if format == "gemini" else ADVICE
    if isinstance(system, str):
        return f"{system}\n\n{ADVICE}"
    listed = sequence(system)
    if listed is not None:
        return [*listed, {"type": "text", "text": ADVICE}]
    fields = mapping(system) or {}
    parts = sequence(fields.get("parts"))
    return system if parts is None else {**fields, "parts": [*parts, {"text": ADVICE}]}
