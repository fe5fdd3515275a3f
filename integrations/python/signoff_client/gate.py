"""A tool call on its way through the gate: asked about, waited for, let go once, reported.

`Gate.run` is all of it. A framework that decides first and runs later calls `settle` for the first half and `run` for the second.
Whatever goes wrong on the way is `Refused`, with words for the model, and then the tool has not run.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, Union

from . import _wire as wire
from ._words import WORDS
from .client import AsyncClient, CallError, Client, Impostor, Language, NoAnswer, NoGateway, Problem

_T = TypeVar("_T")

#: So long one call waits at the gateway; then it asks again.
_WAIT_AT_ONCE = 25.0
#: How often a gateway that has gone away is looked for.
_TRY_EVERY = 0.5
#: So many questions can take the place of one another.
_FOLLOWED = 16
#: So long a report is tried: the model waits for the result of the tool meanwhile.
_REPORT_WITHIN = 5.0
#: The most that is told about a failure.
_WORDS_AT_MOST = 500

Why = Literal[
    "denied",  # A person said no.
    "blocked",  # Nobody can say yes.
    "timeout",  # Nobody has answered within `hold`; the question stays open.
    "expired",  # Nobody has answered, or nothing was run, in the time that the gate gives.
    "withdrawn",  # The question was taken back.
    "changed",  # A person has approved another form, which cannot be run here.
    "stale",  # It is no longer what was shown.
    "used",  # The same call was let go before.
    "backup",  # A backup was wanted first, which cannot be made here.
    "unreachable",  # There is no gateway, or it went away.
    "impostor",  # Whoever answers is not the gate.
    "unknown",  # Anything else, which is no yes either.
]


class Refused(Exception):
    """The tool must not run, and has not. `words` are for the model; `why` tells the cases apart; `approval` is the question."""

    def __init__(self, why: Why, words: str, approval: str | None = None) -> None:
        super().__init__(words)
        self.why, self.words, self.approval = why, words, approval


class Held(Exception):
    """A person has to be asked, and whoever called did not want to wait. The tool has not run. `approval` is the question."""

    def __init__(self, approval: str) -> None:
        super().__init__(approval)
        self.approval = approval


@dataclass(frozen=True)
class Call:
    """A tool call, as the model wants it."""

    tool: str
    args: dict[str, Any]
    #: The id that the model's provider gave this call. The same id finds the same question again, also after a restart.
    id: str | None = None
    #: The schema of the tool: a yes is for the tool that it describes.
    schema: dict[str, Any] | None = None
    #: What the tool says about itself. That can make a call graver and never milder.
    hints: wire.Hints | None = None
    #: What the call really is, where the gate can read that: a shell text or a file. Then a changed form cannot be run.
    operation: wire.Operation | None = None

    @property
    def key(self) -> str:
        """The same for the same call."""
        named = ["call", self.tool, self.id] if self.id else ["args", self.tool, self.args]
        text = json.dumps(named, sort_keys=True, allow_nan=False, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def wanted(self) -> wire.Operation:
        """The operation that the gate judges."""
        if self.operation is not None:
            return self.operation
        return wire.OperationTool(kind="tool", tool=self.tool, args=self.args, hints=self.hints or wire.Hints())


def same(one: object, other: object) -> bool:
    """Whether two values are the same JSON. For Python, `True` is 1 and 1 is 1.0; for a person who has approved one of them, it is not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _shown(value: object) -> None:
    """Fails for what would be shown as something else than what runs: numbers that no gateway can hold, names that stand there twice."""

    def whole(digits: str) -> int:
        if not -(2**63) <= int(digits) < 2**64:
            raise ValueError(f"{digits} is too large")
        return int(digits)

    def once(pairs: list[tuple[str, Any]]) -> None:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name stands there twice")

    text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    json.loads(text.encode(), parse_int=whole, object_pairs_hook=once)


def _alike(call: Call) -> str:
    """The same for calls of the same with the same, whatever their ids."""
    return Call(call.tool, call.args).key


@dataclass(frozen=True)
class Settled:
    """What was decided: the arguments that may run, and the permit for them where a person was asked."""

    args: dict[str, Any]
    permit: str | None
    approval: str | None
    #: Whether a person has changed the arguments.
    changed: bool


@dataclass(frozen=True)
class _Create:
    body: wire.NewRequest


@dataclass(frozen=True)
class _Wait:
    id: str
    seconds: float


@dataclass(frozen=True)
class _Redeem:
    body: wire.Redemption


@dataclass(frozen=True)
class _Report:
    body: wire.Report


@dataclass(frozen=True)
class _Sleep:
    seconds: float


@dataclass(frozen=True)
class _End:
    """There is nothing more to do."""

    value: Any


_Step = Union[_Create, _Wait, _Redeem, _Report, _Sleep]
#: What has to be done next; what came of it is handed back.
_Steps = Generator[_Step, Any, _T]


def _next(steps: _Steps[_T], done: Any) -> _Step | _End:
    """Hands back what came of the last step, and gives the next one."""
    try:
        return steps.throw(done) if isinstance(done, CallError) else steps.send(done)
    except StopIteration as end:
        return _End(end.value)


class _Gatekeeper:
    """What is decided, without doing anything: both ways of calling go through the same steps."""

    def __init__(
        self,
        language: Language,
        cwd: str | None,
        hold: float | None,
        patience: float,
        environment: dict[str, str] | None,
    ) -> None:
        self._language: Language = language
        self._cwd = os.path.abspath(cwd or os.getcwd())
        self._hold, self._patience = hold, patience
        self._environment = environment or {}
        #: What was settled and has not run yet.
        self._settled: dict[str, Settled] = {}
        #: The keys of questions that were left open, by what they were about: a model that tries again makes a call with another id.
        self._left_open: dict[str, str] = {}
        #: The keys of calls that found such a question.
        self._found: dict[str, str] = {}

    def _said(self, name: str, /, **places: str) -> str:
        """A text with its places filled, in one go: what is filled in has no places."""
        return re.sub(r"\{(\w+)\}", lambda place: places[place[1]], WORDS[name][self._language])

    def _refused(self, why: Why, name: str, approval: str | None = None, /, **places: str) -> Refused:
        return Refused(why, self._said(name, **places), approval)

    def _key(self, call: Call) -> str:
        """The same for the same call, whose arguments can be shown."""
        try:
            _shown([call.args, call.operation, call.schema])
            return call.key
        except (TypeError, ValueError, RecursionError) as error:
            raise self._refused("unknown", "unjudged", cause=f"the arguments are no JSON: {error}") from error

    def _asked_as(self, call: Call) -> str:
        """The key of its question: its own, or that of the same call before, which nobody had answered by then."""
        key = self._key(call)
        if key not in self._found and (left := self._left_open.pop(_alike(call), None)):
            self._found[key] = left
        return self._found.get(key, key)

    def _failed(self, error: CallError) -> Refused:
        """An answer that is none."""
        if isinstance(error, Impostor):
            return self._refused("impostor", "impostor", cause=str(error))
        if isinstance(error, Problem):
            if error.code == "key-taken":
                return self._refused("changed", "another")
            return self._refused("unknown", "unjudged", cause=f"{error.detail} ({error.code})")
        return self._refused("unreachable", "unreached", cause=str(error))

    def _look(self, call: Call) -> _Steps[str | None]:
        """Asks. Gives the id of the question to people, and none where nobody has to be asked."""
        request = wire.NewRequest(
            key=self._asked_as(call),
            operation=call.wanted(),
            cwd=self._cwd,
            environment=self._environment,
            schema=call.schema,
        )
        verdict = yield from self._create(request)
        word = verdict.get("verdict")
        if word == "allow":
            return None
        if word == "block":
            safer = verdict.get("safer") or []
            why = verdict.get("reason") or ""
            why = self._said("instead", why=why, safer=safer[0]) if safer else why
            raise self._refused("blocked", "blocked", why=why)
        id = verdict.get("approval")
        if word != "ask" or not id:
            raise self._refused("unknown", "unknown", cause=f"verdict {word!r}")
        return id

    def _create(self, request: wire.NewRequest) -> _Steps[wire.Verdict]:
        end: float | None = None
        while True:
            try:
                verdict: wire.Verdict = yield _Create(request)
                return verdict
            except (NoGateway, NoAnswer) as error:
                # Where nobody is there, that is told at once. What was cut off may have been heard, and is asked again under its key.
                now = time.monotonic()
                end = end or (now + self._patience if isinstance(error, NoAnswer) else now)
                if now >= end:
                    raise self._failed(error) from error
                yield _Sleep(_TRY_EVERY)
            except CallError as error:
                raise self._failed(error) from error

    def _settle(self, call: Call) -> _Steps[Settled]:
        """Asks, and waits for people."""
        id = yield from self._look(call)
        if id is None:
            return Settled(call.args, None, None, False)
        end = None if self._hold is None else time.monotonic() + self._hold
        lost: float | None = None
        followed = 0
        while True:
            rest = _WAIT_AT_ONCE if end is None else min(_WAIT_AT_ONCE, max(0.0, end - time.monotonic()))
            try:
                outcome: wire.Outcome = yield _Wait(id, rest)
            except (NoGateway, NoAnswer) as error:
                # It may come back, with the question: nothing is lost when a gateway dies.
                now = time.monotonic()
                lost = lost or now + self._patience
                if now >= lost or (end is not None and now >= end):
                    self._left_open[_alike(call)] = self._asked_as(call)
                    raise self._refused("unreachable", "lost", id, cause=str(error)) from error
                yield _Sleep(_TRY_EVERY)
                continue
            except Problem as error:
                if error.status == 429:
                    yield _Sleep(_TRY_EVERY)
                    continue
                raise self._failed(error) from error
            except CallError as error:
                raise self._failed(error) from error
            lost = None
            if outcome.get("outcome") == "pending":
                if end is not None and time.monotonic() >= end:
                    self._left_open[_alike(call)] = self._asked_as(call)
                    raise self._refused("timeout", "open", id, id=id)
            elif outcome["outcome"] == "superseded" and followed < _FOLLOWED:
                id, followed = outcome["by"], followed + 1
            else:
                return self._ended(call, id, outcome)

    def _ended(self, call: Call, id: str, outcome: wire.Outcome) -> Settled:
        """What the end of a question means for a call."""
        if outcome["outcome"] == "approved":
            return self._approved(call, id, outcome)
        if outcome["outcome"] == "denied":
            by, words = outcome["by"], outcome["words"]
            raise self._refused("denied", "denied" if words else "denied_without_words", id, by=by, words=words)
        if outcome["outcome"] == "expired":
            raise self._refused("expired", "late" if outcome["clock"] == "run" else "expired", id)
        if outcome["outcome"] == "withdrawn":
            raise self._refused("withdrawn", "withdrawn", id)
        if outcome["outcome"] == "stale":
            raise self._refused("stale", "stale", id)
        if outcome["outcome"] in ("redeemed", "executed", "failed", "unknown"):
            raise self._refused("used", "used", id, state=outcome["outcome"])
        raise self._refused("unknown", "unknown", id, cause=f"outcome {outcome['outcome']!r}")

    def _approved(self, call: Call, id: str, outcome: wire.OutcomeApproved) -> Settled:
        if outcome["manner"] != "as-shown":
            raise self._refused("backup", "backup", id)
        changed = outcome.get("modified")
        if changed is None:
            return Settled(call.args, outcome["permit"], id, False)
        if call.operation is None and changed["kind"] == "tool" and changed["tool"] == call.tool:
            return Settled(changed.get("args") or {}, outcome["permit"], id, True)
        raise self.changed(id, changed)

    def changed(self, id: str | None, form: wire.Operation | dict[str, Any]) -> Refused:
        """A person has approved another form, which cannot be run here. The yes is left unused."""
        return self._refused("changed", "changed", id, form=json.dumps(form, ensure_ascii=False))

    def _let_go(self, call: Call, edits: bool, wait: bool) -> _Steps[Settled]:
        """Everything up to the moment of running."""
        settled = self._settled.pop(self._key(call), None)
        if settled is None and not wait:
            id = yield from self._look(call)
            if id is not None:
                raise Held(id)
            settled = Settled(call.args, None, None, False)
        elif settled is None:
            settled = yield from self._settle(call)
            if settled.changed and not edits:
                raise self.changed(settled.approval, settled.args)
        elif not same(settled.args, call.args):
            # It was settled before, and whoever carries the call since then has made something else of it.
            raise self._refused("changed", "another", settled.approval)
        if settled.permit is not None:
            yield from self._redeem(call, settled.permit, settled.approval)
        return settled

    def _redeem(self, call: Call, permit: str, id: str | None) -> _Steps[None]:
        redemption = wire.Redemption(
            permit=permit, attempt=secrets.token_hex(32), environment=self._environment, schema=call.schema
        )
        end = time.monotonic() + self._patience
        while True:
            try:
                redeemed: wire.Redeemed = yield _Redeem(redemption)
            except (NoGateway, NoAnswer) as error:
                # Whoever did not hear the answer tries again with the same attempt.
                if time.monotonic() >= end:
                    raise self._refused("unreachable", "lost", id, cause=str(error)) from error
                yield _Sleep(_TRY_EVERY)
                continue
            except Problem as error:
                why: dict[str, Why] = {"stale": "stale", "used-before": "used", "expired": "expired"}
                raise self._refused(why.get(error.code, "unknown"), "unapproved", id, cause=error.detail) from error
            except CallError as error:
                raise self._failed(error) from error
            break
        if redeemed.get("manner") != "as-shown":
            yield from self._tell(permit, False, "it was not run: no backup can be made here")
            raise self._refused("backup", "backup", id)

    def _tell(self, permit: str, success: bool, words: str) -> _Steps[None]:
        """Says what became of it. Where nobody hears that, the ledger says that it is not known."""
        end = time.monotonic() + min(self._patience, _REPORT_WITHIN)
        while True:
            try:
                yield _Report(wire.Report(permit=permit, success=success, words=words[:_WORDS_AT_MOST]))
            except (NoGateway, NoAnswer):
                if time.monotonic() < end:
                    yield _Sleep(_TRY_EVERY)
                    continue
            except CallError:
                pass
            return


class Gate(_Gatekeeper):
    """Lets the calls of one agent session through, one thread for each call that waits.

    `hold` is how long a call is held, in seconds; without it, until the gate itself gives up on the question. `patience` is how
    long a gateway that has gone away is looked for.
    """

    def __init__(
        self,
        client: Client,
        *,
        cwd: str | None = None,
        hold: float | None = None,
        patience: float = 30.0,
        environment: dict[str, str] | None = None,
    ) -> None:
        super().__init__(client.language, cwd, hold, patience, environment)
        self.client = client

    def is_free(self, call: Call) -> bool:
        """Asks, without waiting: whether nobody has to be asked. Raises `Refused`."""
        return self._drive(self._look(call)) is None

    def settle(self, call: Call) -> Settled:
        """Asks and waits, and remembers a yes for `run`. Raises `Refused`."""
        settled = self._drive(self._settle(call))
        if settled.permit is not None:
            self._settled[self._key(call)] = settled
        return settled

    def run(
        self, call: Call, function: Callable[[dict[str, Any]], _T], *, edits: bool = False, wait: bool = True
    ) -> _T:
        """Asks, waits, uses the yes up, calls the function with what was approved, and reports. Raises `Refused`, and then the
        function was not called. Arguments that a person has changed are run only with `edits`; without `wait`, a call that a person
        would have to be asked about raises `Held`, and the question is open."""
        settled = self._drive(self._let_go(call, edits, wait))
        try:
            result = function(settled.args)
        except BaseException as error:
            self._reported(settled, False, f"{type(error).__name__}: {error}")
            raise
        self._reported(settled, True, "")
        return result

    def _reported(self, settled: Settled, success: bool, words: str) -> None:
        if settled.permit is not None:
            self._drive(self._tell(settled.permit, success, words))

    def _drive(self, steps: _Steps[_T]) -> _T:
        step = _next(steps, None)
        while not isinstance(step, _End):
            try:
                done = self._do(step)
            except CallError as error:
                step = _next(steps, error)
            else:
                step = _next(steps, done)
        return step.value  # type: ignore[no-any-return]

    def _do(self, step: _Step) -> Any:
        if isinstance(step, _Create):
            return self.client.create(step.body)
        if isinstance(step, _Wait):
            return self.client.wait(step.id, step.seconds)
        if isinstance(step, _Redeem):
            return self.client.redeem(step.body)
        if isinstance(step, _Report):
            return self.client.report(step.body)
        return time.sleep(step.seconds)


class AsyncGate(_Gatekeeper):
    """The same for `asyncio`."""

    def __init__(
        self,
        client: AsyncClient,
        *,
        cwd: str | None = None,
        hold: float | None = None,
        patience: float = 30.0,
        environment: dict[str, str] | None = None,
    ) -> None:
        super().__init__(client.language, cwd, hold, patience, environment)
        self.client = client

    async def is_free(self, call: Call) -> bool:
        """Asks, without waiting: whether nobody has to be asked. Raises `Refused`."""
        return await self._drive(self._look(call)) is None

    async def settle(self, call: Call) -> Settled:
        """Asks and waits, and remembers a yes for `run`. Raises `Refused`."""
        settled = await self._drive(self._settle(call))
        if settled.permit is not None:
            self._settled[self._key(call)] = settled
        return settled

    async def run(
        self,
        call: Call,
        function: Callable[[dict[str, Any]], Awaitable[_T]],
        *,
        edits: bool = False,
        wait: bool = True,
    ) -> _T:
        """Asks, waits, uses the yes up, calls the function with what was approved, and reports. Raises `Refused`, and then the
        function was not called. Arguments that a person has changed are run only with `edits`; without `wait`, a call that a person
        would have to be asked about raises `Held`, and the question is open."""
        settled = await self._drive(self._let_go(call, edits, wait))
        try:
            result = await function(settled.args)
        except BaseException as error:
            await self._reported(settled, False, f"{type(error).__name__}: {error}")
            raise
        await self._reported(settled, True, "")
        return result

    async def _reported(self, settled: Settled, success: bool, words: str) -> None:
        if settled.permit is not None:
            await self._drive(self._tell(settled.permit, success, words))

    async def _drive(self, steps: _Steps[_T]) -> _T:
        step = _next(steps, None)
        while not isinstance(step, _End):
            try:
                done = await self._do(step)
            except CallError as error:
                step = _next(steps, error)
            else:
                step = _next(steps, done)
        return step.value  # type: ignore[no-any-return]

    async def _do(self, step: _Step) -> Any:
        if isinstance(step, _Create):
            return await self.client.create(step.body)
        if isinstance(step, _Wait):
            return await self.client.wait(step.id, step.seconds)
        if isinstance(step, _Redeem):
            return await self.client.redeem(step.body)
        if isinstance(step, _Report):
            return await self.client.report(step.body)
        return await asyncio.sleep(step.seconds)
