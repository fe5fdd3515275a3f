//! Hard cases. Each row of `nasty.jsonl` is a text with the simple commands that a reader of bash would list; null means
//! that bash refuses the text, `flagged` that bash takes it and we ask all the same. Bash itself checks the rows.

use serde_json::Value;
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::{lister, oracle};

fn rows() -> Vec<Value> {
    include_str!("nasty.jsonl").lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

#[test]
fn nasty_texts_list_their_commands() {
    let mut wrong = Vec::new();
    for row in rows() {
        let text = row["cmd"].as_str().expect("a text");
        let arena = Arena::new();
        let script = parse(text, Dialect::Bash, &Limits::default(), &arena);
        let names = lister::names(&script, text);
        let refused = row["commands"].is_null() || row["flagged"] == true;
        let listed = row["commands"].is_null() || row["commands"] == Value::from(names.clone());
        if script.errors.is_empty() == refused || !listed {
            wrong.push(format!("{row}\n    got {names:?} {:?}", script.errors));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nasty_texts_are_what_bash_says() {
    let wrong: Vec<String> = rows()
        .iter()
        .filter(|row| oracle::bash_accepts(row["cmd"].as_str().expect("a text")) == row["commands"].is_null())
        .map(Value::to_string)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
