//! `signoff grant`: what is allowed beforehand, for a while.

use std::path::Path;

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::Places;

use super::{Calls, field, inbox::told, people::logged_in, seconds_until, somebody};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{GrantAddArguments, GrantArguments, GrantCommand},
    judge::language,
    output::Output,
};

pub(crate) fn run(arguments: &GrantArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    let mut person = somebody()?;
    // What is wrong with what was asked for is said before anybody types a password.
    let new = match &arguments.command {
        GrantCommand::Add(wanted) => Some(body(wanted)?),
        GrantCommand::List | GrantCommand::Revoke { .. } | GrantCommand::Suggest => None,
    };
    let calls = Calls::on_port(places, arguments.desk.gateway)?;
    let calls = logged_in(calls, arguments.desk.person.as_deref(), &mut person, language)?;
    let desk = Desk { calls, language, json: arguments.json };
    match (&arguments.command, new) {
        (GrantCommand::Add(_), Some(new)) => desk.add(&new, output),
        (GrantCommand::List | GrantCommand::Add(_), _) => desk.list(output),
        (GrantCommand::Revoke { id }, _) => desk.revoke(id, output),
        (GrantCommand::Suggest, _) => desk.suggest(output),
    }
}

/// What is sent to the gateway for a new grant.
fn body(wanted: &GrantAddArguments) -> Result<Value, Failure> {
    let GrantAddArguments { pattern, exact, lasts, uses, path, project, everywhere, covers, agent, session } = wanted;
    let here = std::env::current_dir().map_err(|error| Failure::read(&error))?;
    let mut body = json!({"for_seconds": lasts.as_secs(), "uses": uses, "agent": agent, "session": session});
    let more = if *exact {
        json!({"kind": "exact", "operation": {"kind": "shell", "cmd": pattern}, "cwd": here.to_string_lossy()})
    } else {
        let project = if *everywhere { None } else { Some(project_of(project.as_deref().unwrap_or(&here))?) };
        json!({
            "kind": "pattern",
            "pattern": pattern,
            "paths": path,
            "project": project,
            "everywhere": everywhere,
            "covers": covers,
        })
    };
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    Ok(body)
}

/// The project that a directory belongs to, as the gateway names it.
fn project_of(directory: &Path) -> Result<String, Failure> {
    let found = signoff_facts::whereabouts(directory).map_err(|error| {
        let text = visible(&error.to_string());
        Failure::usage(text.clone(), format!("目录不可用：{text}"))
    })?;
    Ok(found.project)
}

/// A person with their grants.
struct Desk {
    calls: Calls,
    language: Language,
    json: bool,
}

impl Desk {
    fn all(&self) -> Result<Vec<Value>, Failure> {
        self.calls.get("/v1/grants")
    }

    fn list(&self, output: &mut Output) -> Result<(), Failure> {
        let grants = self.all()?;
        if self.json {
            return output.text(&format!("{}\n", Value::Array(grants)));
        }
        if grants.is_empty() {
            return output.text(in_language(self.language, "Nothing is granted.\n", "没有授权。\n"));
        }
        grants.iter().try_for_each(|grant| output.text(&drawn(grant, self.language)))
    }

    fn add(&self, new: &Value, output: &mut Output) -> Result<(), Failure> {
        let grant: Value = self.calls.post("/v1/grants", new)?;
        if self.json {
            return output.text(&format!("{grant}\n"));
        }
        output.text(in_language(self.language, "Granted:\n", "已授权：\n"))?;
        output.text(&drawn(&grant, self.language))
    }

    fn revoke(&self, id: &str, output: &mut Output) -> Result<(), Failure> {
        let id = self.whole(id)?;
        self.calls.delete(&format!("/v1/grants/{id}"))?;
        if self.json {
            return output.text(&format!("{}\n", json!({"revoked": id})));
        }
        output.text(in_language(
            self.language,
            "It is revoked: people are asked again.\n",
            "已撤销：之后将重新询问。\n",
        ))
    }

    /// The id that its end names.
    fn whole(&self, id: &str) -> Result<String, Failure> {
        let plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let all = self.all()?;
        let meant: Vec<&str> =
            all.iter().map(|grant| field(grant, "id")).filter(|known| plain && known.ends_with(id)).collect();
        match meant.as_slice() {
            [one] => Ok((*one).to_owned()),
            _ => Err(Failure::usage(
                format!("`{}` names no grant, or several", visible(id)),
                format!("`{}` 不是授权，或不唯一", visible(id)),
            )
            .hint("signoff grant list shows them", "signoff grant list 列出全部")),
        }
    }

    fn suggest(&self, output: &mut Output) -> Result<(), Failure> {
        let found: Vec<Value> = self.calls.get("/v1/grants/suggestions")?;
        if self.json {
            return output.text(&format!("{}\n", Value::Array(found)));
        }
        if found.is_empty() {
            let text = in_language(
                self.language,
                "Nothing was asked often enough to suggest a grant for it.\n",
                "没有足够频繁的问题可供建议授权。\n",
            );
            return output.text(text);
        }
        for one in &found {
            let number = |name: &str| one.get(name).and_then(Value::as_u64).unwrap_or_default();
            let (answered, of, covers) = (number("answered"), number("of"), visible(field(one, "covers")));
            let (pattern, project) = (visible(field(one, "pattern")), visible(field(one, "project")));
            let words = match self.language {
                Language::English => {
                    format!("This grant would have answered {answered} of your last {of} questions, none you denied:")
                }
                Language::Chinese => {
                    format!("该授权本可回答你最近 {of} 个问题中的 {answered} 个，其中没有你拒绝过的：")
                }
            };
            let command = format!("signoff grant add '{pattern}' --project '{project}' --covers {covers} --for 8h");
            output.text(&format!("{words}\n    {command}\n"))?;
        }
        Ok(())
    }
}

/// A grant as people read it: what it is for, where it counts, whose it is and when it ends.
fn drawn(grant: &Value, language: Language) -> String {
    let operation = grant.get("operation").map(told);
    let what = operation.unwrap_or_else(|| visible(field(grant, "pattern")));
    let optional = |name: &str| grant.get(name).and_then(Value::as_str).map(visible);
    let place = optional("directory").or_else(|| optional("project"));
    let paths = grant.get("paths").and_then(Value::as_array).map(|paths| {
        let names: Vec<String> = paths.iter().filter_map(Value::as_str).map(visible).collect();
        names.join(", ")
    });
    let left = grant.get("until").and_then(Value::as_i64).map(seconds_until).unwrap_or_default().max(0);
    let left = humantime::format_duration(std::time::Duration::from_secs(u64::try_from(left).unwrap_or_default()));
    let uses = grant.get("uses_left").and_then(Value::as_u64);
    let covers = field(grant, "covers");
    let (kind, by, id) = (field(grant, "kind"), visible(field(grant, "by")), field(grant, "id"));
    let mut parts: Vec<String> = Vec::new();
    match language {
        Language::English => {
            parts.push(place.map_or_else(|| "everywhere".to_owned(), |place| format!("in {place}")));
            parts.extend(paths.map(|paths| format!("only at {paths}")));
            parts.extend(optional("agent").map(|agent| format!("for {agent}")));
            parts.extend(optional("session").map(|session| format!("in session {session}")));
            parts.push(format!("up to {covers} risk"));
            parts.push(format!("by {by}"));
            parts.extend(uses.map(|uses| format!("{uses} uses left")));
            parts.push(format!("ends in {left}"));
        }
        Language::Chinese => {
            parts.push(place.map_or_else(|| "任何项目".to_owned(), |place| format!("于 {place}")));
            parts.extend(paths.map(|paths| format!("仅限路径 {paths}")));
            parts.extend(optional("agent").map(|agent| format!("仅限 {agent}")));
            parts.extend(optional("session").map(|session| format!("仅限会话 {session}")));
            parts.push(format!("风险不高于 {covers}"));
            parts.push(format!("授权人 {by}"));
            parts.extend(uses.map(|uses| format!("剩余 {uses} 次")));
            parts.push(format!("剩余时间 {left}"));
        }
    }
    let comma = match language {
        Language::English => ", ",
        Language::Chinese => "，",
    };
    format!("{id}  {kind}\n    {what}\n    {}\n", parts.join(comma))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that bounds a grant is on the screen.
    #[test]
    fn the_whole_scope_is_shown() {
        let mut grant = json!({
            "id": "0197", "kind": "pattern", "pattern": "git push *\u{1b}", "covers": "medium", "by": "olga", "until": 0,
            "paths": ["src/**"], "project": "/p", "agent": "claude", "session": "s-1", "uses_left": 3,
        });
        assert_eq!(
            drawn(&grant, Language::English),
            "0197  pattern\n    git push *‹U+001B›\n    in /p, only at src/**, for claude, in session s-1, up to medium risk, \
             by olga, 3 uses left, ends in 0s\n"
        );
        assert_eq!(
            drawn(&grant, Language::Chinese),
            "0197  pattern\n    git push *‹U+001B›\n    于 /p，仅限路径 src/**，仅限 claude，仅限会话 s-1，风险不高于 medium，授权人 \
             olga，剩余 3 次，剩余时间 0s\n"
        );
        for name in ["paths", "project", "agent", "session", "uses_left"] {
            grant.as_object_mut().unwrap().remove(name);
        }
        let expected =
            "0197  pattern\n    git push *‹U+001B›\n    everywhere, up to medium risk, by olga, ends in 0s\n";
        assert_eq!(drawn(&grant, Language::English), expected);
    }
}
