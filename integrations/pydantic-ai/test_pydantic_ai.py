"""The real Pydantic AI with a model that is made up: calls that are deferred and answered by the program, and by the agent itself."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

import example
from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from signoff_client import AsyncClient, AsyncGate
from signoff_pydantic_ai import SignoffToolset
from tests.scenarios import Scenarios, main


def model(tool: str, **args: Any) -> FunctionModel:
    def say(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if any(isinstance(part, ToolReturnPart) for message in messages for part in message.parts):
            return ModelResponse(parts=[TextPart("I see.")])
        return ModelResponse(parts=[ToolCallPart(tool, args or {"page": 7}, "call_1")])

    return FunctionModel(say)


def tools(ran: list[int]) -> FunctionToolset[Any]:
    made: FunctionToolset[Any] = FunctionToolset()

    @made.tool_plain
    def get_page(page: int) -> str:
        """Reads a page."""
        ran.append(page)
        return f"done with page {page}"

    @made.tool_plain
    def delete_page(page: int, hard: bool = False) -> str:
        """Deletes a page."""
        ran.append(page)
        return f"done with page {page}"

    return made


class PydanticAI(Scenarios, unittest.TestCase):
    edits = True

    def toolset(self, session: str, gate: dict[str, Any]) -> SignoffToolset:
        client = AsyncClient(**self.site.caller(session))
        return SignoffToolset(tools(self.ran), AsyncGate(client, cwd=self.site.told["work"], **gate))

    def tidy_up(self, caller: dict[str, Any], path: str) -> None:
        self.assertEqual(example.made(caller, model("delete_file", path=path)).run_sync("tidy up").output, "I see.")

    def drive(self, session: str, tool: str, **gate: Any) -> str:
        guarded = self.toolset(session, gate)
        agent = Agent(model(tool), toolsets=[guarded], output_type=[str, DeferredToolRequests])

        async def run() -> Any:
            result = await agent.run("tidy up")
            while isinstance(result.output, DeferredToolRequests):
                self.assertEqual(self.ran, [])
                answers = await guarded.answers(result.output)
                result = await agent.run(message_history=result.all_messages(), deferred_tool_results=answers)
            return result

        return heard(asyncio.run(run()))

    def test_a_yes_of_somebody_else_lets_nothing_through(self) -> None:
        guarded = self.toolset(self.session, {"hold": 0.5})
        agent = Agent(model("delete_page"), toolsets=[guarded], output_type=[str, DeferredToolRequests])

        async def by_hand() -> Any:
            result = await agent.run("tidy up")
            assert isinstance(result.output, DeferredToolRequests)
            answers = result.output.build_results(approve_all=True)
            return await agent.run(message_history=result.all_messages(), deferred_tool_results=answers)

        self.see("approved by hand", heard(asyncio.run(by_hand())), [], "that is not a no")


class PydanticAIInline(PydanticAI):
    def drive(self, session: str, tool: str, **gate: Any) -> str:
        guarded = self.toolset(session, gate)
        agent = Agent(model(tool), toolsets=[guarded], capabilities=[HandleDeferredToolCalls(handler=guarded.handle)])
        return heard(asyncio.run(agent.run("tidy up")))


def heard(result: Any) -> str:
    parts = [part for message in result.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
    return str(parts[0].content)


if __name__ == "__main__":
    main()
