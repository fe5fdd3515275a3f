//! What a person is asked, as a form of one or two fields, and what their answer means.

use serde_json::{Value, json};

/// A question.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) question: String,
    pub(super) kind: Kind,
}

/// What can be answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    YesNo,
    /// One of these.
    Choice(Vec<String>),
    /// A text.
    Input,
    /// Confirm a plan, have it changed, or give it up.
    Plan,
}

/// What people say about a plan.
const DECISIONS: [&str; 3] = ["confirm", "modify", "cancel"];

impl Form {
    /// The fields, as a flat schema.
    pub(super) fn schema(&self) -> Value {
        let words = json!({"type": "string", "title": "Words for the agent"});
        let properties = match &self.kind {
            Kind::YesNo => json!({"answer": {"type": "boolean", "title": "Answer"}}),
            Kind::Choice(options) => json!({"answer": {"type": "string", "title": "Answer", "enum": options}}),
            Kind::Input => json!({"answer": {"type": "string", "title": "Answer"}}),
            Kind::Plan => json!({"answer": {"type": "string", "title": "Decision", "enum": DECISIONS}, "words": words}),
        };
        json!({"type": "object", "properties": properties, "required": ["answer"]})
    }

    /// What was answered; nothing where it does not fit the question.
    pub(super) fn said(&self, content: &Value) -> Option<Value> {
        let answer = content.get("answer")?;
        let is_one_of = |options: &[String]| options.iter().any(|option| answer == option);
        match &self.kind {
            Kind::YesNo if answer.is_boolean() => Some(answered(answer.clone())),
            Kind::Choice(options) if is_one_of(options) => Some(answered(answer.clone())),
            Kind::Input if answer.is_string() => Some(answered(answer.clone())),
            Kind::Plan if DECISIONS.iter().any(|decision| answer == decision) => {
                let words = content.get("words").and_then(Value::as_str).unwrap_or_default();
                Some(json!({"answered": true, "decision": answer, "words": words}))
            }
            Kind::YesNo | Kind::Choice(_) | Kind::Input | Kind::Plan => None,
        }
    }

    /// What a plain yes means.
    pub(super) fn said_yes(&self) -> Value {
        match self.kind {
            Kind::Plan => json!({"answered": true, "decision": "confirm", "words": ""}),
            Kind::YesNo | Kind::Choice(_) | Kind::Input => answered(true.into()),
        }
    }

    /// What a plain no means, with the words that came with it.
    pub(super) fn said_no(&self, words: &str) -> Value {
        match self.kind {
            Kind::Plan => json!({"answered": true, "decision": "cancel", "words": words}),
            Kind::YesNo | Kind::Choice(_) | Kind::Input => json!({"answered": true, "answer": false, "words": words}),
        }
    }
}

fn answered(answer: Value) -> Value {
    json!({"answered": true, "answer": answer})
}

/// Nobody has said anything, which is neither a yes nor a no.
pub(super) fn unanswered(why: &str) -> Value {
    json!({"answered": false, "reason": why})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_fits_its_question() {
        let form = |kind| Form { question: "?".to_owned(), kind };
        let options = || Kind::Choice(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(form(Kind::YesNo).said(&json!({"answer": true})), Some(json!({"answered": true, "answer": true})));
        assert_eq!(form(options()).said(&json!({"answer": "b"})), Some(json!({"answered": true, "answer": "b"})));
        assert_eq!(form(Kind::Input).said(&json!({"answer": ""})), Some(json!({"answered": true, "answer": ""})));
        let changed = json!({"answer": "modify", "words": "first the tests"});
        assert_eq!(
            form(Kind::Plan).said(&changed),
            Some(json!({"answered": true, "decision": "modify", "words": "first the tests"}))
        );
        for (kind, content) in [
            (Kind::YesNo, json!({"answer": "true"})),
            (Kind::YesNo, json!({"confirmed": true})),
            (Kind::YesNo, json!(true)),
            (options(), json!({"answer": "c"})),
            (Kind::Input, json!({"answer": 1})),
            (Kind::Plan, json!({"answer": "yes"})),
        ] {
            assert_eq!(form(kind).said(&content), None, "{content}");
        }
    }
}
