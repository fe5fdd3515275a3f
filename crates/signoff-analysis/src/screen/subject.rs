//! What a dialog is about, by its title and its question, and where that stands in it.

use super::{
    block::{Block, Setting, look_for_imitation},
    choices::{Choices, looks_like_choice},
    prompt::{Change, Doubt, Subject},
    rows::{is_line, width},
    wraps::{self, Room},
};

/// What stands above the choices of a dialog, in its parts.
pub(super) struct Head<'s> {
    /// The lines without the question at their end.
    pub(super) body: Vec<&'s str>,
    /// The first line.
    pub(super) title: &'s str,
    pub(super) question: Option<String>,
    pub(super) room: Room,
    /// Whether nothing is drawn around it.
    pub(super) is_open: bool,
}

impl Head<'_> {
    pub(super) fn subject(&self, choices: &Choices, doubts: &mut Vec<Doubt>) -> Subject {
        let title = self.title.trim().to_lowercase();
        let asked = self.question.as_deref().unwrap_or_default().to_lowercase();
        let labels: Vec<String> = choices.all.iter().map(|choice| choice.label.to_lowercase()).collect();
        if self.is_question_of_agent(&title, &labels) {
            return Subject::Question(self.question.clone().unwrap_or_else(|| self.title.trim().to_owned()));
        }
        self.rights(&title, &asked, &labels, doubts).unwrap_or_else(|| self.operation(&title, &asked, doubts))
    }

    fn is_question_of_agent(&self, title: &str, labels: &[String]) -> bool {
        let free = ["type something", "chat about this", "enter a custom value", "[ ] ", "[x] ", "other (", "输入其他"];
        title.starts_with("answer questions")
            || self.body.iter().any(|line| line.trim_start().starts_with(['☐', '☒', '✔']) || line.contains("  ☐ "))
            || labels.iter().any(|label| free.iter().any(|start| label.starts_with(start)))
    }

    /// Dialogs that change what the agent may do.
    fn rights(&self, title: &str, asked: &str, labels: &[String], doubts: &mut Vec<Doubt>) -> Option<Subject> {
        let says = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
        let whole = || self.body.iter().take(30).map(|line| line.trim().to_lowercase()).collect::<Vec<_>>().join(" ");
        if says(&["hook"], title) && says(&["review", "trust", "信任"], title) {
            return Some(Subject::HookTrust);
        }
        let places =
            &["folder", "directory", "files", "workspace", "project", "repo", "文件夹", "目录", "项目", "工作区"][..];
        let trusts = |text: &str| says(&["trust", "信任"], text) && says(places, text);
        let is_trust = trusts(asked)
            || says(&["accessing workspace", "folder access"], title)
            || trusts(title)
            || labels.iter().any(|label| trusts(label))
            || asked.is_empty() && trusts(&whole());
        if is_trust {
            return Some(Subject::FolderTrust);
        }
        if says(&["bypass permissions", "bypassing permissions"], title)
            || asked.is_empty() && says(&["bypass permissions"], &whole())
        {
            return Some(Subject::Grant("bypass permissions mode".to_owned()));
        }
        if says(&["grant these permissions", "grant permission", "grant the following"], asked) {
            let rule = self.field("permission rule:").or_else(|| self.field("permissions:"));
            return Some(Subject::Grant(rule.unwrap_or_default().replace('`', "")));
        }
        if says(&["network access"], asked) {
            let host = self.question.as_deref().and_then(in_quotes).or_else(|| self.field("host:"));
            return Some(Subject::Network(host.unwrap_or_default()));
        }
        let plan = says(&["this plan", "the plan", "your plan", "计划", "方案"], asked)
            || says(&["ready to code", "plan", "计划"], title)
                && !says(&["file", "文件"], title)
                && !asked.contains("command");
        plan.then(|| {
            let set_off =
                Block::of(&self.body, self.room, &mut Vec::new()).filter(|block| block.setting != Setting::Indented);
            let rows = set_off
                .map_or_else(|| self.body.iter().skip(1).map(|line| line.trim_end()).collect(), |block| block.rows);
            if rows.iter().any(|row| looks_like_choice(row) && row.contains(['❯', '›'])) {
                doubts.push(Doubt::Imitation);
            }
            // A plan is prose that is wrapped anyhow, and may be longer than a screen.
            doubts.push(Doubt::NotTold);
            Subject::Plan(rows.join("\n").trim().to_owned())
        })
    }

    fn operation(&self, title: &str, asked: &str, doubts: &mut Vec<Doubt>) -> Subject {
        // Gemini CLI and its forks write the name of the tool first; what follows are the agent's words.
        let tool = title.strip_prefix("? ").map(|rest| rest.split_whitespace().next().unwrap_or_default());
        let name = tool.unwrap_or(title);
        let is = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
        let says = |words: &[&str]| words.iter().any(|word| asked.contains(word));
        let block = Block::of(&self.body, self.room, doubts);
        let Some(block) = block else {
            doubts.push(Doubt::Empty);
            return Subject::Unknown(self.question.clone().unwrap_or_else(|| self.title.trim().to_owned()));
        };
        if title.starts_with("hook permission request") || says(&["allow this tool call"]) {
            return tool_in_json(&block, doubts);
        }
        if says(&["mcp", "server \""]) || is(&["tool use", "mcp", "工具"]) || title.contains("(mcp)") {
            return self.tool(&block, doubts);
        }
        if is(&["fetch", "webfetch", "web fetch", "web_fetch", "抓取", "获取"])
            || says(&["fetch this content", "fetch this url"])
        {
            return fetch(&block, &self.body, doubts);
        }
        if let Some(change) = change(name, asked) {
            return self.file(change, &block, tool.is_some(), doubts);
        }
        let shell = is(&[
            "bash",
            "shell",
            "run command",
            "command",
            "powershell",
            "terminal",
            "execute",
            "终端",
            "运行",
            "执行",
        ]) || title.contains("shell command")
            || title.contains("命令")
            || says(&["command", "execution of", "run this", "命令", "执行", "运行"])
            || block.setting == Setting::Prefixed;
        if shell {
            if block.before.iter().any(|line| looks_like_choice(line)) {
                doubts.push(Doubt::Imitation);
            }
            if self.is_open && block.setting == Setting::Indented {
                doubts.push(Doubt::NotTold);
            }
            let text = block.command(doubts);
            // A box that stands by itself is Cursor's, who writes a sign before the command. In a box within a box it is the command's.
            let signed = block.setting == Setting::Boxed && self.is_open;
            let text = if signed { text.strip_prefix("$ ").unwrap_or(&text) } else { &text };
            return Subject::Shell(text.to_owned());
        }
        let first = block.rows.first().map_or("", |row| row.trim());
        let words = self.question.clone().filter(|_| !says(&["want to proceed", "是否继续"]));
        Subject::Unknown(words.unwrap_or_else(|| format!("{}: {first}", self.title.trim())))
    }

    fn file(&self, change: Change, block: &Block<'_>, by_tool: bool, doubts: &mut Vec<Doubt>) -> Subject {
        let shown: Vec<String> = block.rows.iter().map(|row| (*row).to_owned()).collect();
        if shown.iter().any(|row| wraps::leaves_out(row)) {
            doubts.push(Doubt::LeftOut);
        }
        let full = |row: &String| block.room.is_filled_by(width(row));
        if shown.iter().any(full) {
            doubts.push(Doubt::Wrapped);
        }
        if shown.iter().any(|row| looks_like_choice(row) && row.contains(['❯', '›', '●'])) {
            doubts.push(Doubt::Imitation);
        }
        let set_off = matches!(block.setting, Setting::Boxed | Setting::Fenced);
        let in_words = self.question.as_deref().and_then(path_in_question);
        let below_title = block
            .before
            .iter()
            .skip(1)
            .map(|line| line.trim())
            .filter(|line| !line.is_empty() && !is_line(line))
            .collect::<Vec<_>>();
        let path = if by_tool {
            self.title.trim().trim_start_matches("? ").split_once(char::is_whitespace).map(|(_, rest)| in_header(rest))
        } else if let Some(named) = self.field("destination:") {
            Some(named)
        } else if let Some(path) = in_title(self.title) {
            Some(path)
        } else if let ([path], true) = (below_title.as_slice(), set_off) {
            Some((*path).to_owned())
        } else {
            let counted = |line: &&str| line.trim_end().ends_with(')') && line.contains("(+");
            let named = self.body.iter().find(|line| counted(line)).and_then(|line| line.rsplit_once(" (+"));
            let inside =
                block.rows.first().map(|row| row.trim()).filter(|row| row.contains(['/', '.']) && !row.contains(' '));
            named
                .map(|(path, _)| path.trim().to_owned())
                .or_else(|| inside.map(str::to_owned))
                .or_else(|| in_words.clone())
        };
        let path = path.or(in_words).unwrap_or_default();
        let path = path.strip_prefix("Read(").and_then(|path| path.strip_suffix(')')).unwrap_or(&path).to_owned();
        if path.is_empty() || path.contains(char::is_whitespace) || path.ends_with('…') {
            doubts.push(if path.is_empty() { Doubt::Empty } else { Doubt::NotTold });
        }
        if !set_off {
            doubts.push(Doubt::NotTold);
        }
        let takes_away = shown.iter().any(|row| is_taken_away(row));
        let change = if change == Change::Create && takes_away { Change::Overwrite } else { change };
        Subject::File { change, path, shown }
    }

    fn tool(&self, block: &Block<'_>, doubts: &mut Vec<Doubt>) -> Subject {
        look_for_imitation(&block.rows, doubts);
        let above = block.before.iter().skip(1).map(|line| line.trim()).rfind(|line| !line.is_empty());
        if let (Setting::Fenced, Some(name)) = (block.setting, above) {
            let name = name.trim_end_matches("(MCP)").trim().trim_end_matches(':').trim_end_matches(" Tool");
            let rows: Vec<&str> = block.rows.iter().map(|row| row.trim_end()).collect();
            let arguments = wraps::join(&rows, block.room, doubts);
            return Subject::Tool { name: name.to_owned(), arguments };
        }
        let names: Vec<&str> =
            self.question.as_deref().map(|asked| asked.split('"').skip(1).step_by(2).collect()).unwrap_or_default();
        let server = self.question.as_deref().and_then(|asked| asked.strip_prefix("Allow the ")?.split_once(" MCP"));
        if let ([tool], Some((server, _))) = (names.as_slice(), server) {
            doubts.push(Doubt::NotTold);
            let rows: Vec<&str> = block.rows.iter().map(|row| row.trim()).collect();
            return Subject::Tool { name: format!("{server} - {tool}"), arguments: rows.join("\n") };
        }
        if let [tool, server] = names.as_slice() {
            doubts.push(Doubt::NotTold);
            return Subject::Tool { name: format!("{server} - {tool}"), arguments: String::new() };
        }
        let call = block.command(doubts);
        let call = call.trim().trim_end_matches("(MCP)").trim();
        match call.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?))) {
            Some((name, arguments)) => Subject::Tool { name: name.trim().to_owned(), arguments: arguments.to_owned() },
            None => {
                doubts.push(Doubt::NotTold);
                Subject::Tool { name: call.to_owned(), arguments: String::new() }
            }
        }
    }

    /// What stands behind a word at the beginning of a line.
    fn field(&self, name: &str) -> Option<String> {
        self.body.iter().find_map(|line| {
            let line = line.trim();
            let starts = line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
            line.get(name.len()..).filter(|_| starts).map(|rest| rest.trim().to_owned())
        })
    }
}

/// What a dialog does to a file, if its title or its question says that it does something to one.
fn change(title: &str, asked: &str) -> Option<Change> {
    let is = |names: &[&str]| names.iter().any(|known| title.starts_with(known));
    let says = |words: &[&str]| words.iter().any(|word| asked.contains(word));
    if says(&["overwrite", "覆盖"]) || is(&["overwrite", "覆盖"]) {
        Some(Change::Overwrite)
    } else if says(&["want to delete", "delete this file", "删除文件"])
        || is(&["delete file", "deletefile", "删除文件"])
    {
        Some(Change::Delete)
    } else if is(&["create file", "create", "write", "创建", "写入"]) || says(&["want to create", "是否创建"]) {
        Some(Change::Create)
    } else if is(&["edit", "update file", "multiedit", "replace", "编辑", "修改"])
        || says(&["make this edit", "apply this change", "following edits", "want to edit", "是否编辑", "应用此更改"])
    {
        Some(Change::Edit)
    } else if is(&["read file", "readfile", "read(", "读取"]) || says(&["want to read", "allow reading"]) {
        Some(Change::Read)
    } else {
        None
    }
}

/// The path in a question such as `Do you want to make this edit to app.ts?`.
fn path_in_question(question: &str) -> Option<String> {
    let text = question.trim_end_matches(['?', '？', ' ']);
    let last = text.split_whitespace().next_back()?;
    let is_path = last.contains(['.', '/']) && last.chars().count() > 1;
    is_path.then(|| last.to_owned())
}

/// The path in a title such as `Edit src/main.rs`.
fn in_title(title: &str) -> Option<String> {
    let (_, path) = title.trim().split_once(' ')?;
    (path.contains(['.', '/']) && !path.contains(' ')).then(|| path.to_owned())
}

/// The path in the header of Gemini CLI: `src/app.ts: old => new`, `Writing to notes.md`.
fn in_header(rest: &str) -> String {
    let rest = rest.trim();
    let rest = rest.strip_prefix("Writing to ").unwrap_or(rest);
    rest.split_once(": ").map_or(rest, |(path, _)| path).trim().to_owned()
}

/// Whether a row of a difference takes something away: a number, and a minus behind it.
fn is_taken_away(row: &str) -> bool {
    let row = row.trim_start();
    let rest = row.trim_start_matches(|digit: char| digit.is_ascii_digit());
    rest.len() < row.len() && rest.starts_with(' ') && rest.trim_start().starts_with('-')
}

fn fetch(block: &Block<'_>, body: &[&str], doubts: &mut Vec<Doubt>) -> Subject {
    look_for_imitation(&block.rows, doubts);
    let is_address = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
    let lines = if matches!(block.setting, Setting::Boxed | Setting::Fenced) { block.rows.as_slice() } else { body };
    let found: Vec<(&str, usize)> = lines
        .iter()
        .flat_map(|line| line.split_whitespace().map(move |word| (word, width(line))))
        .filter(|(word, _)| is_address(word))
        .collect();
    match found.as_slice() {
        [(address, width)] => {
            if block.room.is_filled_by(*width) {
                doubts.push(Doubt::Wrapped);
            }
            Subject::Fetch((*address).to_owned())
        }
        [] => {
            doubts.push(Doubt::Empty);
            Subject::Fetch(String::new())
        }
        [(address, _), ..] => {
            doubts.push(Doubt::NotTold);
            Subject::Fetch((*address).to_owned())
        }
    }
}

/// A call that is shown as `Tool: name` and `Args: {…}`.
fn tool_in_json(block: &Block<'_>, doubts: &mut Vec<Doubt>) -> Subject {
    look_for_imitation(&block.rows, doubts);
    let rows: Vec<&str> = block.rows.iter().map(|row| row.trim()).filter(|row| !row.is_empty()).collect();
    let name = rows.first().and_then(|row| row.strip_prefix("Tool:")).unwrap_or_default().trim().to_owned();
    let arguments = rows.get(1..).unwrap_or_default().join("\n");
    let arguments = arguments.strip_prefix("Args:").unwrap_or(&arguments).trim().to_owned();
    if block.rows.iter().any(|row| block.room.is_filled_by(width(row) + 1)) {
        doubts.push(Doubt::Wrapped);
    }
    let value: Option<serde_json::Value> = serde_json::from_str(&arguments).ok();
    if name.is_empty() || value.is_none() {
        doubts.push(Doubt::NotTold);
    }
    let command = value.as_ref().and_then(|value| value.get("command")).and_then(serde_json::Value::as_str);
    match command {
        Some(command) if matches!(name.as_str(), "bash" | "shell") => Subject::Shell(command.to_owned()),
        _ => Subject::Tool { name, arguments },
    }
}

/// What stands in quotes.
fn in_quotes(text: &str) -> Option<String> {
    text.split(['"', '“', '”', '`', '\'']).nth(1).filter(|inner| !inner.is_empty()).map(str::to_owned)
}
