//! What happens, in words: lines for people, and lines for programs.

use serde_json::{Value, json};
use signoff_analysis::screen::Doubt;
use signoff_card::{Language, visible};
use signoff_watch::happening::{Answered, By, Deed, Happening, Trouble, Who, Why};

use crate::failure::in_language;

/// A line for people. Nothing of what stands in a pane reaches a terminal without being made visible.
pub(super) fn line(happening: &Happening, language: Language) -> String {
    match happening {
        Happening::Agent(who, deed) => deed_line(who, deed, language),
        Happening::Trouble { socket, words } => {
            let server = visible(&socket.spoken());
            format!("{server}: {}", trouble(words, language))
        }
    }
}

fn trouble(words: &Trouble, language: Language) -> String {
    let (english, chinese, name) = match words {
        Trouble::NoSession(name) => ("there is no such session; waiting for it", "没有此会话；等待其出现", name),
        Trouble::NoServer(name) => ("no server answers; waiting for it", "没有服务器应答；等待其出现", name),
        Trouble::NoControl(name) => {
            ("cannot be followed in control mode; looking from time to time", "无法以控制模式跟踪；改为定时查看", name)
        }
        Trouble::Ended(name) => ("the session has ended", "会话已结束", name),
    };
    format!("{}: {}", visible(name), in_language(language, english, chinese))
}

fn deed_line(who: &Who, deed: &Deed, language: Language) -> String {
    let name = visible(&who.name);
    let english = language == Language::English;
    match deed {
        Deed::Answered(Answered { subject, sent, by }) => {
            let (subject, sent) = (visible(subject), visible(sent));
            match (by, english) {
                (By::Policy, true) => format!("auto-confirmed for {name} (sent: {sent}, reason: harmless: {subject})"),
                (By::Policy, false) => format!("已为 {name} 自动确认（发送：{sent}，原因：无害：{subject}）"),
                (By::Person, true) => {
                    format!("confirmed for {name} (sent: {sent}, reason: approved at the gateway: {subject})")
                }
                (By::Person, false) => format!("已为 {name} 确认（发送：{sent}，原因：已在网关批准：{subject}）"),
                (By::Refused(words), true) => {
                    format!("refused for {name} (sent: {sent}, reason: {}: {subject})", visible(words))
                }
                (By::Refused(words), false) => {
                    format!("已为 {name} 拒绝（发送：{sent}，原因：{}：{subject}）", visible(words))
                }
            }
        }
        Deed::WouldAnswer(Answered { subject, sent, .. }) => {
            let (subject, sent) = (visible(subject), visible(sent));
            if english {
                format!("dry run: would confirm for {name} (send: {sent}, reason: harmless: {subject})")
            } else {
                format!("试运行：将为 {name} 确认（发送：{sent}，原因：无害：{subject}）")
            }
        }
        Deed::LeftToPerson { subject, why, by_hand } => {
            let (subject, why, by_hand) = (visible(subject), why_words(why, language), visible(by_hand));
            if english {
                format!("not confirmed for {name} (reason: {why}: {subject}); by hand: {by_hand}")
            } else {
                format!("未为 {name} 确认（原因：{why}：{subject}）；手动：{by_hand}")
            }
        }
        Deed::Asked { subject, why, approval, by_hand } => {
            let (subject, why, by_hand) = (visible(subject), visible(why), visible(by_hand));
            if english {
                format!("asked for {name} at the gateway as {approval} (reason: {why}: {subject}); by hand: {by_hand}")
            } else {
                format!("已为 {name} 在网关询问，编号 {approval}（原因：{why}：{subject}）；手动：{by_hand}")
            }
        }
        Deed::WouldAsk { subject, why } => {
            let (subject, why) = (visible(subject), visible(why));
            if english {
                format!("dry run: would ask at the gateway for {name} (reason: {why}: {subject})")
            } else {
                format!("试运行：将为 {name} 在网关询问（原因：{why}：{subject}）")
            }
        }
        Deed::Superseded { subject } => {
            let subject = visible(subject);
            if english {
                format!("superseded for {name}: its prompt is gone: {subject}")
            } else {
                format!("{name} 的询问已失效：其提示已消失：{subject}")
            }
        }
        Deed::Stuck { subject, sent, by_hand } => {
            let (subject, sent, by_hand) = (visible(subject), visible(sent), visible(by_hand));
            if english {
                format!(
                    "STUCK: {name} did not take the answer (sent: {sent}: {subject}); nothing more is sent; look at it, then: {by_hand}"
                )
            } else {
                format!("卡住：{name} 未接受回答（已发送：{sent}：{subject}）；不再发送；请先查看，然后：{by_hand}")
            }
        }
    }
}

fn why_words(why: &Why, language: Language) -> String {
    let say = |english: &str, chinese: &str| in_language(language, english, chinese).to_owned();
    match why {
        Why::Doubts(doubts) => {
            let all: Vec<&str> = doubts.iter().map(|doubt| doubt_words(*doubt, language)).collect();
            all.join(", ")
        }
        Why::ForPeople => say("only a person answers this", "此类问题只能由人回答"),
        Why::Blocked(words) => visible(words),
        Why::Danger(word) => match language {
            Language::English => format!("danger word `{}`", visible(word)),
            Language::Chinese => format!("危险词 `{}`", visible(word)),
        },
        Why::NoSafeWord => say("no safe word", "没有安全词"),
        Why::SwitchedOff => say("`watch.auto_confirm` is off", "`watch.auto_confirm` 已关闭"),
        Why::Paused => say("paused", "已暂停"),
        Why::Hooked => say("its own hook asks", "由其自身的钩子询问"),
        Why::AnotherAgent => say("the dialog is not that of the program in the foreground", "对话框不属于前台程序"),
        Why::Nowhere => say("cannot tell where it works", "无法确定其工作目录"),
        Why::NotListening => say("keys of this pane go elsewhere", "此窗格的按键会发往别处"),
        Why::Unasked(words) => visible(words),
        Why::Restless => say("it kept changing", "内容不断变化"),
        Why::NoKeys => say("cannot tell which keys would do it", "无法确定应按哪些键"),
    }
}

const fn doubt_words(doubt: Doubt, language: Language) -> &'static str {
    let (english, chinese) = match doubt {
        Doubt::TopCut => ("its upper end cannot be seen", "看不到其上端"),
        Doubt::ChoicesCut => ("its choices are cut", "选项不完整"),
        Doubt::LeftOut => ("it leaves something out", "内容有省略"),
        Doubt::Clipped => ("it is clipped", "内容被截断"),
        Doubt::Wrapped => ("its lines may be joined in two ways", "换行有歧义"),
        Doubt::NotTold => ("the command cannot be told from the words around it", "无法区分命令与其周围文字"),
        Doubt::Imitation => ("it imitates a dialog", "内容模仿对话框"),
        Doubt::Disguised => ("it holds disguised characters", "含有伪装字符"),
        Doubt::Empty => ("it says nothing of what would be done", "未说明将做什么"),
        Doubt::DefaultIsNo => ("its default is no", "默认选项为否"),
        Doubt::NoPlainYes => ("no choice is a plain yes", "没有单纯的“是”"),
        Doubt::MarkUnseen => ("the marked choice cannot be seen", "看不到选中的选项"),
        Doubt::Unframed => ("nothing is drawn around it", "没有边框"),
        Doubt::WhoseUnknown => ("it cannot be told whose dialog it is", "无法确定对话框属于谁"),
    };
    in_language(language, english, chinese)
}

/// A line for programs.
pub(super) fn object(happening: &Happening, at: u64) -> Value {
    match happening {
        Happening::Agent(who, deed) => {
            let mut fields = deed_object(deed);
            if let Some(all) = fields.as_object_mut() {
                all.insert("at".to_owned(), at.into());
                all.insert("agent".to_owned(), who.name.clone().into());
                all.insert("pane".to_owned(), who.pane.to_string().into());
                all.insert("place".to_owned(), who.place.clone().into());
                all.insert("tmux".to_owned(), who.socket.options().into());
                all.insert("program".to_owned(), who.program.clone().into());
            }
            fields
        }
        Happening::Trouble { socket, words } => {
            let (kind, about) = match words {
                Trouble::NoSession(name) => ("no_session", name),
                Trouble::NoServer(name) => ("no_server", name),
                Trouble::NoControl(name) => ("no_control", name),
                Trouble::Ended(name) => ("session_ended", name),
            };
            json!({"event": "trouble", "at": at, "tmux": socket.options(), "kind": kind, "about": about})
        }
    }
}

fn deed_object(deed: &Deed) -> Value {
    match deed {
        Deed::Answered(Answered { subject, sent, by }) => match by {
            By::Policy => json!({"event": "confirmed", "by": "policy", "sent": sent, "subject": subject}),
            By::Person => json!({"event": "confirmed", "by": "person", "sent": sent, "subject": subject}),
            By::Refused(words) => {
                json!({"event": "refused", "by": "person", "sent": sent, "subject": subject, "words": words})
            }
        },
        Deed::WouldAnswer(Answered { subject, sent, .. }) => {
            json!({"event": "would_confirm", "sent": sent, "subject": subject})
        }
        Deed::LeftToPerson { subject, why, by_hand } => {
            let mut fields =
                json!({"event": "left_to_person", "subject": subject, "why": why.name(), "by_hand": by_hand});
            let more = match why {
                Why::Doubts(doubts) => {
                    Some(("doubts", doubts.iter().map(|doubt| doubt.name()).collect::<Vec<_>>().into()))
                }
                Why::Blocked(words) | Why::Unasked(words) => Some(("words", Value::from(words.clone()))),
                Why::Danger(word) => Some(("word", Value::from(word.clone()))),
                _ => None,
            };
            if let (Some((name, value)), Some(all)) = (more, fields.as_object_mut()) {
                all.insert(name.to_owned(), value);
            }
            fields
        }
        Deed::Asked { subject, why, approval, by_hand } => {
            json!({"event": "asked", "subject": subject, "why": why, "approval": approval, "by_hand": by_hand})
        }
        Deed::WouldAsk { subject, why } => json!({"event": "would_ask", "subject": subject, "why": why}),
        Deed::Superseded { subject } => json!({"event": "superseded", "subject": subject}),
        Deed::Stuck { subject, sent, by_hand } => {
            json!({"event": "stuck", "subject": subject, "sent": sent, "by_hand": by_hand})
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_watch::tmux::{PaneId, Socket};

    use super::*;

    fn who() -> Who {
        Who {
            name: "agent-0".to_owned(),
            socket: Socket::Named("work".to_owned()),
            pane: PaneId::parse("%3").unwrap(),
            place: "swarm:0.0".to_owned(),
            program: Some("claude".to_owned()),
        }
    }

    #[test]
    fn a_line_says_who_what_and_why_and_what_to_paste() {
        let answered = Answered { subject: "ls \u{1b}[2J".to_owned(), sent: "1".to_owned(), by: By::Policy };
        for (deed, english, chinese) in [
            (
                Deed::Answered(answered),
                "auto-confirmed for agent-0 (sent: 1, reason: harmless: ls ‹U+001B›[2J)",
                "已为 agent-0 自动确认（发送：1，原因：无害：ls ‹U+001B›[2J）",
            ),
            (
                Deed::LeftToPerson {
                    subject: "x".to_owned(),
                    why: Why::Doubts(vec![Doubt::Clipped, Doubt::DefaultIsNo]),
                    by_hand: "tmux -L work send-keys -t %3 -l 1".to_owned(),
                },
                "not confirmed for agent-0 (reason: it is clipped, its default is no: x); by hand: tmux -L work send-keys -t %3 -l 1",
                "未为 agent-0 确认（原因：内容被截断, 默认选项为否：x）；手动：tmux -L work send-keys -t %3 -l 1",
            ),
        ] {
            let happening = Happening::Agent(who(), deed);
            assert_eq!(line(&happening, Language::English), english);
            assert_eq!(line(&happening, Language::Chinese), chinese);
        }
    }

    #[test]
    fn programs_read_objects() {
        let deed = Deed::LeftToPerson {
            subject: "x".to_owned(),
            why: Why::Danger("rm -rf".to_owned()),
            by_hand: "y".to_owned(),
        };
        assert_eq!(
            object(&Happening::Agent(who(), deed), 7),
            json!({
                "event": "left_to_person", "at": 7, "agent": "agent-0", "pane": "%3", "place": "swarm:0.0", "tmux": ["-L", "work"],
                "program": "claude", "subject": "x", "why": "danger_word", "word": "rm -rf", "by_hand": "y"
            })
        );
    }
}
