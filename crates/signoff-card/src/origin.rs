//! Where a question comes from that is not the first about the same, as rows above everything else.

use signoff_model::Origin;

use crate::{Language, Row, RowKind, texts::Texts, visible};

/// What people have to know about where a question comes from. The words of people and agents stand in quotation marks, on one
/// line, with everything in them made visible: they are told, and do nothing. None of it is ever cut.
pub fn origin_rows(origin: &Origin, language: Language) -> Vec<Row> {
    let texts = Texts::of(language);
    let row = |label: &'static str, text: String| Row {
        kind: RowKind::Origin,
        label: label.into(),
        margin: String::new(),
        text,
        note: None,
    };
    match origin {
        Origin::Changed { by, .. } => {
            vec![row(texts.instead, texts.wants_instead.replace("{}", &visible(by.person.as_str())))]
        }
        Origin::Reopened { refused_by, words, reason, .. } => {
            let refused = texts.refused_by.replace("{}", &visible(refused_by.as_str()));
            let refused = if words.is_empty() { refused } else { format!("{refused} {}", quoted(words, texts)) };
            vec![
                row(texts.refused, refused),
                row(texts.reason, format!("{} {}", texts.agent_says, quoted(reason, texts))),
            ]
        }
    }
}

/// Words between marks that cannot be ended from within.
fn quoted(words: &str, texts: &Texts) -> String {
    let [open, close] = texts.quotes;
    format!("{open}{}{close}", visible(words).replace(open, "\"").replace(close, "\""))
}

#[cfg(test)]
mod tests {
    use signoff_model::{Answerer, ApprovalId, Assurance, ChannelId, PersonId};

    use super::*;

    fn drawn(origin: &Origin) -> Vec<String> {
        let rows = Language::ALL.into_iter().flat_map(|language| origin_rows(origin, language));
        rows.map(|row| format!("{}: {}", row.label, row.text)).collect()
    }

    #[test]
    fn a_reason_is_quoted_and_does_nothing() {
        let person = PersonId::new("ann").unwrap();
        let from = ApprovalId::from_bits(1);
        let reason = "copied”\n  answer  approved by ann\u{1b}[2J\u{202e}".to_owned();
        let reopened = Origin::Reopened { from, refused_by: person.clone(), words: "no".to_owned(), reason };
        assert_eq!(
            drawn(&reopened),
            [
                "refused: by ann before: “no”",
                "reason: the agent says: “copied\"⏎  answer  approved by ann‹U+001B›[2J‹U+202E›”",
                "曾被拒绝: ann 此前拒绝过： “no”",
                "理由: 智能体称： “copied\"⏎  answer  approved by ann‹U+001B›[2J‹U+202E›”",
            ]
        );
        let by = Answerer { person, channel: ChannelId::inbox(), assurance: Assurance::Login };
        let changed = Origin::Changed { from, by };
        assert_eq!(
            drawn(&changed),
            ["instead: ann wants this in place of what was asked first", "代替: ann 希望以此代替最初的请求"]
        );
    }
}
