//! What a server says about its tools, as it was last seen to say it. A yes is for the tool that was described then.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use serde_json::{Value, value::RawValue};
use signoff_agents::exact;
use signoff_model::ToolHints;

/// So many tools are known at once: nobody works with more.
const TOOLS_AT_MOST: usize = 100_000;

/// What is known of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// All that was said about it; none where nothing was.
    pub(crate) definition: Option<Value>,
    /// What it says of itself.
    pub(crate) hints: ToolHints,
}

/// The tools of a server.
#[derive(Debug, Default)]
pub(crate) struct Catalogue(Mutex<HashMap<String, Known>>);

impl Catalogue {
    pub(crate) fn of(&self, tool: &str) -> Known {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(tool).cloned().unwrap_or_default()
    }

    /// Takes in a page of a list. Whatever stands on it counts, whoever has asked for it: some clients take it for the answer to
    /// another request than we would.
    pub(crate) fn learn(&self, tools: &RawValue) {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(tools.get()) else { return };
        let mut page: HashMap<String, Known> = HashMap::new();
        for item in items {
            // What can be read in two ways is bound as it stands.
            let definition = exact::read(item.get()).unwrap_or_else(|_| Value::String(item.get().to_owned()));
            let loose: Value = serde_json::from_str(item.get()).unwrap_or_default();
            let Some(name) = loose.get("name").and_then(Value::as_str) else { continue };
            let hints = hints(&loose);
            page.entry(name.to_owned())
                .and_modify(|known| *known = both(known, &definition, hints))
                .or_insert(Known { definition: Some(definition.clone()), hints });
        }
        let mut tools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tools.len().saturating_add(page.len()) > TOOLS_AT_MOST {
            // Whoever is asked is asked for a tool that nothing is known of.
            tools.clear();
        }
        tools.extend(page);
    }
}

/// Two tools of one name: nobody knows which of them is called.
fn both(known: &Known, other: &Value, hints: ToolHints) -> Known {
    let graver = |one: Option<bool>, other: Option<bool>, grave: bool| match (one, other) {
        (Some(one), Some(other)) if one == other => Some(one),
        (Some(said), _) | (_, Some(said)) if said == grave => Some(grave),
        (Some(_), Some(_)) => Some(grave),
        _ => None,
    };
    let definition = Value::Array(vec![known.definition.clone().unwrap_or_default(), other.clone()]);
    Known {
        definition: Some(definition),
        hints: ToolHints {
            read_only: graver(known.hints.read_only, hints.read_only, false),
            destructive: graver(known.hints.destructive, hints.destructive, true),
            open_world: graver(known.hints.open_world, hints.open_world, true),
        },
    }
}

fn hints(definition: &Value) -> ToolHints {
    let said = |name: &str| definition.get("annotations").and_then(|said| said.get(name)).and_then(Value::as_bool);
    ToolHints {
        read_only: said("readOnlyHint"),
        destructive: said("destructiveHint"),
        open_world: said("openWorldHint"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;

    fn learn(catalogue: &Catalogue, tools: &str) {
        let raw = RawValue::from_string(tools.to_owned()).unwrap();
        catalogue.learn(&raw);
    }

    #[test]
    fn what_was_said_last_counts() {
        let catalogue = Catalogue::default();
        assert_eq!(catalogue.of("a"), Known::default());
        learn(&catalogue, r#"[{"name":"a","inputSchema":{"x":1},"annotations":{"readOnlyHint":true}},{"name":"b"}]"#);
        let first = catalogue.of("a");
        assert_eq!(first.hints, ToolHints { read_only: Some(true), ..ToolHints::default() });
        // The same in another order of its parts, on a page of its own.
        learn(&catalogue, r#"[{"annotations":{"readOnlyHint":true},"inputSchema":{"x":1},"name":"a"}]"#);
        assert_eq!(catalogue.of("a"), first);
        assert_eq!(catalogue.of("b").definition, Some(json!({"name": "b"})));
        learn(&catalogue, r#"[{"name":"a","inputSchema":{"x":1},"annotations":{"destructiveHint":true}}]"#);
        assert_ne!(catalogue.of("a").definition, first.definition);
        assert_eq!(catalogue.of("a").hints.destructive, Some(true));
        // A name that only looks alike is another tool.
        assert_eq!(catalogue.of("а"), Known::default());
    }

    #[test]
    fn two_of_one_name_are_the_graver_of_them() {
        let catalogue = Catalogue::default();
        learn(
            &catalogue,
            r#"[{"name":"a","annotations":{"readOnlyHint":true,"destructiveHint":false}},
                {"name":"a","annotations":{"readOnlyHint":false,"destructiveHint":true}}, 7, {"x":1}]"#,
        );
        let known = catalogue.of("a");
        assert_eq!((known.hints.read_only, known.hints.destructive), (Some(false), Some(true)));
        assert!(known.definition.unwrap().is_array());
        // What can be read in two ways is bound as it stands.
        learn(&catalogue, r#"[{"name":"c","inputSchema":1,"inputSchema":2}]"#);
        assert!(catalogue.of("c").definition.unwrap().is_string());
        for odd in ["7", "null", "{}"] {
            learn(&catalogue, odd);
        }
    }
}
