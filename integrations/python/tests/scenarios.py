"""What has to hold in each framework, driven for real with a model that is made up: it calls one tool, and then says what it heard.
These need packages, so that `integrations/run` runs them, and `./test` does not."""

from __future__ import annotations

import os
import threading
import unittest
from typing import Any

from .site import Site

CHANGED = {"kind": "tool", "tool": "delete_page", "args": {"page": 8}}


class Scenarios:
    """A framework has `drive` and whether it can change a call."""

    edits = False
    site: Site
    ran: list[int]

    def drive(self, session: str, tool: str, **gate: Any) -> str:
        """Lets an agent whose model calls `tool` with page 7 run to its end. Gives what the model heard as the result; the tools note the pages
        that they were called with in `self.ran` and answer `done with page N`."""
        raise NotImplementedError

    @classmethod
    def setUpClass(cls) -> None:
        cls.site = Site()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.site.close()

    def setUp(self) -> None:
        self.ran = []
        self.session = self._testMethodName  # type: ignore[attr-defined]

    def see(self: Any, case: str, heard: str, ran: list[int], *parts: str) -> None:
        """Notes a line for the table in the documents."""
        for part in parts:
            self.assertIn(part, heard)
        self.assertEqual(self.ran, ran, heard)
        print(f"| {type(self).__name__} | {case} | {'ran ' + str(ran) if ran else 'did not run'} | {' '.join(heard.split())[:220]} |")

    def test_allowed_at_once(self: Any) -> None:
        heard = self.drive(self.session, "get_page")
        self.assertEqual(self.site.questions(self.session), [])
        self.see("allowed at once", heard, [7], "done with page 7")

    def test_held_then_yes(self: Any) -> None:
        desk = self.site.soon(self.session, "approve")
        heard = self.drive(self.session, "delete_page")
        desk.join()
        self.assertEqual(self.site.stages(self.session), ["executed"])
        self.see("held, then yes", heard, [7], "done with page 7")

    def test_held_then_no(self: Any) -> None:
        desk = self.site.soon(self.session, "deny", words="keep that page")
        heard = self.drive(self.session, "delete_page")
        desk.join()
        self.see("held, then no", heard, [], "person-0 refused this: keep that page")

    def test_time_out(self: Any) -> None:
        heard = self.drive(self.session, "delete_page", hold=0.5)
        self.see("nobody answers", heard, [], "nobody has answered yet; that is not a no")
        self.assertNotIn("refused", heard)
        self.assertNotIn("rejected", heard)

    def test_expired(self: Any) -> None:
        self.site.configure('timeout = "1s"\n')
        self.addCleanup(self.site.configure, "")
        heard = self.drive(self.session, "delete_page")
        self.see("its time runs out", heard, [], "a time-out, not a refusal")
        self.assertNotIn("rejected", heard)

    def test_modified(self: Any) -> None:
        desk = self.site.soon(self.session, "modify", operation=CHANGED)
        heard = self.drive(self.session, "delete_page")
        desk.join()
        if self.edits:
            self.assertEqual(self.site.stages(self.session), ["executed"])
            self.see("changed by a person", heard, [8], "done with page 8")
        else:
            self.see("changed by a person", heard, [], "not approved as asked, but in this form", '"page": 8')

    def test_gateway_killed_while_waiting(self: Any) -> None:
        site = self.site

        def kill() -> None:
            site.asked(self.session)
            site.obey("kill")

        self.addCleanup(site.obey, "start")
        killer = threading.Thread(target=kill)
        killer.start()
        heard = self.drive(self.session, "delete_page", patience=0.2)
        killer.join()
        self.see("gateway killed while waiting", heard, [], "It was not run")
        self.assertNotIn("rejected", heard)
        self.assertNotIn("refused this", heard)

    def tidy_up(self, caller: dict[str, Any], path: str) -> None:
        """Lets the example run, whose model deletes this file."""
        raise NotImplementedError

    def test_the_example(self: Any) -> None:
        # It works where it is started: what lies among temporary files elsewhere is nobody's.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.site.told["work"])
        # Two files that nothing brings back: a person looks at each, and lets one of them go.
        for name, answer in [("keep.txt", "deny"), ("go.txt", "approve")]:
            path = os.path.join(self.site.told["work"], name)
            with open(path, "w", encoding="utf-8") as file:
                file.write("mine")
            session = f"{self.session}-{type(self).__name__}-{name}"
            desk = self.site.soon(session, answer)
            self.tidy_up(self.site.caller(session), path)
            desk.join()
            self.assertEqual(os.path.exists(path), answer == "deny")
            [question] = self.site.questions(session)
            self.assertEqual(question["operation"]["kind"], "file")

    def test_no_gateway(self: Any) -> None:
        self.site.obey("kill")
        self.addCleanup(self.site.obey, "start")
        heard = self.drive(self.session, "get_page")
        self.see("no gateway", heard, [], "Signoff cannot be asked", "It was not run")
        self.assertNotIn("rejected", heard)


def main() -> None:
    unittest.main(verbosity=0)
