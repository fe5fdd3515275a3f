"""Ask Signoff before a tool runs::

    from signoff_client import Call, Client, Gate, Refused, local

    gate = Gate(Client(**local("my-agent", session="thread-7")))
    try:
        result = gate.run(Call("delete_page", {"page": 7}, id="call_1"), lambda args: delete_page(**args))
    except Refused as refused:
        result = refused.words  # For the model: what was refused, by whom or why. The tool has not run.
"""

from .client import AsyncClient, CallError, Client, Impostor, Language, NoAnswer, NoGateway, Problem, local
from .gate import AsyncGate, Call, Gate, Held, Refused, Settled, Why, same

__all__ = [
    "AsyncClient",
    "AsyncGate",
    "Call",
    "CallError",
    "Client",
    "Gate",
    "Held",
    "Impostor",
    "Language",
    "NoAnswer",
    "NoGateway",
    "Problem",
    "Refused",
    "Settled",
    "Why",
    "local",
    "same",
]
