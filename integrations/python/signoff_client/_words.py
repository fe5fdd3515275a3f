# Made from the OpenAPI document: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients
"""What a model hears, in both languages."""

WORDS: dict[str, dict[str, str]] = {
    "blocked": {
        "en": "Signoff blocked this call; nobody can approve it, do not retry it: {why}",
        "zh": "Signoff 已阻止此调用；任何人都无法批准，请勿重试：{why}",
    },
    "denied": {
        "en": "{by} refused this: {words}. Do not retry it; ask the user what they want instead",
        "zh": "{by} 已拒绝此操作: {words}。请勿重试；请询问用户希望如何处理",
    },
    "denied_without_words": {
        "en": "{by} refused this. Do not retry it; ask the user what they want instead",
        "zh": "{by} 已拒绝此操作。请勿重试；请询问用户希望如何处理",
    },
    "open": {
        "en": "nobody has answered yet; that is not a no. The question {id} stays open: make the same call again later, and it runs once it is approved (`signoff inbox` answers it)",
        "zh": "尚无人回答；这不代表拒绝。问题 {id} 仍然开放：稍后再次发起同样的调用，获批后即会执行（用 `signoff inbox` 回答）",
    },
    "expired": {
        "en": "nobody answered in time (a time-out, not a refusal). It was not run; it may be asked for again",
        "zh": "无人在规定时间内回答（超时，并非拒绝）。操作未执行；可以再次请求",
    },
    "changed": {
        "en": "not approved as asked, but in this form, which may be asked for instead: {form}",
        "zh": "未按原样批准，而是批准了以下形式，可改为请求它：{form}",
    },
    "unapproved": {
        "en": "it was approved, but not run: {cause}",
        "zh": "已获批准，但未执行：{cause}",
    },
    "unjudged": {
        "en": "Signoff cannot judge this call: {cause}",
        "zh": "Signoff 无法判断此调用：{cause}",
    },
    "instead": {
        "en": "{why}. Instead: {safer}",
        "zh": "{why}。可改用：{safer}",
    },
    "unreached": {
        "en": "Signoff cannot be asked about this call ({cause}). It was not run. Tell the user to start `signoff serve` in a terminal; then try again",
        "zh": "无法就此调用询问 Signoff（{cause}）。操作未执行。请用户在终端运行 `signoff serve`，然后重试",
    },
    "late": {
        "en": "it was approved, but not run within the time for that (a time-out, not a refusal). It may be asked for again",
        "zh": "已获批准，但未在规定时间内执行（超时，并非拒绝）。可以再次请求",
    },
    "lost": {
        "en": "the gateway went away while a person was asked ({cause}); whether anybody has answered is not known, and that is not a no. It was not run. Once the gateway is back, the same question is still there",
        "zh": "询问期间网关已断开（{cause}）；是否有人回答尚不可知，这不代表拒绝。操作未执行。网关恢复后，同一问题仍在",
    },
    "impostor": {
        "en": "whoever answered is not the Signoff gateway ({cause}). It was not run. Tell the user",
        "zh": "回应者不是 Signoff 网关（{cause}）。操作未执行。请告知用户",
    },
    "withdrawn": {
        "en": "the question was taken back before anybody answered it. It was not run",
        "zh": "问题在有人回答之前已被撤回。操作未执行",
    },
    "stale": {
        "en": "it was approved, but is no longer what was shown. It was not run; it may be asked for again",
        "zh": "已获批准，但已与所展示的内容不同。操作未执行；可以再次请求",
    },
    "used": {
        "en": "this very call was approved and let go before ({state}). It was not run a second time; make a new call if it is wanted again",
        "zh": "此调用此前已获批准并放行（{state}）。未再次执行；如仍需要，请发起新的调用",
    },
    "another": {
        "en": "something else was asked for under the id of this call. It was not run; make a new call",
        "zh": "此调用的标识此前用于另一操作。操作未执行；请发起新的调用",
    },
    "backup": {
        "en": "it was approved with a backup first, which cannot be made here. It was not run; ask the user to approve it without one, or to run it with `signoff exec`",
        "zh": "已批准，但须先备份，而此处无法备份。操作未执行；请用户改为不备份批准，或用 `signoff exec` 执行",
    },
    "unknown": {
        "en": "the gateway says something that is not understood here ({cause}). It was not run",
        "zh": "网关的回答无法理解（{cause}）。操作未执行",
    },
}
