//! radare2: its orders stand behind `-c`, several in one text.

use signoff_model::{Dialect, Unread};

use crate::{
    shell::{
        Call, Language, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

/// Orders begin with letters that say what they are about: analysis, printing, information, seeking, flags, searches, help.
const LOOKS: &[char] = &['a', 'p', 'i', 's', 'f', 'x', '?', 'q', 'V', 'C', 'z', '/', 'b'];

pub(in super::super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = Syntax { short_values: "abBcCeFHiIkmNpPrRs", ..Syntax::default() };
    let options = Options::read(&call.args, &syntax);
    for file in options.values(&["i", "I", "P", "R", "r"]) {
        shell.run_script(Language::Other, file, &[], Feed::none());
    }
    for order in options.values(&["c", "C"]) {
        let Some(text) = order.known() else {
            shell.opaque(Unread::Part(order.shown().into_owned()), order.span);
            continue;
        };
        // The shell takes all the rest.
        if let Some(code) = text.trim_start().strip_prefix('!') {
            shell.run_text(&Arg::text(code.trim_start_matches('!'), order.span), Dialect::Sh, Feed::none());
            continue;
        }
        let looks = |one: &str| one.trim().is_empty() || one.trim_start().starts_with(LOOKS);
        if text.contains(['!', '|', '>', '`', '#']) || !text.split([';', '\n']).all(looks) {
            shell.opaque(Unread::Part(text.to_owned()), order.span);
        }
    }
    for setting in options.values(&["e"]) {
        if setting.known().is_none_or(|text| text.contains("cmd.") || text.contains('!')) {
            shell.opaque(Unread::Part(setting.shown().into_owned()), setting.span);
        }
    }
    // Without any order it waits for those that flow in.
    if !call.stdin.is_none() {
        shell.run_feed(Language::Other, call.stdin.clone(), call.span);
    }
    call.output()
}
