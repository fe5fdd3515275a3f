//! Files: deleting, copying, moving, linking, truncating, syncing and looking at them.

mod bulk;
mod copy;
mod create;
mod look;
mod overlay;
mod remove;
mod rewriters;
mod rights;
mod sync;

pub(in crate::shell::families) use copy::inside;

pub(crate) use copy::is_blank;
use signoff_model::{EffectKind, Reversible, Risk, Scope};

use crate::{
    path_effects::rules,
    place,
    rule::{Priority, Rule},
    shell::{Judge, Shell, options::Syntax},
    value::Arg,
};

pub(in crate::shell::families) use overlay::{bring, overlay};

/// No option takes a value.
pub(super) const PLAIN: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

rules! {
    UNQUARANTINE = Rule::new("lift-quarantine", EffectKind::Privilege, Risk::Medium, "lets a downloaded program run unchecked: {}", "让下载的程序绕过检查运行：{}")
        .examples(&["xattr -d com.apple.quarantine App.app", "xattr -dr com.apple.quarantine App.app"], &["xattr -l App.app", "xattr -p com.apple.quarantine App.app"]);
    TO_TRASH = Rule::new("move-to-trash", EffectKind::Delete, Risk::Low, "moves {} to the trash", "把 {} 移到回收站")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["trash-put notes.txt", "gio trash notes.txt"], &["trash-list"]);
    EMPTY_TRASH = Rule::new("empty-trash", EffectKind::Delete, Risk::High, "deletes what lies in the trash: {}", "彻底删除回收站中的内容：{}")
        .reversible(Reversible::No)
        .examples(&["trash-empty", "gio trash --empty", "trash-rm '*.o'"], &["trash-list"]);
    SHRED = Rule::new("shred", EffectKind::Overwrite, Risk::High, "overwrites {} so that nobody can restore it", "反复覆写 {}，使其无法恢复")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["shred -u notes.txt", "srm notes.txt"], &["shred --help", "shred -u /tmp/key"]);
    BULK_RENAME = Rule::new("bulk-rename", EffectKind::Move, Risk::Medium, "renames many files at once: {}", "批量重命名文件：{}")
        .examples(&["rename 's/a/b/' *.txt", "mmv '*.c' '#1.h'"], &["rename -n 's/a/b/' *.txt"]);
    DELETE_DUPLICATES = Rule::new("delete-duplicates", EffectKind::Delete, Risk::High, "deletes files that it takes for duplicates: {}", "删除它认为重复的文件：{}")
        .reversible(Reversible::No)
        .examples(&["fdupes -rdN .", "rdfind -deleteduplicates true photos"], &["fdupes -r .", "rdfind -n true -deleteduplicates true photos"]);
    SYNC_DELETE = Rule::new("sync-delete", EffectKind::Delete, Risk::High, "deletes whatever {} holds that the source does not", "删除 {} 中源目录没有的一切")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rsync -a --delete /tmp/empty/ ./data/", "rclone sync src remote:dst"], &["rsync -an --delete src/ dst/", "rclone sync --dry-run src remote:dst"]);
    REMOTE_FILES = Rule::new("change-remote-files", EffectKind::NetworkWrite, Risk::High, "changes or deletes files in remote storage: {}", "更改或删除远程存储中的文件：{}")
        .reversible(Reversible::No)
        .examples(&["rclone purge remote:old", "rclone copy src remote:dst"], &["rclone ls remote:old"]);
    COPY_SECRET = Rule::new("copy-secret", EffectKind::SecretRead, Risk::High, "copies the secret {} to another place", "把机密 {} 复制到别处")
        .examples(&["cp ~/.ssh/id_rsa .", "cp ~/.aws/credentials /tmp/x"], &["cp a.txt b.txt"]);
    COPY_OWN_STATE = Rule::new("copy-own-state", EffectKind::SecretRead, Risk::High, "takes a copy of {}, and of what Signoff keeps there with its key", "复制 {}，连同 Signoff 存放在其中的数据与密钥")
        .examples(&["cp -r ~/.local/share /tmp/x", "tar czf x.tgz ~/.local"], &["cp -r ~/.local/share/fonts /tmp/x", "tar czf x.tgz ~/.local/bin"]);
    DD_UNKNOWN = Rule::new("raw-copy", EffectKind::Overwrite, Risk::High, "copies raw blocks over {}, and what that is cannot be known from the text", "按块直接写入 {}，仅凭命令文本无法得知那是什么")
        .reversible(Reversible::No)
        .examples(&["dd if=image.iso of=\"$DISK\""], &["dd if=/dev/zero of=/tmp/x count=1"]);
    ADOPT = Rule::new("adopt-files", EffectKind::Overwrite, Risk::Medium, "moves existing files into the package {} and links them", "把已有文件移入 {} 并以链接代替")
        .examples(&["stow --adopt vim"], &["stow -n vim", "stow vim"]);
}

/// Says so where all of a directory is taken along in which Signoff keeps its key: under another name nobody would know it.
pub(in crate::shell::families) fn takes_own_state(shell: &mut Shell<'_>, source: &Arg) {
    let place = shell.place(&source.value);
    if place.scope != Scope::Project && place::holds_own_state(&place.path) {
        shell.report(&COPY_OWN_STATE, place.target(), place.scope, source.span);
    }
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "rm" | "grm" | "zf_rm" => remove::rm,
        "rmdir" | "grmdir" | "zf_rmdir" => remove::rmdir,
        "unlink" | "gunlink" => remove::unlink,
        "tmpreaper" | "tmpwatch" | "stmpclean" => remove::reap,
        "shred" | "gshred" | "srm" | "wipe" | "scrub" | "nwipe" => remove::shred,
        "trash" | "trash-put" | "rip" | "gtrash" | "gomi" | "kioclient" | "rmtrash" | "trash-rm" | "trash-empty"
        | "trash-list" | "trash-restore" | "restore-trash" => remove::trash,
        "gio" | "gvfs-trash" => remove::gio,
        "mv" | "gmv" | "zf_mv" => copy::mv,
        "cp" | "gcp" | "ditto" | "copy" | "pcp" | "xcp" => copy::cp,
        "ln" | "gln" | "link" | "zf_ln" => copy::ln,
        "install" | "ginstall" => copy::install,
        "dd" | "gdd" | "dcfldd" | "dc3dd" | "ddrescue" => copy::dd,
        "truncate" | "gtruncate" => create::truncate,
        "fallocate" => create::fallocate,
        "touch" | "gtouch" => create::touch,
        "mkdir" | "gmkdir" => create::mkdir,
        "mktemp" | "gmktemp" | "tempfile" => create::mktemp,
        "mkfifo" | "mknod" => create::mkfifo,
        "tee" | "gtee" | "sponge" | "pee" => create::tee,
        "split" | "gsplit" | "csplit" => create::split,
        "chmod" | "gchmod" => rights::chmod,
        "chown" | "chgrp" | "gchown" | "gchgrp" => rights::chown,
        "setfacl" => rights::setfacl,
        "chattr" | "chflags" => rights::chattr,
        "setcap" => rights::setcap,
        "rsync" | "openrsync" => sync::rsync,
        "rclone" => sync::rclone,
        "unison" | "lsyncd" | "csync2" => sync::unison,
        "mutagen" | "syncthing" => sync::keeper,
        "rename" | "prename" | "perl-rename" | "file-rename" | "mmv" | "rnr" | "brename" | "detox" | "f2"
        | "nomino" | "vidir" | "qmv" | "imv" | "edir" | "massren" | "renameutils" | "zmv" | "convmv" => bulk::rename,
        "fdupes" | "jdupes" | "rdfind" | "fclones" | "duff" | "hardlink" | "ddh" | "dupd" => bulk::duplicates,
        "stow" | "xstow" => bulk::stow,
        "ls" | "gls" | "exa" | "eza" | "lsd" | "dir" | "vdir" | "tree" | "l" | "ll" | "la" | "colorls" | "erd" => {
            look::list
        }
        "locate" | "plocate" | "mlocate" | "slocate" | "mdfind" => look::locate,
        "pwd" => look::pwd,
        "realpath" | "grealpath" | "readlink" | "greadlink" => look::realpath,
        "which" | "whereis" => look::which,
        "stat" | "gstat" | "file" | "du" | "gdu" | "df" | "gdf" | "dust" | "duf" | "ncdu" | "dutree" | "diskus"
        | "pdu" | "namei" | "getfacl" | "lsattr" | "getcap" | "pathchk" | "lsof" | "tokei" | "cloc" | "scc" | "sum"
        | "cksum" | "md5sum" | "md5" | "sha1sum" | "sha224sum" | "sha256sum" | "sha384sum" | "sha512sum" | "shasum"
        | "b2sum" | "b3sum" | "xxhsum" | "xxh64sum" | "crc32" | "hashdeep" | "sync" | "fsync" | "mountpoint"
        | "findmnt" | "zoxide" | "autojump" | "broot" | "ranger" | "nnn" | "lf" | "vifm" | "yazi" => look::only_looks,
        name => return rewriters::find(name),
    })
}

#[cfg(test)]
mod tests;
