"""The archive as a server of the Model Context Protocol: five tools for agents, over stdio and HTTP."""

from __future__ import annotations

from vademecum.mcp.config import ServerConfig

__all__ = ["ServerConfig"]
