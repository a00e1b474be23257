"""Redaction: secrets in a text are replaced by their kind and a short hash; what a secret is, is data."""

from __future__ import annotations

from vademecum.redaction.mark import MARK, Redactor
from vademecum.redaction.rules import rules
from vademecum.redaction.scan import secrets_in
from vademecum.redaction.secret import Secret

__all__ = ["MARK", "Redactor", "Secret", "rules", "secrets_in"]
