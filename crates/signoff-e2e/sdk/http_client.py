"""The official Python client over HTTP at the gateway, in both forms of the protocol. Its arguments are the address and the key."""

import asyncio
import sys

import httpx2 as httpx
from mcp import Client

try:
    from mcp.client.streamable_http import streamable_http_client
except ImportError:
    from mcp.client.streamable_http import streamablehttp_client as streamable_http_client

url, key = sys.argv[1:3]
TOOLS = ["check", "request_approval", "approval_status", "ask_user", "plan_review"]


def part(result, name):
    snake = {"isError": "is_error", "structuredContent": "structured_content"}[name]
    return getattr(result, name, getattr(result, snake, None))


async def drive(mode):
    http = httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30)
    async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
        judged = await client.call_tool("check", {"command": "rm -rf /", "cwd": "/srv"})
        assert part(judged, "structuredContent")["verdict"] == "block", judged
        asked = await client.call_tool("request_approval", {"command": "rm notes.txt", "cwd": "/srv", "wait_s": 1})
        assert part(asked, "structuredContent")["status"] == "pending", asked
        many = await asyncio.gather(*[client.call_tool("check", {"command": "ls", "cwd": "/"}) for _ in range(100)])
        assert all(part(result, "structuredContent")["verdict"] == "allow" for result in many)
        wrong = await client.call_tool("check", {"command": "ls"})
        assert part(wrong, "isError"), wrong


for mode in ["legacy", "2026-07-28"]:
    asyncio.run(drive(mode))
    print(f"the Python SDK at the gateway, {mode}: as it has to be")
