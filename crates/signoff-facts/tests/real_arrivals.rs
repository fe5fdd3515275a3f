//! Copies, moves and archives that go over what is there, judged by which files become others and who could bring those
//! back; and deletes and overwrites behind other commands, which what is there may make graver but not milder.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a project that cannot be made must fail the test")]

use std::{fs, path::Path, process::Command};

use signoff_analysis::assess;
use signoff_facts::{LocalFacts, whereabouts};
use signoff_model::{Assessment, Dialect, Listing, NewText, Operation, Risk, ShellCommand};
use tempfile::TempDir;

fn run(root: &Path, words: &[&str]) {
    let done = Command::new(words[0]).current_dir(root).args(&words[1..]).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn write(root: &Path, path: &str, content: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// `work` has files that git has, one that it has not, and one that is the same as what arrives; `new` and the archives
/// have all of them, and one more.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    run(root, &["git", "init", "-q", "-b", "main"]);
    for path in ["work/tracked.txt", "work/sub/tracked.txt", "src/a.rs", "plain/tracked.txt", "Cargo.toml"] {
        write(root, path, "in git\n");
    }
    write(root, ".gitignore", "target/\n.env\n*.log\n");
    run(root, &["git", "add", "."]);
    run(root, &["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"]);
    for path in ["new/tracked.txt", "new/sub/tracked.txt", "new/sub/notes.txt", "new/fresh.txt"] {
        write(root, path, "new\n");
    }
    write(root, "new/same.txt", "same\n");
    write(root, "work/same.txt", "same\n");
    write(root, "work/sub/notes.txt", "mine\n");
    write(root, "notes.txt", "mine\n");
    write(root, "into/new/fresh.txt", "mine\n");
    write(root, "build/kept.txt", "mine\n");
    write(root, "target/o", "made\n");
    write(root, ".env", "KEY=1\n");
    write(root, "pack/.env", "KEY=2\n");
    for packing in ["tar -C new -czf new.tgz .", "tar -C new -cf new.tar .", "cd new && zip -qr ../new.zip ."] {
        run(root, &["sh", "-c", packing]);
    }
    directory
}

fn assessed(root: &Path, command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &whereabouts(root).unwrap(), &LocalFacts::default())
}

fn below(root: &Path, path: &str) -> String {
    Path::new(path).strip_prefix(root.canonicalize().unwrap()).unwrap().to_str().unwrap().to_owned()
}

/// Whether somebody is asked, the gravest rule, and what is at stake.
#[track_caller]
fn check(root: &Path, rows: &[(&str, Risk, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (command, risk, rule, at_stake) in rows {
        let found = assessed(root, command);
        let first = found.reasons.first().map_or("", |reason| reason.rule.as_str());
        let mut staked: Vec<String> = found.at_stake.iter().map(|path| below(root, path)).collect();
        staked.sort();
        if (found.effective_risk(), first, staked.as_slice())
            != (*risk, *rule, &at_stake.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>()[..])
        {
            wrong.push(format!("{command}: {:?} {first} {staked:?}", found.effective_risk()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_tree_over_another_asks_about_what_nobody_brings_back() {
    use Risk::Medium;
    let project = project();
    check(
        project.path(),
        &[
            ("cp -r new/. work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cp -a new/. work/", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cp -rT new work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cp -r new/* work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cp -r new into", Medium, "overwrite-lost", &["into/new/fresh.txt"]),
            ("cp -r new into/", Medium, "overwrite-lost", &["into/new/fresh.txt"]),
            ("cp -rt into new", Medium, "overwrite-lost", &["into/new/fresh.txt"]),
            ("cd new && cp -r . ../work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("rsync -a new/ work/", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("rsync -a --exclude=.git --exclude='*.tmp' new/ work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("rsync -av new into", Medium, "overwrite-lost", &["into/new/fresh.txt"]),
            ("rclone copy new work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("install -m 644 new/sub/notes.txt work/sub", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("install new/sub/notes.txt new/fresh.txt work/sub/", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cp new/sub/*.txt work/sub", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("mv new/sub/notes.txt work/sub", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("mv new/fresh.txt notes.txt", Medium, "overwrite-lost", &["notes.txt"]),
            ("tar xzf new.tgz -C work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("cd work && tar -xf ../new.tar", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("tar -xf new.tar -C work/sub --strip-components=2", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("unzip -o new.zip -d work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            // What has the name of a secret is one, and is not brought back either.
            ("cp -r pack/. .", Risk::High, "change-secret", &[".env"]),
            // Behind other commands as well.
            ("touch z && cp -r new/. work", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
            ("mkdir -p z; rsync -a new/ work/", Medium, "overwrite-lost", &["work/sub/notes.txt"]),
        ],
    );
}

#[test]
fn a_tree_over_sources_is_asked_about_where_something_of_them_would_be_lost() {
    let project = project();
    let root = project.path();
    let rules = |command: &str| -> Vec<String> {
        assessed(root, command).reasons.iter().map(|reason| reason.rule.to_string()).collect()
    };
    for command in ["cp -r new/. src", "cp -a new/. src/", "rsync -a new/ src/", "cp -r new/. src/absent"] {
        assert!(!rules(command).contains(&"bulk-write".to_owned()), "{command}: {:?}", rules(command));
    }
    write(root, "src/fresh.txt", "mine\n");
    for command in ["cp -r new/. src", "rsync -a new/ src/"] {
        assert!(rules(command).contains(&"overwrite-lost".to_owned()), "{command}: {:?}", rules(command));
    }
}

#[test]
fn where_nothing_is_lost_nothing_is_graver_than_by_the_text() {
    let project = project();
    let root = project.path();
    for command in [
        "cp -r new fresh",
        "cp -r new/. fresh",
        "cp -r new work",
        "cp -r src plain",
        "cp -rn new/. work",
        "cp -rb new/. work",
        "cp -r new/. plain",
        "cp new/tracked.txt work",
        "cp -r new/. target",
        "rsync -a --ignore-existing new/ work/",
        "rsync -ab new/ work/",
        "rsync -an new/ work/",
        "rsync -a --exclude=notes.txt new/ work/",
        "rsync -a --exclude='*.txt' new/ work/",
        "rsync new/ work/",
        "rsync -a new work",
        "mv new work",
        "mv new/sub work",
        "mv new/tracked.txt work",
        "install -d work/sub",
        "tar xzf new.tgz -C plain",
        "tar xzkf new.tgz -C work",
        "tar tzf new.tgz",
        "unzip -n new.zip -d work",
        "unzip -l new.zip",
        "git clean -fd target",
        "git clean -fdx target",
        "touch z && rm -rf target",
        "mv build old && rm -rf build",
        "cp -r none work",
    ] {
        let found = assessed(root, command);
        assert!(found.effective_risk() <= Risk::Low, "{command}: {:?} {:?}", found.reasons, found.at_stake);
    }
    // What is there already is as new as what arrives, and newer stays.
    assert!(assessed(root, "cp -ru new/. work").effective_risk() <= Risk::Low);
    assert!(assessed(root, "rsync -au new/ work/").effective_risk() <= Risk::Low);
}

/// What is read of a list of options that say more than is understood is the text.
#[test]
fn what_cannot_be_told_is_judged_by_the_text() {
    let project = project();
    for command in [
        "rsync -a --filter='- notes.txt' new/ work/",
        "tar xzf new.tgz -C work ./fresh.txt",
        "tar xzf new.tgz -C work --exclude=notes.txt",
        "tar xf nothing.tar -C work",
        "cp -r \"$X\" work",
        "cp -r new/. \"$X\"",
    ] {
        let found = assessed(project.path(), command);
        let rules: Vec<&str> = found.reasons.iter().map(|reason| reason.rule.as_str()).collect();
        assert!(!rules.contains(&"overwrite-lost"), "{command}: {rules:?}");
    }
}

#[test]
fn deletes_behind_other_commands_are_raised_by_what_is_there() {
    use Risk::{High, Medium};
    let project = project();
    let root = project.path();
    check(
        root,
        &[
            ("rm -rf build", Medium, "delete-unignored", &["build"]),
            ("touch z && rm -rf build", Medium, "delete-unignored", &["build"]),
            ("make; rm -rf build/*", Medium, "delete-unignored", &["build/kept.txt"]),
            ("npm test && rm -rf ./build", Medium, "delete-unignored", &["build"]),
            ("echo x > z; rm -rf build target", Medium, "delete-unignored", &["build", "target"]),
            // Milder it does not become.
            ("touch z && rm -rf src", High, "delete-tree", &["src"]),
            ("touch z && rm -rf nothing", High, "delete-tree", &["nothing"]),
            ("git clean -fd build", Medium, "delete-unignored", &["build"]),
            ("touch z && git clean -fd build", Medium, "delete-unignored", &["build"]),
            ("git clean -fdx target build", Medium, "delete-unignored", &["build", "target"]),
        ],
    );
    assert_eq!(assessed(root, "git clean -fd build").listing, Listing::Whole);
}

#[test]
fn what_is_replaced_by_a_file_that_is_known_is_compared() {
    let project = project();
    let root = project.path();
    let full = |path: &str| root.canonicalize().unwrap().join(path).to_str().unwrap().to_owned();
    for (command, path, from) in [
        ("cp new/fresh.txt notes.txt", "notes.txt", "new/fresh.txt"),
        ("mv new/fresh.txt notes.txt", "notes.txt", "new/fresh.txt"),
        ("cp new/sub/notes.txt work/sub", "work/sub/notes.txt", "new/sub/notes.txt"),
        ("cp -r new/. work", "work/sub/notes.txt", "new/sub/notes.txt"),
        ("cp new/tracked.txt work", "work/tracked.txt", "new/tracked.txt"),
    ] {
        let found = assessed(root, command);
        let rewrites: Vec<_> = found.rewrites.iter().map(|one| (one.path.clone(), one.text.clone())).collect();
        assert_eq!(rewrites, [(full(path), NewText::Copied(full(from)))], "{command}");
    }
    // Of what holds secrets it is only said that it does.
    let found = assessed(root, "cp pack/.env .env");
    assert!(found.rewrites.iter().all(|one| one.text == NewText::Secret), "{:?}", found.rewrites);
    // Behind other commands it is not known what either of them holds.
    assert!(assessed(root, "touch z; cp new/fresh.txt notes.txt").rewrites.is_empty());
}

/// What would be lost is told once, and nothing beside it says that it comes back.
#[test]
fn one_thing_happens_once() {
    let project = project();
    for command in ["mv new/fresh.txt notes.txt", "cp new/fresh.txt notes.txt", "mv new/sub/notes.txt work/sub"] {
        let found = assessed(project.path(), command);
        let over: Vec<_> = found
            .effects
            .iter()
            .filter(|effect| effect.kind == signoff_model::EffectKind::Overwrite)
            .map(|effect| (effect.target.name().into_owned(), effect.reversible))
            .collect();
        assert_eq!(over.len(), 1, "{command}: {over:?}");
        assert_eq!(over[0].1, signoff_model::Reversible::No, "{command}: {over:?}");
        assert_eq!(found.listing, Listing::Whole, "{command}");
    }
}

/// What could not be counted, named or looked at is not known to come back, and asks.
#[test]
fn what_cannot_be_counted_asks() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let directory = project();
    let root = directory.path();
    for number in 0..2_001 {
        write(root, &format!("many/{number}"), "new");
        write(root, &format!("there/{number}"), "mine");
    }
    for (place, content) in [("odd", "new"), ("kept", "mine")] {
        write(root, &format!("{place}/plain.txt"), "same");
        fs::write(root.join(place).join(OsStr::from_bytes(b"\xff")), content).unwrap();
    }
    let chained = format!("{} cp -r new/. work", "cp -r many/. nowhere/;".repeat(40));
    for command in ["cp -r many/. there", "cp -r odd/. kept", &chained] {
        let found = assessed(root, command);
        let rules: Vec<&str> = found.reasons.iter().map(|reason| reason.rule.as_str()).collect();
        assert!(rules.contains(&"overwrite-uncounted"), "{command}: {rules:?}");
        assert!(found.effective_risk() >= Risk::Medium, "{command}");
        assert_ne!(found.listing, Listing::Whole, "{command}");
    }
    // Nothing is replaced, and nobody is asked.
    assert_eq!(assessed(root, "cp -r many/. elsewhere").effective_risk(), Risk::Low);
}

/// `tar` can be told to take away directories, and what an archive does not have.
#[test]
fn archives_that_take_away_are_deletes() {
    let directory = project();
    let root = directory.path();
    for command in [
        "tar x --recursive-unlink -f new.tar -C work",
        "tar -x -g list -f new.tar -C work",
        "tar --extract --listed-incremental=list --file=new.tar -C work",
    ] {
        let found = assessed(root, command);
        assert!(found.effective_risk() >= Risk::High, "{command}: {:?}", found.reasons);
        assert!(found.at_stake.iter().any(|path| path.ends_with("/work")), "{command}: {:?}", found.at_stake);
    }
}

/// Other ways to say the same: each of them really replaces the file, as the program itself shows in a copy.
#[test]
fn whatever_goes_over_a_file_says_so() {
    let mut wrong = Vec::new();
    for (command, at_stake) in [
        ("cd new && cp --parents sub/notes.txt ../work", "work/sub/notes.txt"),
        ("cd new && cp -r --parents sub ../work", "work/sub/notes.txt"),
        ("cd new && cp --parents sub/*.txt ../work", "work/sub/notes.txt"),
        ("cp -rL linked/. work", "work/sub/notes.txt"),
        ("cp -rH linked/sub work", "work/sub/notes.txt"),
        ("find new -type f -exec cp {} work/sub \\;", "work/sub/notes.txt"),
        ("find new -name '*.txt' -exec cp -t work/sub {} +", "work/sub/notes.txt"),
        ("find new -type f | xargs cp -t work/sub", "work/sub/notes.txt"),
        ("find new -type f -print0 | xargs -0 -I{} cp {} work/sub/", "work/sub/notes.txt"),
        ("ls new/sub/*.txt | xargs -I{} cp {} work/sub", "work/sub/notes.txt"),
        ("find new/sub -type f -exec mv {} work/sub/ \\;", "work/sub/notes.txt"),
        ("python3 -c 'import shutil; shutil.copytree(\"new\", \"work\", dirs_exist_ok=True)'", "work/sub/notes.txt"),
        ("python3 -c 'import shutil; shutil.copy(\"new/sub/notes.txt\", \"work/sub\")'", "work/sub/notes.txt"),
        ("python3 -c 'import shutil; shutil.copyfile(\"new/fresh.txt\", \"notes.txt\")'", "notes.txt"),
        ("python3 -c 'import shutil; shutil.move(\"new/fresh.txt\", \"notes.txt\")'", "notes.txt"),
        ("python3 -c 'import os; os.replace(\"new/fresh.txt\", \"notes.txt\")'", "notes.txt"),
        ("mv -n -f new/fresh.txt notes.txt", "notes.txt"),
        ("mv -i -f new/fresh.txt notes.txt", "notes.txt"),
        ("shopt -s dotglob; cp -r new/* work", "work/sub/notes.txt"),
        ("shopt -s dotglob; cp dots/* dotted", "dotted/.hidden"),
        ("pushd work && cp -r ../new/. .", "work/sub/notes.txt"),
        ("pushd work; cp -r ../new/. .", "work/sub/notes.txt"),
        ("cp -b new/fresh.txt notes.txt", "notes.txt~"),
        ("mv -b new/fresh.txt notes.txt", "notes.txt~"),
        ("cp --backup new/fresh.txt notes.txt", "notes.txt~"),
        ("cp --backup=simple new/fresh.txt notes.txt", "notes.txt~"),
        ("cp -S .old new/fresh.txt notes.txt", "notes.txt.old"),
        ("install -b new/fresh.txt notes.txt", "notes.txt~"),
        ("cp --backup=none new/fresh.txt notes.txt", "notes.txt"),
        ("VERSION_CONTROL=none mv -b new/fresh.txt notes.txt", "notes.txt"),
        ("export VERSION_CONTROL=off; cp -b new/fresh.txt notes.txt", "notes.txt"),
        ("[ -d new ] && export VERSION_CONTROL=off; cp -b new/fresh.txt notes.txt", "notes.txt"),
        ("tar --backup -C work/sub -xf new.tar --strip-components=2", "work/sub/notes.txt~"),
        ("tar --suffix=.old -C work/sub -xf new.tar --strip-components=2", "work/sub/notes.txt.old"),
        ("tar --backup=none -C work/sub -xf new.tar --strip-components=2", "work/sub/notes.txt"),
        ("VERSION_CONTROL=none tar --backup -C work/sub -xf new.tar --strip-components=2", "work/sub/notes.txt"),
    ] {
        let directory = project();
        let root = directory.path();
        write(root, "notes.txt~", "older\n");
        write(root, "notes.txt.old", "older\n");
        write(root, "work/sub/notes.txt~", "older\n");
        write(root, "work/sub/notes.txt.old", "older\n");
        write(root, "dots/.hidden", "new\n");
        write(root, "dotted/.hidden", "mine\n");
        write(root, "linked/other", "x");
        std::os::unix::fs::symlink("../new/sub", root.join("linked/sub")).unwrap();
        let found = assessed(root, command);
        let staked: Vec<String> = found.at_stake.iter().map(|path| below(root, path)).collect();
        if staked != [at_stake] || found.effective_risk() < Risk::Medium {
            wrong.push(format!("{command}: {staked:?} {:?}", found.reasons));
        }
        let before = fs::read_to_string(root.join(at_stake)).unwrap();
        // Of two files of one name only the first is copied, and that is said.
        Command::new("bash").current_dir(root).args(["-c", command]).output().unwrap();
        let after = fs::read_to_string(root.join(at_stake)).unwrap_or_default();
        assert_ne!(before, after, "{command} does not replace it");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_goes_over_nothing_says_nothing() {
    let directory = project();
    let root = directory.path();
    write(root, "linked/other", "x");
    std::os::unix::fs::symlink("../new/sub", root.join("linked/sub")).unwrap();
    for command in [
        "cp --parents new/sub/notes.txt work",
        "cp -rP linked/. work",
        "find new -type f -exec cp {} plain \\;",
        "find src -name '*.rs' | xargs cp -t work/sub",
        "python3 -c 'import shutil; shutil.copytree(\"new\", \"fresh\")'",
        "python3 -c 'import shutil; shutil.copy(\"new/fresh.txt\", \"plain\")'",
        "mv -f -n new/fresh.txt notes.txt",
        "cp -b new/fresh.txt notes.txt",
        "mv -b new/fresh.txt notes.txt",
        "cp --backup=numbered new/fresh.txt notes.txt",
        "VERSION_CONTROL=numbered cp -b new/fresh.txt notes.txt",
        "tar --backup -C work -xf new.tar",
        "tar --backup=t -C work -xf new.tar",
        "tar --suffix=.bak -C work -xf new.tar",
        "cp --attributes-only new/fresh.txt notes.txt",
        "shopt -s dotglob; cp -r new/* plain",
        "pushd work && cp ../new/fresh.txt .",
    ] {
        let found = assessed(root, command);
        assert!(found.effective_risk() <= Risk::Low, "{command}: {:?} {:?}", found.reasons, found.at_stake);
    }
}

/// A device holds no secrets, and no text: what comes out of the empty one is known, and of others nothing is told.
#[test]
fn no_secret_is_seen_where_there_is_a_device() {
    let directory = project();
    let root = directory.path();
    let text = |command: &str| assessed(root, command).rewrites.into_iter().map(|one| one.text).collect::<Vec<_>>();
    assert_eq!(text("cp /dev/null notes.txt"), [NewText::Whole(String::new())]);
    assert_eq!(text("cp new/fresh.txt notes.txt").len(), 1);
    for command in ["cp /dev/zero notes.txt", "cp notes.txt /dev/null", "mv notes.txt /dev/null"] {
        assert_eq!(text(command), [], "{command}");
    }
}

/// What `rsync` replaces is kept where it is told to; what was kept there before goes.
#[test]
fn an_older_backup_of_rsync_is_lost() {
    let directory = project();
    let root = directory.path();
    write(root, "work/sub/notes.txt~", "older\n");
    write(root, "work/old/sub/notes.txt", "older\n");
    write(root, "aside/sub/notes.txt.bak", "older\n");
    let aside = root.join("aside").canonicalize().unwrap();
    for (command, at_stake) in [
        ("rsync -ab new/ work/".to_owned(), Some("work/sub/notes.txt~")),
        ("rsync -a --backup new/ work/".to_owned(), Some("work/sub/notes.txt~")),
        ("rsync -ab --backup-dir=old new/ work".to_owned(), Some("work/old/sub/notes.txt")),
        (
            format!("rsync -ab --backup-dir={} --suffix=.bak new/ work", aside.display()),
            Some("aside/sub/notes.txt.bak"),
        ),
        // Not every version keeps anything then.
        ("rsync -a --backup-dir=new new/ work".to_owned(), Some("work/sub/notes.txt")),
        ("rsync -ab --suffix=.1 new/ work/".to_owned(), None),
        ("rsync -ab --backup-dir=fresh new/ work".to_owned(), None),
        (format!("rsync -ab --backup-dir={} new/ work", aside.display()), None),
    ] {
        let found = assessed(root, &command);
        let staked: Vec<String> = found.at_stake.iter().map(|path| below(root, path)).collect();
        assert_eq!(staked, Vec::from_iter(at_stake), "{command}: {:?}", found.reasons);
        assert_eq!(found.effective_risk() >= Risk::Medium, at_stake.is_some(), "{command}: {:?}", found.reasons);
    }
}

/// A script of Python that writes archives as no archiver does.
const ODD_ARCHIVES: &str = r#"
import io, tarfile, zipfile, struct, zlib, gzip
def z(name, member, extra=b""):
    with zipfile.ZipFile(name, "w") as f:
        info = zipfile.ZipInfo(member); info.extra = extra; f.writestr(info, "new\n")
z("up.zip", "../notes.txt")
z("version.zip", "notes.txt;1")
name, other = b"harmless", b"notes.txt"
z("unicode.zip", "harmless", struct.pack("<HHBI", 0x7075, 5 + len(other), 1, zlib.crc32(name)) + other)
z("capital.zip", "NOTES.TXT")
z("packed", "notes.txt")
def t(name, members, **kw):
    with tarfile.open(name, "w", **kw) as f:
        for member in members:
            info = tarfile.TarInfo(member); info.size = 4; f.addfile(info, io.BytesIO(b"new\n"))
t("up.tar", ["a/../../notes.txt"], format=tarfile.PAX_FORMAT)
t("one.tar", ["notes.txt"])
data = open("one.tar", "rb").read()
open("parts.tgz", "wb").write(gzip.compress(data[:700]) + gzip.compress(data[700:]))
def head(name, kind, size):
    info = tarfile.TarInfo(name); info.size = size; info.type = kind
    return info.tobuf(format=tarfile.USTAR_FORMAT)
pad = lambda b: b + b"\0" * (-len(b) % 512)
pax = b"18 path=notes.txt\n"
long = b"harmless\0"
open("both.tar", "wb").write(head("p", b"x", len(pax)) + pad(pax) + head("././@LongLink", b"L", len(long)) + pad(long) + head("short", b"0", 4) + pad(b"new\n") + b"\0" * 1024)
"#;

/// Archives that are named, chosen from, handed on or written in odd ways, each with what really is replaced.
#[test]
fn whatever_unpacks_over_a_file_says_so() {
    let mut wrong = Vec::new();
    let sub = "work/sub/notes.txt";
    for (command, at_stake) in [
        ("unzip -oj new.zip -d work/sub", sub),
        ("unzip -o new -d work", sub),
        ("unzip -qo 'ne*.zip' -d work", sub),
        ("unzip -fo new.zip -d work", sub),
        ("unzip -uo new.zip -d work", sub),
        ("unzip -o new.zip -x fresh.txt -d work", sub),
        ("unzip -o new.zip sub/notes.txt -d work", sub),
        ("unzip -o new.zip 'sub/*' -d work", sub),
        ("echo A | unzip new.zip -d work", sub),
        ("for f in *.zip; do unzip -o \"$f\" -d work; done", sub),
        ("unzip -o up.zip", "notes.txt"),
        ("unzip -o version.zip", "notes.txt"),
        ("unzip -o unicode.zip", "notes.txt"),
        ("unzip -oLL capital.zip", "notes.txt"),
        ("unzip -o packed", "notes.txt"),
        ("tar xf both.tar", "notes.txt"),
        ("tar xzf parts.tgz", "notes.txt"),
        ("cat new.tar | tar x -C work", sub),
        ("gunzip -c new.tgz | tar x -C work", sub),
        ("zcat new.tgz | tar -C work -xf -", sub),
        ("tar x -C work < new.tar", sub),
        ("tar xf new.tar -C work ./sub", sub),
        ("tar xf new.tar -C work --exclude=fresh.txt", sub),
        ("for f in new.t*r; do tar xf $f -C work; done", sub),
        ("tar xf new.ta* -C work", sub),
    ] {
        let directory = project();
        let root = directory.path();
        run(root, &["python3", "-c", ODD_ARCHIVES]);
        run(root, &["touch", "-d", "2000-01-01", sub]);
        let found = assessed(root, command);
        let staked: Vec<String> = found.at_stake.iter().map(|path| below(root, path)).collect();
        if staked != [at_stake] || found.effective_risk() < Risk::Medium {
            wrong.push(format!("{command}: {staked:?} {:?}", found.reasons));
        }
        let done = Command::new("bash").current_dir(root).args(["-c", command]).output().unwrap();
        let after = fs::read_to_string(root.join(at_stake)).unwrap_or_default();
        if after == "mine\n" {
            wrong.push(format!("{command} does not replace it: {done:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An archive that nobody here can read may hold whatever stands there.
#[test]
fn what_is_in_an_archive_and_cannot_be_told_asks_where_something_can_be_lost() {
    let directory = project();
    let root = directory.path();
    for packing in ["tar -C new -cJf new.txz .", "head -c 300 new.tgz > cut.tgz", "tar -C new -cf renamed.tar ."] {
        run(root, &["sh", "-c", packing]);
    }
    for (archive, asks) in [("work", true), ("plain", false), ("nowhere", false), ("target", false)] {
        for command in [
            "tar xf new.txz -C",
            "tar xf cut.tgz -C",
            "tar x --transform=s/a/b/ -f renamed.tar -C",
            "xz -dc new.txz | tar x -C",
            "tar xf \"$ARCHIVE\" -C",
            "unzip -o cut.tgz -d",
            "find . -name '*.t?z' -exec tar xf {} -C",
        ] {
            let command = format!("{command} {archive}{}", if command.starts_with("find") { " \\;" } else { "" });
            let risk = assessed(root, &command).effective_risk();
            assert_eq!(risk >= Risk::Medium, asks, "{command}: {:?}", assessed(root, &command).reasons);
        }
    }
    assert!(assessed(root, "tar xf nothing.tar -C work").effective_risk() <= Risk::Low);
    assert!(assessed(root, "unzip new.zip -d work").effective_risk() <= Risk::Low);
}

/// What is told, why, and what is at stake are the same number of files.
#[test]
fn all_that_is_lost_is_counted_alike() {
    let directory = project();
    let root = directory.path();
    for number in 0..60 {
        write(root, &format!("many/{number}.txt"), "new");
        write(root, &format!("there/{number}.txt"), "mine");
    }
    let found = assessed(root, "cp -r many/. there");
    let lost = found.effects.iter().filter(|effect| effect.reversible == signoff_model::Reversible::No).count();
    let reasons = found.reasons.iter().filter(|reason| reason.rule.as_str() == "overwrite-lost").count();
    assert_eq!((lost, reasons, found.at_stake.len()), (60, 60, 60));
    // The directory is there, and something comes into it.
    let names: Vec<_> = found.effects.iter().map(|effect| effect.target.name().into_owned()).collect();
    assert!(names.contains(&"there/".to_owned()) && !names.contains(&"there".to_owned()), "{names:?}");
}
