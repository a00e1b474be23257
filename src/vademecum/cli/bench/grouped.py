"""Options that belong together: a verb gets them as one value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def grouped(
    name: str, kind: type[DataclassInstance], options: Sequence[Decorator], prefix: str = ""
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Adds options to a function, which gets them as one argument.

    Args:
        name: Of the argument.
        kind: What it is: a dataclass with a field for each option.
        options: The options, in the order of the help; each has its field's name, after the prefix.
        prefix: Before the names of the fields, so that two groups may have fields of one name.
    """

    def decorated(function: Callable[..., R]) -> Callable[..., R]:
        @functools.wraps(function)
        def wrapped(*args: Any, **given: Any) -> R:
            typed = {field.name: given.pop(prefix + field.name) for field in fields(kind)}
            return function(*args, **{name: kind(**typed)}, **given)

        made: Callable[..., R] = wrapped
        for option in reversed(options):
            made = option(made)
        return made

    return decorated
