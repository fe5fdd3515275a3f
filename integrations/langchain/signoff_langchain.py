"""Signoff in front of the tools of a LangChain agent.

`SignoffMiddleware` stands right before each tool: it asks the gate, waits, uses the yes up and reports. By itself that is all there is to do.
Where an agent pauses with `HumanInTheLoopMiddleware`, `decisions` answers its interrupts from the gate; the middleware still stands before the
tools, so that an answer of anybody else lets nothing through.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.types import Command, Interrupt

from signoff_client import AsyncClient, AsyncGate, Call, Client, Gate, Refused, Settled, same

_Result = ToolMessage | Command[Any]
_EVERY = ["approve", "edit", "reject", "respond"]
#: A review without these has no word for what may happen.
_NEEDED = {"approve", "reject", "respond"}


class _Failed(Exception):
    """The tool ran, and its result says that it failed."""

    def __init__(self, result: ToolMessage) -> None:
        super().__init__(result.text)
        self.result = result


class SignoffMiddleware(AgentMiddleware):
    """List it last, so that nothing stands between it and the tools.

    `caller` is what `signoff_client.Client` takes; `tools` are those of the agent, so that a yes is for the tools as they are described;
    `operations` says what a tool really does, by its name: ``{"shell": lambda args: {"kind": "shell", "cmd": args["command"]}}``. Everything
    else goes to `signoff_client.Gate`.
    """

    def __init__(
        self,
        caller: dict[str, Any],
        *,
        tools: Sequence[BaseTool] = (),
        operations: dict[str, Callable[[dict[str, Any]], Any]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.gate = Gate(Client(**caller), **options)
        self.async_gate = AsyncGate(AsyncClient(**caller), **options)
        self._operations = operations or {}
        self._schemas = {tool.name: convert_to_openai_tool(tool)["function"] for tool in tools}

    def _call(self, id: str | None, name: str, args: dict[str, Any]) -> Call:
        what = self._operations.get(name)
        return Call(name, args, id=id, schema=self._schemas.get(name), operation=what(args) if what else None)

    # What stands before a tool.

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], _Result]) -> _Result:
        call = self._call(request.tool_call["id"], request.tool_call["name"], request.tool_call["args"])
        try:
            return self.gate.run(call, lambda args: _told(call, args, handler(_asked(request, args))), edits=True)
        except Refused as refused:
            return _refusal(request.tool_call, refused)
        except _Failed as failed:
            return failed.result

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[_Result]]) -> _Result:
        call = self._call(request.tool_call["id"], request.tool_call["name"], request.tool_call["args"])

        async def run(args: dict[str, Any]) -> _Result:
            return _told(call, args, await handler(_asked(request, args)))

        try:
            return await self.async_gate.run(call, run, edits=True)
        except Refused as refused:
            return _refusal(request.tool_call, refused)
        except _Failed as failed:
            return failed.result

    # Answers for `HumanInTheLoopMiddleware`.

    def decisions(self, interrupts: Iterable[Interrupt], messages: Sequence[BaseMessage]) -> Any:
        """What to resume an agent with that waits at these interrupts: ``agent.invoke(Command(resume=…), config)``. `messages` are those of its
        state, since an interrupt for a whole turn does not name the calls that it is about."""
        resume: dict[str, Any] = {}
        for interrupt in interrupts:
            value = interrupt.value
            if value.get("type") == "tool_approval":
                resume[interrupt.id] = self._decision(value["tool_call_id"], value["name"], value["args"], _EVERY)
                continue
            allowed = {config["action_name"]: config["allowed_decisions"] for config in value["review_configs"]}
            for name, decisions in allowed.items():
                if not _NEEDED <= set(decisions):
                    raise ValueError(f"`allowed_decisions` of `{name}` must have approve, reject and respond: a time-out is no rejection")
            calls = _in_order(value["action_requests"], messages)
            decided = [self._decision(id, name, args, allowed[name]) for id, name, args in calls]
            resume[interrupt.id] = {"decisions": decided}
        return resume

    def _decision(self, id: str | None, name: str, args: dict[str, Any], allowed: list[str]) -> dict[str, Any]:
        try:
            settled = self.gate.settle(self._call(id, name, args))
        except Refused as refused:
            return _no(refused)
        return self._yes(settled, name, allowed)

    def _yes(self, settled: Settled, name: str, allowed: list[str]) -> dict[str, Any]:
        if not settled.changed:
            return {"type": "approve"}
        if "edit" in allowed:
            return {"type": "edit", "edited_action": {"name": name, "args": settled.args}}
        return _no(self.gate.changed(settled.approval, settled.args))


def _no(refused: Refused) -> dict[str, Any]:
    """LangChain tells the model of a `reject` that the user has rejected it, which is true of a person's no alone."""
    return {"type": "reject" if refused.why == "denied" else "respond", "message": refused.words}


def _in_order(requests: list[dict[str, Any]], messages: Sequence[BaseMessage]) -> list[tuple[str | None, str, dict[str, Any]]]:
    """The calls that the requests of a turn are about: they come in the order of the model's own."""
    last = next(message for message in reversed(messages) if isinstance(message, AIMessage))
    calls = iter(last.tool_calls)
    found = []
    for request in requests:
        wanted = (request["name"], request["args"])
        call = next((call for call in calls if (call["name"], call["args"]) == wanted), None)
        if call is None:
            raise ValueError(f"the last message of the model has no call of `{request['name']}` like the one that is reviewed")
        found.append((call["id"], call["name"], call["args"]))
    return found


def _asked(request: Any, args: dict[str, Any]) -> Any:
    return request.override(tool_call={**request.tool_call, "args": args})


def _told(call: Call, args: dict[str, Any], result: _Result) -> _Result:
    """A result, with what the model has to know to read it."""
    if isinstance(result, ToolMessage):
        if result.status == "error":
            raise _Failed(result)
        if not same(args, call.args) and isinstance(result.content, str):
            note = f"A person has changed this call before it ran, to {json.dumps(args, ensure_ascii=False)}. Do not repeat the original one."
            return result.model_copy(update={"content": f"{note}\n\n{result.content}"})
    return result


def _refusal(call: dict[str, Any], refused: Refused) -> ToolMessage:
    return ToolMessage(refused.words, tool_call_id=call["id"], name=call["name"], status="error")
