//! Editors: with a script they change files and run commands; without one they wait for a person.

mod commands;
mod elisp;
mod vim;

use commands::Step;
use signoff_model::{Dialect, EffectKind, Risk, Unread};

use crate::{
    path_effects::{Write, rules},
    place::{Extent, Nature},
    rule::Rule,
    shell::{
        Call, Judge, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

/// No option takes a value.
const PLAIN: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

rules! {
    EXTENSION = Rule::new("editor-extension", EffectKind::System, Risk::Medium, "changes the extensions of the editor: {}", "更改编辑器扩展：{}")
        .examples(&["code --install-extension ms-python.python"], &["code --list-extensions", "code ."]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "vim" | "vi" | "nvim" | "ex" | "view" | "gvim" | "mvim" | "rvim" | "rview" | "vimdiff" | "nvi" | "elvis"
        | "vile" | "neovide" | "lvim" => vim::judge,
        "ed" | "red" | "gned" => ed,
        "emacs" | "emacsclient" | "zile" | "mg" | "xemacs" => elisp::judge,
        "nano" | "pico" | "rnano" | "micro" | "hx" | "helix" | "kak" | "joe" | "jed" | "ne" | "mcedit" | "tilde"
        | "dte" => plain,
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" | "subl" | "atom" | "zed"
        | "zeditor" | "idea" | "pycharm" | "webstorm" | "goland" | "rider" | "clion" | "phpstorm" | "rubymine"
        | "gedit" | "kate" | "kwrite" | "mousepad" | "geany" | "xed" | "leafpad" | "gnome-text-editor" | "mate"
        | "bbedit" | "xedit" | "pluma" | "notepadqq" | "lapce" | "fleet" => window,
        _ => return None,
    })
}

/// A file is opened by an editor that waits for a person: only what needs care is worth a word.
fn open(shell: &mut Shell<'_>, file: &Arg) {
    let place = shell.place(&file.value);
    let careful = matches!(
        place.nature,
        Nature::Secret
            | Nature::Accounts
            | Nature::SystemFile
            | Nature::SystemTree
            | Nature::StartUp
            | Nature::LoginProfile
            | Nature::SshAccess
            | Nature::Signoff
            | Nature::AgentSettings
            | Nature::GitHooks
            | Nature::Disk
    );
    if careful && place.extent != Extent::Anywhere {
        shell.write_at(&place, Write::Edit, file.span);
    } else {
        shell.note(EffectKind::Read, place.target(), place.scope, file.span);
    }
}

/// Does what the commands of an editor do to its files.
fn follow(shell: &mut Shell<'_>, steps: &[Step], files: &[&Arg], code: &Arg) {
    let empties = steps.contains(&Step::Empties);
    let edits = steps.contains(&Step::Edits);
    let texts = steps.iter().filter_map(|step| match step {
        Step::Adds(text) => Some(text.as_str()),
        _ => None,
    });
    let added = texts.collect::<Vec<_>>().join("\n");
    let mut opened: Vec<Arg> = Vec::new();
    for step in steps {
        match step {
            Step::Runs(command) => {
                drop(shell.run_text(&Arg::text(command.clone(), code.span), Dialect::Sh, Feed::none()))
            }
            Step::Opaque(what) => shell.opaque(what.clone(), code.span),
            Step::WritesTo(file) => {
                let to = Arg::text(file.clone(), code.span);
                let carried = files.first().and_then(|file| shell.carried(file));
                shell.write(&to, Write::Replace);
                if let Some(carried) = carried {
                    shell.remember_written(&to, carried);
                }
                shell.remember_fragment(&to, &added);
            }
            Step::Reads(file) => drop(shell.read(&Arg::text(file.clone(), code.span))),
            Step::Code(language, text) => {
                drop(shell.run_code(*language, &Arg::text(text.clone(), code.span), Feed::none()))
            }
            Step::Writes => {
                let how = match (empties, edits) {
                    (true, _) => Write::Empty,
                    (false, true) => Write::Edit,
                    (false, false) => Write::Append,
                };
                for file in files.iter().copied().chain(&opened) {
                    super::text::edit_in_place(shell, file, how);
                    shell.remember_fragment(file, &added);
                }
            }
            Step::Opens(file) => opened.push(Arg { value: crate::code::file_pattern(file), span: code.span }),
            Step::Edits | Step::Empties | Step::Adds(_) => {}
        }
    }
}

/// `ed`: its commands flow in.
fn ed(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &Syntax { short_values: "p", long_values: &["prompt"], ..PLAIN });
    let files: Vec<&Arg> = options.operands.clone();
    for file in &files {
        if let Some(command) = file.known().and_then(|text| text.strip_prefix('!')) {
            shell.run_text(&Arg::text(command, file.span), Dialect::Sh, Feed::none());
        }
    }
    let script = call.stdin.text.as_ref().map(|value| value.shown().into_owned());
    match script {
        Some(script) => {
            let code = Arg::text(script.clone(), call.span);
            follow(shell, &commands::read_ed(&script), &files, &code);
        }
        None if call.stdin.is_none() => files.iter().for_each(|file| open(shell, file)),
        None => shell.opaque(Unread::EdInput, call.span),
    }
    call.output()
}

/// Editors in a terminal without scripts worth knowing.
fn plain(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = Syntax {
        short_values: match call.name.as_str() {
            "nano" | "pico" | "rnano" => "rTQXYosC",
            "kak" => "ceEpfs",
            _ => "",
        },
        long_values: &[
            "speller",
            "operatingdir",
            "backupdir",
            "fill",
            "tabsize",
            "syntax",
            "quotestr",
            "wordchars",
            "rcfile",
        ],
        ..PLAIN
    };
    let options = Options::read(&call.args, &syntax);
    for command in options.values(if call.name == "kak" { &["e", "E", "f", "p"] } else { &["s", "speller"] }) {
        if call.name == "kak" {
            shell.opaque(Unread::KakCommands, command.span);
        } else {
            shell.run_text(command, Dialect::Sh, Feed::none());
        }
    }
    for file in options.operands.iter().filter(|file| !file.value.prefix().starts_with('+')) {
        open(shell, file);
    }
    Feed::none()
}

/// Editors with a window, and their command lines.
fn window(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "",
            long_values: &[
                "install-extension",
                "uninstall-extension",
                "goto",
                "folder-uri",
                "file-uri",
                "user-data-dir",
                "extensions-dir",
                "profile",
                "locale",
                "log",
                "add-mcp",
                "line",
                "column",
            ],
            ..PLAIN
        },
    );
    for name in ["install-extension", "uninstall-extension", "update-extensions", "add-mcp"] {
        if options.has(&[name]) {
            let what = options.value(&[name]).map_or(name.into(), |value| value.shown());
            shell.tell(&EXTENSION, what.into_owned(), call.span);
        }
    }
    if matches!(call.name.as_str(), "code" | "cursor" | "windsurf" | "code-insiders")
        && matches!(options.operand(0), Some("tunnel" | "serve-web"))
    {
        shell.tell(&EXTENSION, options.operand(0).unwrap_or_default(), call.span);
        return Feed::none();
    }
    for file in &options.operands {
        open(shell, file);
    }
    Feed::none()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn opening_a_file_passes() {
        check(
            Verdict::Allow,
            &[
                "vim src/main.rs",
                "vim +10 README.md",
                "nvim .",
                "nano notes.txt",
                "code .",
                "code --list-extensions",
                "emacs a.txt",
                "vim --version",
                "view /etc/hosts",
                "vim -es -c ':%s/a/b/g' -c ':wq' a.txt",
                "ex -sc '%s/a/b/g|x' a.txt",
                "nvim --headless -c 'q'",
                "vimdiff a b",
                "emacs --batch -f batch-byte-compile x.el",
                "emacs --batch --eval '(message \"hi\")'",
                "code --diff a b",
                "vim -c 'set nu' a.txt",
                "vim -R notes.txt",
                "ed -s a.txt <<< $'1p\\nq'",
                "vim '+/!x' a.txt",
                "printf '%s\\n' ',s/a/b/g' w q | ed -s a.txt",
                "nvim --headless '+Lazy! sync' +qa",
            ],
        );
    }

    #[test]
    fn scripted_loss_and_care_ask() {
        check(
            Verdict::Ask,
            &[
                "vim -es -c 'argdo %s/old/new/ge | update' -c 'qa' src/*.py",
                "nvim --headless -c 'sil! argdo %s/a/b/ge | update' -c qa src/*.py",
                "vim -es -c 'bufdo %s/a/b/g' -c wqa src/*.js",
                "ex -sc 'argdo %s/a/b/ | x' *.txt",
                "vim -c 'windo %d | w' a.txt b.txt",
                "vim -c 'args src/**/*.py' -c 'argdo %s/a/b/ge | w' -c q",
                "vim -c 'e src/main.rs' -c '%d' -c wq",
                "vim -es -c ':%d|w|q' config.yml",
                "ed -s config.yml <<< $'1,$d\\nw'",
                "ed -s config.yml <<< $',d\\nwq'",
                "ex -sc '%s/true/false/g|x' prod.env",
                "vim /etc/hosts",
                "nano ~/.bashrc",
                "vim .env",
                "vim -c ':!rm -rf data' -c ':qa!'",
                "vim '+!rm -rf data' +q",
                "vim -c 'call system(\"rm -rf data\")' -c q",
                "vim -c ':w !sh' script.sh",
                "vim -c 'r !rm -rf data' x",
                "echo '!rm -rf data' | ed",
                "emacs --batch --eval '(shell-command \"rm -rf data\")'",
                "emacs --batch --eval '(delete-directory \"src\" t)'",
                "emacs -Q --batch --eval='(delete-file \"a.db\")'",
                "code --install-extension ms-python.python",
                "vim -c ':lua os.execute(\"rm -rf data\")' -c q",
                "ex -s a.txt <<< $'%d\\nwq'",
                "vim -c ':w! /etc/hosts' -c q a",
                "vim --cmd ':!rm -rf data'",
                "vim -c \"call delete('src', 'rf')\" -c q",
                "vim -S evil.vim -es /etc/hosts",
            ],
        );
    }

    #[test]
    fn scripted_ruin_is_blocked() {
        check(
            Verdict::Block,
            &[
                "vim -c ':!rm -rf $HOME' -c ':qa!'",
                "vim -es -c '!rm -rf /' -c q",
                "emacs --batch --eval '(shell-command \"rm -rf ~\")'",
                "ed <<< '!rm -rf /'",
            ],
        );
    }
}
