//! Text: reading, searching, sorting and editing files.

mod awk;
mod awk_program;
mod awk_steps;
mod edit;
mod hooks;
mod read;
mod search;
mod sed;
mod sed_script;
pub mod taken;

pub use search::GREP;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::{BULK_WRITE, Write, rules},
    place::Extent,
    rule::{Priority, Rule},
    shell::{Judge, Shell, families::filters, options::Syntax},
    value::{Arg, Feed, Origin},
};

/// No option takes a value.
const PLAIN: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

rules! {
    PATCH = Rule::new("apply-patch", EffectKind::Overwrite, Risk::Low, "applies a patch to the files it names: {}", "按补丁修改其中列出的文件：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["patch -p1 < fix.diff"], &["patch --dry-run -p1 < fix.diff"]);
    EDIT_MANY = Rule::new("bulk-edit", EffectKind::Overwrite, Risk::Medium, "edits many files at once: {}", "批量编辑文件：{}")
        .reversible(Reversible::WithGit)
        .examples(&["fastmod -d src foo bar --accept-all"], &["sd foo bar < a.txt"]);
    LOAD_TABLE = Rule::new("load-table", EffectKind::DatabaseWrite, Risk::High, "writes tables into the database {}", "向数据库 {} 写入表")
        .examples(&["csvsql --db sqlite:///app.db --insert a.csv"], &["csvsql a.csv"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "grep" | "egrep" | "fgrep" | "ggrep" | "rgrep" | "zgrep" | "zegrep" | "zfgrep" | "bzgrep" | "xzgrep"
        | "zstdgrep" | "pcregrep" | "pcre2grep" | "ugrep" | "ug" | "agrep" | "sgrep" => search::grep,
        "rg" | "ag" | "ack" | "ack-grep" | "pt" | "sift" | "rga" | "ast-grep" => search::recursive,
        "sed" | "gsed" | "ssed" => sed::judge,
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" | "goawk" | "frawk" => awk::judge,
        "sort" | "gsort" => |shell, call| filters::computed(call).unwrap_or_else(|| read::sort(shell, call)),
        "uniq" | "guniq" => |shell, call| filters::computed(call).unwrap_or_else(|| read::uniq(shell, call)),
        "head" | "tail" | "ghead" | "gtail" => {
            |shell, call| filters::computed(call).unwrap_or_else(|| read::valued(shell, call))
        }
        "shuf" | "gshuf" => read::shuf,
        "jq" | "gojq" | "jaq" | "jqp" => read::jq,
        "less" | "more" | "most" | "pg" | "zless" | "zmore" | "lv" | "moor" | "ov" => read::pager,
        "man" | "info" | "whatis" | "apropos" | "tldr" | "cheat" | "help" | "pinfo" => read::manual,
        "diff" | "gdiff" | "cmp" | "comm" | "join" | "colordiff" | "sdiff" | "diff3" | "wdiff" | "delta" | "difft"
        | "difftastic" | "icdiff" | "vbindiff" | "zdiff" | "zcmp" | "xzdiff" | "dwdiff" | "diffstat"
        | "diff-so-fancy" | "dyff" | "jd" | "json-diff" => read::compare,
        "wc" | "gwc" | "lsdiff" | "filterdiff" | "interdiff" => read::count,
        "multitail" | "fmt" | "pr" | "colrm" | "look" | "nl" | "gnl" | "expand" | "unexpand" | "column"
        | "uuencode" | "csvcut" | "csvgrep" | "csvlook" | "csvstat" | "csvsort" | "csvjoin" | "csvformat"
        | "csvstack" | "csvjson" | "csvclean" | "in2csv" | "xsv" | "qsv" | "tsv-utils" | "xan" | "visidata" | "vd" => {
            read::valued
        }
        "cat" | "gcat" | "bat" | "batcat" | "zcat" | "gzcat" | "bzcat" | "xzcat" | "lzcat" | "zstdcat" | "lz4cat"
        | "strings" | "od" | "hexdump" | "hd" | "hexyl" | "catdoc" | "antiword" | "rtf2text" | "glow" | "mdcat"
        | "highlight" | "pygmentize" | "ccat" | "gron" | "fx" | "jless" | "jello" | "htmlq" | "pup" | "xq"
        | "hxselect" | "hxnormalize" | "json_pp" | "jsonlint" | "jtbl" | "jc" | "ptx" | "tsort" | "vis" | "unvis"
        | "csvtool" | "textql" | "lnav" | "goaccess" | "readelf" | "objdump" | "nm" | "ldd" | "size" | "mediainfo"
        | "identify" | "pdfinfo" | "pdffonts" | "col" | "ul" | "spark" => read::plain,
        "pandoc" => read::pandoc,
        "iconv" => edit::iconv,
        "yq" | "dasel" | "tomlq" | "toml" | "crudini" | "json" | "jql" | "initool" => edit::document,
        "xmlstarlet" | "xml" | "xmllint" | "xsltproc" | "tidy" => edit::xml,
        "dos2unix" | "unix2dos" | "mac2unix" | "unix2mac" | "fromdos" | "todos" => edit::line_ends,
        "patch" | "gpatch" => edit::patch,
        "apply_patch" | "applypatch" => edit::apply_patch,
        "sd" => edit::sd,
        "rpl" | "replace" | "ambr" | "fastmod" | "codemod" | "ruplacer" | "comby" | "repren" | "sad" | "amber" => {
            edit::many
        }
        "mlr" | "miller" => edit::miller,
        "csvsql" => edit::csvsql,
        "envsubst" => read::passes,
        _ => return None,
    })
}

/// Whether a script of `sed` runs commands.
pub(super) fn runs_commands(script: &str) -> bool {
    use sed_script::Step;
    sed_script::read(script).iter().any(|step| matches!(step, Step::Runs(_) | Step::RunsInput))
}

/// The texts that a substitution such as `s/a/b/` puts in, a line each.
pub(super) fn texts_put_in(code: &str) -> String {
    let is_one = |part: &str| {
        let mut letters = part.trim_start().chars();
        letters.next() == Some('s') && letters.next().is_some_and(|mark| mark.is_ascii_punctuation())
    };
    let parts = code.split(';').filter(|part| is_one(part));
    parts.flat_map(|part| put_in_by_one(part.trim_start())).collect::<Vec<_>>().join("\n")
}

/// What one substitution puts in, between slashes, or between brackets as Perl also has it.
fn put_in_by_one(part: &str) -> Vec<String> {
    let close = match part.chars().nth(1) {
        Some('{') => '}',
        Some('(') => ')',
        Some('[') => ']',
        Some('<') => '>',
        _ => return sed_script::added(part),
    };
    let behind = part.split_once(close).map_or("", |(_, rest)| rest).trim_start();
    let by = behind.get(1..).unwrap_or_default();
    vec![by.rsplit_once(close).map_or(by, |(by, _)| by).to_owned()]
}

/// Reads every file; what flows in, if there is none.
fn read_all<'a>(shell: &mut Shell<'_>, files: impl IntoIterator<Item = &'a Arg>, stdin: &Feed, program: &str) -> Feed {
    let mut feed = Feed::none();
    let mut any = false;
    for file in files {
        any = true;
        feed = feed.then(if file.is("-") { stdin.clone() } else { shell.read(file) });
    }
    let feed = if any { feed } else { stdin.clone() };
    if feed.is_none() { Feed::from(Origin::Program(program.into())) } else { feed }
}

/// A file is changed in place; several at once if a pattern or a list names them.
pub(super) fn edit_in_place(shell: &mut Shell<'_>, file: &Arg, how: Write) {
    let place = shell.place(&file.value);
    if place.extent == Extent::Anywhere
        && file.splits()
        && !file.value.origins().any(|origin| *origin == Origin::TemporaryName)
    {
        shell.report(&BULK_WRITE, place.target(), place.scope, file.span);
    } else {
        shell.write(file, how);
    }
}

#[cfg(test)]
mod listed_tests;
#[cfg(test)]
mod tests;
