"""The server as the official SDK has it: our tools and nothing else."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from vademecum import __version__
from vademecum.mcp.arguments import tools
from vademecum.mcp.desk import Desk
from vademecum.mcp.tools import call

INSTRUCTIONS = (
    "Vademecum keeps every message of this and earlier sessions. What a compaction removed from the context is found "
    "with session_search and restored exactly with restore_tool_result; ids look like t_k3x5mq2v7a."
)


def make_server(desk: Desk) -> Server[Any]:
    """A server whose tools work at a desk; each call runs in a worker thread."""

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_shown(name) for name in tools()])

    async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        answer = await to_thread.run_sync(call, desk, params.name, params.arguments or {})
        return CallToolResult(
            content=[TextContent(type="text", text=text) for text in answer.texts], is_error=answer.failed
        )

    return Server(
        "vademecum",
        version=__version__,
        title="Vademecum",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _shown(name: str) -> Tool:
    tool = tools()[name]
    return Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema(),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=tool.read_only,
            open_world_hint=False,
        ),
    )
