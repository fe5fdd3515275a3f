"""The official Python client: what passes, what is refused, and many calls at once. Its arguments are the command of the server."""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def failed(result):
    return getattr(result, "isError", getattr(result, "is_error", None))


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        assert [tool.name for tool in (await session.list_tools()).tools] == ["get_page", "delete_page"]
        assert not failed(await session.call_tool("get_page", {"page": 7}))
        refused = await session.call_tool("delete_page", {"page": 7})
        assert failed(refused) and "signoff serve" in refused.content[0].text, refused
        many = await asyncio.gather(*[session.call_tool("get_page", {"page": page}) for page in range(200)])
        assert all(result.content[0].text == f"page {page}" for page, result in enumerate(many))
    print("the Python SDK: as it has to be")


asyncio.run(main())
