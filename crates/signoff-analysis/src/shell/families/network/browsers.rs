//! Text browsers and media downloaders: they fetch, and some of them send or run something.

use signoff_model::Dialect;

use super::{OPTION_FILE, carries_secret, is_encrypted};
use crate::{
    shell::{Call, Judge, Shell, families::tool},
    value::{Arg, Feed, Origin},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "lynx" | "w3m" | "links" | "links2" | "elinks" | "browsh" | "carbonyl" => browser,
        "yt-dlp" | "youtube-dl" | "you-get" | "gallery-dl" | "streamlink" => media,
        _ => return None,
    })
}

/// Text browsers: reading a page, unless something is sent.
fn browser(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() || carries_secret(shell, call) {
        return out;
    }
    if let Some(at) = call.args.iter().position(|arg| matches!(arg.known(), Some("-post_data" | "-post" | "-auth"))) {
        shell.send(&tool::words_from(call, 0), std::iter::empty(), &call.stdin, tool::span_from(call, at));
    }
    let url = call.args.iter().rev().find(|arg| !arg.is_option());
    match url {
        Some(url)
            if call
                .args
                .iter()
                .any(|arg| arg.value.prefix().contains("dump") || arg.value.prefix().contains("source")) =>
        {
            let shown = url.shown().into_owned();
            if !shown.contains("://") && !shown.contains('.') {
                return out;
            }
            Feed::from(Origin::Download { encrypted: is_encrypted(&shown), url: shown })
        }
        _ => out,
    }
}

/// Media downloaders: they fetch, and they can run a program afterwards.
fn media(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const RUNS: &[&str] =
        &["--exec", "--exec-before-download", "--external-downloader", "--downloader", "--netrc-cmd", "--player"];
    for (at, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        let name = text.split('=').next().unwrap_or(text);
        if RUNS.contains(&name)
            && let Some(code) = tool::attached_or_next(call, at)
        {
            // `--exec after_move:command` says when.
            let code = match code.known().and_then(|text| text.split_once(':')) {
                Some((when, rest)) if !when.contains([' ', '/']) => Arg::text(rest, code.span),
                _ => code,
            };
            shell.run_text(&code, Dialect::Bash, Feed::none());
        }
        if text.starts_with("--config-location") || text == "--load-info-json" {
            shell.tell(&OPTION_FILE, arg.shown().into_owned(), arg.span);
        }
    }
    let prints = call.args.windows(2).any(|pair| {
        matches!(pair, [flag, file]
        if (flag.is("-o") || flag.is("--output")) && file.is("-"))
    });
    match call.args.iter().rev().find(|arg| arg.value.prefix().contains("://")) {
        Some(url) if prints => {
            let url = url.shown().into_owned();
            let encrypted = !url.starts_with("http://");
            Feed::from(Origin::Download { url, encrypted })
        }
        _ => call.output(),
    }
}
