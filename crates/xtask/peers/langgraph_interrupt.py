"""How many questions LangGraph asks and has answered in a second: interrupt, then resume, on its SQLite saver.

Called by `cargo xtask gateway` as `langgraph_interrupt.py CLIENTS SECONDS FILE DURABILITY`; prints one line of JSON.

One process, as an application of LangGraph is. Each client is a thread with a conversation of its own for every question: it
runs a graph whose one node interrupts, and resumes it with the answer. Both are on the disk when the call returns: the saver
keeps SQLite's default of a full synchronisation with its write-ahead log. `exit` writes once for each call and is the fastest
that LangGraph offers; `sync` writes after each step.
"""

import json
import sqlite3
import sys
import threading
import time
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class State(TypedDict):
    command: str
    approved: bool


def ask(state: State) -> State:
    return {"command": state["command"], "approved": interrupt({"command": state["command"]})}


def main() -> None:
    clients, seconds, path, durability = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4]
    connection = sqlite3.connect(path, check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    assert (mode, synchronous) == ("wal", 2), f"it would not be on the disk: {mode} {synchronous}"
    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    compiled = graph.compile(checkpointer=saver)
    until = time.monotonic() + seconds
    times: list[list[float]] = [[] for _ in range(clients)]

    def work(client: int) -> None:
        number = 0
        while time.monotonic() < until:
            config = {"configurable": {"thread_id": f"{client}-{number}"}}
            begun = time.monotonic()
            asked = compiled.invoke({"command": "rm notes.txt", "approved": False}, config, durability=durability)
            assert "__interrupt__" in asked, asked
            answered = compiled.invoke(Command(resume=True), config, durability=durability)
            assert answered["approved"] is True, answered
            times[client].append(time.monotonic() - begun)
            number += 1

    threads = [threading.Thread(target=work, args=(client,)) for client in range(clients)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begun
    every = sorted(time for one in times for time in one)
    print(json.dumps({"rounds": len(every), "seconds": took, "p50_ms": every[len(every) // 2] * 1000}))


main()
