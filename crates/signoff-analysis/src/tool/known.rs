//! Tools of known agents and of widespread servers, by what they are: a shell, a file operation, a look at the web.

use serde_json::Value;
use signoff_model::{Dialect, FileAction, FileOperation, Span};

use super::{
    Reader, TOOL_DELETE, TOOL_RUNS, TOOL_SENDS, TOOL_TYPES, UNKNOWN_TOOL,
    arguments::{COMMANDS, PATHS, SQL, texts},
    patch,
    verbs::{tool_part, words},
};
use crate::{
    file,
    place::join,
    shell::{Language, Shell},
    sql,
    value::{Arg, Feed, Value as Known},
};

/// What a known tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It runs a text in a shell.
    Shell,
    /// It types into a program that runs.
    Types,
    /// It runs code of some language.
    Code(Language),
    /// It does this to the paths it names.
    File(FileAction),
    /// It edits as its own `command` argument says.
    Editor,
    /// It applies a patch.
    Patch,
    /// It runs SQL.
    Sql,
    /// It fetches a page.
    Fetch,
    /// It changes nothing outside the agent's own head.
    Harmless,
}

/// The kinds by name, in lower case and without signs.
fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "bash"
        | "shell"
        | "sh"
        | "zsh"
        | "exec"
        | "execcommand"
        | "executecommand"
        | "executebash"
        | "executeshellcommand"
        | "runshellcommand"
        | "runshell"
        | "runcommand"
        | "runcommands"
        | "runbash"
        | "runterminalcmd"
        | "runinterminal"
        | "runterminalcommand"
        | "terminal"
        | "localshell"
        | "localshellcall"
        | "shellcommand"
        | "unifiedexec"
        | "executeshell"
        | "containerexec"
        | "shellexec"
        | "powershell"
        | "developershell"
        | "cmd"
        | "bashcommand"
        | "runcmd"
        | "terminalexecute"
        | "createterminal"
        | "startprocess" => Kind::Shell,
        "writestdin" | "sendinput" | "sendtoterminal" | "interactwithprocess" | "sendcommandinput" | "typetext" => {
            Kind::Types
        }
        "python" | "runpython" | "executepython" | "pythonexec" | "codeinterpreter" | "ipython" | "executecode"
        | "runcode" | "jupyterexecute" | "runpythoncode" => Kind::Code(Language::Python),
        "runjavascript" | "executejavascript" | "runjs" | "nodeexec" => Kind::Code(Language::JavaScript),
        "read" | "readfile" | "readfiles" | "view" | "viewfile" | "openfile" | "readtextfile" | "readmediafile"
        | "readmanyfiles" | "readmultiplefiles" | "notebookread" | "viewimage" | "catfile" | "fsread"
        | "readfilecontent" | "readfilelines" | "grep" | "searchfilecontent" | "grepsearch" | "greptool"
        | "searchinfile" => Kind::File(FileAction::Read),
        "ls"
        | "list"
        | "listdir"
        | "listdirectory"
        | "listfiles"
        | "listdirectorywithsizes"
        | "directorytree"
        | "glob"
        | "globsearch"
        | "findfiles"
        | "filesearch"
        | "searchfiles"
        | "getfileinfo"
        | "listalloweddirectories"
        | "listcodedefinitionnames"
        | "codebasesearch"
        | "findpath" => Kind::File(FileAction::List),
        "write" | "writefile" | "writetofile" | "savefile" | "fswrite" | "createorupdatefile" => {
            Kind::File(FileAction::Write)
        }
        "createfile" | "create" | "createdirectory" | "mkdir" | "makedirectory" | "newfile" | "createnewfile"
        | "createdir" => Kind::File(FileAction::Create),
        "edit"
        | "multiedit"
        | "editfile"
        | "replace"
        | "notebookedit"
        | "strreplace"
        | "searchreplace"
        | "replaceinfile"
        | "inserteditintofile"
        | "replacestringinfile"
        | "multireplacestringinfile"
        | "editnotebook"
        | "editnotebookfile"
        | "insertcontent"
        | "replacefilecontent"
        | "modifyfile"
        | "editblock"
        | "smartedit" => Kind::File(FileAction::Edit),
        "appendfile" | "appendtofile" => Kind::File(FileAction::Append),
        "deletefile" | "removefile" | "deletedirectory" | "removedirectory" | "rm" | "unlink" | "deletepath"
        | "removepath" | "deletefiles" | "deletefolder" => Kind::File(FileAction::Delete),
        "movefile" | "renamefile" | "move" | "rename" | "mv" | "movepath" => Kind::File(FileAction::Move),
        "copyfile" | "copypath" | "cp" | "copy" => Kind::File(FileAction::Copy),
        "chmod" | "setpermissions" | "setfilepermissions" => Kind::File(FileAction::Chmod),
        "createsymlink" | "symlink" => Kind::File(FileAction::Symlink),
        "strreplaceeditor" | "strreplacebasededittool" | "texteditor" | "developertexteditor" => Kind::Editor,
        "applypatch" | "patch" | "applydiff" => Kind::Patch,
        "executesql" | "runsql" | "sql" | "executequery" | "runquery" | "sqlquery" | "query" | "querydatabase"
        | "readquery" | "writequery" | "pgquery" | "mysqlquery" | "executestatement" => Kind::Sql,
        "webfetch" | "fetch" | "fetchurl" | "fetchwebpage" | "urlfetch" | "httprequest" | "fetchhtml"
        | "fetchmarkdown" | "readurl" | "openbrowserpage" => Kind::Fetch,
        "websearch"
        | "googlewebsearch"
        | "searchweb"
        | "todowrite"
        | "todoread"
        | "todo"
        | "task"
        | "agent"
        | "exitplanmode"
        | "enterplanmode"
        | "askuserquestion"
        | "askuser"
        | "think"
        | "sequentialthinking"
        | "updateplan"
        | "bashoutput"
        | "taskoutput"
        | "tasklist"
        | "taskget"
        | "taskcreate"
        | "taskupdate"
        | "killshell"
        | "killbash"
        | "taskstop"
        | "skill"
        | "activateskill"
        | "slashcommand"
        | "savememory"
        | "listmcpresources"
        | "readmcpresource"
        | "listmcpresourcestool"
        | "readmcpresourcetool"
        | "toolsearch"
        | "writetodos"
        | "completetask"
        | "attemptcompletion"
        | "askfollowupquestion"
        | "askquestion"
        | "switchmode"
        | "newtask"
        | "readlints"
        | "getdiagnostics"
        | "geterrors"
        | "getchangedfiles"
        | "getterminaloutput"
        | "requestuserinput"
        | "getterminallastcommand"
        | "structuredoutput"
        | "updatetodos"
        | "managetodolist"
        | "lsp"
        | "sleep"
        | "finish"
        | "getinternaldocs"
        | "clidocs"
        | "memory"
        | "reportintent"
        | "readbash"
        | "listbash"
        | "stopbash"
        | "subagent"
        | "codesearch"
        | "listagents"
        | "wait"
        | "waitagent"
        | "viewoutline" => Kind::Harmless,
        _ => return None,
    })
}

/// Judges a tool that is known; tells whether it is.
pub(super) fn judge(reader: &mut Reader<'_>) -> bool {
    let tool = tool_part(&reader.call.name).to_owned();
    let parts = words(&tool);
    if parts.first().is_some_and(|first| first == "git") && parts.len() > 1 {
        return git(reader, &parts);
    }
    let Some(kind) = kind(&parts.concat()) else { return false };
    let foreign = reader.call.name.starts_with("mcp__") || reader.call.name.contains(['.', '/', ':']);
    // A server may call its remote list or store whatever it likes; only what names a local thing is one.
    if foreign && matches!(kind, Kind::Harmless) {
        return false;
    }
    enter_directory(reader);
    let texts = texts(&reader.call.args);
    let by_key = |keys: &[&str]| -> Vec<String> {
        texts
            .iter()
            .filter(|(key, text)| keys.contains(&key.as_str()) && !text.is_empty())
            .map(|(_, text)| text.clone())
            .collect()
    };
    match kind {
        Kind::Harmless => {}
        Kind::Shell => shell(reader),
        Kind::Types => {
            let typed = by_key(&["input", "chars", "text", "data", "stdin", "keys", "command"]).concat();
            let span = reader.span_of(&typed);
            reader.say(&TOOL_TYPES, typed.trim().to_owned(), span);
            run_shell(reader, &typed);
        }
        Kind::Code(language) => match by_key(&["code", "script", "source", "input", "python", "javascript"]).as_slice()
        {
            [] => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.name_span()),
            codes => codes.iter().for_each(|code| run_code(reader, language, code)),
        },
        Kind::File(action) => return files(reader, action, &by_key(PATHS)),
        Kind::Editor => {
            let action = match by_key(&["command"]).first().map(String::as_str) {
                Some("view") => FileAction::Read,
                Some("create" | "write") => FileAction::Write,
                Some("delete") => FileAction::Delete,
                _ => FileAction::Edit,
            };
            return files(reader, action, &by_key(PATHS));
        }
        Kind::Patch => {
            let patches = by_key(&["input", "patch", "diff", "content", "patchtext", "command", ""]);
            let changes = patches.iter().find_map(|text| patch::changes(text));
            match changes {
                Some(changes) => {
                    for (action, path, to) in changes {
                        touch(reader, action, &path, to.as_deref());
                    }
                }
                None => return files(reader, FileAction::Edit, &by_key(PATHS)),
            }
        }
        Kind::Sql => match by_key(SQL).as_slice() {
            [] => return false,
            statements => {
                for statement in statements {
                    if !is_sql(statement) {
                        return false;
                    }
                    run_sql(reader, statement);
                }
            }
        },
        Kind::Fetch => {
            let changes = by_key(&["method"])
                .iter()
                .any(|method| !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS"));
            if changes {
                reader.say(&TOOL_SENDS, reader.call.name.clone(), reader.name_span());
            }
            for url in by_key(&["url", "uri", "urls", "prompt"]).iter().filter(|url| url.starts_with("file://")) {
                touch(reader, FileAction::Read, url, None);
            }
        }
    }
    true
}

/// Some tools name the directory in which they run.
fn enter_directory(reader: &mut Reader<'_>) {
    let Value::Object(fields) = &reader.call.args else { return };
    let directory = fields.iter().find_map(|(key, value)| {
        let key = words(key).concat();
        ["cwd", "workdir", "workingdirectory", "dirpath", "workingdir"]
            .contains(&key.as_str())
            .then(|| value.as_str())
            .flatten()
    });
    if let Some(directory) = directory.filter(|directory| !directory.is_empty())
        && let Some(path) = join(Some(&reader.whereabouts.cwd), directory)
    {
        reader.whereabouts.cwd = path;
    }
}

/// The command of a shell tool: a text, a list of texts, or an argument list.
fn shell(reader: &mut Reader<'_>) {
    let args = reader.call.args.clone();
    let value = match &args {
        Value::Object(fields) => fields
            .iter()
            .find(|(key, _)| COMMANDS.contains(&words(key).concat().as_str()))
            .or_else(|| fields.iter().find(|(key, _)| matches!(key.as_str(), "input" | "code" | "text")))
            .map(|(key, value)| (key.as_str(), value)),
        value @ (Value::String(_) | Value::Array(_)) => Some(("command", value)),
        _ => None,
    };
    match value {
        Some((_, Value::String(text))) => run_shell(reader, text),
        Some((key, Value::Array(items))) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            match texts {
                // `commands` is a list of texts; `command` as a list is one argument list.
                Some(texts) if key.ends_with('s') => texts.iter().for_each(|text| run_shell(reader, text)),
                Some(texts) => run_words(reader, &texts),
                None => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.name_span()),
            }
        }
        _ => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.name_span()),
    }
}

/// Walks with an abstract shell and keeps what it finds; everything is blamed on `span`.
fn with_shell(reader: &mut Reader<'_>, span: Span, body: impl FnOnce(&mut Shell<'_>)) {
    let findings = std::mem::take(&mut reader.findings);
    let whereabouts = reader.whereabouts.clone();
    let mut shell = Shell::new(&whereabouts, reader.facts, Dialect::Bash);
    shell.findings = findings;
    shell.blame_on(span);
    body(&mut shell);
    reader.findings = shell.findings;
}

pub(super) fn run_shell(reader: &mut Reader<'_>, text: &str) {
    let span = reader.span_of(text);
    with_shell(reader, span, |shell| {
        shell.run_text(&Arg::text(text, span), Dialect::Bash, Feed::none());
    });
}

fn run_words(reader: &mut Reader<'_>, words: &[&str]) {
    let span = Span::new(0, reader.shown.len());
    let argv: Vec<Arg> = words.iter().map(|word| Arg::text(*word, span)).collect();
    with_shell(reader, span, |shell| {
        shell.run(&argv, Feed::none(), span);
    });
}

fn run_code(reader: &mut Reader<'_>, language: Language, code: &str) {
    let span = reader.span_of(code);
    with_shell(reader, span, |shell| {
        shell.run_code(language, &Arg::text(code, span), Feed::none());
    });
}

pub(super) fn run_sql(reader: &mut Reader<'_>, statement: &str) {
    let span = reader.span_of(statement);
    with_shell(reader, span, |shell| {
        sql::verdict_of_text(shell, &Known::text(statement), sql::Dialect::Any, span);
    });
}

/// Whether a text begins like SQL and not like a search.
pub(super) fn is_sql(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "select", "insert", "update", "delete", "drop", "create", "alter", "truncate", "with", "grant", "revoke",
        "explain", "show", "set", "begin", "commit", "rollback", "merge", "replace", "call", "copy", "vacuum",
        "analyze", "describe", "pragma", "declare", "exec", "execute", "use", "lock", "reindex", "attach", "do",
        "values", "table",
    ];
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(' || letter == ';');
    if text.starts_with("--") || text.starts_with("/*") {
        return true;
    }
    let first: String = text.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb)) && text.len() > first.len() + 2
}

/// Does something to the paths that the arguments name.
fn files(reader: &mut Reader<'_>, action: FileAction, paths: &[String]) -> bool {
    let texts = texts(&reader.call.args);
    let find = |keys: &[&str]| texts.iter().find(|(key, _)| keys.contains(&key.as_str())).map(|(_, text)| text.clone());
    if matches!(action, FileAction::Move | FileAction::Copy | FileAction::Symlink) {
        let from = find(&["source", "from", "src", "oldpath", "sourcepath", "linkpath", "path", "oldname"]);
        let to = find(&["destination", "to", "dst", "dest", "newpath", "destinationpath", "target", "newname"]);
        return match (from, to) {
            (Some(from), Some(to)) => {
                touch(reader, action, &from, Some(&to));
                true
            }
            _ => {
                reader.say(&UNKNOWN_TOOL, reader.call.name.clone(), reader.name_span());
                true
            }
        };
    }
    let to = find(&["mode", "permissions"]).filter(|_| action == FileAction::Chmod);
    // A file of a remote repository or store is no file here.
    let remote = ["repo", "repository", "owner", "projectid", "bucket", "branch", "fileid", "workspaceid"];
    if texts.iter().any(|(key, _)| remote.contains(&key.as_str())) {
        return false;
    }
    for path in paths {
        touch(reader, action, path, to.as_deref());
    }
    if paths.is_empty() && !matches!(action, FileAction::Read | FileAction::List) {
        reader.say(&UNKNOWN_TOOL, reader.call.name.clone(), reader.name_span());
    }
    true
}

/// Does something to one path. A delete through a tool always asks, whatever is deleted.
pub(super) fn touch(reader: &mut Reader<'_>, action: FileAction, path: &str, to: Option<&str>) {
    let (span, to_span) = (reader.span_of(path), to.map_or_else(Span::default, |to| reader.span_of(to)));
    let operation = FileOperation { action, path: path.to_owned(), to: to.map(str::to_owned), content: None };
    let mut inner =
        file::Reader { whereabouts: &reader.whereabouts, facts: reader.facts, findings: &mut reader.findings };
    inner.judge(&operation, span, to_span);
    if action == FileAction::Delete {
        let place = inner.place(path);
        reader.findings.report(&TOOL_DELETE, place.target(), place.scope, span);
    }
}

/// Tools of git servers: the words behind `git` are a command of git, the arguments its operands.
fn git(reader: &mut Reader<'_>, parts: &[String]) -> bool {
    let verb = match parts.get(1..).unwrap_or_default() {
        [verb] => verb.clone(),
        [diff, ..] if diff == "diff" => return true,
        [create, branch] if create == "create" && branch == "branch" => "branch".to_owned(),
        [list, ..] if list == "list" || list == "get" || list == "show" => return true,
        many => many.join("-"),
    };
    let mut argv = vec!["git".to_owned(), verb];
    if let Value::Object(fields) = &reader.call.args {
        for (key, value) in fields {
            let key = words(key).join("-");
            match value {
                Value::Bool(true) => argv.push(format!("--{key}")),
                Value::String(text)
                    if !["repo-path", "path", "message", "repo", "directory", "cwd"].contains(&key.as_str()) =>
                {
                    argv.push(text.clone())
                }
                Value::String(text) if key == "message" => argv.extend(["-m".to_owned(), text.clone()]),
                Value::Array(items) => argv.extend(items.iter().filter_map(|item| item.as_str().map(str::to_owned))),
                _ => {}
            }
        }
    }
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    run_words(reader, &words);
    true
}
