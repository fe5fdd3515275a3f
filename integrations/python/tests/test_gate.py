"""What becomes of tool calls at a real gateway. Everything is done in both ways of calling."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import threading
import unittest
from collections.abc import Callable
from typing import Any

from signoff_client import AsyncClient, AsyncGate, Call, Client, Gate, Held, Refused
from signoff_client import _wire as wire
from signoff_client.gate import _Gatekeeper

from .site import Site

_numbers = itertools.count()


def _ready(call: Call, **more: Any) -> Call:
    return Call(call.tool, call.args, id=call.id, **more)


DELETE = Call("delete_page", {"page": 7}, id="call_1")
CHANGED = {"kind": "tool", "tool": "delete_page", "args": {"page": 8}}


class Agent:
    """An agent in a session of its own, which notes what its tool was called with."""

    def __init__(self, site: Site, session: str, **gate: Any) -> None:
        self.site, self.session, self.ran = site, session, list[dict[str, Any]]()
        self.gate = self._gate(gate)

    def _gate(self, options: dict[str, Any]) -> Any:
        caller = {**self.site.caller(self.session), **options.pop("caller", {})}
        return Gate(Client(**caller), cwd=self.site.told["work"], **options)

    def _tool(self, args: dict[str, Any]) -> str:
        self.ran.append(args)
        if args.get("fails"):
            raise RuntimeError("no such page")
        return "done"

    def run(self, call: Call, **more: Any) -> Any:
        return self.gate.run(call, self._tool, **more)

    def settle(self, call: Call) -> Any:
        return self.gate.settle(call)


class AsyncAgent(Agent):
    """The same on `asyncio`."""

    def _gate(self, options: dict[str, Any]) -> Any:
        caller = {**self.site.caller(self.session), **options.pop("caller", {})}
        return AsyncGate(AsyncClient(**caller), cwd=self.site.told["work"], **options)

    def run(self, call: Call, **more: Any) -> Any:
        async def tool(args: dict[str, Any]) -> str:
            return self._tool(args)

        return asyncio.run(self.gate.run(call, tool, **more))

    def settle(self, call: Call) -> Any:
        return asyncio.run(self.gate.settle(call))


class Both:
    """The tests, for each way of calling."""

    kind: type[Agent]
    site: Site

    def agent(self, session: str | None = None, **gate: Any) -> Agent:
        return self.kind(self.site, session or f"session-{next(_numbers)}", **gate)

    def refused(self, agent: Agent, call: Call, why: str, **more: Any) -> Refused:
        """It is refused for this reason, and has not run."""
        ran = len(agent.ran)
        with self.assertRaises(Refused) as caught:  # type: ignore[attr-defined]
            agent.run(call, **more)
        self.assertEqual((caught.exception.why, len(agent.ran)), (why, ran), caught.exception.words)  # type: ignore[attr-defined]
        return caught.exception

    def test_the_harmless_runs_at_once(self: Any) -> None:
        agent = self.agent()
        self.assertEqual(agent.run(Call("get_page", {"page": 7}, id="c")), "done")
        self.assertEqual((agent.ran, self.site.questions(agent.session)), ([{"page": 7}], []))

    def test_what_a_person_approves_runs_once(self: Any) -> None:
        agent = self.agent()
        desk = self.site.soon(agent.session, "approve")
        self.assertEqual(agent.run(DELETE), "done")
        desk.join()
        self.assertEqual(self.site.stages(agent.session), ["executed"])
        # Neither this agent nor one that was started anew runs the same call again.
        self.assertIn("executed", self.refused(agent, DELETE, "used").words)
        self.refused(self.agent(agent.session), DELETE, "used")
        self.assertEqual(agent.ran, [{"page": 7}])

    def test_what_failed_is_reported(self: Any) -> None:
        agent = self.agent()
        desk = self.site.soon(agent.session, "approve")
        with self.assertRaises(RuntimeError):
            agent.run(Call("delete_page", {"page": 7, "fails": True}, id="c"))
        desk.join()
        self.assertEqual(self.site.stages(agent.session), ["failed"])

    def test_a_no_comes_with_its_words(self: Any) -> None:
        for words, heard in [("keep it", "person-0 refused this: keep it."), ("", "person-0 refused this.")]:
            agent = self.agent()
            desk = self.site.soon(agent.session, "deny", words=words)
            self.assertIn(heard, self.refused(agent, DELETE, "denied").words)
            desk.join()
            self.assertIn(heard, self.refused(agent, DELETE, "denied").words)

    def test_a_time_out_is_no_refusal_and_the_later_yes_counts_once(self: Any) -> None:
        agent = self.agent(hold=0.3)
        words = self.refused(agent, DELETE, "timeout").words
        self.assertIn("that is not a no", words)
        self.site.answer(self.site.asked(agent.session)[0]["id"], "approve")
        # Another process of the same session finds its question, and the yes.
        again = self.agent(agent.session)
        self.assertEqual(again.run(DELETE), "done")
        self.refused(agent, DELETE, "used")

    def test_a_model_that_tries_again_finds_its_question(self: Any) -> None:
        agent = self.agent(hold=0.3)
        self.refused(agent, DELETE, "timeout")
        again = [Call("delete_page", {"page": 7}, id=f"again_{number}") for number in range(3)]
        self.refused(agent, again[0], "timeout")
        self.assertEqual(len(self.site.questions(agent.session)), 1)
        self.site.answer(self.site.asked(agent.session)[0]["id"], "approve")
        self.assertEqual(agent.run(again[1]), "done")
        # That yes is used up: the next one is a question of its own.
        self.refused(agent, again[2], "timeout")
        self.assertEqual((agent.ran, self.site.stages(agent.session)), ([{"page": 7}], ["executed", "pending"]))
        # And so is what is about something else.
        self.refused(agent, Call("delete_page", {"page": 8}, id="other"), "timeout")
        self.assertEqual(len(self.site.questions(agent.session)), 3)

    def test_time_runs_out_at_the_gate(self: Any) -> None:
        self.site.configure('timeout = "1s"\n')
        self.addCleanup(self.site.configure, "")
        agent = self.agent()
        self.assertIn("a time-out, not a refusal", self.refused(agent, DELETE, "expired").words)

    def test_time_to_run_runs_out(self: Any) -> None:
        self.site.configure('run_within = "1s"\n')
        self.addCleanup(self.site.configure, "")
        agent = self.agent()
        desk = self.site.soon(agent.session, "approve")
        agent.settle(DELETE)
        desk.join()
        while self.site.stages(agent.session) == ["approved"]:
            threading.Event().wait(0.05)
        self.refused(agent, DELETE, "expired")

    def test_a_changed_form_runs_only_where_that_is_wanted(self: Any) -> None:
        agent = self.agent()
        desk = self.site.soon(agent.session, "modify", operation=CHANGED)
        self.assertIn('"page": 8', self.refused(agent, DELETE, "changed").words)
        desk.join()
        # The yes is left unused, and is for the changed form alone.
        self.assertEqual(agent.run(DELETE, edits=True), "done")
        self.assertEqual((agent.ran, self.site.stages(agent.session)), ([{"page": 8}], ["executed"]))

    def test_what_was_settled_runs_as_it_was_settled(self: Any) -> None:
        agent = self.agent()
        desk = self.site.soon(agent.session, "modify", operation=CHANGED)
        settled = agent.settle(DELETE)
        desk.join()
        self.assertEqual((settled.args, settled.changed), ({"page": 8}, True))
        # Whoever carries the call from there to here cannot make a third thing of it.
        self.refused(agent, Call("delete_page", {"page": 9}, id="call_1"), "changed")
        # Python takes these for the same.
        for alike in [8.0, "8"]:
            agent.settle(DELETE)
            self.refused(agent, Call("delete_page", {"page": alike}, id="call_1"), "changed")
        agent.settle(DELETE)
        self.assertEqual(agent.run(Call("delete_page", {"page": 8}, id="call_1")), "done")
        self.assertEqual(agent.ran, [{"page": 8}])

    def test_a_changed_form_of_what_the_gate_reads_itself_cannot_run(self: Any) -> None:
        agent = self.agent()
        shell = Call("shell", {"command": "rm notes.txt"}, id="c", operation={"kind": "shell", "cmd": "rm notes.txt"})
        desk = self.site.soon(agent.session, "modify", operation={"kind": "shell", "cmd": "ls"})
        self.refused(agent, shell, "changed", edits=True)
        desk.join()

    def test_whoever_does_not_want_to_wait_is_told_of_the_question(self: Any) -> None:
        agent = self.agent()
        with self.assertRaises(Held) as held:
            agent.run(DELETE, wait=False)
        self.assertEqual((held.exception.approval, agent.ran), (self.site.asked(agent.session)[0]["id"], []))
        self.assertEqual(agent.run(Call("get_page", {}, id="c"), wait=False), "done")

    def test_another_operation_under_the_same_id_does_not_run(self: Any) -> None:
        agent = self.agent(hold=0.1)
        self.refused(agent, DELETE, "timeout")
        self.refused(agent, Call("delete_page", {"page": 9}, id="call_1"), "changed")

    def test_a_tool_that_was_redefined_since_the_yes_does_not_run(self: Any) -> None:
        agent = self.agent()
        desk = self.site.soon(agent.session, "approve")
        agent.settle(_ready(DELETE, schema={"type": "object"}))
        desk.join()
        words = self.refused(agent, _ready(DELETE, schema={"type": "string"}), "stale").words
        self.assertIn("not what was shown", words)
        self.refused(agent, _ready(DELETE, schema={"type": "object"}), "stale")

    def test_the_absurd_is_blocked(self: Any) -> None:
        agent = self.agent()
        absurd = Call("shell", {}, id="c", operation={"kind": "shell", "cmd": "rm -rf /"})
        self.assertIn("nobody can approve it", self.refused(agent, absurd, "blocked").words)

    def test_a_backup_that_nobody_can_make_here(self: Any) -> None:
        agent = self.agent()
        shell = Call("shell", {}, id="c", operation={"kind": "shell", "cmd": "rm -rf ../work"})
        desk = self.site.soon(agent.session, "choose", choice="back-up-first")
        self.refused(agent, shell, "backup")
        desk.join()

    def test_arguments_that_are_no_json_are_refused(self: Any) -> None:
        agent = self.agent()
        twice: Any = {1: "a", "1": "b"}
        for args in [{"page": float("nan")}, {"page": object()}, {"page": "\ud800"}, {"page": 2**64}, twice]:
            self.refused(agent, Call("delete_page", args, id="c"), "unknown")
            self.refused(agent, Call("delete_page", args), "unknown")

    def test_calls_at_once_are_independent(self: Any) -> None:
        agent = self.agent()
        ends: dict[int, Any] = {}

        def run(page: int) -> None:
            try:
                ends[page] = agent.run(Call("delete_page", {"page": page}, id=f"call_{page}"))
            except Refused as refused:
                ends[page] = refused.why

        pages = list(range(8))
        running = [threading.Thread(target=run, args=[page]) for page in pages]
        for one in running:
            one.start()
        for question in self.site.asked(agent.session, len(pages)):
            even = question["operation"]["args"]["page"] % 2 == 0
            self.site.answer(question["id"], "approve" if even else "deny")
        for one in running:
            one.join()
        self.assertEqual(ends, {page: "denied" if page % 2 else "done" for page in pages})
        self.assertEqual(sorted(args["page"] for args in agent.ran), [0, 2, 4, 6])

    def test_a_gateway_that_dies_takes_no_yes_with_it_and_gives_none(self: Any) -> None:
        site = Site()
        self.addCleanup(site.close)
        agent = self.kind(site, "s", patience=0.2)

        def kill() -> None:
            site.asked("s")
            site.obey("kill")

        killer = threading.Thread(target=kill)
        killer.start()
        self.assertIn("that is not a no", self.refused(agent, DELETE, "unreachable").words)
        killer.join()
        self.refused(agent, DELETE, "unreachable")
        # It comes back with the question, while somebody waits who has the patience.
        site.obey("start")
        self.assertEqual(len(site.open_questions("s")), 1)
        patient = self.kind(site, "t", patience=60.0)

        def restart() -> None:
            id = site.asked("t")[0]["id"]
            site.obey("kill")
            site.obey("start")
            site.answer(id, "approve")

        person = threading.Thread(target=restart)
        person.start()
        self.assertEqual(patient.run(DELETE), "done")
        person.join()

    def test_whoever_squats_there_allows_nothing(self: Any) -> None:
        allow = b'{"verdict":"allow","decision":"execute_directly","risk":"none","reasons":[],"safer":[]}'
        whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n%s\r\n%s"
        proof = b"signoff-proof: " + b"A" * 86 + b"\r\n"
        replies = [
            (whole % (len(allow), b"", allow), "impostor"),
            (whole % (len(allow), proof, allow), "impostor"),
            (whole % (len(allow) + 1, b"", allow), "unreachable"),
            (b"HTTP/1.1 200 OK\r\n\r\n" + allow, "unreachable"),
            (b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", "impostor"),
            (b"\x00\xff", "unreachable"),
            (b"", "unreachable"),
        ]
        for reply, why in replies:
            with self.subTest(reply), _squatting(lambda _, reply=reply: reply) as address:
                agent = self.agent(caller={"address": address}, patience=0.0)
                self.refused(agent, Call("get_page", {}, id="c"), why)

    def test_an_answer_of_the_gate_to_another_question_is_none(self: Any) -> None:
        heard: list[bytes] = []

        def passing_on(request: bytes) -> bytes:
            if not heard:
                # It goes by the name of the gate, since that is signed as well.
                request = request.replace(b"host: " + squatter[7:].encode(), b"host: " + self.site.told["url"][7:].encode())
                heard.append(_asked(self.site, request))
            return heard[0]

        with _squatting(passing_on) as squatter:
            agent = self.agent(caller={"address": squatter})
            self.refused(agent, Call("get_page", {}, id="a"), "impostor")
            self.assertIn(b'"allow"', heard[0])
            self.refused(agent, Call("get_page", {}, id="b"), "impostor")

    def test_nobody_is_there(self: Any) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        agent = self.agent(caller={"address": f"http://127.0.0.1:{port}"})
        self.assertIn("signoff serve", self.refused(agent, Call("get_page", {}, id="c"), "unreachable").words)

    def test_a_wrong_key_asks_for_nothing(self: Any) -> None:
        agent = self.agent(caller={"key": "sga1.YQ.wrong"})
        self.refused(agent, Call("get_page", {}, id="c"), "unknown")

    def test_words_in_chinese(self: Any) -> None:
        agent = self.agent(hold=0.1, caller={"language": "zh"})
        self.assertIn("尚无人回答", self.refused(agent, DELETE, "timeout").words)

    @unittest.skipUnless(hasattr(socket, "AF_UNIX"), "there are no local sockets")
    def test_the_local_socket(self: Any) -> None:
        caller = {"address": f"unix:{self.site.told['socket']}", "key": None, "agent": "pythonic"}
        agent = self.agent(caller=caller)
        desk = self.site.soon(agent.session, "approve")
        self.assertEqual(agent.run(DELETE), "done")
        desk.join()
        self.assertEqual(self.site.questions(agent.session)[0]["agent"], "pythonic")


class _squatting:
    """Somebody on a port who answers with whatever they like."""

    def __init__(self, reply: Callable[[bytes], bytes]) -> None:
        self._reply = reply
        self._door = socket.create_server(("127.0.0.1", 0))
        self._door.settimeout(60.0)
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._door.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:
                return
            with line:
                line.sendall(self._reply(_request(line)))


def _request(line: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += line.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65536)
    return head + b"\r\n\r\n" + body


def _asked(site: Site, request: bytes) -> bytes:
    host, port = site.told["url"][7:].split(":")
    with socket.create_connection((host, int(port)), 60.0) as line:
        line.sendall(request)
        data = b""
        while part := line.recv(65536):
            data += part
    return data


class _AtAGateway(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        cls.site = Site()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.site.close()


class OneByOne(Both, _AtAGateway):
    kind = Agent


class Together(Both, _AtAGateway):
    kind = AsyncAgent


class Known(unittest.TestCase):
    """What needs no gateway."""

    def test_every_end_of_a_question_is_known(self) -> None:
        gate = _Gatekeeper("en", os.getcwd(), None, 1.0, None)
        whys = {}
        for outcome in wire.OUTCOME_OUTCOMES:
            said: Any = {"outcome": outcome, "by": "a", "words": "", "clock": "run", "permit": "p", "manner": "as-shown"}
            try:
                whys[outcome] = gate._ended(DELETE, "id", said).permit
            except Refused as refused:
                whys[outcome] = refused.why
        used = dict.fromkeys(["redeemed", "executed", "failed", "unknown"], "used")
        others = {"denied": "denied", "expired": "expired", "withdrawn": "withdrawn", "stale": "stale"}
        # These two are no ends: one is waited for, the other followed.
        self.assertEqual(whys, {"approved": "p", "pending": "unknown", "superseded": "unknown", **used, **others})
        new: Any = {"outcome": "blessed", "permit": "p", "manner": "as-shown"}
        self.assertRaises(Refused, gate._ended, DELETE, "id", new)

    def test_the_same_call_has_the_same_key(self) -> None:
        same = [DELETE, Call("delete_page", {"page": 8}, id="call_1"), _ready(DELETE, schema={})]
        self.assertEqual(len({call.key for call in same}), 1)
        one, other = Call("t", {"a": 1, "b": 2}), Call("t", {"b": 2, "a": 1})
        others = [DELETE, Call("get_page", {}, id="call_1"), Call("delete_page", {}, id="call_2"), one, Call("t", {})]
        self.assertEqual((one.key, len({call.key for call in others})), (other.key, 5))

    def test_what_cannot_be_believed_is_not_called(self) -> None:
        key = "sgk1.e23U-nXGLRpwlSLVVSNlZjWgrZs1QeXG7fkFUsd5bK4"
        good = {"address": "http://127.0.0.1:1", "session": "s", "key": "k", "gate_key": key}
        Client(**good)  # type: ignore[arg-type]
        Client(**{**good, "address": "https://signoff.example.com", "gate_key": None})  # type: ignore[arg-type]
        wrong: list[dict[str, Any]] = [
            {"gate_key": None},
            {"gate_key": "sgk1."},
            {"gate_key": key[5:]},
            {"key": None},
            {"address": "unix:/s"},
            {"address": "ftp://127.0.0.1"},
            {"address": "http://127.0.0.1/elsewhere"},
        ]
        for fields in wrong:
            with self.subTest(fields), self.assertRaises(ValueError):
                Client(**{**good, **fields})

    def test_nothing_in_a_header_or_an_id_ends_it(self) -> None:
        key = "sgk1.e23U-nXGLRpwlSLVVSNlZjWgrZs1QeXG7fkFUsd5bK4"
        client = Client("http://127.0.0.1:1", session="s\r\nx: y", key="k", gate_key=key)
        self.assertRaises(ValueError, client.wait, "a")
        client = Client("http://127.0.0.1:1", session="s", key="k", gate_key=key)
        for id in ["", "../permits", "a b", "a?wait_ms=1", "a\r\n"]:
            self.assertRaises(Exception, client.wait, id)
