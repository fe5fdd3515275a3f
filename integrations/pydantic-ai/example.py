"""An agent that tidies up a directory. Run a gateway first (`signoff serve`), and `signoff inbox` beside it; then
`pip install 'pydantic-ai-slim[openai]'`, set OPENAI_API_KEY, and `PYTHONPATH=../python python example.py`."""

import os
from typing import Any

from pydantic_ai import Agent, FunctionToolset
from pydantic_ai.capabilities import HandleDeferredToolCalls
from signoff_pydantic_ai import SignoffToolset

from signoff_client import AsyncClient, AsyncGate, local

tools = FunctionToolset()


@tools.tool_plain
def list_files() -> str:
    """Lists the files here."""
    return "\n".join(sorted(os.listdir()))


@tools.tool_plain
def delete_file(path: str) -> str:
    """Deletes a file."""
    os.remove(path)
    return f"{path} is gone"


def made(caller: dict[str, Any], model: Any) -> Agent[Any, str]:
    """The agent, with any model that Pydantic AI knows."""
    # The gate looks at the file itself: what it is, and whether git can bring it back.
    operations = {"delete_file": lambda args: {"kind": "file", "op": "delete", "path": args["path"]}}
    guarded = SignoffToolset(tools, AsyncGate(AsyncClient(**caller)), operations)
    return Agent(model, toolsets=[guarded], capabilities=[HandleDeferredToolCalls(handler=guarded.handle)])


if __name__ == "__main__":
    agent = made(local("pydantic-ai-example", session="tidy-up"), "openai:gpt-5")
    print(agent.run_sync("Delete what looks temporary here.").output)
