//! The arguments of a call, taken at their word: one of another kind, or one that nobody knows, is an error and never overlooked.

use std::ops::RangeInclusive;

use rmcp::model::JsonObject;
use serde_json::Value;

/// What is wrong with a call, for whoever made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Misfit(pub(super) String);

/// The arguments that nobody has taken yet.
#[derive(Debug)]
pub(super) struct Given(JsonObject);

impl Given {
    pub(super) fn new(arguments: Option<JsonObject>) -> Self {
        Self(arguments.unwrap_or_default())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// Takes a value as it is. What is null is not there.
    pub(super) fn value(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    pub(super) fn text_if_any(&mut self, name: &str) -> Result<Option<String>, Misfit> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Misfit(format!("`{name}` must be a text"))),
        }
    }

    pub(super) fn text(&mut self, name: &str) -> Result<String, Misfit> {
        self.text_if_any(name)?.ok_or_else(|| Misfit(format!("`{name}` is missing")))
    }

    /// A text that says something.
    pub(super) fn words(&mut self, name: &str) -> Result<String, Misfit> {
        let text = self.text(name)?;
        if text.trim().is_empty() { Err(Misfit(format!("`{name}` is empty"))) } else { Ok(text) }
    }

    pub(super) fn count_if_any(&mut self, name: &str) -> Result<Option<u64>, Misfit> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|count| *count > 0) {
                Some(count) => Ok(Some(count)),
                None => Err(Misfit(format!("`{name}` must be a whole number above zero"))),
            },
        }
    }

    pub(super) fn object(&mut self, name: &str) -> Result<JsonObject, Misfit> {
        match self.value(name) {
            Some(Value::Object(object)) => Ok(object),
            Some(_) => Err(Misfit(format!("`{name}` must be an object"))),
            None => Err(Misfit(format!("`{name}` is missing"))),
        }
    }

    /// Some texts that say something, as many as this.
    pub(super) fn texts(&mut self, name: &str, count: RangeInclusive<usize>) -> Result<Vec<String>, Misfit> {
        let Some(Value::Array(values)) = self.value(name) else {
            return Err(Misfit(format!("`{name}` must be a list of texts")));
        };
        let texts: Option<Vec<String>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
        let texts = texts.filter(|texts| texts.iter().all(|text| !text.trim().is_empty()));
        let texts = texts.ok_or_else(|| Misfit(format!("`{name}` must hold texts, and none that is empty")))?;
        if count.contains(&texts.len()) {
            Ok(texts)
        } else {
            Err(Misfit(format!("`{name}` must hold {} to {} texts", count.start(), count.end())))
        }
    }

    /// What was not taken has no meaning here, and somebody thought that it had.
    pub(super) fn nothing_else(self) -> Result<(), Misfit> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(Misfit(format!("unknown argument `{}`", signoff_card::visible(name)))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;

    fn given(value: Value) -> Given {
        Given(value.as_object().unwrap().clone())
    }

    #[test]
    fn nothing_is_overlooked() {
        let mut call = given(json!({"command": "ls", "confirmed": true, "timeout_s": 0, "cwd": null, "intent": 3}));
        assert_eq!(call.text("command").unwrap(), "ls");
        assert_eq!(call.text_if_any("cwd"), Ok(None));
        assert_eq!(call.text("cwd"), Err(Misfit("`cwd` is missing".to_owned())));
        assert_eq!(call.text_if_any("intent"), Err(Misfit("`intent` must be a text".to_owned())));
        assert_eq!(
            call.count_if_any("timeout_s"),
            Err(Misfit("`timeout_s` must be a whole number above zero".to_owned()))
        );
        assert_eq!(call.nothing_else(), Err(Misfit("unknown argument `confirmed`".to_owned())));
        assert_eq!(given(json!({})).nothing_else(), Ok(()));
        for wrong in
            [json!({}), json!({"o": "a"}), json!({"o": ["a"]}), json!({"o": ["a", 1]}), json!({"o": ["a", ""]})]
        {
            assert!(given(wrong.clone()).texts("o", 2..=3).is_err(), "{wrong}");
        }
        assert_eq!(given(json!({"o": ["a", "b"]})).texts("o", 2..=3).unwrap(), ["a", "b"]);
        assert_eq!(given(json!({"question": " "})).words("question"), Err(Misfit("`question` is empty".to_owned())));
    }
}
