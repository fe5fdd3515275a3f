//! What `shuck-parser` sees.

use shuck_parser::ShellDialect;
use shuck_parser::parser::{ParseStatus, Parser};
use signoff_model::Dialect;

use crate::debug_text::Node;

/// The commands of a text, each as its words; none if shuck refuses it or had to recover.
pub(crate) fn commands(text: &str, dialect: Dialect) -> Option<Vec<Vec<String>>> {
    let dialect = match dialect {
        Dialect::Zsh => ShellDialect::Zsh,
        Dialect::Bash | Dialect::Sh => ShellDialect::Bash,
    };
    let result = Parser::with_dialect(text, dialect).parse();
    if result.status != ParseStatus::Clean {
        return None;
    }
    let mut commands = Vec::new();
    walk(&Node::of(&result.file), text, &mut commands);
    Some(commands)
}

fn walk(node: &Node, text: &str, commands: &mut Vec<Vec<String>>) {
    match node.name.as_str() {
        "SimpleCommand" => {
            let arguments = node.field("args").map(|words| words.children.as_slice()).unwrap_or_default();
            let name = node.field("name").and_then(|name| of_span(name, text)).filter(|name| !name.is_empty());
            if let Some(name) = name {
                let arguments = arguments.iter().filter_map(|(_, word)| of_span(word, text));
                commands.push(std::iter::once(name).chain(arguments).collect());
            }
        }
        // Of these the arguments are not words any more.
        "DeclClause" => {
            let name = node.field("variant").and_then(|name| name.child(0)).map(|name| name.name.clone());
            commands.extend(name.map(|name| vec![name]));
        }
        "BreakCommand" => commands.push(vec!["break".to_owned()]),
        "ContinueCommand" => commands.push(vec!["continue".to_owned()]),
        "ReturnCommand" => commands.push(vec!["return".to_owned()]),
        "ExitCommand" => commands.push(vec!["exit".to_owned()]),
        "HeredocDelimiter" => return,
        _ => {}
    }
    for (_, child) in &node.children {
        walk(child, text, commands);
    }
}

fn of_span(word: &Node, text: &str) -> Option<String> {
    let span = word.field("span")?;
    let at = |field| span.field(field)?.field("offset")?.name.parse::<usize>().ok();
    text.get(at("start")?..at("end")?).map(str::to_owned)
}
