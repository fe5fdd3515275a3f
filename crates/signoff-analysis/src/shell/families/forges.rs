//! The command lines of code forges: what they show is harmless, what they post is seen by others.

use signoff_model::{Dialect, EffectKind, Reversible, Risk, Scope, Target};

use super::tool::shown;
use crate::{
    path_effects::{Write, rules},
    rule::{Priority, Rule},
    shell::{Call, Judge, Language, Shell, families::interpreters, options::Options, options::Syntax, options::strip},
    value::{Arg, Feed, Origin},
};

rules! {
    POST = Rule::new("forge-post", EffectKind::NetworkWrite, Risk::High, "posts to the forge, where others see it: {}", "在代码平台上发布他人可见的内容：{}")
        .reversible(Reversible::Unknown)
        .examples(&["gh pr create --fill", "gh issue comment 3 -b hi", "gh api -X POST repos/a/b/issues", "gh api repos/a/b/issues -f title=x", "glab mr create"], &["gh pr list", "gh api repos/a/b", "glab mr list"]);
    MERGE = Rule::new("forge-merge", EffectKind::Publish, Risk::High, "merges or releases for everybody: {}", "合并或发布，影响所有人：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["gh pr merge 273 --squash --delete-branch", "gh release create v1", "glab mr merge 3"], &["gh pr view 273", "gh release list"]);
    DELETE = Rule::new("forge-delete", EffectKind::NetworkWrite, Risk::High, "deletes on the forge: {}", "在代码平台上删除：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["gh release delete v1.2.0 -y", "gh api -X DELETE repos/a/b/issues/1", "glab release delete v1"], &["gh release view v1"]);
    DELETE_REPOSITORY = Rule::new("forge-delete-repository", EffectKind::NetworkWrite, Risk::Critical, "deletes or hands over the repository {}", "删除或移交版本库 {}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["gh repo delete a/b --yes", "glab repo delete a/b"], &["gh repo view a/b"]);
    SETTINGS = Rule::new("forge-settings", EffectKind::NetworkWrite, Risk::High, "changes settings, secrets or keys on the forge: {}", "更改代码平台上的设置、机密或密钥：{}")
        .examples(&["gh secret set TOKEN", "gh repo edit --visibility public", "gh ssh-key add key.pub", "gh workflow disable ci"], &["gh secret list", "gh variable list"]);
    START = Rule::new("forge-start", EffectKind::NetworkWrite, Risk::High, "starts or stops jobs on the forge: {}", "在代码平台上启动或停止任务：{}")
        .examples(&["gh workflow run deploy.yml", "gh run rerun 12", "glab ci run"], &["gh run list", "gh run watch 12"]);
    TOKEN = Rule::new("forge-token", EffectKind::SecretRead, Risk::High, "shows an access token: {}", "显示访问令牌：{}")
        .priority(Priority::P0)
        .examples(&["gh auth token", "gh auth status --show-token", "glab config get token"], &["gh auth status"]);
    LOGIN = Rule::new("forge-login", EffectKind::Privilege, Risk::Medium, "changes who is logged in to the forge: {}", "更改代码平台的登录状态：{}")
        .reversible(Reversible::Yes)
        .examples(&["gh auth login", "gh auth refresh -s delete_repo"], &["gh auth status"]);
    EXTEND = Rule::new("forge-extension", EffectKind::Opaque, Risk::Medium, "installs code that the forge's tool will run: {}", "安装由平台工具运行的代码：{}")
        .examples(&["gh extension install a/gh-b"], &["gh extension list"]);
    REMOTE_SHELL = Rule::new("forge-remote-shell", EffectKind::NetworkWrite, Risk::High, "runs or copies on a remote machine: {}", "在远程机器上运行或复制：{}")
        .examples(&["gh codespace ssh", "gh codespace cp a remote:b"], &["gh codespace list"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "gh" => github,
        "glab" | "tea" | "bb" | "berg" | "fj" | "lab" | "jira" | "linear" | "acli" => other,
        _ => return None,
    })
}

/// Verbs that only look, or act in the project alone.
const READS: &[&str] = &[
    "list",
    "ls",
    "view",
    "show",
    "status",
    "diff",
    "checks",
    "checkout",
    "co",
    "clone",
    "download",
    "watch",
    "verify",
    "get",
    "search",
    "browse",
    "check",
    "trusted-root",
    "logs",
    "ports",
    "set-default",
    "help",
    "item-list",
    "field-list",
    "develop-list",
    "setup-git",
    "trace",
    "lint",
    "open",
    "me",
    "whoami",
    "note-list",
    "artifact",
    "jobs",
    "explain",
    "field-get",
    "todo-list",
    "stats",
    "contributors",
    "gitignore",
    "license",
    "trigger-list",
    "retry-list",
    "selectclone",
    "code",
    "jupyter",
    "config",
];

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// The first operands: topic, verb, and what it is about. Options in front with a value are skipped.
fn words(call: &Call) -> Vec<&Arg> {
    const GLOBAL: Syntax = Syntax { short_values: "R", long_values: &["repo", "hostname", "login", "remote"], ..NONE };
    Options::read(&call.args, &GLOBAL).operands.into_vec()
}

fn github(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let words = words(call);
    let text = |index: usize| words.get(index).and_then(|arg| arg.known());
    let Some(topic) = text(0) else {
        if let Some(first) = words.first() {
            shell.opaque(format!("gh {}", first.shown()), call.span);
        }
        return call.output();
    };
    let verb = text(1).unwrap_or_default();
    let subject = shown(call);
    let rule = match (topic, verb) {
        ("api", _) => return api(shell, call),
        ("auth", "token") => {
            shell.tell(&TOKEN, subject, call.span);
            return Feed::from(Origin::Secret("gh auth token".to_owned()));
        }
        ("repo", "clone") => {
            if let Some(repository) = words.get(2) {
                let ends = call.args.iter().position(|arg| arg.is("--")).and_then(|at| call.args.get(at + 1));
                let directory = words.get(3).filter(|word| ends.is_none_or(|end| !std::ptr::eq(**word, end)));
                shell.remember_clone(repository, directory.copied().filter(|word| !word.is_option()));
            }
            return call.output();
        }
        ("auth", "status") if call.has_any(&["-t", "--show-token"]) => {
            shell.tell(&TOKEN, subject, call.span);
            return Feed::from(Origin::Secret("gh auth token".to_owned()));
        }
        ("auth", "login" | "refresh" | "logout" | "switch") => &LOGIN,
        (
            "auth" | "search" | "browse" | "status" | "help" | "completion" | "org" | "ruleset" | "attestation"
            | "version" | "preview",
            _,
        ) => return call.output(),
        ("alias", "set" | "import") => return alias(shell, call, &words),
        ("alias" | "config", _) => {
            shell.note(EffectKind::Overwrite, Target::Named(subject), Scope::Home, call.span);
            return call.output();
        }
        ("pr", "create" | "new") | ("extension" | "extensions" | "ext", "upgrade") if is_rehearsal(call) => {
            return call.output();
        }
        ("extension" | "extensions" | "ext", "install" | "upgrade") => &EXTEND,
        ("extension" | "extensions" | "ext", "exec") => return call.output(),
        ("extension" | "extensions" | "ext", _) => return call.output(),
        ("copilot" | "models" | "skyline", _) => return call.output(),
        ("codespace" | "cs", "ssh" | "cp") => &REMOTE_SHELL,
        ("codespace" | "cs", "create" | "stop" | "rebuild" | "edit") => &START,
        ("agent-task", "create") => &START,
        ("pr", "merge" | "update-branch") => &MERGE,
        ("release", "create" | "edit" | "upload") if verb != "delete" => &MERGE,
        ("repo", "delete" | "rename" | "archive" | "transfer") => &DELETE_REPOSITORY,
        ("repo", "edit" | "deploy-key" | "unarchive" | "autolink") if text(2) != Some("list") => &SETTINGS,
        ("repo", "sync") if call.has_any(&["--force"]) => &DELETE,
        ("repo", "sync" | "fork" | "create") => &POST,
        (
            "secret" | "variable" | "ssh-key" | "gpg-key" | "environment",
            "set" | "add" | "delete" | "remove" | "edit" | "create",
        ) => {
            leak(shell, call);
            &SETTINGS
        }
        ("label", "clone") => &POST,
        ("workflow", "enable" | "disable") => &SETTINGS,
        ("workflow", "run") | ("run", "rerun" | "cancel") => &START,
        ("cache", "delete") => &START,
        (_, verb)
            if verb.starts_with("delete")
                || verb.ends_with("-delete")
                || matches!(verb, "remove" | "unpin" | "purge") =>
        {
            &DELETE
        }
        (_, verb) if READS.contains(&verb) || verb.is_empty() || verb.ends_with("-list") => return look(shell, call),
        (
            "pr" | "issue" | "release" | "gist" | "label" | "project" | "discussion" | "milestone" | "repo" | "run"
            | "workflow",
            _,
        ) => {
            leak(shell, call);
            &POST
        }
        _ => return extension(shell, call, topic, verb),
    };
    leak(shell, call);
    shell.tell(rule, subject, call.span);
    call.output()
}

/// Whether a call only prints what it would do. What stands behind an option with a value is its value.
fn is_rehearsal(call: &Call) -> bool {
    const CREATE: Syntax = Syntax {
        short_values: "tbFBHalmprRT",
        long_values: &[
            "title",
            "body",
            "body-file",
            "base",
            "head",
            "assignee",
            "label",
            "milestone",
            "project",
            "reviewer",
            "repo",
            "template",
            "recover",
        ],
        long_flags: &["dry-run"],
        ..NONE
    };
    Options::read(&call.args, &CREATE).has(&["dry-run"]) && call.rehearses(&["--dry-run"])
}

/// A post that carries a secret sends it away.
fn leak(shell: &mut Shell<'_>, call: &Call) {
    let holds = call.args.iter().any(|arg| arg.value.secret().is_some()) || call.stdin.secret().is_some();
    // A secret that is stored as one is where it belongs.
    let stores = matches!(call.arg(0), Some("secret" | "auth"));
    if holds && !stores {
        shell.send(&call.name, call.args.iter().map(|arg| &arg.value), &call.stdin, call.span);
    }
    const FILES: Syntax = Syntax { short_values: "F", long_values: &["body-file", "notes-file", "input"], ..NONE };
    let files: Vec<Arg> =
        Options::read(&call.args, &FILES).values(&["F", "body-file", "notes-file", "input"]).cloned().collect();
    let uploads: Vec<Arg> = if matches!(call.arg(0), Some("gist" | "release" | "snippet")) {
        call.args.iter().skip(2).filter(|arg| !arg.is_option()).cloned().collect()
    } else {
        Vec::new()
    };
    // `-f content=@file`
    let fields: Vec<Arg> = call
        .args
        .iter()
        .filter_map(|arg| {
            arg.value.prefix().find("=@").map(|at| Arg { value: strip(&arg.value, at + 2), span: arg.span })
        })
        .collect();
    for file in files.iter().chain(&uploads).chain(&fields) {
        let place = shell.place(&file.value);
        let feed = shell.secret_at(&place, file.span);
        if feed.secret().is_some() {
            shell.send(&call.name, std::iter::empty(), &feed, file.span);
        }
    }
    if call.has("--push")
        && let Some(feed) = super::secrets::hostage::hidden_in_project(shell)
    {
        shell.send(&call.name, std::iter::empty(), &feed, call.span);
    }
}

/// What is looked at may be written to a file, or be a download.
fn look(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const OUT: Syntax =
        Syntax { short_values: "ODRpn", long_values: &["output", "dir", "repo", "pattern", "name"], ..NONE };
    let options = Options::read(&call.args, &OUT);
    if let Some(file) = options.value(&["O", "output"]).filter(|file| !file.is("-")) {
        let file = file.clone();
        shell.write(&file, Write::Replace);
    }
    shell.note(EffectKind::NetworkRead, Target::Named(shown(call)), Scope::Remote, call.span);
    if call.has_any(&["download"]) {
        return Feed::from(Origin::Download { url: "github.com".to_owned(), encrypted: true });
    }
    call.output()
}

fn api(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const API: Syntax = Syntax {
        short_values: "XfFHqtp",
        long_values: &[
            "method",
            "field",
            "raw-field",
            "header",
            "input",
            "jq",
            "template",
            "hostname",
            "cache",
            "preview",
        ],
        ..NONE
    };
    let options = Options::read(&call.args, &API);
    let fields: Vec<&Arg> = options.values(&["f", "F", "field", "raw-field"]).collect();
    let method = options.value(&["X", "method"]).map(|arg| arg.shown().to_ascii_uppercase());
    let endpoint = options.operands.get(1).map(|arg| arg.shown().into_owned()).unwrap_or_default();
    let body = !fields.is_empty() || options.value(&["input"]).is_some();
    let rule = match method.as_deref() {
        Some("DELETE") if endpoint.trim_matches('/').split('/').count() == 3 && endpoint.contains("repos/") => {
            Some(&DELETE_REPOSITORY)
        }
        Some("DELETE") => Some(&DELETE),
        Some("GET" | "HEAD") => None,
        _ if endpoint == "graphql" => {
            let query = fields.iter().find(|field| field.value.prefix().starts_with("query="));
            let unread = query.is_some_and(|field| {
                field.known().is_none() && strip(&field.value, "query=".len()).prefix().is_empty()
            });
            let mutates = query.is_some_and(|field| {
                let shown = field.shown();
                shown.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "mutation")
            });
            // A query that stands in a file or comes from elsewhere cannot be read.
            let hidden = unread
                || query.is_some_and(|field| field.value.prefix().starts_with("query=@"))
                || options.value(&["input"]).is_some();
            (mutates || hidden).then_some(&POST)
        }
        Some(_) => Some(&POST),
        None => body.then_some(&POST),
    };
    if let Some(rule) = rule {
        leak(shell, call);
        shell.tell(rule, format!("{} {endpoint}", method.as_deref().unwrap_or("POST")), call.span);
    } else {
        shell.note(EffectKind::NetworkRead, Target::Named(endpoint), Scope::Remote, call.span);
    }
    call.output()
}

/// An alias may be a shell text.
fn alias(shell: &mut Shell<'_>, call: &Call, words: &[&Arg]) -> Feed {
    if let Some(meaning) = words.get(3) {
        let text = meaning.value.prefix();
        if text.starts_with('!') || call.has_any(&["--shell", "-s"]) {
            let skip = usize::from(text.starts_with('!'));
            let code = Arg { value: strip(&meaning.value, skip), span: meaning.span };
            shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
        } else if let Some(known) = meaning.known() {
            let argv: Vec<Arg> = std::iter::once("gh")
                .chain(known.split_whitespace())
                .map(|word| Arg::text(word, meaning.span))
                .collect();
            shell.run(&argv, Feed::none(), meaning.span);
        }
    }
    shell.note(EffectKind::Overwrite, Target::Named(shown(call)), Scope::Home, call.span);
    call.output()
}

/// An extension of the tool, known by its name alone.
fn extension(shell: &mut Shell<'_>, call: &Call, topic: &str, verb: &str) -> Feed {
    const GRAVE: &[&str] = &[
        "delete", "remove", "merge", "deploy", "publish", "push", "release", "close", "purge", "nuke", "poi", "clean",
        "approve", "create", "submit",
    ];
    let grave = |word: &str| word.split('-').any(|part| GRAVE.contains(&part));
    let dry = call.rehearses(&["--dry-run", "-n"]);
    if (grave(topic) || grave(verb)) && !dry {
        shell.tell(&POST, shown(call), call.span);
    }
    call.output()
}

/// GitLab, Gitea, Bitbucket, Jira and others follow the same shape: topic, verb.
fn other(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // Another program of this name runs Clojure.
    if call.name == "bb" && interpreters::runs_code(call) {
        return interpreters::language(shell, call);
    }
    if call.asks_for_help() {
        return call.output();
    }
    let words = words(call);
    let text = |index: usize| words.get(index).and_then(|arg| arg.known()).unwrap_or_default();
    let (topic, verb) = (text(0), text(1));
    let rule = match (topic, verb) {
        ("api", _) => return api(shell, call),
        ("config", "get") if text(2).contains("token") => &TOKEN,
        ("token", "create" | "rotate") => &TOKEN,
        ("auth" | "login" | "logins" | "logout", "login" | "logout" | "add" | "delete") | ("login" | "init", "") => {
            &LOGIN
        }
        ("variable" | "secret", "list" | "ls" | "get" | "export") if call.name == "glab" => {
            shell.tell(&TOKEN, shown(call), call.span);
            return Feed::from(Origin::Secret(shown(call)));
        }
        ("alias", "set") => return alias(shell, call, &words),
        (
            "auth" | "config" | "alias" | "completion" | "version" | "help" | "whoami" | "check-update" | "open"
            | "man" | "",
            _,
        ) => return call.output(),
        ("repo" | "project" | "repos", "delete" | "transfer" | "archive" | "rm")
            if verb != "archive" || call.name != "glab" =>
        {
            &DELETE_REPOSITORY
        }
        ("mr" | "pr" | "pulls" | "release" | "releases", "merge" | "create" | "upload" | "accept" | "rebase")
            if topic.starts_with("release") || verb == "merge" || verb == "accept" =>
        {
            &MERGE
        }
        (
            "ci" | "pipeline" | "pipe" | "job" | "schedule",
            "run" | "retry" | "cancel" | "trigger" | "create" | "play" | "run-trig",
        ) => &START,
        (
            "variable" | "ssh-key" | "deploy-key" | "runner" | "webhooks" | "secret",
            "set" | "create" | "add" | "update" | "delete" | "remove",
        ) => &SETTINGS,
        (_, verb) if verb.contains("delete") || verb == "remove" || verb == "rm" || verb == "purge" => &DELETE,
        (_, "" | "archive") => return look(shell, call),
        (_, verb) if READS.contains(&verb) => return look(shell, call),
        _ => &POST,
    };
    leak(shell, call);
    shell.tell(rule, shown(call), call.span);
    call.output()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn looking_is_allowed() {
        check(
            Verdict::Allow,
            &[
                "gh pr list --state closed",
                "gh pr create --dry-run",
                "gh pr create --fill --dry-run --base main",
                "gh pr create --dry-run --title 'a b' --body-file b.md",
                "gh extension upgrade --all --dry-run",
                "gh pr view 12 --json title,body",
                "gh pr checkout 42",
                "gh pr diff 3",
                "gh pr checks",
                "gh run list --limit 1",
                "gh run watch 12",
                "gh run download 12 -D /tmp/x",
                "gh issue list",
                "gh issue status",
                "gh release view v1",
                "gh release download v1 -p '*.tar.gz'",
                "gh repo clone a/b",
                "gh repo view",
                "gh api repos/a/b/pulls",
                "gh api --paginate repos/a/b/issues --jq '.[].title'",
                "gh api -X GET search/issues -f q=x",
                "gh api graphql -f query='query { viewer { login } }'",
                "gh search issues foo",
                "gh auth status",
                "gh secret list",
                "gh label list",
                "gh cache list",
                "gh config set editor vim",
                "gh alias list",
                "gh alias set co 'pr checkout'",
                "gh help pr",
                "gh pr create --help",
                "gh --version",
                "gh workflow list",
                "glab mr list",
                "glab mr checkout 3",
                "glab pipeline status",
                "tea issues ls",
            ],
        );
    }

    #[test]
    fn posting_is_asked() {
        check(
            Verdict::Ask,
            &[
                "gh pr create --fill",
                "gh pr create --dry-run=false",
                "gh pr create --title --dry-run",
                "gh pr create -- --dry-run",
                "gh pr merge 12 --dry-run",
                "gh extension upgrade --all",
                "gh pr create --title x --body y",
                "gh pr merge 273 --squash --delete-branch",
                "gh pr comment 3 -b hi",
                "gh pr close 3",
                "gh pr edit 3 --add-label x",
                "gh pr review --approve",
                "gh pr ready",
                "gh issue create -t x -b y",
                "gh issue close 3",
                "gh release create v1",
                "gh release delete v1.2.0 -y",
                "gh repo delete a/b --yes",
                "gh repo create x --public",
                "gh repo edit --visibility public",
                "gh secret set TOKEN -b x",
                "gh variable delete X",
                "gh workflow run deploy.yml",
                "gh run rerun 12",
                "gh run delete 12",
                "gh gist create a.txt",
                "gh label create bug",
                "gh auth token",
                "gh auth login",
                "gh api -X DELETE repos/a/b",
                "gh api repos/a/b/issues -f title=x",
                "gh api --method POST repos/a/b/merge-upstream --field branch=main",
                "gh api graphql -f query='mutation { x }'",
                "gh extension install a/gh-b",
                "gh ssh-key add k.pub",
                "gh codespace delete -c x",
                "gh alias set x '!git reset --hard'",
                "glab mr create",
                "glab mr merge 3",
                "glab issue close 3",
                "glab ci run",
                "glab release delete v1",
                "glab variable set X y",
                "tea pulls create",
            ],
        );
    }
}
