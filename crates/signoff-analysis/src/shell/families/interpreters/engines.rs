//! Tools that have an interpreter inside: TeX, plotters, computer algebra, compilers that evaluate.

use signoff_model::Dialect;

use super::run_code;
use crate::{
    shell::{Call, Language, Shell, Written, options::strip},
    value::{Arg, Feed},
};

/// `ghc -e expression`.
pub(super) fn ghc(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for code in behind(call, &["-e"]) {
        run_code(shell, Language::Other, &code, &[], Feed::none());
    }
    call.output()
}

/// `gnuplot -e 'system "…"'`, `matlab -batch "…"`, `maxima --batch-string=…`.
pub(super) fn plotter(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut codes = behind(call, &["-e", "-batch", "-r", "--batch-string", "--eval"]);
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        codes.extend(written(shell, arg));
    }
    if let Some(text) = &call.stdin.text {
        codes.push(Arg { value: text.clone(), span: call.span });
    }
    for code in codes {
        // A line that begins with an exclamation mark goes to the shell.
        for part in code.shown().split(['\n', ';']) {
            if let Some(command) = part.trim().strip_prefix('!') {
                shell.subshell(|shell| shell.run_text(&Arg::text(command, code.span), Dialect::Sh, Feed::none()));
            }
        }
        run_code(shell, Language::Other, &code, &[], Feed::none());
    }
    call.output()
}

/// TeX: a document on the command line or one that the text has written can run the shell, if an option allows that,
/// and Lua.
pub(super) fn tex(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let escapes = call.args.iter().any(|arg| {
        let text = arg.value.prefix().trim_start_matches('-');
        text.starts_with("shell-escape") || text.starts_with("enable-write18")
    });
    let mut sources: Vec<Arg> = Vec::new();
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        if arg.value.prefix().contains('\\') {
            sources.push(arg.clone());
        } else {
            sources.extend(written(shell, arg));
        }
    }
    if let Some(text) = &call.stdin.text {
        sources.push(Arg { value: text.clone(), span: call.span });
    }
    for source in sources {
        let text = source.shown().into_owned();
        for code in arguments_of(&text, "\\directlua").into_iter().chain(arguments_of(&text, "\\latelua")) {
            run_code(shell, Language::Lua, &Arg::text(code, source.span), &[], Feed::none());
        }
        if escapes {
            let piped = arguments_of(&text, "\\input")
                .into_iter()
                .filter_map(|file| file.strip_prefix('|').map(|command| command.trim_matches('"').to_owned()));
            let commands = ["\\write18", "\\ShellEscape"].iter().flat_map(|name| arguments_of(&text, name));
            for command in commands.chain(piped) {
                shell.subshell(|shell| shell.run_text(&Arg::text(command, source.span), Dialect::Sh, Feed::none()));
            }
        }
    }
    call.output()
}

/// The values of these options, attached by `=` or in the next word.
fn behind(call: &Call, names: &[&str]) -> Vec<Arg> {
    let mut all = Vec::new();
    for (index, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        if names.contains(&text) {
            all.extend(call.args.get(index + 1).cloned());
        } else if let Some((name, _)) = text.split_once('=')
            && names.contains(&name)
        {
            all.push(Arg { value: strip(&arg.value, name.len() + 1), span: arg.span });
        }
    }
    all
}

/// What the text has written to the file that an argument names.
fn written(shell: &Shell<'_>, arg: &Arg) -> Option<Arg> {
    let path = shell.place(&arg.value).path.clone();
    let found = shell.written(&path).or_else(|| shell.written(&format!("{path}.tex")));
    match found {
        Some(Written::Content(feed)) => feed.text.clone().map(|value| Arg { value, span: arg.span }),
        _ => None,
    }
}

/// What stands in braces behind every use of a command.
fn arguments_of(text: &str, command: &str) -> Vec<String> {
    let mut all = Vec::new();
    for part in text.split(command).skip(1) {
        let Some(inner) = part.trim_start().strip_prefix('{') else { continue };
        let mut depth = 1;
        let end = inner.char_indices().find(|(_, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        all.push(inner.get(..end.map_or(inner.len(), |(at, _)| at)).unwrap_or_default().to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn engines_inside_tools_run_what_they_are_given() {
        check(
            Verdict::Block,
            &[
                r#"erl -noshell -eval 'os:cmd("rm -rf ~"), halt().'"#,
                r#"erl -noshell -eval 'file:del_dir_r("/home/user"), halt().'"#,
                r"julia -e 'rm(homedir(); recursive=true)'",
                r"julia -e 'run(`rm -rf /`)'",
                r#"ghc -e 'System.Process.system "rm -rf /"'"#,
                r#"ghc -e 'System.Directory.removeDirectoryRecursive "/home/user"' "#,
                r#"ghci -e 'System.Process.callCommand "rm -rf ~"'"#,
                r#"nvim --headless '+lua vim.fn.delete(vim.fn.expand("~"), "rf")' +qa"#,
                r#"nvim --headless -c 'lua os.execute("rm -rf ~")' -c qa"#,
                r#"vim -es -c 'py3 import shutil; shutil.rmtree("/home/user")' -c q"#,
                r#"vim -es -c ":call delete('/home/user','rf')" -c q"#,
                r#"vim -es -c "call delete(expand('~'),'rf')" -c q"#,
                r#"vim -c ':python3 import os; os.system("rm -rf /")' -c ':q'"#,
                r#"gdb -batch -ex 'call (int)system("rm -rf ~")' ./a.out"#,
                r#"gdb -p 123 -ex 'print (int)system("rm -rf /")'"#,
                r#"lldb -o 'expr (int)system("rm -rf /")' "#,
                r"pdflatex -shell-escape '\immediate\write18{rm -rf ~}\end'",
                r#"lualatex --shell-escape '\directlua{os.execute("rm -rf ~")}\end'"#,
                r#"luatex '\directlua{os.execute("rm -rf ~")}\end'"#,
                r"printf '\\documentclass{article}\\begin{document}\\immediate\\write18{rm -rf ~}\\end{document}' > /tmp/x.tex; pdflatex --shell-escape /tmp/x.tex",
                r"make --eval='x:; rm -rf ~' x",
                r"make --eval='$(shell rm -rf /)'",
                r"printf 'all:\n\trm -rf /\n' | make -f -",
                r"make -f /dev/stdin <<< $'all:\n\trm -rf ~'",
                r"make -f <(printf 'all:\n\trm -rf ~\n')",
                r#"cmake -P /dev/stdin <<< 'file(REMOVE_RECURSE "/home/user")'"#,
                r"cmake -P /dev/stdin <<< 'execute_process(COMMAND rm -rf /home/user)'",
                r"cmake -E rm -rf /",
                r"cmake -E remove_directory ~",
                r#"gnuplot -e 'system "rm -rf ~"'"#,
                r"gnuplot -e '! rm -rf ~'",
                r#"octave --eval 'system("rm -rf ~")'"#,
                r#"octave --eval 'confirm_recursive_rmdir(0); rmdir("/home/user", "s")'"#,
                r#"matlab -batch "system('rm -rf ~')""#,
                r#"matlab -r "rmdir('/home/user','s'); exit""#,
                r#"maxima --batch-string='system("rm -rf /");'"#,
                r#"sqlite3 :memory: ".shell rm -rf ~""#,
                r"sqlite3 x.db '.system rm -rf ~'",
                r"psql -c '\! rm -rf ~'",
                r"ansible localhost -m file -a 'path=/home/user state=absent'",
                r"ansible localhost -m shell -a 'rm -rf ~'",
                r"ansible localhost -c local -m command -a 'rm -rf /'",
                r"zsh -c 'zmodload zsh/files; zf_rm -rf ~'",
                r"expect -c 'spawn rm -rf /; interact'",
                r"expect -c 'exec rm -rf /'",
                r#"emacs --batch --eval '(delete-directory "~" t)'"#,
                r#"emacs --batch --eval '(call-process "rm" nil nil nil "-rf" "/")'"#,
                r#"emacs --batch --eval '(delete-directory (expand-file-name "~/") t)'"#,
            ],
        );
        check(
            Verdict::Allow,
            &[
                r"pdflatex -shell-escape thesis.tex",
                r"pdflatex -interaction=nonstopmode main.tex",
                r"cmake -E rm -rf build",
            ],
        );
    }
}
