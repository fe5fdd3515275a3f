"""The real LangChain with a model that is made up: the middleware by itself, and together with both modes of `HumanInTheLoopMiddleware`."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

import example
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from signoff_langchain import SignoffMiddleware
from tests.scenarios import Scenarios, main


class Model(GenericFakeChatModel):
    def bind_tools(self, *_: Any, **__: Any) -> Model:
        return self


def tools(ran: list[int]) -> list[Any]:
    @tool
    def get_page(page: int) -> str:
        """Reads a page."""
        ran.append(page)
        return f"done with page {page}"

    @tool
    def delete_page(page: int) -> str:
        """Deletes a page."""
        ran.append(page)
        return f"done with page {page}"

    return [get_page, delete_page]


class LangChain(Scenarios, unittest.TestCase):
    edits = True

    def agent(self, session: str, name: str, before: list[Any], gate: dict[str, Any]) -> tuple[Any, SignoffMiddleware]:
        made = tools(self.ran)
        guard = SignoffMiddleware(self.site.caller(session), tools=made, cwd=self.site.told["work"], **gate)
        call = {"name": name, "args": {"page": 7}, "id": "call_1", "type": "tool_call"}
        model = Model(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("I see.")]))
        return create_agent(model, made, middleware=[*before, guard], checkpointer=InMemorySaver()), guard

    def tidy_up(self, caller: dict[str, Any], path: str) -> None:
        call = {"name": "delete_file", "args": {"path": path}, "id": "call_1", "type": "tool_call"}
        model = Model(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("I see.")]))
        example.made(caller, model).invoke({"messages": [("user", "tidy up")]})

    def drive(self, session: str, tool: str, **gate: Any) -> str:
        agent, _ = self.agent(session, tool, [], gate)
        config = {"configurable": {"thread_id": session}}
        return heard(agent.invoke({"messages": [("user", "tidy up")]}, config))


class LangChainAsync(LangChain):
    def drive(self, session: str, tool: str, **gate: Any) -> str:
        agent, _ = self.agent(session, tool, [], gate)
        config = {"configurable": {"thread_id": session}}
        return heard(asyncio.run(agent.ainvoke({"messages": [("user", "tidy up")]}, config)))


class LangChainInterrupts(LangChain):
    mode = "batched"
    decisions: Any = True

    def drive(self, session: str, tool: str, **gate: Any) -> str:
        review = HumanInTheLoopMiddleware({"delete_page": self.decisions}, interrupt_mode=self.mode)  # type: ignore[arg-type]
        agent, guard = self.agent(session, tool, [review], gate)
        config = {"configurable": {"thread_id": session}}
        result = agent.invoke({"messages": [("user", "tidy up")]}, config)
        while interrupts := result.get("__interrupt__"):
            self.assertEqual(self.ran, [])
            messages = agent.get_state(config).values["messages"]
            result = agent.invoke(Command(resume=guard.decisions(interrupts, messages)), config)
        return heard(result)

    def test_a_yes_of_somebody_else_lets_nothing_through(self) -> None:
        review = HumanInTheLoopMiddleware({"delete_page": self.decisions}, interrupt_mode=self.mode)  # type: ignore[arg-type]
        agent, _ = self.agent(self.session, "delete_page", [review], {"hold": 0.5})
        config = {"configurable": {"thread_id": self.session}}
        [interrupt] = agent.invoke({"messages": [("user", "tidy up")]}, config)["__interrupt__"]
        yes = {"type": "approve"}
        resume = yes if self.mode == "per_call" else {"decisions": [yes]}
        said = heard(agent.invoke(Command(resume={interrupt.id: resume}), config))
        self.see("approved by hand", said, [], "that is not a no")


class LangChainWithoutEdits(LangChainInterrupts):
    edits = False
    decisions: Any = {"allowed_decisions": ["approve", "reject", "respond"]}

    def test_a_review_that_could_not_tell_a_time_out_from_a_no_is_none(self) -> None:
        self.decisions = {"allowed_decisions": ["approve", "reject"]}
        with self.assertRaisesRegex(ValueError, "respond"):
            self.drive(self.session, "delete_page")
        self.assertEqual(self.ran, [])


class LangChainInterruptsPerCall(LangChainInterrupts):
    mode = "per_call"


def heard(result: dict[str, Any]) -> str:
    return next(message.text for message in result["messages"] if message.type == "tool")


if __name__ == "__main__":
    main()
