"""A real gateway with a person and an agent's key, and what that person does. `SIGNOFF_SITE` names the program that makes it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import threading
import time
from typing import Any
from urllib.parse import urlsplit

#: Nothing here takes so long; a test that does has failed.
_AT_MOST = 60.0


class Site:
    """One gateway."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [os.environ["SIGNOFF_SITE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.told: dict[str, Any] = json.loads(self._line())
        self._token: str | None = None

    def _line(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the gateway does not start"
        return line

    def obey(self, word: str) -> None:
        """`kill` or `start`."""
        assert self._process.stdin
        print(word, file=self._process.stdin, flush=True)
        assert self._line() == "done\n"

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(_AT_MOST)
        self._process.stdout.close()

    def configure(self, text: str) -> None:
        with open(self.told["settings"], "w", encoding="utf-8") as file:
            file.write('[approval]\napprovers = ["person-0"]\n' + text)

    def caller(self, session: str, **other: Any) -> dict[str, Any]:
        """What a client needs to call it."""
        told = self.told
        return {"address": told["url"], "key": told["key"], "gate_key": told["gate_key"], "session": session, **other}

    def person(self, method: str, path: str, body: object | None = None) -> Any:
        """What the person's browser would do."""
        if self._token is None and path != "/v1/login":
            credentials = {"person": self.told["person"], "password": self.told["password"]}
            self._token = self.person("POST", "/v1/login", credentials)["token"]
        line = http.client.HTTPConnection(urlsplit(self.told["url"]).netloc, timeout=_AT_MOST)
        headers = {"content-type": "application/json"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        line.request(method, path, None if body is None else json.dumps(body), headers)
        response = line.getresponse()
        said = json.loads(response.read() or b"null")
        line.close()
        assert response.status < 300, said
        return said

    def open_questions(self, session: str) -> list[dict[str, Any]]:
        return list(self.person("GET", f"/v1/approvals?stage=pending&session={session}")["approvals"])

    def questions(self, session: str) -> list[dict[str, Any]]:
        return list(self.person("GET", f"/v1/approvals?session={session}")["approvals"])

    def stages(self, session: str) -> list[str]:
        """What has become of the questions of a session, the first one first."""
        return [question["stage"] for question in reversed(self.questions(session))]

    def asked(self, session: str, count: int = 1) -> list[dict[str, Any]]:
        """Waits until so many questions are open, and gives them, the first one first."""
        end = time.monotonic() + _AT_MOST
        while len(found := self.open_questions(session)) < count:
            assert time.monotonic() < end, "nobody is asked"
            time.sleep(0.02)
        return list(reversed(found))

    def answer(self, id: str, answer: str, **more: Any) -> None:
        self.person("POST", f"/v1/approvals/{id}/answer", {"answer": answer, **more})

    def soon(self, session: str, answer: str, **more: Any) -> threading.Thread:
        """Answers the next question of a session, from a desk of its own."""

        def answering() -> None:
            self.answer(self.asked(session)[0]["id"], answer, **more)

        desk = threading.Thread(target=answering)
        desk.start()
        return desk
