//! `signoff trust`: how far you trust which agents where.

use serde_json::Value;
use signoff_card::{Language, visible};
use signoff_gate::Places;

use super::{field, people::at_desk};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{TrustArguments, TrustCommand},
    judge::language,
    output::Output,
};

pub(crate) fn run(arguments: &TrustArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    let (_, calls) = at_desk(places, &arguments.desk, language)?;
    let list: Vec<Value> = calls.get("/v1/trust")?;
    match &arguments.command {
        None | Some(TrustCommand::List) if arguments.json => output.text(&format!("{}\n", Value::from(list))),
        None | Some(TrustCommand::List) => output.text(&told(&list, language)),
        Some(TrustCommand::Reset { agent, project }) => {
            let meant = |one: &&Value| {
                field(one, "agent") == agent && project.as_ref().is_none_or(|project| field(one, "project") == project)
            };
            let meant: Vec<&Value> = list.iter().filter(meant).collect();
            if meant.is_empty() {
                return Err(Failure::usage("there is no such score", "没有这样的信任分")
                    .hint("list them with: signoff trust", "列出：signoff trust"));
            }
            for one in meant {
                calls.delete(&format!("/v1/trust/{}", field(one, "id")))?;
            }
            output.text(in_language(language, "It starts anew.\n", "已重新开始。\n"))
        }
    }
}

fn told(list: &[Value], language: Language) -> String {
    if list.is_empty() {
        return in_language(language, "Everybody starts at 0.5.\n", "所有智能体从 0.5 开始。\n").to_owned();
    }
    let line = |one: &Value| {
        let score = one.get("score").and_then(Value::as_u64).unwrap_or_default();
        let [person, agent, project] = ["person", "agent", "project"].map(|name| visible(field(one, name)));
        format!("{}.{:03}  {agent}  {project}  ({person})\n", score / 1_000, score % 1_000)
    };
    list.iter().map(line).collect()
}
