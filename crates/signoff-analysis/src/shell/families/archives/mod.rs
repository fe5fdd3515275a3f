//! Archives: packing, listing and unpacking, and the programs that do so can be told to run.

mod compress;
mod others;
mod tar;
mod zip;

use signoff_model::{Dialect, EffectKind, Reversible, Risk, Span};

use super::files;
use crate::{
    path_effects::{READ_SECRET, Write, rules},
    place::Nature,
    rule::{Priority, Rule},
    shell::{Judge, Shell, Written, options::Syntax},
    value::{Arg, Feed, Origin, Value},
};

/// No option takes a value.
const PLAIN: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

rules! {
    UNPACK = Rule::new("unpack", EffectKind::Create, Risk::Low, "unpacks {}, over files of the same name", "解包 {}，同名文件会被覆盖")
        .reversible(Reversible::WithGit).priority(Priority::P2)
        .examples(&["tar xzf a.tgz", "unzip a.zip"], &["tar tzf a.tgz", "unzip -l a.zip"]);
    UNPACK_ANYWHERE = Rule::new("unpack-anywhere", EffectKind::Overwrite, Risk::High, "unpacks {} to wherever the archive says, outside this project too", "按压缩包中的绝对路径解包 {}，可能写到项目之外")
        .examples(&["tar -xPf a.tar", "tar --absolute-names -xf a.tar"], &["tar -xf a.tar"]);
    COMPRESS = Rule::new("compress", EffectKind::Overwrite, Risk::Low, "replaces {} by its compressed or unpacked form", "用压缩或解压后的文件替换 {}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["gzip app.log", "xz -d a.xz"], &["gzip -c app.log", "gzip -l a.gz"]);
    RUNS_ALONG = Rule::new("archiver-runs", EffectKind::Execute, Risk::Medium, "makes an archiver run a program: {}", "让打包程序运行其他程序：{}")
        .examples(&["tar cf a.tar src --checkpoint=1 --checkpoint-action=exec='sh ./x.sh'", "tar xf a.tar --to-command=./x.sh"], &["tar xf a.tar --to-command=sha256sum", "tar -I 'zstd -19' -cf a.tar src"]);
    ARCHIVE_DELETE = Rule::new("delete-from-archive", EffectKind::Delete, Risk::Medium, "deletes entries from the archive {}", "从压缩包 {} 中删除条目")
        .reversible(Reversible::No)
        .examples(&["zip -d a.zip x", "7z d a.7z x"], &["zip -r a.zip src"]);
}

/// An archiver runs a text as a command: it is judged like any other, and unless it only shows or packs something, a
/// person should know that packing files starts it.
fn run_along(shell: &mut Shell<'_>, command: &Arg, stdin: Feed) {
    shell.run_text(command, Dialect::Sh, stdin);
    if !is_plain(command) {
        shell.tell(&RUNS_ALONG, command.shown(), command.span);
    }
}

/// Whether a command is one known program that prints, counts or packs, and nothing besides.
fn is_plain(command: &Arg) -> bool {
    const PLAIN: &[&str] = &[
        "echo",
        "printf",
        "true",
        ":",
        "date",
        "sleep",
        "cat",
        "wc",
        "head",
        "tail",
        "grep",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "sha512sum",
        "b2sum",
        "cksum",
        "sum",
        "file",
        "ls",
        "unzip",
        "zipinfo",
        "tac",
        "sort",
        "uniq",
        "cut",
        "du",
        "df",
        "stat",
        "openssl",
        "pv",
        "pixz",
        "zstdmt",
        "xzcat",
        "zcat",
    ];
    let Some(text) = command.known().filter(|text| !text.contains([';', '&', '|', '`', '$', '<', '>', '\n'])) else {
        return false;
    };
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or_default();
    let packs = find(name).is_some_and(|judge| std::ptr::fn_addr_eq(judge, compress::judge as Judge));
    let usual = !first.contains('/') || first.starts_with("/bin/") || first.starts_with("/usr/bin/");
    usual && (packs || PLAIN.contains(&name))
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "tar" | "gtar" | "bsdtar" | "star" => tar::judge,
        "zip" => zip::zip,
        "unzip" | "bsdunzip" | "zipinfo" | "funzip" => zip::unzip,
        "7z" | "7za" | "7zr" | "7zz" | "p7zip" | "rar" | "unrar" | "arj" | "lha" | "zipcloak" => others::by_verb,
        "gzip" | "gunzip" | "pigz" | "unpigz" | "bzip2" | "bunzip2" | "pbzip2" | "lbzip2" | "xz" | "unxz" | "lzma"
        | "unlzma" | "zstd" | "unzstd" | "pzstd" | "lz4" | "unlz4" | "lzop" | "lzip" | "plzip" | "brotli"
        | "compress" | "uncompress" | "snzip" | "zopfli" | "rzip" | "lrzip" => compress::judge,
        "ar" | "gar" | "llvm-ar" => others::ar,
        "jar" => others::jar,
        "cpio" | "pax" => others::cpio,
        "unar" | "aunpack" | "dtrx" | "unp" | "cabextract" | "unsquashfs" | "patool" | "ouch" | "innoextract"
        | "rpm2cpio" | "unmass" | "7zip" => others::unpack,
        "lsar" | "als" | "acat" | "isoinfo" | "rarinfo" => others::lists,
        "apack" | "mksquashfs" | "genisoimage" | "mkisofs" | "xorrisofs" | "shar" | "zipsplit" | "zipnote" => {
            others::pack_only
        }
        _ => return None,
    })
}

/// An archive is written from members; what is in it may be secret.
fn pack(shell: &mut Shell<'_>, archive: Option<&Arg>, content: Feed, how: Write) -> Feed {
    match archive {
        Some(archive) if !archive.is("-") && shell.place(&archive.value).nature != Nature::Stream => {
            shell.write(archive, how);
            if !content.is_none() {
                shell.remember_written(archive, Written::Content(content));
            }
            Feed::none()
        }
        _ => content,
    }
}

/// The members of an archive are read: a secret among them stays one inside.
fn read_members(shell: &mut Shell<'_>, members: &[&Arg]) -> Feed {
    let mut feed = Feed::none();
    for member in members {
        files::takes_own_state(shell, member);
        feed = feed.then(shell.read(member));
    }
    feed.changed_by("archive")
}

/// The members whose names flow in are read like those that are named: line by line where they are known, and as what
/// their list holds where they are not.
fn read_listed(shell: &mut Shell<'_>, names: &Feed, shown: &str, span: Span) -> Feed {
    let members: Vec<Arg> = match names.known() {
        Some(text) => {
            text.split(['\n', '\0']).filter(|name| !name.is_empty()).map(|name| Arg::text(name, span)).collect()
        }
        None => vec![Arg { value: Value::unknown(shown, names.origins.clone()), span }],
    };
    read_members(shell, &members.iter().collect::<Vec<_>>())
}

/// What comes out of an archive where somebody sees it: its content, and a secret if a member is named that is one.
fn print_members<'a>(
    shell: &mut Shell<'_>,
    content: Feed,
    members: impl IntoIterator<Item = &'a Arg>,
    program: &str,
) -> Feed {
    let mut feed = content.changed_by(program);
    for member in members {
        if shell.place(&member.value).nature == Nature::Secret {
            shell.tell(&READ_SECRET, member.shown(), member.span);
            feed = feed.also_from(Origin::Secret(member.shown().into_owned()));
        }
    }
    feed
}

/// An archive is unpacked into a directory (none: the working directory).
fn unpack(shell: &mut Shell<'_>, archive: &str, content: &Feed, directory: Option<&Arg>, span: Span) {
    let here = Arg::text("./", span);
    let target = directory.unwrap_or(&here);
    let place = shell.place(&target.value);
    // Below the directory: the directory itself stays.
    match place.nature {
        Nature::ProjectTree | Nature::Source | Nature::Data | Nature::Ordinary
            if place.scope == signoff_model::Scope::Project =>
        {
            shell.report(&UNPACK, signoff_model::Target::Named(archive.to_owned()), place.scope, span);
        }
        _ => shell.write_at(&place, Write::Append, target.span),
    }
    shell.remember_unpacked(archive, content, directory);
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn packing_listing_and_unpacking_here_passes() {
        check(
            Verdict::Allow,
            &[
                "tar tzf backup.tgz",
                "tar -tvf a.tar | grep delete",
                "tar czf a.tgz src",
                "tar -czf /tmp/a.tgz .",
                "tar xzf a.tgz",
                "tar -xf a.tar -C /tmp/x",
                "tar -xf a.tar -C vendor",
                "tar xOf a.tar file",
                "tar -I zstd -cf a.tar.zst src",
                "tar --use-compress-program='zstd -19 -T0' -cf a.tzst src",
                "tar --zstd -xf a.tar.zst",
                "tar --help",
                "tar -cf - src | tar -xf - -C /tmp/x",
                "zip -r a.zip src",
                "zip -r9 a.zip . -x '*.git*'",
                "unzip -l release.zip",
                "unzip a.zip",
                "unzip -o a.zip -d build",
                "unzip -p a.zip x",
                "7z a a.7z src",
                "7z l a.7z",
                "7z x a.7z",
                "7z x a.7z -o/tmp/x",
                "gzip app.log",
                "gzip -c app.log",
                "gzip -d a.gz",
                "gunzip -k a.gz",
                "xz -l a.xz",
                "zstd a.txt",
                "gzip *.log",
                "ar rcs lib.a a.o",
                "ar t lib.a",
                "jar tf a.jar",
                "jar xf a.jar",
                "jar cf a.jar .",
                "unrar l a.rar",
                "unrar x a.rar",
                "find . -depth | cpio -o > /tmp/a.cpio",
                "cpio -t < a.cpio",
                "tar --exclude=node_modules -czvf out.tgz .",
                "tar xf a.tar --strip-components=1",
            ],
        );
    }

    #[test]
    fn archives_that_run_or_remove_ask() {
        check(
            Verdict::Ask,
            &[
                "tar -cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf data'",
                "tar xf a.tar --to-command='rm -rf data'",
                "tar -I 'rm -rf data' -cf a.tar x",
                "tar --use-compress-program='sh -c \"rm -rf data\"' -cf a.tar x",
                "tar cf a.tar --remove-files src",
                "tar xzf a.tgz -C /",
                "tar xzf a.tgz -C /usr/local",
                "tar -xPf a.tar",
                "tar xf a.tar -C ~",
                "tar czf a.tgz ~/.ssh",
                "tar cf a.tar --info-script='rm -rf data' x",
                "zip x.zip README.md -T -TT 'rm -rf build_cache data; #'",
                "zip -rm a.zip src",
                "zip -d a.zip x",
                "unzip a.zip -d /etc",
                "7z d a.7z x",
                "7z a -sdel a.7z src",
                "7z x a.7z -o/usr/share",
                "rar a -df a.rar src",
                "gzip /etc/hosts",
                "zstd --rm notes.txt",
                "tar --delete -f a.tar x",
                "cpio -i -d -R root < a.cpio -D /",
                "tar c src --rsh-command='rm -rf data' -f host:a",
            ],
        );
    }

    #[test]
    fn a_secret_that_comes_out_of_an_archive_is_shown() {
        check(
            Verdict::Ask,
            &[
                "tar xOf backup.tar .env",
                "tar -xzOf backup.tgz home/me/.ssh/id_rsa",
                "unzip -p backup.zip .env",
                "ar p backup.a .env",
                "unzip -c backup.zip config/.env",
                "7z x -so backup.7z .env",
                "unrar p backup.rar .env",
                "cpio -i --to-stdout .env < a.cpio",
                "echo .env | cpio -o",
                "printf '%s\\n' README.md .env | cpio -o | cpio -i --to-stdout",
                "echo .env | tar cf - -T -",
                "pax -w .env | strings",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "tar xOf backup.tar README.md",
                "tar xOf package.tgz package/package.json",
                "unzip -p lib.jar META-INF/MANIFEST.MF",
                "ar p package.deb debian-binary",
                "7z x -so a.7z notes.txt",
                "ls *.md | cpio -o > /tmp/a.cpio",
                "git ls-files | tar czf /tmp/src.tgz -T -",
                "find src -name '*.rs' | cpio -o > /tmp/a.cpio",
                "pax -w src > /tmp/a.pax",
            ],
        );
    }

    #[test]
    fn an_archive_that_deletes_home_or_carries_keys_away_is_blocked() {
        check(
            Verdict::Block,
            &[
                "tar -cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf ~'",
                "tar -cf /dev/null /dev/null --checkpoint-action=exec='rm -rf /' --checkpoint=1",
            ],
        );
    }
}
