"""An agent that tidies up a directory. Run a gateway first (`signoff serve`), and `signoff inbox` beside it; then
`pip install openai-agents`, set OPENAI_API_KEY, and `PYTHONPATH=../python python example.py`."""

import asyncio
import os
from typing import Any

from agents import Agent, function_tool
from signoff_openai_agents import Signoff

from signoff_client import AsyncClient, AsyncGate, local


@function_tool
def list_files() -> str:
    """Lists the files here."""
    return "\n".join(sorted(os.listdir()))


@function_tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    os.remove(path)
    return f"{path} is gone"


async def tidy_up(caller: dict[str, Any], model: Any = None) -> str:
    """Lets the agent run, with any model that the SDK knows."""
    signoff = Signoff(AsyncGate(AsyncClient(**caller)))
    tools: list[Any] = [
        signoff.guard(list_files),
        # The gate looks at the file itself: what it is, and whether git can bring it back.
        signoff.guard(delete_file, lambda args: {"kind": "file", "op": "delete", "path": args["path"]}),
    ]
    agent = Agent(name="Clerk", instructions="You tidy up.", tools=tools, model=model)
    result = await signoff.run(agent, "Delete what looks temporary here.")
    return str(result.final_output)


if __name__ == "__main__":
    print(asyncio.run(tidy_up(local("openai-agents-example", session="tidy-up"))))
