//! The lists of people and of agents.

use serde_json::Value;
use signoff_card::{Language, visible};

use crate::{
    failure::{Failure, in_language},
    gateway::{Calls, field},
    output::Output,
};

/// Who there is, as what, and by whom they were invited.
pub(super) fn people(calls: &Calls, json: bool, output: &mut Output, language: Language) -> Result<(), Failure> {
    let people: Vec<Value> = calls.get("/v1/people")?;
    if json {
        return output.text(&format!("{}\n", Value::Array(people)));
    }
    for person in &people {
        let name = visible(field(person, "person"));
        let role = match field(person, "role") {
            "administrator" => in_language(language, "administrator", "管理员"),
            "member" => in_language(language, "member", "成员"),
            other => other,
        };
        let invited = match (language, visible(field(person, "invited_by"))) {
            // Whoever was invited at a terminal under their own name has let themselves in.
            (_, by) if by.is_empty() || by == name => String::new(),
            (Language::English, by) => format!("  invited by {by}"),
            (Language::Chinese, by) => format!("  由 {by} 邀请"),
        };
        output.text(&format!("{name}  {role}{invited}\n"))?;
    }
    Ok(())
}

/// Which agents have a key, and for whom they work.
pub(super) fn agents(calls: &Calls, json: bool, output: &mut Output, language: Language) -> Result<(), Failure> {
    let agents: Vec<Value> = calls.get("/v1/agents")?;
    if json {
        return output.text(&format!("{}\n", Value::Array(agents)));
    }
    if agents.is_empty() {
        return output.text(in_language(language, "No agent has a key.\n", "没有持有密钥的智能体。\n"));
    }
    for agent in &agents {
        let (name, owner) = (visible(field(agent, "agent")), visible(field(agent, "owner")));
        output.text(&match language {
            Language::English => format!("{name}  works for {owner}\n"),
            Language::Chinese => format!("{name}  为 {owner} 工作\n"),
        })?;
    }
    Ok(())
}
