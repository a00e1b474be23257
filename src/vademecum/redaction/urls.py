"""Passwords in URLs: what stands between a user's name and the host."""

from __future__ import annotations

import re

from vademecum.redaction.rules import rules
from vademecum.redaction.secret import Secret
from vademecum.redaction.tokens import is_stand_in

_USER = re.compile(
    r"(?P<user>[^\s:/?#\[\]@\"'`<>\\{}()]{0,128}):(?P<secret>[^\s/\"'`<>\\\x00-\x1f]{3,200})@(?=[\w.\[%-])"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,24}\Z")
_STORES = re.compile(
    r"postgres|pgsql|mysql|maria|mongo|redis|rediss|amqp|mssql|sqlserver|oracle|cassandra|clickhouse|cockroach|neo4j|bolt"
    r"|jdbc|snowflake|couch|memcached|nats|kafka|ldap",
    re.IGNORECASE,
)


def password_in(text: str, start: int, stop: int) -> Secret | None:
    """The password of the URL whose `://` stands at a place."""
    match = _USER.match(text, stop, stop + 340)
    if match is None or _shown_elsewhere(match["secret"]):
        return None
    scheme = _SCHEME.search(text, max(0, start - 25), start)
    if scheme is None:
        return None
    kind = "database-password" if _STORES.search(scheme[0]) else "url-password"
    return Secret(*match.span("secret"), kind)


def _shown_elsewhere(value: str) -> bool:
    if value[0] in "$<{%*[" or "${" in value or "{{" in value:
        return not (value[0] == "%" and len(value) > 8 and "%" not in value[-1:])
    lowered = value.lower().strip("_-*.")
    return lowered in rules().not_secret.plain_passwords or (len(value) > 4 and is_stand_in(value))
