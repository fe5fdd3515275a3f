"""An agent that tidies up a directory. Run a gateway first (`signoff serve`), and `signoff inbox` beside it; then
`pip install langchain langchain-openai`, set OPENAI_API_KEY, and `PYTHONPATH=../python python example.py`."""

import os
from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import tool
from signoff_langchain import SignoffMiddleware

from signoff_client import local


@tool
def list_files() -> str:
    """Lists the files here."""
    return "\n".join(sorted(os.listdir()))


@tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    os.remove(path)
    return f"{path} is gone"


def made(caller: dict[str, Any], model: Any) -> Any:
    """The agent, whose model may be any that LangChain knows."""
    tools = [list_files, delete_file]
    # The gate looks at the file itself: what it is, and whether git can bring it back.
    operations = {"delete_file": lambda args: {"kind": "file", "op": "delete", "path": args["path"]}}
    return create_agent(model, tools, middleware=[SignoffMiddleware(caller, tools=tools, operations=operations)])


if __name__ == "__main__":
    agent = made(local("langchain-example", session="tidy-up"), "openai:gpt-5")
    for message in agent.invoke({"messages": [("user", "Delete what looks temporary here.")]})["messages"]:
        message.pretty_print()
