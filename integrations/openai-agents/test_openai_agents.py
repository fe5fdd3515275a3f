"""The real OpenAI Agents SDK with a model that is made up."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

import example
from agents import Agent, FunctionTool, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from signoff_client import AsyncClient, AsyncGate
from signoff_openai_agents import Signoff
from tests.scenarios import Scenarios, main

set_tracing_disabled(True)


class Fake(Model):
    """Calls a tool, and then says that it has seen the result."""

    def __init__(self, tool: str, arguments: str = '{"page": 7}') -> None:
        text = ResponseOutputText(type="output_text", text="I see.", annotations=[])
        self._said: list[Any] = [
            ResponseFunctionToolCall(type="function_call", name=tool, arguments=arguments, call_id="call_1"),
            ResponseOutputMessage(type="message", id="m", role="assistant", status="completed", content=[text]),
        ]

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        return ModelResponse(output=[self._said.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def tools(ran: list[int]) -> list[FunctionTool]:
    @function_tool
    def get_page(page: int) -> str:
        """Reads a page."""
        ran.append(page)
        return f"done with page {page}"

    @function_tool
    def delete_page(page: int) -> str:
        """Deletes a page."""
        ran.append(page)
        return f"done with page {page}"

    return [get_page, delete_page]


class OpenAIAgents(Scenarios, unittest.TestCase):
    def made(self, session: str, tool: str, gate: dict[str, Any], **model: Any) -> tuple[Signoff, Agent[Any]]:
        signoff = Signoff(AsyncGate(AsyncClient(**self.site.caller(session)), cwd=self.site.told["work"], **gate))
        guarded: list[Any] = [signoff.guard(tool) for tool in tools(self.ran)]
        return signoff, Agent(name="clerk", model=Fake(tool, **model), tools=guarded)

    def tidy_up(self, caller: dict[str, Any], path: str) -> None:
        model = Fake("delete_file", json.dumps({"path": path}))
        self.assertEqual(asyncio.run(example.tidy_up(caller, model)), "I see.")

    def drive(self, session: str, tool: str, **gate: Any) -> str:
        signoff, agent = self.made(session, tool, gate)
        return heard(asyncio.run(signoff.run(agent, "tidy up")))

    def test_a_yes_of_somebody_else_lets_nothing_through(self) -> None:
        _, agent = self.made(self.session, "delete_page", {"hold": 0.5})

        async def by_hand() -> Any:
            result = await Runner.run(agent, "tidy up")
            state = result.to_state()
            for item in result.interruptions:
                state.approve(item)
            return await Runner.run(agent, state)

        self.see("approved by hand", heard(asyncio.run(by_hand())), [], "that is not a no")

    def test_a_name_that_stands_there_twice_is_no_argument(self) -> None:
        signoff, agent = self.made(self.session, "get_page", {}, arguments='{"page": 7, "page": 8}')
        self.see("an argument twice", heard(asyncio.run(signoff.run(agent, "tidy up"))), [], "twice")


def heard(result: Any) -> str:
    outputs = [item["output"] for item in result.to_input_list() if item.get("type") == "function_call_output"]
    return outputs[0] if isinstance(outputs[0], str) else json.dumps(outputs[0])


if __name__ == "__main__":
    main()
