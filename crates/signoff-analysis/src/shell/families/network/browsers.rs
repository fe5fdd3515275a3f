//! Text browsers and media downloaders: they fetch, and some of them send or run something.

use signoff_model::Dialect;

use super::{OPTION_FILE, carries_secret, is_encrypted};
use crate::{
    shell::{Call, Judge, Shell, families::tool},
    value::{Feed, Origin},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "lynx" | "w3m" | "links" | "links2" | "elinks" | "browsh" | "carbonyl" => browser,
        "yt-dlp" | "youtube-dl" | "you-get" | "gallery-dl" => media,
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
    for (at, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        if ["--exec", "--exec-before-download", "--external-downloader", "--downloader", "--netrc-cmd"]
            .iter()
            .any(|option| text == *option || text.starts_with(&format!("{option}=")))
            && let Some(code) = tool::attached_or_next(call, at)
        {
            shell.run_text(&code, Dialect::Bash, Feed::none());
        }
        if text.starts_with("--config-location") || text == "--load-info-json" {
            shell.tell(&OPTION_FILE, arg.shown().into_owned(), arg.span);
        }
    }
    call.output()
}
