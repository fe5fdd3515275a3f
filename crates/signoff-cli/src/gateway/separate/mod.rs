//! `signoff separate`: sets a machine up so that the gateway runs under a user id of its own, out of the reach of agents.

mod plan;

use std::{
    env, fs, io,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::Command,
};

use plan::{Step, Wanted};
use signoff_card::{Language, visible};
use signoff_gate::{Mode, Places};

use super::{key, somebody, told};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::SeparateArguments,
    judge::language,
    output::{self, Output},
    person::Reply,
};

/// Where systemd says that it runs this machine.
const SYSTEMD: &str = "run/systemd/system";

pub(crate) fn run(arguments: &SeparateArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.lang);
    let steps = if arguments.undo {
        plan::undo(places.machine(), runs_systemd(places))
    } else {
        wanted(arguments, places)?.plan()
    };
    let shown: String = steps.iter().map(|step| format!("  {}\n", visible(&step.shown()))).collect();
    if arguments.dry_run {
        return output.text(&shown);
    }
    if !rustix::process::geteuid().is_root() {
        return Err(Failure::usage("only the administrator can do this", "只有管理员可以执行此操作")
            .hint("run it with sudo; --dry-run shows what it would do", "请使用 sudo；--dry-run 可预览操作"));
    }
    let mut person = somebody()?;
    let question = match language {
        Language::English => format!("This would be done:\n\n{shown}\nDo it? [y/N] "),
        Language::Chinese => format!("将执行：\n\n{shown}\n执行吗？[y/N] "),
    };
    let until = super::people::think_until();
    let answer = person.answer(&question, until).map_err(|error| Failure::read(&error))?;
    if !matches!(answer, Reply::Line(line) if matches!(line.as_str(), "y" | "yes")) {
        return output.text(in_language(language, "Nothing was done.\n", "未执行任何操作。\n"));
    }
    for step in &steps {
        output::note(&format!("  {}\n", visible(&step.shown())));
        take(step, places, language)?;
    }
    output.text(if arguments.undo {
        in_language(
            language,
            "Gateways run under the user id of whoever starts them again. What was kept is still there: /var/lib/signoff\n",
            "网关恢复为以启动者身份运行。已保存的内容仍在：/var/lib/signoff\n",
        )
    } else {
        in_language(
            language,
            "The gateway runs under a user id of its own. Settings: /etc/signoff/policy.toml; invite people: sudo signoff people invite NAME\n",
            "网关以独立的用户身份运行。设置：/etc/signoff/policy.toml；邀请人员：sudo signoff people invite NAME\n",
        )
    })
}

/// What is to be set up, as this machine stands.
fn wanted(arguments: &SeparateArguments, places: &Places) -> Result<Wanted, Failure> {
    let program = env::current_exe().map_err(|error| told("find this program", &error))?;
    let own = env::var("SUDO_USER").unwrap_or_default();
    if arguments.user == "root" || arguments.user == own {
        return Err(Failure::usage(
            format!("`{}` is no user id of its own", arguments.user),
            format!("`{}` 不是独立的用户", arguments.user),
        )
        .hint("leave --user out: an account is made", "请省略 --user：将创建账户"));
    }
    Ok(Wanted {
        machine: places.machine().to_owned(),
        account_exists: signoff_facts::ids_of(&arguments.user).is_some(),
        user: arguments.user.clone(),
        program_is_safe: is_administrators(&program),
        program,
        invite: arguments.invite.clone(),
        reads_all: arguments.read_all_files,
        systemd: runs_systemd(places),
    })
}

fn runs_systemd(places: &Places) -> bool {
    places.machine().join(SYSTEMD).is_dir()
}

/// Whether only the administrator can change a file, or put another in its place.
fn is_administrators(file: &Path) -> bool {
    file.ancestors().all(|part| {
        fs::metadata(part).is_ok_and(|found| {
            // In a directory with this bit, only their owners take files away.
            let sticky = found.is_dir() && found.mode() & 0o1000 != 0;
            found.uid() == 0 && (found.mode() & 0o022 == 0 || sticky)
        })
    })
}

fn take(step: &Step, places: &Places, language: Language) -> Result<(), Failure> {
    let failed = |error: io::Error| told(&step.shown(), &error);
    match step {
        Step::Run(words) => {
            let (program, arguments) = words.split_first().ok_or_else(Failure::defect)?;
            let done = Command::new(program).args(arguments).status().map_err(failed)?;
            if done.success() { Ok(()) } else { Err(failed(io::Error::other(done.to_string()))) }
        }
        Step::Copy { from, to } => {
            let new = to.with_extension("new");
            fs::create_dir_all(to.parent().unwrap_or(to)).map_err(failed)?;
            let done = fs::copy(from, &new)
                .and_then(|_| fs::set_permissions(&new, fs::Permissions::from_mode(0o755)))
                .and_then(|()| fs::rename(&new, to));
            done.map_err(failed)
        }
        Step::Directory { path, mode, user } => {
            let made = fs::create_dir_all(path).and_then(|()| {
                if let Some(user) = user {
                    give(path, user)?;
                }
                fs::set_permissions(path, fs::Permissions::from_mode(*mode))
            });
            made.map_err(failed)
        }
        Step::Write { path, text } => {
            let new = path.with_extension("new");
            fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
            let done = fs::write(&new, text)
                .and_then(|()| fs::set_permissions(&new, fs::Permissions::from_mode(0o644)))
                .and_then(|()| fs::rename(&new, path));
            done.map_err(failed)
        }
        Step::Key { secret, public, user } => {
            let kept = key::secret(secret)?;
            give(secret, user).map_err(failed)?;
            take(&Step::Write { path: public.clone(), text: kept.verifier().to_string() }, places, language)
        }
        Step::Remove(path) => match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            Ok(()) | Err(_) => Ok(()),
        },
        Step::Invite { name } => {
            // From here on the machine is separated.
            let words = ["people", "invite", name, "--lang", language.name()];
            let invited = as_the_gate(&places.once_separated(), &words)?;
            if invited { Ok(()) } else { Err(failed(io::Error::other("nobody was invited"))) }
        }
    }
}

fn give(path: &Path, user: &str) -> io::Result<()> {
    let (uid, gid) = signoff_facts::ids_of(user).ok_or_else(|| io::Error::other(format!("there is no user {user}")))?;
    // What somebody has put there as a link leads nowhere.
    std::os::unix::fs::lchown(path, Some(uid), Some(gid))
}

/// Runs this program with the user id of the gate, for the administrator: whatever they kept in its store under their own, the
/// gate could not change any more. Says whether it went well.
pub(super) fn as_the_gate(places: &Places, arguments: &[&str]) -> Result<bool, Failure> {
    let gate = fs::metadata(places.secrets()).map_err(|error| told("look at the directory of the gate", &error))?;
    let program = env::current_exe().map_err(|error| told("find this program", &error))?;
    let program = safe_program(places, program);
    let done = Command::new(program).args(arguments).uid(gate.uid()).gid(gate.gid()).current_dir("/").status();
    done.map(|done| done.success()).map_err(|error| told("run as the gate", &error))
}

/// The program in a place that the user of the gate may look at, which the home of the administrator is not.
fn safe_program(places: &Places, program: PathBuf) -> PathBuf {
    let installed = plan::installed(places.machine());
    if is_administrators(&installed) { installed } else { program }
}

/// Whether this is the administrator of a machine on which the gate has a user id of its own.
pub(super) fn is_administrator_of_separated(places: &Places) -> bool {
    places.mode() == Mode::Separated && rustix::process::geteuid().is_root()
}
