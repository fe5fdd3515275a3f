//! Calls inside a call: a tool that hands others on is judged by what it hands on.

use serde_json::{Map, Value};
use signoff_model::{ToolCall, ToolHints};

use super::{
    LONGEST_NAME, NAMELESS, Reader,
    arguments::{Arguments, plain},
};

/// How many calls may stand inside each other.
const MAX_NESTED: usize = 4;

/// Under which names a call is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Under those that say that it is a tool.
    Plain,
    /// Under any, since the tool is there to hand calls on.
    Any,
}

/// Judges every call among the arguments; tells whether there was one.
pub(super) fn judge(reader: &mut Reader<'_>, args: &Arguments, names: Names) -> bool {
    let calls: Vec<ToolCall> = args.groups().into_iter().filter_map(|group| call(group, names)).collect();
    for call in &calls {
        if reader.nested >= MAX_NESTED || !reader.spend(reader.title) {
            reader.unread();
            break;
        }
        let mut inner = Reader {
            call,
            whereabouts: reader.whereabouts.clone(),
            facts: reader.facts,
            findings: std::mem::take(&mut reader.findings),
            shown: reader.shown.clone(),
            title: reader.title,
            runs_left: reader.runs_left,
            paths_left: reader.paths_left,
            searched: reader.searched.clone(),
            ground: reader.ground.clone(),
            nested: reader.nested + 1,
        };
        inner.judge();
        reader.runs_left = inner.runs_left;
        reader.paths_left = inner.paths_left;
        reader.searched = inner.searched;
        reader.ground = inner.ground;
        reader.findings = inner.findings;
    }
    !calls.is_empty()
}

fn call(group: &Map<String, Value>, names: Names) -> Option<ToolCall> {
    const TOOLS: &[&str] = &["tool", "toolname", "recipientname", "functionname"];
    const ARGUMENTS: &[&str] = &["arguments", "args", "parameters", "params", "input", "toolinput", "toolargs"];
    let field =
        |keys: &[&str]| group.iter().find(|(key, _)| keys.contains(&plain(key).as_str())).map(|(_, value)| value);
    let args = field(ARGUMENTS);
    let named = field(TOOLS).and_then(Value::as_str);
    let name = match names {
        Names::Plain => named?,
        Names::Any => named.or_else(|| args.and(field(&["name", "function", "method"])).and_then(Value::as_str))?,
    };
    let args = match (args, names) {
        (Some(args), _) => args.clone(),
        (None, Names::Any) => Value::Object(Map::new()),
        (None, Names::Plain) => return None,
    };
    let server = field(&["servername", "server", "mcpserver"]).and_then(Value::as_str);
    let name = match server {
        Some(server) => format!("mcp__{server}__{name}"),
        None => name.strip_prefix("functions.").unwrap_or(name).to_owned(),
    };
    let name = if name.len() > LONGEST_NAME { NAMELESS.to_owned() } else { name };
    Some(ToolCall { name, args, hints: ToolHints::default() })
}
