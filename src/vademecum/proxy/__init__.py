"""The proxy: any agent that can set a base URL has its context compacted, with no change of its code."""

from __future__ import annotations

from vademecum.proxy.app import make_app
from vademecum.proxy.config import ProxyConfig

__all__ = ["ProxyConfig", "make_app"]
