"""Signoff in front of the tools of an agent of the OpenAI Agents SDK.

`guard` gives a tool that interrupts the run where a person has to be asked, and that uses the person's yes up right before it runs.
`run` answers the interruptions from the gate. Whoever approves one by hand lets nothing through: the tool asks the gate itself.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

from agents import Agent, FunctionTool, Runner, RunState
from agents.items import ToolApprovalItem
from agents.result import RunResult
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall

from signoff_client import AsyncGate, Call, Refused


class Signoff:
    """The tools and interruptions of agents that share a session at the gate."""

    def __init__(self, gate: AsyncGate) -> None:
        self.gate = gate
        self._tools: dict[str, tuple[dict[str, Any], Callable[[dict[str, Any]], Any] | None]] = {}

    def guard(self, tool: FunctionTool, operation: Callable[[dict[str, Any]], Any] | None = None) -> FunctionTool:
        """The tool behind the gate. `operation` says what it really does, where the gate can read that:
        ``lambda args: {"kind": "shell", "cmd": args["command"]}``."""
        described = {"name": tool.name, "description": tool.description, "parameters": tool.params_json_schema}
        self._tools[tool.name] = (described, operation)

        async def needs_approval(_: Any, args: dict[str, Any], call_id: str) -> bool:
            try:
                return not await self.gate.is_free(self._call(tool.name, args, call_id))
            except Refused:
                # The interruption is answered with the words of the refusal.
                return True

        async def invoke(context: ToolContext[Any], raw: str) -> Any:
            async def run(args: dict[str, Any]) -> Any:
                # What was shown is what runs: the text may say more than what was read of it.
                return await tool.on_invoke_tool(context, json.dumps(args))

            try:
                return await self.gate.run(self._call(tool.name, _read(raw), context.tool_call_id), run)
            except Refused as refused:
                return refused.words

        guarded = copy.copy(tool)
        guarded.needs_approval, guarded.on_invoke_tool = needs_approval, invoke
        return guarded

    def _call(self, name: str, args: dict[str, Any], id: str | None) -> Call:
        described, operation = self._tools[name]
        return Call(name, args, id=id, schema=described, operation=operation(args) if operation else None)

    async def answer(self, result: RunResult) -> RunState[Any, Any]:
        """The state of an interrupted run, with each of its guarded calls answered from the gate. Those of other tools stay open."""
        state = result.to_state()
        await asyncio.gather(*[self._answer(state, item) for item in result.interruptions if self._is_ours(item)])
        return state

    def _is_ours(self, item: ToolApprovalItem) -> bool:
        # A call of another kind may have the name of a tool here, and is none of ours.
        return item.tool_name in self._tools and isinstance(item.raw_item, ResponseFunctionToolCall)

    async def _answer(self, state: RunState[Any, Any], item: ToolApprovalItem) -> None:
        raw = item.raw_item
        assert isinstance(raw, ResponseFunctionToolCall)
        try:
            call = self._call(raw.name, _read(raw.arguments), raw.call_id)
            settled = await self.gate.settle(call)
            if settled.changed:
                # There is no way to change a call here.
                raise self.gate.changed(settled.approval, settled.args)
        except Refused as refused:
            state.reject(item, rejection_message=refused.words)
        else:
            state.approve(item)

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:
        """`Runner.run`, until nothing that is guarded waits any more."""
        result = await Runner.run(agent, input, **options)
        while any(self._is_ours(item) for item in result.interruptions):
            result = await Runner.run(agent, await self.answer(result), **options)
        return result


def _read(raw: str) -> dict[str, Any]:
    """The arguments, as far as they can be shown: anything but one plain object cannot."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name stands there twice")
        return dict(pairs)

    try:
        args = json.loads(raw or "{}", object_pairs_hook=once)
    except ValueError as error:
        raise Refused("unknown", f"Signoff cannot judge this call: its arguments are no JSON: {error}") from error
    if not isinstance(args, dict):
        raise Refused("unknown", "Signoff cannot judge this call: its arguments are no object")
    return args
