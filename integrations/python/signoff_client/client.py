"""The routes of a gateway that are for agents, one by one. `Gate` puts them together for a tool that is to run."""

from __future__ import annotations

import json
import os
import pwd
import secrets
from pathlib import Path
from typing import Any, Literal, cast

from . import _wire as wire
from ._http import Address, Reply, Unheard, Unreached, exchange, exchange_async, written
from ._proof import GateKey, statement

Language = Literal["en", "zh"]

#: So long a gateway may take to answer what it can answer at once. Looking at what would be lost is part of that.
_ANSWER_WITHIN = 30.0


class CallError(Exception):
    """Why there is no answer. None of these is a yes."""


class NoGateway(CallError):
    """There is no gateway."""


class NoAnswer(CallError):
    """It did not answer in time, or not whole. What was sent may have arrived."""


class Impostor(CallError):
    """Whoever answered is not the gate."""


class Problem(CallError):
    """The gateway says what is wrong, with a stable `code`."""

    def __init__(self, code: str, detail: str, status: int) -> None:
        super().__init__(detail)
        self.code, self.detail, self.status = code, detail, status


class _Caller:
    """What both ways of calling share: who calls whom, what is sent, and what is believed of the answer."""

    def __init__(
        self,
        address: str,
        *,
        session: str,
        key: str | None = None,
        agent: str | None = None,
        gate_key: str | None = None,
        language: Language = "en",
    ) -> None:
        self.address = Address.parse(address)
        if (key is None) == (self.address.path is None):
            raise ValueError("an agent has a key (`key`) on a port, and a name (`agent`) on the local socket")
        if gate_key is None and not self.address.tls:
            raise ValueError("without TLS the gate has to prove itself: `gate_key` is the text in its file `gate.pub`")
        self.session, self.language = session, language
        self._gate_key = None if gate_key is None else GateKey(gate_key)
        self._who = {"authorization": f"Bearer {key}"} if key else {"signoff-agent": agent or "local"}

    def _request(
        self, route: wire.Route, ids: dict[str, str], query: dict[str, int], body: object | None
    ) -> tuple[bytes, str]:
        unknown = set(query) - set(route.query)
        if unknown:
            raise ValueError(f"{route.path} knows no {unknown}")
        for name, value in ids.items():
            if not value or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in value):
                raise Problem("invalid", f"`{name}` names nothing", 0)
        nonce = secrets.token_hex(32)
        headers = {
            "host": self.address.host,
            "signoff-nonce": nonce,
            "signoff-session": self.session,
            "accept-language": self.language,
            "accept": "application/json",
            **self._who,
        }
        text = b""
        if body is not None:
            headers["content-type"] = "application/json"
            text = json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        path = route.path.format(**ids) + (f"?{asked}" if asked else "")
        return written(route.method, path, headers, text), nonce

    def _believed(self, reply: Reply, nonce: str, expected: dict[int, str]) -> Any:
        """What the gate says, once it is known that it was the gate, and that it is an answer to this."""
        if self._gate_key is not None:
            signed = statement(nonce, self.address.host, reply.status, reply.body)
            if not self._gate_key.has_signed(signed, reply.proof):
                raise Impostor(f"whoever answers at {self.address.text} is not the gate: its answer has no proof")
        try:
            said = json.loads(reply.body) if reply.body else None
        except ValueError as error:
            raise NoAnswer("the answer is no JSON") from error
        if reply.status in expected:
            if expected[reply.status] and not isinstance(said, dict):
                raise NoAnswer("the answer is no object")
            return said
        if reply.status < 400 or not isinstance(said, dict):
            raise NoAnswer(f"the answer has the status {reply.status}")
        raise Problem(str(said.get("code", "")), str(said.get("detail", "")), reply.status)


def _nobody(caller: _Caller, error: Unreached) -> NoGateway:
    return NoGateway(f"no gateway answers at {caller.address.text} ({error})")


def local(agent: str, session: str) -> dict[str, Any]:
    """What `Client` and `AsyncClient` need to call the gateway of this user, or of this machine, on its local socket::

        client = Client(**local("my-agent", session="thread-7"))
    """
    # The home of the user id, as Signoff has it: a variable could lead elsewhere.
    own = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".local/share/signoff"
    for key, socket in [(Path("/etc/signoff/gate.pub"), Path("/run/signoff/gate.sock")), (own / "gate.pub", own / "run/gate.sock")]:
        if key.exists():
            return {"address": f"unix:{socket}", "agent": agent, "session": session, "gate_key": key.read_text()}
    raise NoGateway("no gateway has ever run here: a person starts one with `signoff serve`")


class Client(_Caller):
    """Calls a gateway as an agent, and waits for it."""

    def call(
        self,
        route: wire.Route,
        ids: dict[str, str],
        query: dict[str, int] | None = None,
        body: object | None = None,
        hold: float = 0.0,
    ) -> Any:
        request, nonce = self._request(route, ids, query or {}, body)
        try:
            reply = exchange(self.address, request, _ANSWER_WITHIN + hold)
        except Unreached as error:
            raise _nobody(self, error) from error
        except Unheard as error:
            raise NoAnswer(f"the gateway did not answer: {error}") from error
        return self._believed(reply, nonce, route.answers)

    def create(self, request: wire.NewRequest) -> wire.Verdict:
        """Asks for something to be done: a verdict at once, or the id of a question to people."""
        return cast(wire.Verdict, self.call(wire.CREATE, {}, body=request))

    def wait(self, id: str, seconds: float = 0.0) -> wire.Outcome:
        """What has become of a question; held for so long (60 at most) while nobody has decided."""
        return cast(wire.Outcome, self.call(wire.WAIT, {"id": id}, _held(seconds), hold=seconds))

    def operation(self, id: str) -> wire.Asked:
        """What was asked for, for whoever comes back to it."""
        return cast(wire.Asked, self.call(wire.OPERATION, {"id": id}))

    def withdraw(self, id: str, words: str = "") -> None:
        """Takes a question back."""
        self.call(wire.WITHDRAW, {"id": id}, body=wire.Withdrawal(words=words))

    def reopen(self, id: str, reason: str) -> wire.Reopened:
        """States a reason for what a person has refused, once."""
        return cast(wire.Reopened, self.call(wire.REOPEN, {"id": id}, body=wire.Reopening(reason=reason)))

    def redeem(self, redemption: wire.Redemption) -> wire.Redeemed:
        """Uses a yes, once: right before running."""
        return cast(wire.Redeemed, self.call(wire.REDEEM, {}, body=redemption))

    def report(self, report: wire.Report) -> None:
        """Says what became of it."""
        self.call(wire.REPORT, {}, body=report)


class AsyncClient(_Caller):
    """The same for whoever waits for many things at once."""

    async def call(
        self,
        route: wire.Route,
        ids: dict[str, str],
        query: dict[str, int] | None = None,
        body: object | None = None,
        hold: float = 0.0,
    ) -> Any:
        request, nonce = self._request(route, ids, query or {}, body)
        try:
            reply = await exchange_async(self.address, request, _ANSWER_WITHIN + hold)
        except Unreached as error:
            raise _nobody(self, error) from error
        except Unheard as error:
            raise NoAnswer(f"the gateway did not answer: {error}") from error
        return self._believed(reply, nonce, route.answers)

    async def create(self, request: wire.NewRequest) -> wire.Verdict:
        """Asks for something to be done: a verdict at once, or the id of a question to people."""
        return cast(wire.Verdict, await self.call(wire.CREATE, {}, body=request))

    async def wait(self, id: str, seconds: float = 0.0) -> wire.Outcome:
        """What has become of a question; held for so long (60 at most) while nobody has decided."""
        return cast(wire.Outcome, await self.call(wire.WAIT, {"id": id}, _held(seconds), hold=seconds))

    async def operation(self, id: str) -> wire.Asked:
        """What was asked for, for whoever comes back to it."""
        return cast(wire.Asked, await self.call(wire.OPERATION, {"id": id}))

    async def withdraw(self, id: str, words: str = "") -> None:
        """Takes a question back."""
        await self.call(wire.WITHDRAW, {"id": id}, body=wire.Withdrawal(words=words))

    async def reopen(self, id: str, reason: str) -> wire.Reopened:
        """States a reason for what a person has refused, once."""
        return cast(wire.Reopened, await self.call(wire.REOPEN, {"id": id}, body=wire.Reopening(reason=reason)))

    async def redeem(self, redemption: wire.Redemption) -> wire.Redeemed:
        """Uses a yes, once: right before running."""
        return cast(wire.Redeemed, await self.call(wire.REDEEM, {}, body=redemption))

    async def report(self, report: wire.Report) -> None:
        """Says what became of it."""
        await self.call(wire.REPORT, {}, body=report)


def _held(seconds: float) -> dict[str, int]:
    return {"wait_ms": max(0, int(seconds * 1000))}
