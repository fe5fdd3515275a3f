//! What a model hears from a client: the words of the other doors where they say the same thing, and what only a client has to say.

use signoff_agents::words;
use signoff_card::Language;

/// A text in both languages, with places for what is known later.
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) english: String,
    pub(crate) chinese: String,
}

pub(crate) fn all() -> Vec<Text> {
    type Shared = fn(Language) -> String;
    let shared: [(&str, Shared); 8] = [
        ("blocked", |language| words::blocked("{why}", language)),
        ("denied", |language| words::denied("{by}", "{words}", language)),
        ("denied_without_words", |language| words::denied("{by}", "", language)),
        ("open", |language| words::open("{id}", language)),
        ("expired", words::expired),
        ("changed", |language| words::changed("{form}", language)),
        ("unapproved", |language| words::unapproved("{cause}", language)),
        ("unjudged", |language| words::unjudged("{cause}", language)),
    ];
    let own = [
        ("instead", "{why}. Instead: {safer}", "{why}。可改用：{safer}"),
        (
            "unreached",
            "Signoff cannot be asked about this call ({cause}). It was not run. Tell the user to start `signoff serve` in a terminal; then try again",
            "无法就此调用询问 Signoff（{cause}）。操作未执行。请用户在终端运行 `signoff serve`，然后重试",
        ),
        (
            "late",
            "it was approved, but not run within the time for that (a time-out, not a refusal). It may be asked for again",
            "已获批准，但未在规定时间内执行（超时，并非拒绝）。可以再次请求",
        ),
        (
            "lost",
            "the gateway went away while a person was asked ({cause}); whether anybody has answered is not known, and that is not a no. \
             It was not run. Once the gateway is back, the same question is still there",
            "询问期间网关已断开（{cause}）；是否有人回答尚不可知，这不代表拒绝。操作未执行。网关恢复后，同一问题仍在",
        ),
        (
            "impostor",
            "whoever answered is not the Signoff gateway ({cause}). It was not run. Tell the user",
            "回应者不是 Signoff 网关（{cause}）。操作未执行。请告知用户",
        ),
        (
            "withdrawn",
            "the question was taken back before anybody answered it. It was not run",
            "问题在有人回答之前已被撤回。操作未执行",
        ),
        (
            "stale",
            "it was approved, but is no longer what was shown. It was not run; it may be asked for again",
            "已获批准，但已与所展示的内容不同。操作未执行；可以再次请求",
        ),
        (
            "used",
            "this very call was approved and let go before ({state}). It was not run a second time; make a new call if it is wanted again",
            "此调用此前已获批准并放行（{state}）。未再次执行；如仍需要，请发起新的调用",
        ),
        (
            "another",
            "something else was asked for under the id of this call. It was not run; make a new call",
            "此调用的标识此前用于另一操作。操作未执行；请发起新的调用",
        ),
        (
            "backup",
            "it was approved with a backup first, which cannot be made here. It was not run; ask the user to approve it without one, or to run it \
             with `signoff exec`",
            "已批准，但须先备份，而此处无法备份。操作未执行；请用户改为不备份批准，或用 `signoff exec` 执行",
        ),
        (
            "unknown",
            "the gateway says something that is not understood here ({cause}). It was not run",
            "网关的回答无法理解（{cause}）。操作未执行",
        ),
    ];
    let shared = shared.into_iter().map(|(name, text)| Text {
        name,
        english: text(Language::English),
        chinese: text(Language::Chinese),
    });
    let own = own.into_iter().map(|(name, english, chinese)| Text {
        name,
        english: english.to_owned(),
        chinese: chinese.to_owned(),
    });
    shared.chain(own).collect()
}
