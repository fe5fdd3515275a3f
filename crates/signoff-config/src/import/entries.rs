//! One entry of Claude Code's permissions as the conditions of a rule. Where the two do not mean the same, a permission may
//! become narrower and a prohibition wider; the other way round it is left out.

use signoff_model::Verdict;
use signoff_policy::{CommandPattern, RUNS_ANYTHING};

use crate::{fault::Words, settings::quoted};

/// Signs that mean something to a shell; with them an entry is about a text, and rules are about words.
const SHELL_SIGNS: &[char] = &[';', '|', '&', '<', '>', '$', '`', '(', ')', '{', '}', '\\', '\n', '#', '!'];

/// The conditions of an entry, as they are written in a file.
pub(super) fn conditions(entry: &str, verdict: Verdict) -> Result<String, Words> {
    let (tool, inside) = match entry.split_once('(') {
        None => (entry, None),
        Some((tool, inside)) => match inside.strip_suffix(')') {
            Some(inside) => (tool, Some(inside)),
            None => return Err(Words::new("the bracket does not end", "括号没有结束")),
        },
    };
    match (tool, inside) {
        ("Bash", None | Some("*" | ":*")) => whole_tool(&["shell_execute"], verdict),
        ("Bash", Some(inside)) => command(inside, verdict),
        ("Read" | "Grep" | "Glob" | "LS", Some(inside)) => match verdict {
            Verdict::Allow => path(inside, verdict, &["read"]),
            Verdict::Ask | Verdict::Block => path(inside, verdict, &["read", "secret-read"]),
        },
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", Some(inside)) => match verdict {
            Verdict::Allow => path(inside, verdict, &["read", "create", "overwrite"]),
            Verdict::Ask | Verdict::Block => {
                path(inside, verdict, &["create", "overwrite", "delete", "move", "permission"])
            }
        },
        ("Read", None) => whole_tool(&["read_file"], verdict),
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", None) => whole_tool(
            &["create_file", "write_file", "edit_file", "append_file", "overwrite_file", "truncate_file"],
            verdict,
        ),
        (name, None) => named_tool(name),
        (_, Some(_)) => Err(Words::new("Signoff has no condition like this yet", "Signoff 尚无这样的条件")),
    }
}

/// A tool as a whole. To permit all of it is more than an entry of another program should do.
fn whole_tool(names: &[&str], verdict: Verdict) -> Result<String, Words> {
    match verdict {
        Verdict::Allow => Err(Words::new(
            "it would permit everything; write a rule that names commands or paths",
            "它会放行一切；请改写为指明命令或路径的规则",
        )),
        Verdict::Ask | Verdict::Block => Ok(list("tools", names)),
    }
}

fn named_tool(name: &str) -> Result<String, Words> {
    if name.trim().is_empty() || name.starts_with('*') {
        return Err(Words::new("it names no tool", "没有指明工具"));
    }
    // A server without a tool stands for all of its tools.
    match name.strip_prefix("mcp__") {
        Some(server) if !server.contains("__") => Ok(list("tools", &[name, &format!("{name}__*")])),
        _ => Ok(list("tools", &[name])),
    }
}

fn command(inside: &str, verdict: Verdict) -> Result<String, Words> {
    if inside.contains(SHELL_SIGNS) {
        return Err(Words::new("it holds shell syntax, and rules compare words", "含有 shell 语法，而规则只比较词"));
    }
    let text = match inside.strip_suffix(":*") {
        Some(prefix) => format!("{prefix} *"),
        // There a star at the end stands for further words, too.
        None if inside.ends_with('*') && !inside.ends_with(" *") => format!("{inside} *"),
        None => inside.to_owned(),
    };
    let pattern: CommandPattern =
        text.parse().map_err(|_| Words::new("it is no pattern over words", "不是按词匹配的模式"))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let program = words.first().copied().unwrap_or_default();
    if program.contains('=') {
        return Err(Words::new("it sets a variable, and rules compare words", "它设置了变量，而规则只比较词"));
    }
    match verdict {
        Verdict::Allow => {
            let name = program.rsplit('/').next().unwrap_or(program);
            let open = words.last().is_some_and(|last| last.contains('*'));
            if !pattern.names_program() || (open && RUNS_ANYTHING.contains(&name)) {
                return whole_tool(&[], verdict);
            }
        }
        Verdict::Ask | Verdict::Block => {
            // There a star in the middle stands for any number of words, here for one: the rule would miss some.
            let before_the_end = words.split_last().map(|(_, before)| before).unwrap_or_default();
            let ends = before_the_end.last().filter(|_| text.ends_with("* *")).is_some();
            let middle =
                if ends { before_the_end.split_last().map(|(_, before)| before) } else { Some(before_the_end) };
            let stars = middle.unwrap_or_default().iter().any(|word| word.contains('*'))
                || words.last().is_some_and(|last| last.trim_end_matches('*').contains('*'))
                || (ends && before_the_end.last().is_some_and(|last| last.trim_end_matches('*').contains('*')));
            if stars {
                return Err(Words::new(
                    "a `*` in the middle means any number of words there, and one word here",
                    "中间的 `*` 在那里可代表任意多个词，在这里只代表一个",
                ));
            }
        }
    }
    Ok(list("commands", &[&text]))
}

fn path(inside: &str, verdict: Verdict, effects: &[&str]) -> Result<String, Words> {
    let inside = inside.trim();
    if inside.is_empty() || inside.contains(['?', '[', ']', '{', '}', '!', '\\']) {
        return Err(Words::new("it holds signs that patterns over paths do not have", "含有路径模式不支持的符号"));
    }
    if inside.split('/').any(|part| part == "..") {
        return Err(Words::new("it leaves the project by `..`", "它通过 `..` 离开了项目"));
    }
    let path = if let Some(absolute) = inside.strip_prefix("//") {
        format!("/{absolute}")
    } else if inside.starts_with("~/") {
        inside.to_owned()
    } else if let Some(anchored) = inside.strip_prefix('/').or_else(|| inside.strip_prefix("./")) {
        anchored.to_owned()
    } else if inside.trim_end_matches('/').contains('/') || inside.starts_with("**") {
        inside.to_owned()
    } else {
        // A name alone means it at any depth.
        format!("**/{inside}")
    };
    let path = match verdict {
        Verdict::Allow => path,
        // A directory that may not be touched keeps what is in it.
        Verdict::Ask | Verdict::Block if path.ends_with("**") => path,
        Verdict::Ask | Verdict::Block => format!("{}/**", path.trim_end_matches('/')),
    };
    Ok(format!("{}{}", list("effects", effects), list("paths", &[&path])))
}

fn list(key: &str, values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    format!("{key} = [{}]\n", values.join(", "))
}
