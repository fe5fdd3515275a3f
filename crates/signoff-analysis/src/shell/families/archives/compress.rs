//! Compressors of single files: `gzip`, `xz`, `zstd` and their kin. Most replace the file they are given.

use signoff_model::Scope;

use super::{COMPRESS, PLAIN};
use crate::{
    path_effects::{BULK_WRITE, Depth, Write},
    place::Nature,
    shell::{
        Call, Shell, Written,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

const COMPRESSOR: Syntax = Syntax {
    short_values: "SToMF",
    long_values: &[
        "suffix",
        "threads",
        "output",
        "memory",
        "format",
        "output-dir-flat",
        "files",
        "block-size",
        "quality",
        "output-directory",
    ],
    long_flags: &[
        "stdout",
        "to-stdout",
        "keep",
        "list",
        "test",
        "rm",
        "decompress",
        "uncompress",
        "recursive",
        "force",
        "help",
        "version",
    ],
    ..PLAIN
};

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = match call.name.as_str() {
        "zstd" | "unzstd" | "pzstd" => Syntax { short_values: "oMDT", ..COMPRESSOR },
        "gzip" | "gunzip" | "pigz" | "bzip2" | "bunzip2" | "compress" | "uncompress" => {
            Syntax { short_values: "Sb", ..COMPRESSOR }
        }
        _ => COMPRESSOR,
    };
    let options = Options::read(&call.args, &syntax);
    let files: Vec<&Arg> = options.operands.iter().copied().filter(|file| !file.is("-")).collect();
    let mut feed = Feed::none();
    for file in &files {
        feed = feed.then(shell.read(file));
    }
    let unpacks = options.has(&["d", "decompress", "uncompress"])
        || call.name.starts_with("gun")
        || call.name.starts_with("un")
        || call.name.ends_with("cat");
    let content = if files.is_empty() { call.stdin.clone() } else { feed };
    let inflated = if unpacks { content.inflated() } else { None };
    if let (Some(inflated), [file]) = (&inflated, files.as_slice()) {
        // The name without its ending is the unpacked file.
        let name = file.known().and_then(|name| name.rsplit_once('.')).map(|(name, _)| name.to_owned());
        if let Some(name) = name {
            shell.remember_written(&Arg::text(name, file.span), Written::Content(inflated.clone()));
        }
    }
    let is_read = inflated.is_some();
    let feed = inflated.unwrap_or_else(|| content.changed_by(&call.name));
    if options.has(&["c", "stdout", "to-stdout"]) || files.is_empty() {
        return feed;
    }
    if options.has(&["l", "list", "t", "test"]) {
        return Feed::none();
    }
    if let Some(output) = options.value(&["o", "output"]) {
        shell.write(output, Write::Replace);
        return Feed::none();
    }
    let keeps_by_nature = matches!(
        call.name.as_str(),
        "zstd" | "unzstd" | "pzstd" | "lz4" | "unlz4" | "brotli" | "lzop" | "zopfli" | "lrzip"
    );
    if options.has(&["f", "force"]) {
        replace_other_form(shell, &files, &call.name, unpacks);
    }
    if !is_read {
        remember_other_form(shell, &files, &call.name, unpacks);
    }
    let whole = options.has(&["r", "recursive"]);
    for file in files {
        if !unpacks && packs_sources(shell, file, whole) && !options.has(&["k", "keep"]) && !keeps_by_nature {
            let place = shell.place(&file.value);
            shell.report(&BULK_WRITE, place.target(), place.scope, file.span);
        }
        if options.has(&["rm"]) && keeps_by_nature {
            shell.delete(file, Depth::Single);
        } else if !options.has(&["k", "keep"]) && !keeps_by_nature {
            replace(shell, file);
        }
    }
    Feed::none()
}

/// What somebody else sent, and what is secret, is so in its other form as well.
fn remember_other_form(shell: &mut Shell<'_>, files: &[&Arg], name: &str, unpacks: bool) {
    for file in files {
        let Some(other) = other_form(file, name, unpacks) else { continue };
        let place = shell.place(&file.value);
        let content = match shell.written(&place.path) {
            Some(written) => written.content(),
            None if place.nature == Nature::Secret => Some(Feed::from(Origin::Secret(place.shown.clone()))),
            None => None,
        };
        let Some(content) = content.filter(|content| content.is_foreign() || content.secret().is_some()) else {
            continue;
        };
        shell.remember_written(&other, Written::Content(content.changed_by(name)));
    }
}

/// With force, what has the name of the other form is replaced.
fn replace_other_form(shell: &mut Shell<'_>, files: &[&Arg], name: &str, unpacks: bool) {
    for file in files {
        if let Some(other) = other_form(file, name, unpacks) {
            let place = shell.place(&other.value);
            shell.overwrite_lost(&place, file.span);
        }
    }
}

/// The name of a file in its other form.
fn other_form(file: &Arg, name: &str, unpacks: bool) -> Option<Arg> {
    let ending = match name {
        "bzip2" | "pbzip2" | "lbzip2" => "bz2",
        "xz" | "pixz" => "xz",
        "lzma" => "lzma",
        "zstd" | "pzstd" => "zst",
        "lz4" => "lz4",
        "compress" => "Z",
        "brotli" => "br",
        "lzip" | "plzip" => "lz",
        "lzop" => "lzo",
        _ => "gz",
    };
    let path = file.known()?;
    let other = match unpacks {
        true => path.rsplit_once('.').map_or(path, |(name, _)| name).to_owned(),
        false => format!("{path}.{ending}"),
    };
    Some(Arg::text(other, file.span))
}

/// Whether many sources of the project go at once for their other form, with which nothing builds.
fn packs_sources(shell: &Shell<'_>, file: &Arg, whole: bool) -> bool {
    let place = shell.place(&file.value);
    let several = whole || place.is_pattern();
    several && place.scope == Scope::Project && matches!(place.nature, Nature::Source | Nature::ProjectTree)
}

/// The file goes and its other form comes: one routine step undoes that.
fn replace(shell: &mut Shell<'_>, file: &Arg) {
    let place = shell.place(&file.value);
    match place.nature {
        Nature::Ordinary | Nature::Source | Nature::Data | Nature::Rebuilt | Nature::Cache | Nature::Temporary => {
            shell.report(&COMPRESS, place.target(), place.scope, file.span);
        }
        _ => shell.write_at(&place, Write::Edit, file.span),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn sources_that_are_all_packed_ask() {
        check(Ask, &["gzip -r src", "gzip -9r .", "pigz -r src/", "xz -r src", "bzip2 src/*", "gzip --recursive lib"]);
        check(
            Allow,
            &[
                "gzip -rk src",
                "gzip -rc src",
                "gzip -rl src",
                "gunzip -r src",
                "gzip -dr src",
                "gzip src/big.json",
                "gzip -r logs",
                "gzip -r data",
                "gzip -r /tmp/x",
                "gzip -r dist",
                "zstd -r src",
            ],
        );
    }
}
