//! What a model hears: what was refused, by whom or why, and what would be accepted.

use signoff_card::{Language, in_words, visible};
use signoff_gate::judging::Judged;
use signoff_model::Decision;

const fn in_language<'t>(language: Language, english: &'t str, chinese: &'t str) -> &'t str {
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// Why an operation is not harmless, with what would be accepted instead.
pub fn why(judged: &Judged, language: Language) -> String {
    let Judged { operation, assessment, judgement } = judged;
    let (reason, suggestion) = match in_words(judgement, assessment, &operation.text(), language) {
        Decision::ExecuteDirectly => (String::new(), None),
        Decision::RequireConfirmation { reason, .. } => (reason, None),
        Decision::RequireChoice { question, .. } => (question, None),
        // What has to be typed is for the person.
        Decision::RequireInput { prompt, .. } => (prompt, None),
        Decision::Reject { reason, suggestion } => (reason, suggestion),
    };
    let safer = suggestion.or_else(|| assessment.safer.first().map(|safer| visible(&safer.command)));
    match safer {
        None => reason,
        Some(safer) => match language {
            Language::English => format!("{reason}. Instead: {safer}"),
            Language::Chinese => format!("{reason}。可改用：{safer}"),
        },
    }
}

/// Nobody can approve it.
pub fn blocked(why: &str, language: Language) -> String {
    match language {
        Language::English => format!("Signoff blocked this call; nobody can approve it, do not retry it: {why}"),
        Language::Chinese => format!("Signoff 已阻止此调用；任何人都无法批准，请勿重试：{why}"),
    }
}

/// A person has locked everything down.
pub fn locked(by: &str, language: Language) -> String {
    let by = visible(by);
    match language {
        Language::English => format!("{by} has locked down everything that is not harmless; a person has to lift that"),
        Language::Chinese => format!("{by} 已锁定一切并非无害的操作；须由人解除"),
    }
}

/// Nobody can be asked.
pub fn nobody(why: &str, cause: &str, language: Language) -> String {
    match language {
        Language::English => format!(
            "a person has to approve this, and nobody can be asked ({cause}). It was not run. Tell the user to start `signoff serve` \
             in a terminal and to answer there or with `signoff inbox`; then try again. Why: {why}"
        ),
        Language::Chinese => format!(
            "此操作须由人批准，但目前无法询问任何人（{cause}）。操作未执行。请用户在终端运行 `signoff serve` 并在那里或用 `signoff \
             inbox` 回答，然后重试。原因：{why}"
        ),
    }
}

/// Why it is asked, for the dialog of the client itself.
pub fn ask_there(why: &str, language: Language) -> String {
    match language {
        Language::English => format!("Signoff: {why}"),
        Language::Chinese => format!("Signoff：{why}"),
    }
}

/// A person said no.
pub fn denied(by: &str, words: &str, language: Language) -> String {
    let (by, words) = (visible(by), visible(words));
    let said = if words.is_empty() { String::new() } else { format!(": {words}") };
    match language {
        Language::English => format!("{by} refused this{said}. Do not retry it; ask the user what they want instead"),
        Language::Chinese => format!("{by} 已拒绝此操作{said}。请勿重试；请询问用户希望如何处理"),
    }
}

/// Nobody has answered yet, and the client waits no longer.
pub fn open(id: &str, language: Language) -> String {
    match language {
        Language::English => format!(
            "nobody has answered yet; that is not a no. The question {id} stays open: make the same call again later, and it runs \
             once it is approved (`signoff inbox` answers it)"
        ),
        Language::Chinese => format!(
            "尚无人回答；这不代表拒绝。问题 {id} 仍然开放：稍后再次发起同样的调用，获批后即会执行（用 `signoff inbox` 回答）"
        ),
    }
}

/// It was open for as long as it could be.
pub fn expired(language: Language) -> String {
    in_language(
        language,
        "nobody answered in time (a time-out, not a refusal). It was not run; it may be asked for again",
        "无人在规定时间内回答（超时，并非拒绝）。操作未执行；可以再次请求",
    )
    .to_owned()
}

/// A person approved something else.
pub fn changed(shown: &str, language: Language) -> String {
    let shown = visible(shown);
    match language {
        Language::English => {
            format!("not approved as asked, but in this form, which may be asked for instead: {shown}")
        }
        Language::Chinese => format!("未按原样批准，而是批准了以下形式，可改为请求它：{shown}"),
    }
}

/// A person said yes.
pub fn approved(language: Language) -> String {
    in_language(language, "approved by a person at Signoff, for this once", "已由人在 Signoff 批准，仅此一次")
        .to_owned()
}

/// Nobody has to be asked.
pub fn harmless(language: Language) -> String {
    in_language(language, "Signoff: nobody needs to be asked", "Signoff：无需询问").to_owned()
}

/// A person said yes, and it cannot be used.
pub fn unapproved(cause: &str, language: Language) -> String {
    let cause = visible(cause);
    match language {
        Language::English => format!("it was approved, but not run: {cause}"),
        Language::Chinese => format!("已获批准，但未执行：{cause}"),
    }
}

/// A call that nobody can judge, which is no yes.
pub fn unjudged(error: &str, language: Language) -> String {
    let error = visible(error);
    match language {
        Language::English => format!("Signoff cannot judge this call: {error}"),
        Language::Chinese => format!("Signoff 无法判断此调用：{error}"),
    }
}

/// What a client hears while a call is held.
pub fn waiting(language: Language) -> &'static str {
    in_language(
        language,
        "waiting for a person at Signoff (signoff inbox)",
        "正在等待有人在 Signoff 处理（signoff inbox）",
    )
}
