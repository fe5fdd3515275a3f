//! What a build script of Gradle that the text has written runs and deletes by the words of Gradle itself: `exec`,
//! `commandLine`, `delete`. The rest of it is read as code of its language.

use std::collections::HashMap;

use super::{Call, Shell, Written};
use crate::value::{Arg, Origins, Value};

/// More scripts, and more deeds of one of them, are not looked at.
const MAX_SCRIPTS: usize = 32;
const MAX_DEEDS: usize = 64;

/// So many words before a block say what it is, and blocks in so many others are taken to run.
const LONGEST_HEADER: usize = 16;
const MAX_DEPTH: usize = 64;

/// Longer scripts are not read here.
const LONGEST: usize = 64 * 1024;

/// Something that a script runs, as an argument list and the directory that it runs in. A word may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Deed {
    argv: Vec<Option<String>>,
    directory: Option<String>,
}

impl Shell<'_> {
    /// Runs what the scripts of Gradle that the text has written would run.
    pub(super) fn build_with_gradle(&mut self, call: &Call) {
        if call.has_any(&["-m", "--dry-run", "-h", "--help", "-v", "--version"]) {
            return;
        }
        let is_script = |path: &str| path.ends_with(".gradle") || path.ends_with(".gradle.kts");
        let mut scripts: Vec<(String, String)> = self
            .state
            .written
            .iter()
            .filter(|(path, _)| is_script(path))
            .filter_map(|(path, written)| match written {
                Written::Edited(texts) => {
                    Some((path.to_owned(), texts.iter().map(|text| text.shown()).collect::<Vec<_>>().join("\n")))
                }
                written => Some((path.to_owned(), written.content()?.text.as_ref()?.shown().into_owned())),
            })
            .collect();
        scripts.sort();
        let wanted: Vec<&str> = call.args.iter().filter(|arg| !arg.is_option()).filter_map(Arg::known).collect();
        for (path, text) in self.first_of(scripts, MAX_SCRIPTS, call.span) {
            if text.len() > LONGEST {
                self.opaque(path.clone(), call.span);
                continue;
            }
            self.spend(text.len() / 256);
            let directory = path.rsplit_once('/').map_or("/", |(directory, _)| directory);
            let deeds = deeds(&text, &wanted);
            for deed in self.first_of(deeds, MAX_DEEDS, call.span) {
                let argv: Vec<Arg> = deed
                    .argv
                    .iter()
                    .map(|word| match word {
                        Some(word) => Arg::text(word.as_str(), call.span),
                        None => Arg { value: Value::unknown("…", Origins::NONE), span: call.span },
                    })
                    .collect();
                self.subshell(|shell| {
                    shell.go_to(Arg::text(directory, call.span), call.span);
                    if let Some(inner) = &deed.directory {
                        shell.go_to(Arg::text(inner.as_str(), call.span), call.span);
                    }
                    shell.run(&argv, call.stdin.clone(), call.span)
                });
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name with the dots in it.
    Name(String),
    /// A text; none if something is put into it that is not known.
    Text(Option<String>),
    Sign(char),
    /// The end of a line.
    End,
}

/// What a script does when these tasks are wanted.
fn deeds(text: &str, wanted: &[&str]) -> Vec<Deed> {
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, names: HashMap::new() };
    let mut all = Vec::new();
    // The blocks that are open: what stands before each, and what runs at its end.
    let mut blocks: Vec<(&[Token], Deed)> = vec![(&[], Deed::default())];
    let mut statement = 0;
    while let Some(token) = tokens.get(reader.at) {
        reader.at += 1;
        match token {
            Token::End | Token::Sign(';') => statement = reader.at,
            Token::Sign('{') => {
                // Its last words say what a block is.
                let from = statement.max(reader.at.saturating_sub(LONGEST_HEADER));
                blocks.push((tokens.get(from..reader.at - 1).unwrap_or_default(), Deed::default()));
                statement = reader.at;
            }
            Token::Sign('}') => {
                let empty = blocks.last().is_none_or(|(_, deed)| deed.argv.is_empty());
                let runs = !empty && is_run(&blocks, text, wanted);
                if let Some((_, deed)) = blocks.pop()
                    && runs
                {
                    all.push(deed);
                }
                statement = reader.at;
            }
            Token::Name(name) => {
                let last = name.rsplit('.').next().unwrap_or(name);
                let owner = name.strip_suffix(last).unwrap_or_default().trim_end_matches('.');
                let own = matches!(owner, "" | "project" | "rootProject" | "this" | "it" | "fs" | "ant" | "execOps");
                match last {
                    "val" | "def" | "var" | "String" => reader.define(),
                    "commandLine" | "executable" | "args" | "workingDir" if own => {
                        let Some(words) = reader.arguments() else { continue };
                        let Some((_, deed)) = blocks.last_mut() else { continue };
                        match last {
                            "workingDir" => deed.directory = words.into_iter().next().flatten(),
                            // Arguments alone are for a program that the build itself knows.
                            "args" if deed.argv.is_empty() => {}
                            "executable" => {
                                deed.argv.splice(..0, words);
                            }
                            _ => deed.argv.extend(words),
                        }
                    }
                    "delete" if own => {
                        if let Some(words) = reader.arguments().filter(|words| !words.is_empty())
                            && is_run(&blocks, text, wanted)
                        {
                            let first = ["rm", "-rf", "--"].map(|word| Some(word.to_owned()));
                            all.push(Deed { argv: first.into_iter().chain(words).collect(), directory: None });
                        }
                    }
                    _ => {}
                }
            }
            Token::Text(_) | Token::Sign(_) => {}
        }
    }
    all.extend(blocks.into_iter().map(|(_, deed)| deed));
    all.retain(|deed| !deed.argv.is_empty());
    for deed in &mut all {
        // `commandLine "rm -rf src".split(" ")`
        if let Some(Some(program)) = deed.argv.first()
            && program.contains(' ')
        {
            let words: Vec<Option<String>> = program.split_whitespace().map(|word| Some(word.to_owned())).collect();
            deed.argv.splice(..1, words);
        }
    }
    all
}

/// Whether what stands in these blocks runs: it does not if it is a deed of a task that nobody wants.
fn is_run(blocks: &[(&[Token], Deed)], text: &str, wanted: &[&str]) -> bool {
    if blocks.len() > MAX_DEPTH {
        return true;
    }
    let says = |words: &[&str]| {
        blocks.iter().any(|(header, _)| {
            header
                .iter()
                .any(|token| matches!(token, Token::Name(name) if words.iter().any(|word| name.ends_with(word))))
        })
    };
    // What stands elsewhere in a task runs while the build is set up.
    if !says(&["doLast", "doFirst", "Exec", "Delete"]) {
        return true;
    }
    let Some(task) = blocks.iter().find_map(|(header, _)| task_of(header)) else { return true };
    // The name may be abbreviated, or another task may need it.
    let begins = |wanted: &&str| wanted.rsplit(':').next().unwrap_or_default().chars().next() == task.chars().next();
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-');
    wanted.iter().any(begins) || words.filter(|word| *word == task).count() != 1
}

/// The task that a block describes.
fn task_of(header: &[Token]) -> Option<&str> {
    let at = header.iter().position(|token| {
        matches!(token, Token::Name(name) if matches!(name.as_str(), "task" | "register" | "create" | "tasks.register" | "tasks.create"))
    })?;
    header.get(at + 1..)?.iter().find_map(|token| match token {
        Token::Name(name) if !matches!(name.as_str(), "Exec" | "Delete" | "Copy") => Some(name.as_str()),
        Token::Text(text) => text.as_deref(),
        _ => None,
    })
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    names: HashMap<String, String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// `name = "text"` behind a word that declares it.
    fn define(&mut self) {
        if let Some(
            [Token::Name(name), Token::Sign('='), Token::Text(Some(text)), Token::End | Token::Sign(';' | '}')],
        ) = self.tokens.get(self.at..self.at + 4)
        {
            self.names.insert(name.clone(), text.clone());
        }
    }

    /// The words behind the name of a function or of a property; none if it is neither called nor set here.
    fn arguments(&mut self) -> Option<Vec<Option<String>>> {
        while matches!(self.peek(), Some(Token::Sign('=' | '+'))) {
            self.at += 1;
        }
        match self.peek()? {
            Token::Sign('(') => {
                self.at += 1;
                Some(self.words(false))
            }
            Token::Text(_) | Token::Name(_) | Token::Sign('[') => Some(self.words(true)),
            _ => None,
        }
    }

    /// The words up to the bracket that closes them, or to the end of the line.
    fn words(&mut self, to_end: bool) -> Vec<Option<String>> {
        let mut all = Vec::new();
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::End if to_end && depth == 0 => break,
                Token::Sign('{' | '}' | ';') => break,
                Token::Sign('(' | '[') => depth += 1,
                Token::Sign(')' | ']') => {
                    if depth == 0 {
                        if !to_end {
                            self.at += 1;
                        }
                        break;
                    }
                    depth -= 1;
                }
                Token::Text(text) => {
                    let text = text.clone();
                    // What is done with the text gives words of it: `.split(" ")`.
                    all.push(text);
                    self.at += 1;
                    self.skip_members();
                    continue;
                }
                Token::Name(name) => {
                    let name = name.clone();
                    self.at += 1;
                    self.named(&name, &mut all);
                    continue;
                }
                Token::Sign(_) | Token::End => {}
            }
            self.at += 1;
        }
        all
    }

    /// Steps over `.asFile`, `.split(" ")` and the like.
    fn skip_members(&mut self) {
        while self.peek() == Some(&Token::Sign('.')) && matches!(self.tokens.get(self.at + 1), Some(Token::Name(_))) {
            self.at += 2;
            self.inside();
        }
    }

    /// The words in the brackets that open here.
    fn inside(&mut self) -> Vec<Option<String>> {
        if self.peek() != Some(&Token::Sign('(')) {
            return Vec::new();
        }
        let from = self.at + 1;
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        let inner = self.tokens.get(from..self.at.saturating_sub(1)).unwrap_or_default();
        Reader { tokens: inner, at: 0, names: HashMap::new() }.flat()
    }

    /// The texts of a few words without calls within calls.
    fn flat(&self) -> Vec<Option<String>> {
        let text = |token: &Token| match token {
            Token::Text(text) => Some(text.clone()),
            Token::Name(name) => Some(directory(name).map(str::to_owned)),
            Token::Sign(_) | Token::End => None,
        };
        self.tokens.iter().filter_map(text).collect()
    }

    /// What a name stands for among the words of a call.
    fn named(&mut self, name: &str, all: &mut Vec<Option<String>>) {
        // `dir: "build"`
        if self.peek() == Some(&Token::Sign(':')) {
            return;
        }
        if let Some(top) = directory(name) {
            let below = self.inside();
            self.skip_members();
            let path = below.into_iter().try_fold(top.to_owned(), |path, part| Some(format!("{path}/{}", part?)));
            all.push(path);
            return;
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        match last {
            "new" | "as" | "to" | "String" | "true" | "false" => {}
            "File" if self.peek() == Some(&Token::Sign('(')) => {
                let parts: Option<Vec<String>> = self.inside().into_iter().collect();
                self.skip_members();
                all.push(parts.map(|parts| parts.join("/")));
            }
            // What these are given is what they give.
            "listOf" | "arrayOf" | "mutableListOf" | "files" | "file" | "fileTree" | "setOf" | "get" | "provider"
            | "uri" | "asList" | "of" | "dir" => {}
            _ => {
                self.inside();
                self.skip_members();
                all.push(self.names.get(name).cloned());
            }
        }
    }
}

/// The directory that a name of Gradle stands for.
fn directory(name: &str) -> Option<&'static str> {
    let has = |part: &str| name.split('.').any(|word| word == part);
    if has("buildDir") || has("buildDirectory") {
        Some("build")
    } else if has("rootDir") || has("projectDir") || has("projectDirectory") || has("rootDirectory") {
        Some(".")
    } else {
        None
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').and_then(|at| comment.get(at..)).unwrap_or_default();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
        } else if let Some((quote, inside)) =
            ["\"\"\"", "'''", "\"", "'"].iter().find_map(|quote| Some((*quote, rest.strip_prefix(quote)?)))
        {
            let (word, behind) = quoted(inside, quote);
            all.push(Token::Text(word));
            rest = behind;
        } else if letter.is_alphabetic() || letter == '_' {
            let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$');
            let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            all.push(Token::Name(name.trim_end_matches('.').to_owned()));
            rest = behind;
        } else {
            if letter == '\n' {
                all.push(Token::End);
            } else if !letter.is_whitespace() {
                all.push(Token::Sign(letter));
            }
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
    }
    all.push(Token::End);
    all
}

/// A quoted text whose first mark is behind us, and what follows it. What is put in is not known, but for directories.
fn quoted<'t>(text: &'t str, quote: &str) -> (Option<String>, &'t str) {
    let (mut all, mut known) = (String::new(), true);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix(quote) {
            rest = behind;
            break;
        }
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        match letter {
            '\\' if quote.len() == 1 => {
                all.extend(rest.chars().next());
                rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            }
            '$' if quote.starts_with('"') => {
                let (name, behind) = match rest.strip_prefix('{') {
                    Some(inside) => inside.split_once('}').unwrap_or((inside, "")),
                    None => {
                        let end =
                            rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
                        rest.split_at_checked(end).unwrap_or((rest, ""))
                    }
                };
                rest = behind;
                match directory(name) {
                    Some(directory) => all.push_str(directory),
                    None => known = false,
                }
            }
            letter => all.push(letter),
        }
    }
    (known.then_some(all), rest)
}

#[cfg(test)]
mod tests {
    use super::deeds;

    #[track_caller]
    fn check(text: &str, wanted: &str, lines: &[&str]) {
        let shown = |word: &Option<String>| word.clone().unwrap_or_else(|| "?".to_owned());
        let found: Vec<String> = deeds(text, &[wanted])
            .iter()
            .map(|deed| {
                let argv = deed.argv.iter().map(shown).collect::<Vec<_>>().join(" ");
                deed.directory.as_ref().map_or(argv.clone(), |directory| format!("{directory}: {argv}"))
            })
            .collect();
        assert_eq!(found, lines, "{text}");
    }

    #[test]
    fn what_stands_deeper_than_is_followed_is_taken_to_run() {
        let deed = "exec { commandLine 'rm', 'x' }";
        let within =
            |depth: usize| format!("task y {{ doLast {{ {}{deed}{} }} }}", "a { ".repeat(depth), " }".repeat(depth));
        check(&within(3), "z", &[]);
        check(&within(5000), "z", &["rm x"]);
    }

    #[test]
    fn commands_are_found_in_both_languages() {
        check("task x { doLast { exec { commandLine 'rm', '-rf', \"src\" } } }", "x", &["rm -rf src"]);
        check(
            "exec {\n  workingDir = file(\"a\")\n  executable = \"rm\"\n  args(\"-rf\", \"b\")\n}",
            "x",
            &["a: rm -rf b"],
        );
        check("tasks.register<Exec>(\"x\") { commandLine = listOf(\"sh\", \"-c\", \"ls\") }", "x", &["sh -c ls"]);
        check("exec { commandLine \"rm -rf src\".split(\" \") }", "x", &["rm -rf src"]);
        check("val p = \"rm\"\nexec { commandLine(p, other, \"-x\") } // commandLine(\"no\")", "x", &["rm ? -x"]);
    }

    #[test]
    fn deletes_are_found_with_their_directories() {
        check(
            "tasks.register(\"x\") { doLast { delete(\"src\", rootDir.resolve(\"a\")) } }",
            "x",
            &["rm -rf -- src ./a"],
        );
        check(
            "task x(type: Delete) { delete 'src'\n delete rootProject.buildDir }",
            "x",
            &["rm -rf -- src", "rm -rf -- build"],
        );
        check(
            "delete(layout.buildDirectory.dir(\"x\"), \"$buildDir/y\", File(buildDir, \"z\"))",
            "x",
            &["rm -rf -- build/x build/y build/z"],
        );
        check("delete fileTree(dir: 'build', include: '*.tmp')", "x", &["rm -rf -- build *.tmp"]);
    }

    #[test]
    fn tasks_that_nobody_wants_do_nothing() {
        let text = "tasks.register<Exec>(\"upload\") { commandLine(\"rm\", \"src\") }";
        check(text, "build", &[]);
        check(text, "upload", &["rm src"]);
        check(text, "up", &["rm src"]);
        check(&format!("{text}\nbuild.dependsOn(\"upload\")"), "build", &["rm src"]);
        check("task x { delete 'src' }", "build", &["rm -rf -- src"]);
    }

    #[test]
    fn anything_else_holds_nothing() {
        for text in
            ["", "delete", "delete(", "commandLine =", "}}}", "\"", "\"${", "exec {", "/*", "args(((", "))) ]] {"]
        {
            let _ = deeds(text, &["x"]);
        }
    }
}
