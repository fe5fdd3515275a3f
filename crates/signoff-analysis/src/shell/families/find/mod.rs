//! Searching for files and doing something with each: `find`, `fd`.

mod expression;
mod fd;

use expression::{Action, From, Selection};
use signoff_model::{EffectKind, Risk};

use crate::{
    path_effects::{Depth, rules},
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell, Written, families::filters::Lines},
    value::{Arg, Feed, Origin, Origins, Piece, Value},
};

rules! {
    FOUND_PROGRAM = Rule::new("run-for-each", EffectKind::Execute, Risk::Medium, "runs an unknown program for every file found: {}", "对找到的每个文件运行未知程序：{}")
        .priority(Priority::P2)
        .examples(&["find . -exec \"$CMD\" {} ';'"], &["find . -exec grep -l x {} +"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "find" | "gfind" | "bfs" => judge,
        "fd" | "fdfind" => fd::judge,
        _ => return None,
    })
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let mut search = expression::read(&call.args);
    for root in &mut search.roots {
        if let Some(named) = crate::place::with_user(&root.value, shell.whereabouts()) {
            root.value = named;
        }
    }
    let mut out = Feed::none();
    for (action, selection) in &search.actions {
        match action {
            Action::Print => out = out.then(Feed::from_all(origins(&call.name, &search.roots, selection))),
            Action::PrintFormat(format) => {
                let printed = Feed::from_all(origins(&call.name, &search.roots, selection));
                let as_found = format.as_ref().and_then(Arg::known).is_some_and(expression::prints_paths);
                out = out.then(Lines::chosen_if(as_found).of(printed, &call.name));
            }
            Action::Delete(arg) => delete(shell, call, &search.roots, selection, arg),
            Action::Write(file) => shell.write_over(file),
            Action::Format(file, format) => {
                shell.write_over(file);
                if let Some(text) = format.as_ref().and_then(Arg::known) {
                    let text = Value::text(text.replace("\\n", "\n").replace("\\t", "\t"));
                    shell.remember_written(file, Written::Content(Feed::of(text)));
                }
            }
            Action::Run { argv, from: From::Here } => {
                out = out.then(run(shell, call, argv, &search.roots, selection));
            }
            Action::Run { argv, from: From::ItsDirectory } => {
                for root in &search.roots {
                    let here = [Arg::text(".", root.span)];
                    let printed = standing_in(shell, root, |shell| run(shell, call, argv, &here, selection));
                    out = out.then(printed);
                }
            }
        }
    }
    if out.is_none() { call.output() } else { out }
}

/// Runs a program for what is found below the roots; what it prints.
fn run(shell: &mut Shell<'_>, call: &Call, argv: &[Arg], roots: &[Arg], selection: &Selection) -> Feed {
    let argv = with_found(argv, &call.name, roots, selection);
    if argv.first().is_some_and(|program| program.value.has_unknown()) {
        let shown = argv.first().map(|program| program.shown().into_owned()).unwrap_or_default();
        shell.tell(&FOUND_PROGRAM, shown, call.span);
        return Feed::none();
    }
    let span = argv.first().zip(argv.last()).map_or(call.span, |(first, last)| first.span.to(last.span));
    let removes = |program: &str| program.ends_with("rm") || program == "rmdir";
    if selection.empty && argv.first().and_then(Arg::known).is_some_and(removes) {
        delete(shell, call, roots, selection, &Arg { value: Value::text("rm"), span });
        return Feed::none();
    }
    shell.run(&argv, Feed::none(), span)
}

/// Does something in another directory. The paths that are printed there are seen from there: here they are names, which
/// lead there only behind the path of the directory.
fn standing_in(shell: &mut Shell<'_>, directory: &Arg, body: impl FnOnce(&mut Shell<'_>) -> Feed) -> Feed {
    let path = shell.place(&directory.value).path.clone();
    let printed = shell.subshell(|shell| {
        shell.state.stand_in(&path);
        body(shell)
    });
    if !printed.origins.iter().any(|origin| origin.list().is_some()) {
        return printed;
    }
    let root = directory.shown();
    let named = |origin| match origin {
        Origin::Listing { by, under } => {
            let under = under.trim_start_matches("./").trim_start_matches('.');
            Origin::Names { by, of: format!("{}/{under}", root.trim_end_matches('/')) }
        }
        origin => origin,
    };
    Feed::from_all(printed.into_flow().without_text().into_iter().map(named).collect::<Origins>())
}

/// What is found goes.
fn delete(shell: &mut Shell<'_>, call: &Call, roots: &[Arg], selection: &Selection, action: &Arg) {
    let depth = if selection.empty { Depth::EmptyOnly } else { Depth::Recursive };
    let found = found_value(&call.name, roots, selection);
    let span = roots
        .first()
        .filter(|root| root.span.end > root.span.start)
        .map_or(action.span, |root| root.span.to(action.span));
    shell.delete(&Arg { value: found, span }, depth);
}

/// What the search prints, for each root and pattern.
fn origins(program: &str, roots: &[Arg], selection: &Selection) -> Origins {
    let mut all = Origins::NONE;
    for root in roots {
        match root.value.known_with_globs() {
            Some(text) => {
                all.extend(selection.patterns(&text).into_iter().map(|under| Origin::listing(program, under)))
            }
            None => {
                all.add(Origin::Program(program.into()));
                all.extend(root.value.origins().cloned());
            }
        }
    }
    all
}

/// A path that the search finds.
fn found_value(program: &str, roots: &[Arg], selection: &Selection) -> Value {
    if let [root] = roots
        && root.value.has_unknown()
    {
        // The root itself is not known, or not wholly: what is found lies below it.
        let mut value = root.value.clone();
        value.push(Piece::text("/"));
        value.extend(Value::unknown("…", Vec::new()));
        return value;
    }
    Value::unknown("{}", origins(program, roots, selection))
}

/// The argument list with `{}` replaced by what is found.
fn with_found(argv: &[Arg], program: &str, roots: &[Arg], selection: &Selection) -> Vec<Arg> {
    let found = found_value(program, roots, selection);
    argv.iter().map(|arg| Arg { value: replace(&arg.value, "{}", &found), span: arg.span }).collect()
}

/// A value with every `mark` in its known text replaced.
fn replace(value: &Value, mark: &str, by: &Value) -> Value {
    let mut all = Value::default();
    for piece in value.pieces() {
        match piece {
            Piece::Text(text) if text.contains(mark) => {
                for (index, part) in text.split(mark).enumerate() {
                    if index > 0 {
                        all.extend(by.clone());
                    }
                    all.push(Piece::text(part));
                }
            }
            piece => all.push(piece.clone()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn finding_and_looking_passes() {
        check(
            Verdict::Allow,
            &[
                "find . -name 'delete*' -type f",
                "find . -atime -15",
                "find / -perm +6000 -type f",
                "find . -name '*.rs' -exec grep -l unsafe {} +",
                "find . -name '*.sh' -exec shellcheck {} ';'",
                "find . -name node_modules -prune -o -name '*.ts' -print",
                "find . -name '*.pyc' -delete",
                "find . -name __pycache__ -type d -exec rm -rf {} +",
                "find . -type d -name node_modules -prune -exec rm -rf {} +",
                "find . -empty -type d -delete",
                "find test -depth -type d -empty -delete",
                "find /tmp -name 'x*' -delete",
                "find build -delete",
                "find . -name '*.o' -exec rm {} ';'",
                "find . -name '*.pyc' -o -name '*.pyo' -delete",
                "find . '(' -name '*.pyc' -o -name '*.pyo' ')' -delete",
                "find . -path '*/node_modules/*' -delete",
                "find --version",
                "find . -type d -exec chmod 755 {} +",
                "find . -name '*.txt' -exec cat {} ';'",
                "find . -newer a -exec ls -l {} ';'",
                "fd -e rs",
                "fd -e rs -x wc -l",
                "fd pattern src -X bat",
                "fd -e pyc -x rm",
                "fd node_modules -t d -x rm -rf",
                "find . -name .env",
                "find / -name '*.conf'",
                "fd -e jpg -x convert {} {.}.png",
                "fd . src -x mkdir -p out/{//}",
                "fd . build -x rm -rf {}",
                "fd . build | xargs rm -rf",
                "find -files0-from list -name '*.rs'",
                "find . -name '*.pyc' -execdir rm {} +",
                "find build -execdir rm -rf {} +",
                "find . -name package.json -execdir npm install ';'",
                "find . -name package.json -not -path '*/node_modules/*' -execdir rm -rf node_modules ';'",
                "find . -name Makefile -execdir make clean ';'",
                "find src -name '*.rs' -execdir wc -l {} +",
                "find build -execdir echo {} ';' | xargs -I{} rm -rf build/{}",
                "fd --base-directory build -x rm -rf",
                "fd -C build -x rm -rf",
                "fd -C src -e rs",
                "fd -C src -e rs | head",
            ],
        );
    }

    #[test]
    fn what_can_be_written_is_nearly_everything() {
        check(Verdict::Block, &["find / -xdev -type f -writable -delete", "find / -readable -delete"]);
        check(Verdict::Ask, &["find src -writable -type f -delete"]);
    }

    #[test]
    fn deleting_what_is_found_asks() {
        check(
            Verdict::Ask,
            &[
                "find . -name '*.txt' -ok rm {} ';'",
                "find . -name '*.ts' -exec rm {} ';'",
                "find . -name '*.log' -delete",
                "find data -delete",
                "find . -type f -mtime +30 -delete",
                "find data -type f -exec unlink {} ';'",
                "find . -type d -name data -prune -exec rm -rf {} +",
                "find . -delete",
                "find . -exec rm -rf {} +",
                "find . -name '*.pyc' -o -delete",
                "find . '(' -name '*.pyc' -o -name '*.rs' ')' -delete",
                "find . ! -name '*.pyc' -delete",
                "find /home/foo '(' -name .DS_Store -or -name '._*' ')' -exec rm -rf {} ';'",
                "find / -user edwarda -exec rm {} ';'",
                "find / -name '*.old' -delete",
                "find . -name '*.js' -exec sed -i s/a/b/ {} +",
                "find . -name '*.js' -exec mv {} /srv/x ';'",
                "find . -name id_rsa -exec cat {} ';'",
                "find /home/user -name .env -exec cat {} ';'",
                "find . -fprint /etc/x",
                "find . -name '*.txt' -exec truncate -s 0 {} ';'",
                "find . -type f -exec chmod 777 {} +",
                "fd -e rs -x rm",
                "fd . src -X rm -rf",
                "fd . build -x rm -rf {/}",
                "fd . build -x rm -rf {//}",
                "fd . build --format '{/}' | xargs rm -rf",
                "fd . --base-directory build | xargs rm -rf",
                "fd --base-directory /tmp | xargs rm -rf",
                "fd -C build | xargs rm -rf",
                "fd -C src -x rm -rf",
                "fd --base-directory src . -x rm -rf {}",
                "find build -execdir echo {} ';' | xargs rm -rf",
                "find build -execdir printf '%s\\n' {} + | sort | xargs rm -rf",
                "for f in $(find build -name '*.o' -execdir echo {} ';'); do rm $f; done",
                "find src -execdir rm -rf build ';'",
                "cd build && find ../src -execdir sh -c 'rm -rf *' ';'",
                "cd build && find ../src -execdir rm -rf x ';'",
                "cd /tmp && find ~/docs -execdir rm -rf x ';'",
                "cd build && find ../src -execdir pwd ';' | xargs rm -rf",
                "cd build && find \"$D\" -execdir rm -rf x ';'",
                "fd -e o . build -x rm {.}",
                "find -files0-from list -name '*.o' | xargs rm -rf",
                "find -files0-from list -delete",
                "find -f src -delete",
                "find /srv -mtime +5 -delete",
                "find /home/user -size +100M -delete",
            ],
        );
    }

    #[test]
    fn deleting_the_machine_by_a_search_is_blocked() {
        check(
            Verdict::Block,
            &[
                "find / -delete",
                "find / -type f -delete",
                "find / -exec rm -rf {} +",
                "find / -name '*.conf' -exec rm -f {} +",
                "find /home/user -delete",
                "find /etc -type f -delete",
                "find / -mtime +1 -delete",
                "find /home/user -type f -exec shred {} ';'",
                "find / -ok rm {} ';'",
                "find / -type f -exec chmod 000 {} +",
                "find . /etc -delete",
                "cd ~ && find . -mindepth 1 -maxdepth 1 ! -name projects -exec rm -rf {} +",
                "fd . / -X rm -rf",
                "cd ~ && find /tmp -execdir echo {} ';' | xargs rm -rf",
                "cd ~ && fd -C /tmp | xargs rm -rf",
                "cd /tmp && fd -C / -x rm -rf",
                "cd /tmp && find / -execdir rm -rf {} +",
                "cd /tmp && find ~ -execdir sh -c 'rm -rf *' ';'",
                "find -f / -delete",
                "find / '(' -name a -o -type f ')' -delete",
            ],
        );
    }
}
