"""A server of the official Python SDK with one tool that reads and one that deletes; over HTTP where it is given a port."""

import sys

try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("wiki")


@server.tool()
def get_page(page: int) -> str:
    return f"page {page}"


@server.tool()
def delete_page(page: int) -> str:
    return f"deleted {page}"


if len(sys.argv) > 1:
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    server.run(transport="stdio")
