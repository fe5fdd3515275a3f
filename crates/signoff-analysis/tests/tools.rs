//! Tool calls of any shape: reading their arguments ends, and what was not read does not pass.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
};
use signoff_model::{Assessment, Coverage, Operation, Risk, ToolCall, ToolHints};

fn judge(name: &str, args: Value) -> (String, Assessment) {
    let operation = Operation::Tool(ToolCall { name: name.to_owned(), args, hints: ToolHints::default() });
    let assessment = assess(&operation, &Whereabouts::assumed(), &NoFacts);
    (operation.text().into_owned(), assessment)
}

fn passes(assessment: &Assessment) -> bool {
    assessment.prohibition.is_none() && assessment.risk <= Risk::Low && assessment.coverage == Coverage::Full
}

/// Any JSON, with the keys that mean something among the others.
fn any_json() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        Just("command".to_owned()),
        Just("args".to_owned()),
        Just("arguments".to_owned()),
        Just("path".to_owned()),
        Just("sql".to_owned()),
        Just("code".to_owned()),
        Just("url".to_owned()),
        Just("tool".to_owned()),
        Just("env".to_owned()),
        "[a-z_$A-Z]{0,8}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,24}".prop_map(Value::from),
        Just(json!("{\"command\": [\"ls\"]}")),
        Just(json!("http://[::1]:1/v1/approvals")),
        Just(json!("\\\\?\\C:\\é\\%2e")),
    ];
    leaf.prop_recursive(6, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// How something is wrapped once more.
#[derive(Clone, Debug)]
enum Wrap {
    List,
    Field(String),
    Among(usize),
}

fn wrap() -> impl Strategy<Value = Wrap> {
    prop_oneof![Just(Wrap::List), "[a-z]{1,6}".prop_map(Wrap::Field), (0usize..20).prop_map(Wrap::Among)]
}

fn wrapped(inner: Value, how: &Wrap) -> Value {
    match how {
        Wrap::List => json!([inner]),
        Wrap::Field(key) => {
            let mut fields = Map::new();
            fields.insert(format!("x{key}"), inner);
            Value::Object(fields)
        }
        Wrap::Among(count) => {
            let mut items = vec![json!("filler"); *count];
            items.push(inner);
            Value::Array(items)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_are_assessed(
        name in prop_oneof![Just("get_thing".to_owned()), Just("Bash".to_owned()), Just("batch".to_owned()), Just("fetch".to_owned()), "[a-zA-Z_.]{0,16}"],
        args in any_json(),
    ) {
        let (text, assessment) = judge(&name, args);
        for reason in &assessment.reasons {
            prop_assert!(reason.span.of(&text).is_some(), "{text}: {reason:?}");
            prop_assert!(reason.risk <= assessment.risk);
        }
        for effect in &assessment.effects {
            prop_assert!(effect.span.of(&text).is_some(), "{text}: {effect:?}");
        }
    }

    /// However deep it stands and however much stands before it, harm is found, or it is said that not all was read.
    #[test]
    fn what_is_hidden_in_arguments_does_not_pass(
        wraps in prop::collection::vec(wrap(), 0..80),
        harm in prop_oneof![
            Just(json!({"command": "rm -rf /"})),
            Just(json!({"program": "sh", "args": ["-c", "rm -rf /"]})),
            Just(json!({"commands": ["ls", "rm -rf /"]})),
            Just(json!({"arguments": "{\"cmd\":\"rm -rf /\"}"})),
            Just(json!({"path": "/home/user/.ssh/id_rsa"})),
            Just(json!({"sql": "DROP DATABASE x"})),
            Just(json!({"tool": "delete_file", "args": {"path": "/"}})),
            Just(json!({"action": "delete"})),
            Just(json!({"dangerouslySkipPermissions": true})),
        ],
    ) {
        let args = wraps.iter().fold(harm, wrapped);
        let (text, assessment) = judge("get_thing", args);
        prop_assert!(!passes(&assessment), "{text}");
    }
}

#[test]
fn what_is_more_than_is_read_asks() {
    let deep = (0..400).fold(json!("x"), |inner, _| json!([inner]));
    let wide = Value::Array(vec![json!("x"); 10_000]);
    let many = json!({ "commands": vec!["ls"; 1_000] });
    let nested =
        (0..12).fold(json!({"tool": "list_dir", "args": {}}), |inner, _| json!({"tool": "batch", "args": inner}));
    for args in [deep, wide, many, nested] {
        let (text, assessment) = judge("get_thing", args);
        let rules: Vec<_> = assessment.reasons.iter().map(|reason| reason.rule.as_str()).collect();
        let start: String = text.chars().take(60).collect();
        assert!(!passes(&assessment) && rules.contains(&"tool-unread"), "{start}: {rules:?}");
        assert_ne!(assessment.coverage, Coverage::Full, "{start}");
    }
    for args in [json!({"a": [[["x"]]]}), json!({ "ids": vec!["x"; 500] }), json!({ "commands": vec!["ls"; 20] })] {
        let (text, assessment) = judge("get_thing", args);
        assert!(passes(&assessment), "{text}: {:?}", assessment.reasons);
    }
}
