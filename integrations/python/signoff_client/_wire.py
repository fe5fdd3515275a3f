# Made from the OpenAPI document: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients
"""What goes over the wire between an agent and a gateway."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypedDict, Union


class Route(NamedTuple):
    """A route: what its query may say, and what a success holds, by its status."""

    method: str
    path: str
    query: tuple[str, ...]
    answers: dict[int, str]


#: Ends a session of MCP. What was asked in it stays asked.
LEAVE = Route("DELETE", "/mcp", (), {204: ""})
#: The stream of what the server says by itself in a session of MCP.
LISTEN = Route("GET", "/mcp", (), {200: ""})
#: One message of MCP (streamable HTTP). The tools judge, ask and tell; none of them decides, and none runs anything.
SAY = Route("POST", "/mcp", (), {200: "", 202: ""})
#: Judges an operation by its text alone. Nobody is asked, nothing is kept, and nothing may run by the answer.
CHECK = Route("POST", "/v1/check", (), {200: "Verdict"})
#: Uses a permit. Everything is looked at once more; after a 200 the executor runs what was approved, once.
REDEEM = Route("POST", "/v1/permits/redeem", (), {200: "Redeemed"})
#: Says what became of something that was run.
REPORT = Route("POST", "/v1/permits/report", (), {204: ""})
#: Asks for something to be done. The answer is a verdict at once, or the id of a question to people.
CREATE = Route("POST", "/v1/requests", (), {200: "Verdict", 202: "Verdict"})
#: What has become of a question. With `wait_ms` the reply is held until somebody decides.
WAIT = Route("GET", "/v1/requests/{id}", ("wait_ms",), {200: "Outcome"})
#: What was asked for under an id, for an agent that comes back to it.
OPERATION = Route("GET", "/v1/requests/{id}/operation", (), {200: "Asked"})
#: States a reason for what a person has refused. It becomes a new question, which a person judges; that is so once.
REOPEN = Route("POST", "/v1/requests/{id}/reopen", (), {202: "Reopened"})
#: Takes a question back.
WITHDRAW = Route("POST", "/v1/requests/{id}/withdraw", (), {204: ""})


#: Which time has run out.
ClockName = Literal["decide", "run"]


#: What becomes of an operation.
DecisionName = Literal["execute_directly", "require_confirmation", "require_choice", "require_input", "reject"]


#: How it is to run.
MannerName = Literal["as-shown", "back-up-first"]


class _Redemption(TypedDict):
    """What is always there."""

    #: 64 hexadecimal digits out of the executor's own randomness: who did not hear the answer tries again with the same.
    attempt: str
    #: The permit.
    permit: str


class Redemption(_Redemption, total=False):
    """Somebody who wants to run what was approved."""

    #: The variables of the environment that matter, as they are now.
    environment: dict[str, str]
    #: The schema of the tool, as it is now.
    schema: dict[str, Any] | None


class _Reopened(TypedDict):
    """What is always there."""

    #: The new question: wait for it under `/v1/requests/{id}`.
    approval: str
    #: Until when people may answer, in milliseconds since 1970.
    until: int


class Reopened(_Reopened, total=False):
    """A question that is open again."""

    #: The number to show, where the question before had one: it is another.
    number: str | None


class Reopening(TypedDict):
    """Why what was refused should be looked at once more."""

    #: The reason, in at most 2000 characters. People see it in quotation marks, below the refusal.
    reason: str


#: How grave it is.
RiskName = Literal["none", "low", "medium", "high", "critical"]


#: What becomes of an operation, in short.
VerdictName = Literal["allow", "ask", "block"]


class Hints(TypedDict, total=False):
    """What a tool says about itself."""

    #: It may destroy something.
    destructive: bool | None
    #: It reaches out of this machine.
    open_world: bool | None
    #: It changes nothing.
    read_only: bool | None


class Measure(TypedDict, total=False):
    """How much there is of something, as far as that is known."""

    #: So many bytes in them.
    bytes: int | None
    #: So many files.
    files: int | None
    #: So grave.
    risk: str | None


class Reason(TypedDict):
    """A rule that spoke."""

    #: What it says.
    message: str
    #: Its name.
    rule: str
    #: The part of the text that it is about, in bytes.
    span: list[int]


class _Report(TypedDict):
    """What is always there."""

    #: The permit that was redeemed.
    permit: str
    #: Whether it ended well.
    success: bool


class Report(_Report, total=False):
    """What became of something that was run."""

    #: What there is to say about a failure.
    words: str


class Withdrawal(TypedDict, total=False):
    """Why a question is taken back."""

    #: For the ledger: it was answered elsewhere, or is no longer wanted.
    words: str


class Redeemed(TypedDict):
    """It may run, now and once."""

    #: as-shown, or back-up-first.
    manner: MannerName


class _Deviation(TypedDict):
    """What is always there."""

    #: total, loss, text, content, directory, link, listing, matches, names, surroundings, risk, policy or further.
    aspect: str
    #: The same in words.
    words: str


class Deviation(_Deviation, total=False):
    """One thing that is not what was shown."""

    #: The path or the pattern that it is about.
    about: str
    #: What is there now; none where that is nothing.
    now: Measure | None
    #: What was shown; none where that was nothing.
    was: Measure | None


class _OperationShell(TypedDict):
    """What is always there."""

    kind: Literal["shell"]
    #: The text.
    cmd: str


class OperationShell(_OperationShell, total=False):
    """A text for a shell."""

    #: The shell that reads it: bash, sh or zsh.
    dialect: str | None


class _OperationFile(TypedDict):
    """What is always there."""

    kind: Literal["file"]
    #: What: read, create, write, edit, overwrite, delete, move, copy, chmod, symlink.
    op: str
    #: To which.
    path: str


class OperationFile(_OperationFile, total=False):
    """Something done to a file."""

    #: The new text.
    content: str | None
    #: Where to, for those that have two ends.
    to: str | None


class _OperationTool(TypedDict):
    """What is always there."""

    kind: Literal["tool"]
    #: Its name.
    tool: str


class OperationTool(_OperationTool, total=False):
    """A call of any other tool."""

    #: Its arguments.
    args: dict[str, Any]
    #: What the tool says about itself.
    hints: Hints


#: Something that an agent wants to do.
Operation = Union[OperationShell, OperationFile, OperationTool]

#: Every `kind` of it.
OPERATION_KINDS = ["shell", "file", "tool"]


class _Verdict(TypedDict):
    """What is always there."""

    #: The decision by its full name.
    decision: DecisionName
    #: The rules that spoke.
    reasons: list[Reason]
    #: none, low, medium, high or critical.
    risk: RiskName
    #: Other ways to the same end.
    safer: list[str]
    #: allow, ask or block.
    verdict: VerdictName


class Verdict(_Verdict, total=False):
    """What becomes of an operation."""

    #: The question to people, where they are asked: wait for it under `/v1/requests/{id}`.
    approval: str | None
    #: Whether anybody is there who may answer. Where nobody is, the question stays open until then.
    attended: bool | None
    #: The standing permission without which people would have been asked.
    grant: str | None
    #: Who has locked down whatever is not harmless.
    locked_down_by: str | None
    #: Show it on your screen, to the person in front of it: whoever says yes has to type it.
    number: str | None
    #: Whether the word of the person for whom the agent works is enough, at a terminal of their own.
    owner_decides: bool | None
    #: Who has stopped the questions for a while, where somebody would have been asked.
    paused_by: str | None
    #: Until when, in milliseconds since 1970.
    paused_until: int | None
    #: Why, in words for the agent.
    reason: str
    #: Until when they may answer, in milliseconds since 1970.
    until: int | None


class _NewCheck(TypedDict):
    """What is always there."""

    #: Where it would run.
    cwd: str
    #: What would be done.
    operation: Operation


class NewCheck(_NewCheck, total=False):
    """Something that an agent thinks of doing."""

    #: What was asked for, in the user's words.
    intent: str | None


class _NewStep(TypedDict):
    """What is always there."""

    #: What would be done.
    operation: Operation


class NewStep(_NewStep, total=False):
    """A further step of a plan."""

    #: Where, if that is another directory.
    cwd: str | None


class Asked(TypedDict):
    """What an agent has asked for."""

    #: Where.
    cwd: str
    #: What would be done.
    operation: Operation


class OutcomePending(TypedDict):
    """Nobody has decided yet."""

    outcome: Literal["pending"]
    #: Until when they may, in milliseconds since 1970.
    until: int


class _OutcomeApproved(TypedDict):
    """What is always there."""

    outcome: Literal["approved"]
    #: as-shown, or back-up-first.
    manner: MannerName
    #: What has to be redeemed.
    permit: str
    #: Until when, in milliseconds since 1970.
    until: int


class OutcomeApproved(_OutcomeApproved, total=False):
    """It may run once, after its permit was redeemed."""

    #: The changed form that may run instead of what was asked for.
    modified: Operation | None


class _OutcomeDenied(TypedDict):
    """What is always there."""

    outcome: Literal["denied"]
    #: Who.
    by: str
    #: Words for the agent.
    words: str


class OutcomeDenied(_OutcomeDenied, total=False):
    """A person said no."""

    #: The question that has reopened it; none where nobody has stated a reason.
    reopened: str | None


class OutcomeExpired(TypedDict):
    """Nobody decided in time, or it was not run in time. That is not a no."""

    outcome: Literal["expired"]
    #: decide, or run.
    clock: ClockName


class OutcomeWithdrawn(TypedDict):
    """The agent took it back."""

    outcome: Literal["withdrawn"]


class OutcomeSuperseded(TypedDict):
    """Another question has taken its place."""

    outcome: Literal["superseded"]
    #: Which.
    by: str


class OutcomeRedeemed(TypedDict):
    """It was redeemed before, and what became of it is not known yet."""

    outcome: Literal["redeemed"]


class OutcomeExecuted(TypedDict):
    """It was run, and ended well."""

    outcome: Literal["executed"]


class OutcomeFailed(TypedDict):
    """It was run, and failed."""

    outcome: Literal["failed"]
    #: What the executor says of it.
    words: str


class OutcomeUnknown(TypedDict):
    """It was redeemed, and nobody ever said what became of it."""

    outcome: Literal["unknown"]


class _OutcomeStale(TypedDict):
    """What is always there."""

    outcome: Literal["stale"]
    #: What differs: operation, preview, policy.
    differs: list[str]


class OutcomeStale(_OutcomeStale, total=False):
    """It was approved, and then it was no longer what was shown."""

    #: The same thing by thing, as far as it is known.
    differences: list[Deviation]


#: What has become of a question.
Outcome = Union[OutcomePending, OutcomeApproved, OutcomeDenied, OutcomeExpired, OutcomeWithdrawn, OutcomeSuperseded, OutcomeRedeemed, OutcomeExecuted, OutcomeFailed, OutcomeUnknown, OutcomeStale]

#: Every `outcome` of it.
OUTCOME_OUTCOMES = ["pending", "approved", "denied", "expired", "withdrawn", "superseded", "redeemed", "executed", "failed", "unknown", "stale"]


class _Problem(TypedDict):
    """What is always there."""

    #: What went wrong, by its stable name.
    code: str
    #: What went wrong and what to do about it, for people.
    detail: str
    #: The status of the reply.
    status: int
    #: The same as a URI, as RFC 9457 wants it.
    type: str


class Problem(_Problem, total=False):
    """The body of a problem."""

    #: What is no longer as it was shown, thing by thing, where something was not run for that.
    differences: list[Deviation]


class _NewRequest(TypedDict):
    """What is always there."""

    #: Where it would run: an absolute path, as the machine of the gateway knows it.
    cwd: str
    #: What the agent calls this request. The same key in the same session finds the same question again.
    key: str
    #: What would be done.
    operation: Operation


class NewRequest(_NewRequest, total=False):
    """Something that an agent wants to do."""

    #: The variables of the environment that matter; something else at the time of running makes a yes stale.
    environment: dict[str, str]
    #: What was asked for, in the user's words.
    intent: str | None
    #: The schema of the tool, for the same.
    schema: dict[str, Any] | None
    #: Whether the agent has a screen of its own, in front of which a person sits: then the answer may hold a `number` to show there.
    screen: bool
    #: What is to come after it: further steps of one plan. People see each, and their yes is one for each that is not grave, once.
    then: list[NewStep]
