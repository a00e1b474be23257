"""Members: the upstreams at work, each with what is known of its models' windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vademecum.proxy.body import Asked
from vademecum.proxy.upstreams import Upstream
from vademecum.proxy.windows import Running, Windows


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """An upstream that requests may go to.

    Attributes:
        upstream: Where it is.
        windows: What is known of its models' windows.
    """

    upstream: Upstream
    windows: Windows

    @property
    def called(self) -> str:
        """Its name."""
        return self.upstream.called

    def running(self, request: Asked, headers: Mapping[str, str]) -> Running:
        """The model that a request goes to here."""
        return Running.of(self.upstream.model or request.model, headers, request.num_ctx)
