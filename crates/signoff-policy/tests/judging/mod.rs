//! Short ways to judge an operation from its text to its verdict.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "an example that cannot be read must fail the test")]

use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
};
use signoff_model::{
    Assessment, Decision, Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints, Verdict,
};
use signoff_policy::{Context, decide};

/// What the analysis says of a shell command, by its text alone.
pub fn shell(command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// What the analysis says of an example of a rule: a shell command, or `file: action path`, `tool: name arguments`, and
/// `tool!` for a tool that says of itself that it destroys.
pub fn example(text: &str) -> Assessment {
    let operation = if let Some(rest) = text.strip_prefix("file: ") {
        let (action, path) = rest.split_once(' ').unwrap();
        Operation::File(FileOperation::parse(FileAction::from_name(action).unwrap(), path).unwrap())
    } else if let Some(rest) = text.strip_prefix("tool: ").or_else(|| text.strip_prefix("tool! ")) {
        let (name, args) = rest.split_once(' ').unwrap();
        let hints = ToolHints { destructive: text.starts_with("tool!").then_some(true), ..ToolHints::default() };
        Operation::Tool(ToolCall { name: name.to_owned(), args: serde_json::from_str(args).unwrap(), hints })
    } else {
        return shell(text);
    };
    assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// What the analysis says of a file operation.
pub fn file(action: FileAction, path: &str) -> Assessment {
    let operation = Operation::File(FileOperation { action, path: path.to_owned(), to: None, content: None });
    assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// What the analysis says of a tool call.
pub fn tool(name: &str, args: serde_json::Value) -> Assessment {
    let operation = Operation::Tool(ToolCall { name: name.to_owned(), args, hints: ToolHints::default() });
    assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

/// What the balanced posture makes of it.
pub fn decision(assessment: &Assessment) -> Decision {
    decide(assessment, &Context::default())
}

/// The short form of it.
pub fn verdict(command: &str) -> Verdict {
    decision(&shell(command)).verdict()
}

/// The rules that spoke about a command.
pub fn rules(command: &str) -> Vec<String> {
    example(command).reasons.iter().map(|reason| reason.rule.to_string()).collect()
}

/// Checks that every command gets the verdict, and lists those which do not.
#[track_caller]
pub fn check<'c>(expected: Verdict, commands: impl IntoIterator<Item = &'c str>) {
    let wrong: Vec<String> = commands
        .into_iter()
        .filter(|command| verdict(command) != expected)
        .map(|command| format!("{} for {expected}: {command:?}  {:?}", verdict(command), rules(command)))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
