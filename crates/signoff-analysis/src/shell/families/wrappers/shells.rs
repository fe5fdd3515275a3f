//! Environments made for a project: `nix`, `direnv`, `mise`, `dotenv`, `devbox`.

use signoff_model::Dialect;

use super::{FOREIGN_PACKAGE, TOOL_STATE, TRUST_ENVIRONMENT, run_from};
use crate::{
    shell::{
        Call, Language, Shell,
        families::tool,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

pub(super) fn nix(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let texts: Vec<&Arg> = call
        .args
        .windows(2)
        .filter_map(|pair| match pair {
            [flag, code] if call.name == "nix-shell" && (flag.is("--run") || flag.is("--command")) => Some(code),
            _ => None,
        })
        .collect();
    for code in &texts {
        shell.run_code(Language::Shell(Dialect::Bash), code, call.stdin.clone());
    }
    if call.name == "nix-shell" {
        return call.output();
    }
    let Some(command) = operand(&call.args, 0) else { return call.output() };
    let verb = call.arg(command).unwrap_or_default();
    let at = operand(&call.args, command + 1).unwrap_or(call.args.len());
    match verb {
        "develop" | "shell" | "print-dev-env" => {
            if verb == "shell"
                && let Some(package) = call.args.get(at).filter(|arg| !arg.is_option())
            {
                foreign(shell, package);
            }
            match call.args.iter().position(|arg| arg.is("-c") || arg.is("--command")) {
                Some(flag) => run_from(shell, call, flag + 1),
                None => call.output(),
            }
        }
        "run" => {
            if let Some(package) = call.args.get(at).filter(|arg| !arg.is_option()) {
                foreign(shell, package);
                if let Some(program) = packaged_program(package) {
                    let mut words = vec![Arg::text(program, package.span)];
                    let behind = call.args.get(at + 1..).unwrap_or_default();
                    let dashes = usize::from(behind.first().is_some_and(|arg| arg.is("--")));
                    words.extend(behind.iter().skip(dashes).cloned());
                    return shell.run(&words, call.stdin.clone(), call.span);
                }
            }
            call.output()
        }
        "profile" | "store" | "registry" | "upgrade-nix" | "channel" => {
            let action = call.arg(at).unwrap_or_default();
            if matches!(
                action,
                "install" | "add" | "remove" | "upgrade" | "rollback" | "wipe-history" | "delete" | "pin" | "repair"
            ) || verb == "upgrade-nix"
            {
                shell.tell(&TOOL_STATE, format!("{verb} {action}").trim_end().to_owned(), call.span);
            }
            call.output()
        }
        "copy" => {
            shell.send("another store", std::iter::empty(), &Feed::none(), call.span);
            call.output()
        }
        _ => call.output(),
    }
}

/// Where the next word stands that is neither an option of `nix` nor the value of one. What follows `--` is for the program.
fn operand(args: &[Arg], from: usize) -> Option<usize> {
    // The first take one value, the others two.
    const VALUED: &[&str] = &[
        "--extra-experimental-features",
        "--experimental-features",
        "--inputs-from",
        "--include",
        "-I",
        "--file",
        "-f",
        "--expr",
        "--profile",
        "--max-jobs",
        "-j",
        "--cores",
        "--system",
        "--store",
        "--eval-store",
        "--reference-lock-file",
        "--output-lock-file",
        "--update-input",
        "--log-format",
        "--builders",
    ];
    const PAIRED: &[&str] = &["--option", "--override-input", "--override-flake", "--arg", "--argstr"];
    let mut at = from;
    loop {
        let arg = args.get(at)?;
        match arg.known() {
            Some("--") => return None,
            Some(option) if VALUED.contains(&option) => at += 2,
            Some(option) if PAIRED.contains(&option) => at += 3,
            _ if arg.is_option() => at += 1,
            _ => return Some(at),
        }
    }
}

/// The program that a package of a collection is there for: mostly it has the name of the package.
fn packaged_program(package: &Arg) -> Option<&str> {
    const NAMED_OTHERWISE: &[(&str, &str)] = &[
        ("awscli2", "aws"),
        ("awscli", "aws"),
        ("google-cloud-sdk", "gcloud"),
        ("azure-cli", "az"),
        ("postgresql", "psql"),
        ("mariadb", "mysql"),
        ("mysql80", "mysql"),
        ("mysql84", "mysql"),
        ("sqlite", "sqlite3"),
        ("kubernetes-helm", "helm"),
        ("openshift", "oc"),
        ("openssh", "ssh"),
        ("ripgrep", "rg"),
        ("nodejs", "node"),
        ("httpie", "http"),
        ("trash-cli", "trash-put"),
        ("gnumake", "make"),
        ("gnused", "sed"),
        ("gnutar", "tar"),
        ("findutils", "find"),
        ("netcat-gnu", "nc"),
        ("_1password-cli", "op"),
    ];
    let attribute = package.known()?.split_once('#')?.1.split('^').next()?;
    let name = attribute.rsplit('.').next()?;
    // `postgresql_16`: one of several versions.
    let plain = match name.rsplit_once('_') {
        Some((plain, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    };
    let otherwise = NAMED_OTHERWISE.iter().find(|(package, _)| *package == plain).map(|(_, program)| *program);
    otherwise.or(Some(plain)).filter(|program| !program.is_empty())
}

/// `pkgx +package program@version args`: the program of a package that is fetched for it.
pub(super) fn pkgx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SUBCOMMANDS: &[&str] = &["--query", "-Q", "--help", "--version", "-h", "-v"];
    let own = |arg: &&Arg| arg.is_option() || arg.value.prefix().starts_with('+');
    let at = call.args.iter().position(|arg| arg.is("--") || !own(&arg)).unwrap_or(call.args.len());
    if call.args.iter().take(at).any(|arg| arg.known().is_some_and(|text| SUBCOMMANDS.contains(&text))) {
        return call.output();
    }
    let words = call.args.get(at..).unwrap_or_default();
    let words = if words.first().is_some_and(|arg| arg.is("--")) { words.get(1..) } else { Some(words) };
    let Some((program, args)) = words.and_then(<[Arg]>::split_first) else { return call.output() };
    let mut argv = match program.known().and_then(|text| text.split_once('@')) {
        Some((name, _)) => vec![Arg::text(name, program.span)],
        None => vec![program.clone()],
    };
    argv.extend(args.iter().cloned());
    shell.run(&argv, call.stdin.clone(), call.span)
}

/// What does not come from the project or from the common collection is somebody's code.
fn foreign(shell: &mut Shell<'_>, package: &Arg) {
    let text = package.shown();
    let ours = text.starts_with(['.', '/', '#'])
        || text.starts_with("nixpkgs#")
        || text.starts_with("nixpkgs/")
        || text.starts_with("path:");
    if !ours {
        shell.tell(&FOREIGN_PACKAGE, text.into_owned(), package.span);
    }
}

pub(super) fn direnv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match call.arg(0) {
        Some("exec") => run_from(shell, call, 2),
        Some("allow" | "grant" | "permit") => {
            let what = call.args.get(1).map_or_else(|| ".envrc".to_owned(), |arg| arg.shown().into_owned());
            shell.tell(&TRUST_ENVIRONMENT, what, call.span);
            call.output()
        }
        _ => call.output(),
    }
}

pub(super) fn mise(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let verb = call.arg(0).unwrap_or_default();
    match verb {
        "exec" | "x" => {
            let rest = call.args.get(1..).unwrap_or_default();
            if let Some(pair) =
                rest.windows(2).find(|pair| pair.first().is_some_and(|flag| flag.is("-c") || flag.is("--command")))
            {
                return pair.last().map_or_else(
                    || call.output(),
                    |code| shell.run_code(Language::Shell(Dialect::Sh), code, call.stdin.clone()),
                );
            }
            match call.args.iter().position(|arg| arg.is("--")) {
                Some(at) => run_from(shell, call, at + 1),
                None if call.name == "asdf" => run_from(shell, call, 1),
                None => call.output(),
            }
        }
        "run" | "r" => {
            if let Some(task) = call.args.iter().skip(1).find(|arg| !arg.is_option()) {
                let shown = task.shown().into_owned();
                crate::shell::families::builds::tasks::judge(
                    shell,
                    &shown,
                    &format!("{} run {shown}", call.name),
                    task.span,
                );
            }
            call.output()
        }
        "trust" if call.has_any(&["--show", "--untrust", "--ignore"]) => call.output(),
        "settings" | "config" if widens_trust(call) => {
            shell.tell(&TRUST_ENVIRONMENT, tool::words_from(call, 0), call.span);
            call.output()
        }
        "trust" => {
            shell.tell(&TRUST_ENVIRONMENT, "mise.toml", call.span);
            call.output()
        }
        "uninstall" | "prune" | "implode" | "self-update" | "upgrade" => {
            shell.tell(&TOOL_STATE, verb.to_owned(), call.span);
            call.output()
        }
        "plugin" | "plugins"
            if matches!(call.arg(1), Some("remove" | "rm" | "uninstall" | "update" | "add" | "install")) =>
        {
            shell.tell(&TOOL_STATE, call.arg(1).unwrap_or_default().to_owned(), call.span);
            call.output()
        }
        _ => call.output(),
    }
}

/// Whether a setting lets files be obeyed that nobody was asked about, wherever they lie.
fn widens_trust(call: &Call) -> bool {
    const LOOKS: &[&str] = &["get", "ls", "list", "unset"];
    const KEYS: &[&str] = &["trusted_config_paths", "yes"];
    if call.arg(1).is_some_and(|verb| LOOKS.contains(&verb)) {
        return false;
    }
    let words = || call.args.iter().skip(1).filter(|arg| !arg.is_option());
    let sets = words().count() > 1 || words().any(|arg| arg.value.prefix().contains('='));
    let key = |arg: &Arg| {
        let text = arg.value.prefix();
        let key = text.split('=').next().unwrap_or(text);
        KEYS.contains(&key.trim_start_matches("settings."))
    };
    sets && words().any(key)
}

/// `dotenv run -- command`, `dotenvx run -- command`, `env-cmd command`.
pub(super) fn dotenv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "fevp",
            long_values: &["file", "env-file", "env", "environments", "fallback"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    let start = options.first_operand;
    match options.operand(0) {
        Some("run") => {
            let rest = call.args.get(start + 1..).unwrap_or_default();
            let inner = Options::read(
                rest,
                &Syntax {
                    short_values: "fe",
                    long_values: &["env-file", "env"],
                    stops_at_operand: true,
                    ..Syntax::default()
                },
            );
            run_from(shell, call, start + 1 + inner.first_operand)
        }
        Some("list" | "get") if call.name != "env-cmd" => {
            shell.read(&Arg::text(".env", call.span));
            Feed::from(Origin::Secret(".env".to_owned()))
        }
        Some("set" | "unset") if call.name != "env-cmd" => {
            shell.write(&Arg::text(".env", call.span), crate::path_effects::Write::Edit);
            call.output()
        }
        Some("encrypt" | "decrypt" | "keypair" | "ext" | "genexample" | "help") => call.output(),
        Some(_) => run_from(shell, call, start),
        None => call.output(),
    }
}

pub(super) fn devbox(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `pixi exec --spec git git status` runs a program of packages that are fetched for it.
    const EXEC: Syntax = Syntax {
        short_values: "scpw",
        long_values: &["spec", "channel", "platform", "with"],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    match call.arg(0) {
        Some("exec" | "x") if call.name == "pixi" => {
            let options = Options::read(call.args.get(1..).unwrap_or_default(), &EXEC);
            run_from(shell, call, options.first_operand.saturating_add(1))
        }
        Some("run" | "activate") => match call.args.iter().position(|arg| arg.is("--")) {
            Some(at) => run_from(shell, call, at + 1),
            None => run_from(
                shell,
                call,
                call.args.iter().skip(1).position(|arg| !arg.is_option()).map_or(usize::MAX, |at| at + 1),
            ),
        },
        Some("global") if matches!(call.arg(1), Some("add" | "rm" | "update")) => {
            shell.tell(&TOOL_STATE, "global".to_owned(), call.span);
            call.output()
        }
        _ => call.output(),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn a_program_that_is_fetched_for_one_run_is_judged_as_itself() {
        check(
            Block,
            &[
                "nix run nixpkgs#rm -- -rf ~",
                "nix run nixpkgs#busybox -- rm -rf ~",
                "nix run nixpkgs#nodePackages.rimraf -- ~",
                "nix run --impure nixpkgs#bash -- -c 'rm -rf ~'",
                "nix shell nixpkgs#git -c rm -rf ~",
                "nix-shell -p git --run 'rm -rf ~'",
                "pkgx rm -rf ~",
                "pkgx +git -- rm -rf ~",
                "pkgx rimraf@5 ~",
                ", rm -rf ~",
                "comma rm -rf ~",
                "npx rimraf ~",
                "npx -y rimraf@5 ~",
                "npx -c 'rm -rf ~'",
                "bunx rimraf ~",
                "pnpm dlx rimraf ~",
                "deno run -A npm:rimraf@5 ~",
            ],
        );
        check(
            Ask,
            &[
                "nix run nixpkgs#git -- push --force",
                "nix --extra-experimental-features 'nix-command flakes' run nixpkgs#git -- push -f",
                "nix run nixpkgs#kubernetes-helm -- uninstall x",
                "nix run nixpkgs#mongosh -- --eval 'db.dropDatabase()'",
                "nix run nixpkgs#ansible -- all -m shell -a x",
                "nix run nixpkgs#sops -- -d secrets.yaml",
                "nix run nixpkgs#postgresql_16 -- -c 'drop table x'",
                "nix run .#deploy",
                "pkgx git@2 push -f",
                "uvx --from awscli aws s3 rm --recursive s3://x",
                "pipx run ansible-playbook x.yml",
                "bunx wrangler deploy",
            ],
        );
        check(
            Allow,
            &[
                "nix run nixpkgs#hello",
                "nix run nixpkgs#git -- status",
                "nix run nixpkgs#jq -- . a.json",
                "nix run nixpkgs#ripgrep -- TODO src",
                "nix run nixpkgs#nodejs_20 -- --version",
                "nix run .#test",
                "nix run .#fmt -- --check",
                "nix run",
                "nix run .",
                "nix-shell -p jq --run 'jq . a.json'",
                "nix shell nixpkgs#jq -c jq . a.json",
                "pkgx node@20 --version",
                "pkgx git status",
                "pkgx +openssl cargo build",
                "pkgx --query git",
                ", cowsay hi",
                "npx eslint .",
                "uvx ruff check",
                "pipx run black .",
                "bunx prettier .",
                "deno run -A npm:prettier .",
            ],
        );
    }

    #[test]
    fn a_setting_that_widens_trust_asks() {
        check(
            Ask,
            &[
                "mise settings set trusted_config_paths /",
                "mise settings add trusted_config_paths ~/src",
                "mise settings trusted_config_paths=/",
                "mise settings set yes true",
                "mise config set settings.trusted_config_paths /",
                "mise trust",
                "mise trust --all",
                "direnv allow",
            ],
        );
        check(
            Allow,
            &[
                "mise settings",
                "mise settings get trusted_config_paths",
                "mise settings unset trusted_config_paths",
                "mise settings set experimental true",
                "mise settings ls",
                "mise trust --show",
                "mise trust --untrust",
                "direnv deny",
                "direnv status",
            ],
        );
    }
}
