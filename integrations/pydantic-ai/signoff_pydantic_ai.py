"""Signoff in front of the tools of a Pydantic AI agent.

`SignoffToolset` wraps any toolset. A call that a person has to be asked about is deferred (`DeferredToolRequests`); `answers` waits at the gate
and makes the `DeferredToolResults`. An agent that is to wait by itself is given `HandleDeferredToolCalls(handler=toolset.handle)`. Whoever
approves a call by hand lets nothing through: the toolset asks the gate itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import ApprovalRequired, DeferredToolRequests, DeferredToolResults, RunContext, ToolApproved, ToolDenied
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import WrapperToolset
from pydantic_ai.toolsets.abstract import ToolsetTool
from pydantic_core import ValidationError, to_jsonable_python

from signoff_client import AsyncGate, Call, Held, Refused, same


@dataclass
class SignoffToolset(WrapperToolset[Any]):
    """The tools of `wrapped` behind the gate.

    `operations` says what a tool really does, by its name: ``{"shell": lambda args: {"kind": "shell", "cmd": args["command"]}}``.
    """

    gate: AsyncGate
    operations: dict[str, Callable[[dict[str, Any]], Any]] = field(default_factory=dict)

    def _call(self, name: str, args: dict[str, Any], id: str | None, schema: dict[str, Any] | None) -> Call:
        what = self.operations.get(name)
        return Call(name, args, id=id, schema=schema, operation=what(args) if what else None)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        # What is shown is what was made of the model's words, with everything that the tool fills in.
        args, schema = to_jsonable_python(tool_args), tool.tool_def.parameters_json_schema
        call = self._call(name, _as_approved(args, ctx, tool), ctx.tool_call_id, schema)

        async def run(_: dict[str, Any]) -> Any:
            return await self.wrapped.call_tool(name, tool_args, ctx, tool)

        try:
            return await self.gate.run(call, run, wait=ctx.tool_call_approved)
        except Held as held:
            raise ApprovalRequired({"signoff": {"args": args, "schema": schema, "approval": held.approval}}) from held
        except Refused as refused:
            raise ToolFailed(refused.words) from refused

    async def answers(self, requests: DeferredToolRequests) -> DeferredToolResults:
        """Waits for people, and says what becomes of each call. Those that the gate knows nothing of stay open."""
        ours = [part for part in requests.approvals if "signoff" in requests.metadata.get(part.tool_call_id, {})]
        answers = [self._answer(part.tool_name, part.tool_call_id, requests.metadata[part.tool_call_id]) for part in ours]
        found = await asyncio.gather(*answers)
        approvals = {part.tool_call_id: answer for part, answer in zip(ours, found)}
        changed = {id: answer.override_args for id, answer in approvals.items() if isinstance(answer, ToolApproved)}
        metadata = {id: {"signoff": {"args": args}} for id, args in changed.items() if args is not None}
        return requests.build_results(approvals=approvals, metadata=metadata)

    async def _answer(self, name: str, id: str, metadata: dict[str, Any]) -> ToolApproved | ToolDenied:
        asked = metadata["signoff"]
        try:
            settled = await self.gate.settle(self._call(name, asked["args"], id, asked["schema"]))
        except Refused as refused:
            return ToolDenied(refused.words)
        return ToolApproved(override_args=settled.args if settled.changed else None)

    async def handle(self, ctx: RunContext[Any], requests: DeferredToolRequests) -> DeferredToolResults:
        """The same as a handler for `HandleDeferredToolCalls`."""
        return await self.answers(requests)


def _as_approved(args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]) -> dict[str, Any]:
    """The arguments as a person wrote them, where these are what the tool makes of that: it may have filled something in since. Where they are
    anything else, the gate finds that they are not what was approved."""
    changed = (ctx.tool_call_metadata or {}).get("signoff") if ctx.tool_call_approved else None
    if changed is None:
        return args
    try:
        made = tool.args_validator.validate_python(changed["args"], context=ctx.validation_context)
    except ValidationError:
        return args
    return changed["args"] if same(to_jsonable_python(made), args) else args
