//! File operations: the same judgement of places as for shell commands, reached without a shell.

mod rewrites;
mod stakes;

use signoff_model::{Assessment, EffectKind, FileAction, FileOperation, Reversible, Scope, Span, Target, Unread};

pub(crate) use self::stakes::Ground;
use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    path_effects::{self, Depth, Rights, Write},
    place::{Extent, Nature, Place, Reading, spellings},
    shell::rules::BUDGET,
    value::{Piece, Value},
    weighing,
    words::{Words, lines},
};

/// No system takes a longer path (Windows takes the longest ones), and a mebibyte of it has as many readings as a short one.
pub(crate) const LONGEST_PATH: usize = 32 * 1024;

/// Reads a file operation and says what it would do, on top of what was found before.
pub fn assess(
    operation: &FileOperation,
    whereabouts: &Whereabouts,
    facts: &dyn Facts,
    mut findings: Findings,
) -> Assessment {
    // Spans are ranges of the text that people are shown: the action, the path, an arrow and the other path; the mode of a
    // chmod stands before the path.
    let mode = operation.to.as_ref().filter(|_| operation.action == FileAction::Chmod);
    let start = operation.action.name().len() + 1 + mode.map_or(0, |mode| mode.len() + 1);
    let span = Span::new(start, start + operation.path.len());
    let start = span.end + " -> ".len();
    let to_span = match &operation.to {
        Some(to) if mode.is_none() => Span::new(start, start + to.len()),
        _ => span,
    };
    let ground = Ground::default();
    Reader { whereabouts, facts, findings: &mut findings, ground: &ground }.judge(operation, span, to_span);
    findings.finish()
}

/// What a file operation is judged with.
pub(crate) struct Reader<'a> {
    pub(crate) whereabouts: &'a Whereabouts,
    pub(crate) facts: &'a dyn Facts,
    pub(crate) findings: &'a mut Findings,
    /// What the file system may still be asked.
    pub(crate) ground: &'a Ground,
}

impl Reader<'_> {
    /// Judges one operation; `span` is where its path stands in what people are shown, `to_span` the other path. Of all
    /// the ways to read its paths the gravest counts.
    pub(crate) fn judge(&mut self, operation: &FileOperation, span: Span, to_span: Span) {
        for (path, span) in [(Some(operation.path.as_str()), span), (operation.to.as_deref(), to_span)] {
            if path.is_some_and(|path| path.len() > LONGEST_PATH) {
                self.findings.gap(Unread::TooLong, span);
                return self.findings.report(&BUDGET, Target::Unread(Unread::TooLong), Scope::Unknown, span);
            }
        }
        let mut gravest: Option<Findings> = None;
        for path in self.readings(&operation.path) {
            for to in operation.to.as_deref().map_or_else(|| vec![None], |to| self.other_readings(operation.action, to))
            {
                let mut findings = Findings::default();
                let mut reader = Reader {
                    whereabouts: self.whereabouts,
                    facts: self.facts,
                    findings: &mut findings,
                    ground: self.ground,
                };
                reader.judge_as(operation, &path, to.as_deref(), span, to_span);
                let gravity = |findings: &Findings| (findings.is_prohibited(), findings.risk());
                if gravest.as_ref().is_none_or(|known| gravity(&findings) > gravity(known)) {
                    gravest = Some(findings);
                }
            }
        }
        if let Some(findings) = gravest {
            self.findings.append(findings);
        }
        self.note_rewrite(operation);
        if self.disturbs(operation) {
            self.ground.disturb();
        }
    }

    /// Whether what comes behind an operation may find something else than was there before. Where something plain was
    /// deleted nothing is found, and what git has stays what it was.
    fn disturbs(&self, operation: &FileOperation) -> bool {
        match operation.action {
            FileAction::Read | FileAction::List => false,
            FileAction::Delete => !weighing::is_plain(&self.entry(&operation.path)),
            FileAction::Create
            | FileAction::Write
            | FileAction::Edit
            | FileAction::Append
            | FileAction::Overwrite
            | FileAction::Truncate
            | FileAction::Move
            | FileAction::Copy
            | FileAction::Chmod
            | FileAction::Symlink => true,
        }
    }

    /// The path as it is written, and each other reading of it that leads to something grave, or to something that is
    /// there.
    fn readings(&self, path: &str) -> Vec<String> {
        let mut all = self.grave_readings(path);
        for (other, reading) in self.other_spellings(path) {
            let written = all.first().map_or(path, String::as_str);
            if reading == Reading::Otherwise && !all.contains(&other) && self.is_there(&other, written) {
                all.push(other);
            }
        }
        all
    }

    /// The path as it is written, and each other reading of it that leads to something grave.
    fn grave_readings(&self, path: &str) -> Vec<String> {
        self.other_spellings(path)
            .into_iter()
            .filter(|(path, reading)| *reading == Reading::Written || self.matters(path, *reading))
            .map(|(path, _)| path)
            .collect()
    }

    fn other_spellings(&self, path: &str) -> Vec<(String, Reading)> {
        if path.len() > LONGEST_PATH { Vec::new() } else { spellings(path, self.whereabouts) }
    }

    fn other_readings(&self, action: FileAction, to: &str) -> Vec<Option<String>> {
        match action {
            FileAction::Move | FileAction::Copy => self.readings(to).into_iter().map(Some).collect(),
            _ => vec![Some(to.to_owned())],
        }
    }

    fn matters(&self, path: &str, reading: Reading) -> bool {
        let nature = self.place(path).nature;
        let grave = matches!(
            nature,
            Nature::Accounts
                | Nature::Disk
                | Nature::Secret
                | Nature::SshAccess
                | Nature::LoginProfile
                | Nature::StartUp
                | Nature::Signoff
        );
        // A climbing path may lead anywhere; only what nobody has in a project is taken for what it would be elsewhere.
        grave
            || reading != Reading::Climbing
                && matches!(
                    nature,
                    Nature::Root
                        | Nature::SystemTree
                        | Nature::SystemFile
                        | Nature::HomeTree
                        | Nature::AgentSettings
                        | Nature::GitStore
                        | Nature::GitHooks
                        | Nature::Pipeline
                )
    }

    /// The secret that a path may lead to, in one of its readings.
    pub(crate) fn secret(&self, path: &str) -> Option<String> {
        self.grave_readings(path)
            .iter()
            .map(|path| self.place(path))
            .find(|place| matches!(place.nature, Nature::Secret | Nature::Signoff | Nature::Disk))
            .map(|place| place.shown)
    }

    fn judge_as(&mut self, operation: &FileOperation, path: &str, to: Option<&str>, span: Span, to_span: Span) {
        let to = to.unwrap_or_default();
        if operation.content.as_deref().is_some_and(path_effects::sets_production) {
            let place = self.place(path);
            if place.nature == Nature::Secret {
                self.findings.report(&path_effects::WRITE_PRODUCTION, place.target(), place.scope, span);
            }
        }
        match operation.action {
            FileAction::Read => {
                let place = self.place(path);
                path_effects::read(self.findings, &place, span);
            }
            FileAction::List => {
                let place = self.place(path);
                self.findings.note(EffectKind::Read, place.target(), place.scope, Reversible::Yes, span);
            }
            FileAction::Create => self.write(path, Write::New, span),
            FileAction::Write => {
                let place = self.place(path);
                match names_data(&place) {
                    true if self.write_known(&place, Write::Replace, span) => {}
                    true => self.replace(&place, span),
                    false => self.write(path, Write::Replace, span),
                }
            }
            FileAction::Edit => self.write(path, Write::Edit, span),
            FileAction::Append => self.write(path, Write::Append, span),
            FileAction::Overwrite => {
                let place = self.place(path);
                if !self.write_known(&place, Write::Replace, span) {
                    self.replace(&place, span);
                }
            }
            FileAction::Truncate => self.write(path, Write::Empty, span),
            FileAction::Delete => self.delete(path, span),
            FileAction::Move => self.relocate(path, to, span, to_span),
            FileAction::Copy => {
                let (from, to) = (self.place(path), self.place(to));
                path_effects::read(self.findings, &from, span);
                if path.ends_with('/') && weighing::is_laid_over_sources(Some(&from), &to) && !self.is_kept_by_git(&to)
                {
                    self.findings.report(&path_effects::BULK_WRITE, to.target(), to.scope, to_span);
                }
                self.arrive(&from, &to, to_span);
            }
            FileAction::Chmod => {
                let place = self.place(path);
                let mode = operation.to.as_deref().or(operation.content.as_deref()).unwrap_or_default();
                match rights_of(mode) {
                    Some(rights) => {
                        path_effects::change_rights(self.findings, &place, rights, Depth::Single, span);
                    }
                    None => self.findings.report(&path_effects::RIGHTS_UNKNOWN, place.target(), place.scope, span),
                }
            }
            FileAction::Symlink => self.link(path, to, span, to_span),
        }
    }

    /// What stands at a place would be replaced as a whole.
    fn replace(&mut self, place: &Place, span: Span) {
        match place.nature == Nature::Data && place.scope == Scope::Project {
            true => self.findings.report(&path_effects::OVERWRITE_DATA, place.target(), place.scope, span),
            false => path_effects::write(self.findings, place, Write::Replace, span),
        }
    }

    fn write(&mut self, path: &str, how: Write, span: Span) {
        let place = self.place(path);
        if self.write_known(&place, how, span) {
            return;
        }
        // A shell command that makes a new file elsewhere names a place for its output; a file operation is meant to leave
        // something there for good, in somebody else's project.
        let elsewhere = matches!(place.scope, Scope::Home | Scope::Outside);
        // And what is called new may stand there already: a secret that is kept out of git does not come back.
        let kept = place.nature == Nature::Secret && how == Write::New;
        let how = match how {
            Write::New | Write::Append if elsewhere => Write::Edit,
            Write::New if kept => Write::Replace,
            how => how,
        };
        path_effects::write(self.findings, &place, how, span);
    }

    /// A link is a new file; whoever writes to it later writes to where it leads.
    fn link(&mut self, link: &str, target: &str, span: Span, to_span: Span) {
        let (entry, place) = (self.entry(link), self.place(link));
        // Where a link stands already, it is the link that goes; who writes to it writes to where it leads.
        let judged = self.write_known(&entry, Write::New, span);
        if !judged || entry.path != place.path {
            path_effects::write(self.findings, &place, Write::New, span);
        }
        let directory =
            place.path.rsplit_once('/').map(|(directory, _)| if directory.is_empty() { "/" } else { directory });
        let readings = spellings(target, self.whereabouts);
        let grave = readings.iter().find(|(path, reading)| self.matters(path, *reading)).or_else(|| readings.first());
        let target = grave.map_or(target, |(path, _)| path.as_str());
        let leads = Place::of_path(target, directory, self.whereabouts, self.facts);
        path_effects::link(self.findings, &leads, to_span);
    }

    /// Where a reading of a path leads. No shell reads it; a pattern in it is still taken as one, since some tools
    /// expand patterns themselves.
    pub(crate) fn place(&self, path: &str) -> Place {
        let cwd = Some(self.whereabouts.cwd.as_str());
        let Some(at) = path.find(['*', '?']) else { return Place::of_path(path, cwd, self.whereabouts, self.facts) };
        let (fixed, pattern) = path.split_at(at);
        let mut value = Value::text(fixed);
        value.push(Piece::glob(pattern));
        Place::resolve(&value, cwd, self.whereabouts, self.facts)
    }
}

/// Whether a place is that of data by its own name, which no edit of a text makes. What lies in a directory of data may
/// as well be a text that somebody has just written.
fn names_data(place: &Place) -> bool {
    static ENDINGS: Words<64> = Words::of_lines(lines![
        ".db",
        ".sqlite",
        ".sqlite3",
        ".db3",
        ".mdb",
        ".rdb",
        ".aof",
        ".parquet",
        ".h5",
        ".hdf5",
        ".ckpt",
        ".safetensors",
        ".mdf",
        ".ldf",
        ".ibd",
        ".qcow2",
        ".vmdk",
        ".vdi",
        ".img",
        ".dump",
        ".bak",
        ".backup",
    ]);
    place.nature == Nature::Data
        && place.extent == Extent::Exact
        && ENDINGS.holds_ending_of(&place.file_name().to_ascii_lowercase())
}

/// Whether a delete takes a tree: a final slash says so, and a name without an ending is mostly a directory.
fn depth_of(path: &str, place: &Place) -> Depth {
    let name = place.file_name();
    let is_file = name.trim_start_matches('.').contains('.')
        || matches!(name, "Makefile" | "Dockerfile" | "LICENSE" | "README" | ".gitignore" | ".env");
    if place.extent == Extent::Exact && is_file && !path.ends_with('/') { Depth::Single } else { Depth::Recursive }
}

/// What a mode such as `755` or `u+s` does; none if that is no mode.
fn rights_of(mode: &str) -> Option<Rights> {
    let mode = mode.trim().trim_start_matches("0o");
    if let Ok(bits) = u32::from_str_radix(mode, 8) {
        return Some(match bits {
            bits if bits & 0o6000 != 0 => Rights::SetUser,
            bits if bits & 0o002 != 0 => Rights::Open,
            bits if bits & 0o600 == 0 => Rights::Closed,
            _ => Rights::Usual,
        });
    }
    if !mode.contains(['+', '-', '=']) {
        return None;
    }
    let has = |sign: char, right: char| {
        mode.split(',').any(|part| part.split_once(sign).is_some_and(|(_, rights)| rights.contains(right)))
    };
    let for_all = mode
        .split(',')
        .any(|part| part.starts_with(['a', 'o', '+']) || part.starts_with("go") || part.starts_with("ugo"));
    Some(match () {
        () if has('+', 's') || has('=', 's') => Rights::SetUser,
        () if for_all && (has('+', 'w') || has('=', 'w')) => Rights::Open,
        () if mode.starts_with("a-") || mode.starts_with("u-") => Rights::Closed,
        () => Rights::Usual,
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::{
        FileAction, FileOperation, Operation,
        Verdict::{self, Allow, Ask, Block},
    };

    use crate::{
        facts::{NoFacts, Whereabouts},
        testing::verdict,
    };

    #[track_caller]
    fn check(expected: Verdict, operations: &[&str]) {
        let mut wrong = Vec::new();
        for text in operations {
            let (action, path) = text.split_once(' ').unwrap();
            let operation = FileOperation::parse(FileAction::from_name(action).unwrap(), path).unwrap();
            let operation = Operation::File(operation);
            let assessment = crate::assess(&operation, &Whereabouts::assumed(), &NoFacts);
            let found = verdict(&assessment);
            if found != expected {
                wrong.push(format!("{found}, not {expected}: {text}   {:?}", assessment.reasons));
            }
            for reason in &assessment.reasons {
                let shown = operation.text();
                let part = reason.span.of(&shown).unwrap();
                assert!(path.contains(part) && !part.is_empty(), "{text}: span of {reason:?}");
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_directory_over_the_sources_asks_as_a_shell_command_would() {
        check(Ask, &["copy old/ -> src/", "copy /tmp/x/ -> src", "copy ../other/ -> ./"]);
        check(
            Allow,
            &["copy old/ -> backup/", "copy dist/ -> lib/", "copy src/ -> /tmp/src/", "copy a.rs -> src/b.rs"],
        );
    }

    #[test]
    fn reads_and_edits_of_the_project_pass() {
        check(
            Allow,
            &[
                "read src/main.rs",
                "list .",
                "list ~/.ssh",
                "read /usr/include/stdio.h",
                "read .env.example",
                "edit README.md",
                "create src/new.rs",
                "write src/lib.rs",
                "write data/sample.json",
                "write tests/data/rows.csv",
                "move a.csv -> b.csv",
                "append notes.md",
                "delete node_modules/",
                "delete target",
                "delete /tmp/x",
                "create /tmp/x/y",
                "copy a.rs -> /tmp/a.rs",
                "move a.rs -> b.rs",
                "symlink build -> target/debug",
                "read ~/.gitconfig",
                "write /tmp/out.json",
                "read ../sibling/README.md",
                "symlink latest -> ./releases/3",
                "symlink x -> ../../other",
                "delete ./__pycache__",
                "overwrite src/a.rs",
                "read file:///usr/include/stdio.h",
            ],
        );
    }

    #[test]
    fn what_may_not_come_back_or_leads_outside_asks() {
        check(
            Ask,
            &[
                "delete src/",
                "delete src/main.rs",
                "delete target/../src",
                "delete .git/",
                "delete data/app.db",
                "delete ../other/",
                "truncate data/x.csv",
                "edit .git/config",
                "create .claude/settings.json",
                "create ../other/x.rs",
                "create ~/.config/autostart/x.desktop",
                "read ~/.aws/credentials",
                "read .env",
                "read src/../../../../../../home/dev/.ssh/id_rsa",
                "move data/ -> /dev/null",
                "write ~/.bashrc",
                "symlink x -> ~/.ssh/id_rsa",
                "symlink x -> /etc/passwd",
                "symlink target -> /",
                "symlink home -> ~",
                "overwrite data/customers.csv",
                "write data.db",
                "write data/app.sqlite3",
                "move /tmp/labels.parquet -> data/labels.parquet",
                "copy other.db -> app.db",
                "delete src/*",
                "create .git/hooks/post-commit",
                "copy ~/.ssh/id_ed25519 -> /tmp/k",
                "copy a.rs -> ~/x.rs",
                "move ~/.ssh -> /tmp/x",
                "read ~root/.ssh/id_rsa",
                "write /etc/hosts",
            ],
        );
    }

    #[test]
    fn the_absurd_is_blocked() {
        check(
            Block,
            &[
                "delete /",
                "delete ~",
                "delete ~/",
                "delete /etc",
                "delete $HOME",
                "edit /etc/passwd",
                "edit /etc/sudoers",
                "create /etc/sudoers.d/agent",
                "edit ~/.ssh/authorized_keys",
                "write /dev/sda",
                "delete /usr",
                "write ~/.config/signoff/config.toml",
                "delete ~/.local/share/signoff",
                "delete /*",
                "write .signoff/config.toml",
            ],
        );
    }

    #[test]
    fn a_path_that_could_be_a_grave_one_is_judged_as_that() {
        check(
            Ask,
            &[
                "read C:\\Users\\bob\\.aws\\credentials",
                "read D:\\work\\app\\.env",
                "read .\\.env",
                "read %2Eenv",
                "write .GIT/Hooks/pre-commit",
                "write .git\\config",
                "write .Claude/Settings.json ",
                "write .claude/settings.json::$DATA",
                "write GIT~1/config",
                "copy a.txt -> .GIT/config",
                "read ~/library/keychains/login.keychain-db",
                "symlink x -> ~/.SSH/id_rsa",
                "create .env",
                "edit .github/workflows/ci.yml",
                "create JENKINSFILE",
                "write %APPDATA%\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.bat",
            ],
        );
        check(
            Block,
            &[
                "write src/../../../../../etc/passwd",
                "write ../../.ssh/authorized_keys",
                "write ~/.SSH/Authorized_Keys",
                "delete \\\\?\\C:\\",
                "delete \\Windows",
                "delete c:/windows/System32",
                "delete /mnt/c/Windows",
                "delete /USERS",
                "write ~/.Config/Signoff/config.toml",
                "write /private/etc/sudoers",
                "move a.txt -> /ETC/passwd",
            ],
        );
        check(
            Allow,
            &[
                "read Src/Main.cs",
                "write Data/AppContext.cs",
                "edit docs/100%25 sure.md",
                "read C:\\Users\\bob\\code\\app\\src\\Main.cs",
                "edit src\\components\\App.tsx",
                "write \"src/a b.ts\"",
                "read ../../lib/x.ts",
                "delete Node_modules/../node_modules",
                "edit docs/.github/workflows/ci.yml",
                "create .env.example",
                "read src/:id/[slug].tsx",
            ],
        );
    }

    #[test]
    fn modes_are_read() {
        use super::{Rights, rights_of};
        for (mode, expected) in [
            ("755", Rights::Usual),
            ("0644", Rights::Usual),
            ("777", Rights::Open),
            ("4755", Rights::SetUser),
            ("000", Rights::Closed),
            ("+x", Rights::Usual),
            ("u+s", Rights::SetUser),
            ("a+w", Rights::Open),
            ("o+rw", Rights::Open),
            ("u+x", Rights::Usual),
            ("a-rwx", Rights::Closed),
            ("g+w", Rights::Usual),
        ] {
            assert_eq!(rights_of(mode), Some(expected), "{mode}");
        }
        for unknown in ["", "999", "src"] {
            assert_eq!(rights_of(unknown), None, "{unknown}");
        }
    }
}
