"""Provider errors: what each means and what is to be done, told by a table (M-5, M-6, M-7)."""

from vademecum.models.errors.classifier import classify
from vademecum.models.errors.verdict import ACTIONS, Action, Kind, LimitKind, Verdict

__all__ = ["ACTIONS", "Action", "Kind", "LimitKind", "Verdict", "classify"]
