//! Desktop, media and personal tools. Most are harmless whatever their words say: `playerctl stop` stops a song. What
//! rewrites many files, resets settings or leaves the machine asks.

use signoff_model::{Dialect, EffectKind, Reversible, Risk, Unread};

use crate::{
    path_effects::{Write, rules},
    rule::Rule,
    shell::{Call, Judge, Language, Shell},
    value::{Arg, Feed, Origin, Value},
    words::is_listed,
};

rules! {
    MINE = Rule::new("mine-coins", EffectKind::System, Risk::High, "mines crypto-currency on this machine: {}", "在本机挖掘加密货币：{}")
        .examples(&["xmrig -o pool.example:3333"], &["xmrig --version"]);
    DESKTOP_SETTINGS = Rule::new("desktop-settings", EffectKind::System, Risk::Medium, "changes or resets settings of the desktop: {}", "更改或重置桌面设置：{}")
        .reversible(Reversible::WithBackup)
        .examples(&["dconf reset -f /org/gnome/", "defaults delete com.apple.dock", "defaults write com.apple.dock x 1"], &["dconf read /a/b", "defaults read", "gsettings get a b"]);
    REWRITE_MEDIA = Rule::new("rewrite-media", EffectKind::Overwrite, Risk::Medium, "rewrites pictures or documents in place: {}", "就地改写图片或文档：{}")
        .reversible(Reversible::No)
        .examples(&["mogrify -resize 50% *.jpg", "exiftool -all= photos/"], &["magick a.png b.jpg", "exiftool a.jpg"]);
    DELETE_ENTRY = Rule::new("delete-entry", EffectKind::Delete, Risk::Medium, "deletes entries or downloads of a personal tool: {}", "删除个人工具中的条目或下载：{}")
        .reversible(Reversible::Unknown)
        .examples(&["transmission-remote -t 1 --remove-and-delete", "todo.sh rm 3"], &["todo.sh list", "transmission-remote --list"]);
}

/// Tools whose words sound worse than they are.
const HARMLESS: &[&str] = &[
    "playerctl",
    "mpc",
    "cmus",
    "cmus-remote",
    "vlc",
    "cvlc",
    "mpv",
    "mplayer",
    "ffplay",
    "ffprobe",
    "sox",
    "play",
    "rec",
    "aplay",
    "arecord",
    "paplay",
    "amixer",
    "pactl",
    "pamixer",
    "brightnessctl",
    "light",
    "xbacklight",
    "xrandr",
    "wlr-randr",
    "xset",
    "setxkbmap",
    "xmodmap",
    "feh",
    "sxiv",
    "nsxiv",
    "eog",
    "display",
    "animate",
    "montage-view",
    "espeak",
    "espeak-ng",
    "say",
    "spd-say",
    "zenity",
    "dialog",
    "whiptail",
    "rofi",
    "dmenu",
    "wofi",
    "gum",
    "figlet",
    "toilet",
    "cowsay",
    "lolcat",
    "cmatrix",
    "fortune",
    "cal",
    "ncal",
    "qalc",
    "units",
    "bc",
    "neofetch",
    "fastfetch",
    "screenfetch",
    "ttyrec",
    "slides",
    "qrencode",
    "zbarimg",
    "hledger",
    "ledger",
    "xdg-mime-query",
    "xdg-user-dir",
    "fc-list",
    "fc-cache",
    "fc-match",
    "xprop",
    "xwininfo",
    "xev",
    "wmctrl",
    "i3-msg-query",
    "xdpyinfo",
    "glxinfo",
    "glxgears",
    "open",
    "xdg-open",
    "gio-open",
    "start",
    "gnome-open",
    "cygstart",
    "see",
    "tts",
    "img2txt",
    "jp2a",
    "chafa",
    "viu",
    "timg",
    "catimg",
    "khal",
    "calcurse",
    "cava",
    "plantuml",
    "weather",
    "ansiweather",
    "howdoi",
    "mdls",
    "screensaver",
];

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "xmrig" | "minerd" | "cpuminer" | "ethminer" | "nbminer" | "t-rex" | "cgminer" | "bfgminer" | "lolMiner"
        | "phoenixminer" | "xmr-stak" | "nicehash" => miner,
        "gsettings" | "dconf" | "defaults" | "kwriteconfig5" | "kwriteconfig6" | "xfconf-query" | "PlistBuddy"
        | "plutil" => settings,
        "ffmpeg" | "avconv" | "HandBrakeCLI" => ffmpeg,
        "dc" => dc,
        "magick" | "convert" | "gm" | "composite" | "montage" | "mogrify" => images,
        "exiftool" | "exiv2" | "jhead" | "optipng" | "jpegoptim" | "pngquant" | "oxipng" | "gifsicle" | "cwebp"
        | "jpegtran" => metadata,
        "pdftk" | "qpdf" | "gs" | "wkhtmltopdf" | "wkhtmltoimage" | "img2pdf" | "ocrmypdf" | "pdfunite"
        | "tesseract" | "inkscape" | "rsvg-convert" | "dot" | "libreoffice" | "soffice" | "pdftotext" | "pdftoppm"
        | "lame" | "flac" | "oggenc" | "opusenc" | "scrot" | "maim" | "grim" | "flameshot" | "import"
        | "screencapture" | "gnome-screenshot" => documents,
        "transmission-remote"
        | "deluge-console"
        | "qbittorrent-cli"
        | "rtorrent"
        | "transmission-cli"
        | "todo"
        | "todo.sh"
        | "jrnl"
        | "taskwarrior"
        | "dstask"
        | "topydo"
        | "ultralist"
        | "nb"
        | "timew" => personal,
        "xclip" | "xsel" | "pbpaste" | "wl-paste" | "pbcopy" | "wl-copy" | "clip" | "gpaste-client" => clipboard,
        "apprise" | "matrix-commander" | "mpack" => post,
        name if HARMLESS.contains(&name) => harmless,
        _ => return None,
    })
}

/// A calculator. The rest of a line behind `!` is a command for the shell, unless a comparison follows.
fn dc(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut texts: Vec<Arg> = Vec::new();
    for (at, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        let is_code = text.starts_with("--expression") || text.starts_with("-e");
        let is_file = text.starts_with("--file") || text.starts_with("-f");
        let value = match text.len() {
            2 => call.args.get(at + 1).cloned(),
            _ if text.starts_with("--") => super::tool::attached_or_next(call, at),
            _ => Some(Arg { value: crate::shell::options::strip(&arg.value, 2), span: arg.span }),
        };
        if is_code {
            texts.extend(value);
        } else if is_file || !arg.is_option() {
            let file = if is_file { value } else { Some(arg.clone()) };
            let held = file.and_then(|file| shell.read(&file).text.clone().map(|value| Arg { value, span: file.span }));
            texts.extend(held);
        }
    }
    texts.extend(call.stdin.text.clone().map(|value| Arg { value, span: call.span }));
    for text in texts {
        let shown = text.shown().into_owned();
        for line in shown.lines() {
            let command = line.char_indices().filter(|(_, sign)| *sign == '!').find_map(|(at, _)| {
                line.get(at + 1..).filter(|rest| !rest.starts_with(['<', '>', '=']) && !rest.trim().is_empty())
            });
            if let Some(command) = command {
                let code = Arg::text(command.trim_end_matches(']'), text.span);
                shell.subshell(|shell| shell.run_text(&code, Dialect::Sh, Feed::none()));
            }
        }
    }
    call.output()
}

fn harmless(shell: &mut Shell<'_>, call: &Call) -> Feed {
    super::unknown::carried::judge(shell, call);
    if call.stdin.secret().is_some() { call.stdin.clone().changed_by(&call.name) } else { call.output() }
}

/// Programs that exist to send something to people.
fn post(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.args.is_empty() && call.stdin.is_none() {
        return call.output();
    }
    match call.stdin.secret().is_some() || call.args.iter().any(|arg| arg.value.secret().is_some()) {
        true => shell.send(&call.name, call.args.iter().map(|arg| &arg.value), &call.stdin, call.span),
        false => shell.tell(&super::network::PUBLISH_MESSAGE, call.name.clone(), call.span),
    }
    call.output()
}

fn miner(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() {
        shell.tell(&MINE, call.name.clone(), call.span);
    }
    call.output()
}

/// Whether an image is called after what mines.
pub(super) fn mines(image: &str) -> bool {
    let words = crate::lexicon::words(image);
    let has = |word: &str| words.iter().any(|other| other == word);
    words.iter().any(|word| is_listed("xmrig minerd cpuminer ethminer nbminer nicehash lolminer", word))
        || has("monero") && has("miner")
}

/// Whether an address is one at which miners come together.
pub(super) fn joins_pool(address: &str) -> bool {
    address.to_ascii_lowercase().starts_with("stratum")
}

fn settings(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let verb = call.args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()).unwrap_or_default();
    let asks = match call.name.as_str() {
        // The lock of the screen keeps others out.
        "gsettings" => {
            let locks =
                |arg: &Arg| arg.known().is_some_and(|text| text.contains("lockdown") || text.contains("lock-enabled"));
            verb == "reset-recursively" || verb == "set" && call.args.iter().any(locks)
        }
        "dconf" => verb == "load" || verb == "reset" && call.has("-f") || verb == "compile",
        "defaults" => matches!(verb, "write" | "delete" | "import" | "rename"),
        "xfconf-query" => call.has_any(&["-r", "--reset"]),
        "PlistBuddy" => {
            call.args.iter().any(|arg| arg.known().is_some_and(|text| !text.starts_with("Print") && text.contains(' ')))
        }
        "plutil" => {
            // What goes to another file, or is printed, leaves the settings as they are.
            let output = call.args.iter().position(|arg| arg.is("-o")).and_then(|at| call.args.get(at + 1));
            if let Some(file) = output.filter(|file| !file.is("-")) {
                shell.write(file, Write::Replace);
            }
            output.is_none() && call.has_any(&["-replace", "-remove", "-insert", "-convert"])
        }
        _ => false,
    };
    if asks && !call.asks_for_help() {
        shell.tell(&DESKTOP_SETTINGS, format!("{} {verb}", call.name).trim_end().to_owned(), call.span);
    }
    call.output()
}

/// `ffmpeg`: the last operand is written; `-y` replaces it, and an address means that it is sent.
fn ffmpeg(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut sources = Vec::new();
    let mut rest = call.args.iter().peekable();
    while let Some(arg) = rest.next() {
        if (arg.is("-i") || arg.is("--input"))
            && let Some(file) = rest.next()
        {
            sources.push(file.clone());
        }
    }
    for file in sources.iter().filter(|file| !is_address(file)) {
        shell.read(file);
    }
    let output = call.args.last().filter(|last| !last.is_option() && !sources.contains(last));
    if let Some(output) = output.filter(|_| call.args.len() > 2 && !call.asks_for_help()) {
        if is_address(output) {
            shell.send(&output.shown(), std::iter::empty(), &Feed::none(), output.span);
        } else if !output.value.prefix().starts_with("pipe:") {
            shell.write(output, if call.has("-y") { Write::Replace } else { Write::New });
        }
    }
    call.output()
}

fn is_address(arg: &Arg) -> bool {
    let text = arg.value.prefix();
    text.contains("://") && !text.starts_with("file:")
}

/// ImageMagick: the last operand is written; `mogrify` writes every operand.
fn images(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.has_any(&["-version", "-list", "identify", "compare", "display"]) {
        return call.output();
    }
    let in_place = call.name == "mogrify" || call.arg(0) == Some("mogrify");
    // Another directory or another format means another file.
    let into_directory = call.has_any(&["-path", "--path", "-format"]);
    if in_place && !into_directory {
        let named: Vec<&Arg> = call
            .args
            .iter()
            .filter(|arg| {
                !arg.is_option() && (arg.value.has_glob() || arg.value.has_unknown() || arg.shown().contains('.'))
            })
            .collect();
        let target = named.last().map_or_else(|| "pictures".to_owned(), |arg| arg.shown().into_owned());
        shell.tell(&REWRITE_MEDIA, target, call.span);
        return call.output();
    }
    if let Some(output) = call.args.last().filter(|last| !last.is_option() && call.args.len() > 1 && !in_place) {
        let text = output.value.prefix();
        if !matches!(text.split(':').next(), Some("x" | "show" | "null" | "info" | "txt" | "json" | "win"))
            && !text.ends_with(":-")
        {
            shell.write(output, Write::Replace);
        }
    }
    call.output()
}

/// Tools that look at pictures or rewrite them in place.
fn metadata(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let writes = match call.name.as_str() {
        "exiftool" => {
            call.args.iter().any(|arg| {
                arg.known().is_some_and(|text| {
                    text.starts_with('-')
                        && (text.contains('=') || text.contains('<'))
                        && !text.starts_with("-if")
                        && !text.starts_with("-p")
                })
            }) || call.has_any(&["-delete_original", "-delete_original!", "-restore_original"])
        }
        "exiv2" => matches!(call.arg(0), Some("rm" | "mv" | "mo" | "in" | "ad" | "fi" | "-d" | "-M")),
        "jhead" => call.args.iter().any(|arg| {
            matches!(
                arg.known(),
                Some("-purejpg" | "-autorot" | "-de" | "-di" | "-dc" | "-du" | "-te" | "-ft") | Some("-n")
            )
        }),
        "gifsicle" => call.has_any(&["-b", "--batch"]),
        "pngquant" => {
            call.has("--force") || call.args.iter().any(|arg| arg.known().is_some_and(|text| text.starts_with("--ext")))
        }
        "cwebp" | "jpegtran" => false,
        "svgo" => !call.has_any(&["-o", "--output", "-i"]),
        _ => !call.has_any(&[
            "-n",
            "--noaction",
            "-simulate",
            "--simulate",
            "--pretend",
            "-P",
            "--out",
            "--dir",
            "-d",
            "-out",
            "-dir",
        ]),
    };
    let is_file = |arg: &&Arg| {
        !arg.is_option() && (arg.value.has_glob() || arg.value.has_unknown() || arg.shown().contains(['.', '/']))
    };
    let operands: Vec<Arg> = call.args.iter().filter(is_file).cloned().collect();
    if !writes {
        return call.output();
    }
    match operands.as_slice() {
        [only]
            if !only.value.has_glob()
                && !only.value.has_unknown()
                && only.shown().rsplit('/').next().is_some_and(|name| name.contains('.'))
                && !only.shown().ends_with('/') =>
        {
            shell.write(only, Write::Edit)
        }
        [] => {}
        many => {
            let target = many.iter().map(|arg| arg.shown()).collect::<Vec<_>>().join(" ");
            shell.tell(&REWRITE_MEDIA, target, call.span);
        }
    }
    call.output()
}

/// Tools that make one document or picture out of another.
fn documents(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    if call.name == "qpdf" && call.has("--replace-input") {
        for file in call.args.iter().filter(|arg| !arg.is_option()) {
            shell.write(file, Write::Edit);
        }
        return call.output();
    }
    let mut written = None;
    for pair in call.args.windows(2) {
        if let [flag, file] = pair
            && matches!(
                flag.known(),
                Some("-o" | "--output" | "output" | "--out-file" | "--export-filename" | "-oA" | "--output-file")
            )
        {
            written = Some(file);
        }
    }
    let inline = call.args.iter().find_map(|arg| {
        let text = arg.value.prefix();
        ["-sOutputFile=", "--output=", "--export-filename="]
            .iter()
            .find(|option| text.starts_with(**option))
            .map(|option| Arg { value: crate::shell::options::strip(&arg.value, option.len()), span: arg.span })
    });
    let last = matches!(
        call.name.as_str(),
        "qpdf"
            | "wkhtmltopdf"
            | "wkhtmltoimage"
            | "pdfunite"
            | "ocrmypdf"
            | "scrot"
            | "maim"
            | "grim"
            | "import"
            | "screencapture"
            | "lame"
    )
    .then(|| {
        call.args.last().filter(|last| {
            !last.is_option() && call.args.len() > usize::from(call.name != "scrot" && call.name != "maim")
        })
    })
    .flatten();
    if let Some(file) = inline.as_ref().or(written).or(last)
        && !file.is("-")
        && file.shown().contains('.')
    {
        shell.write(file, Write::Replace);
    }
    // Ghostscript runs programs from PostScript unless it is kept from it.
    if call.name == "gs" && call.has("-dNOSAFER") {
        shell.opaque(Unread::PostScript, call.span);
    }
    call.output()
}

/// Lists of tasks, diaries, torrents: looking and adding passes, deleting asks.
fn personal(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let deletes = |text: &str| {
        matches!(
            text,
            "delete"
                | "del"
                | "rm"
                | "purge"
                | "flush"
                | "remove"
                | "archive"
                | "--delete"
                | "--remove"
                | "--remove-and-delete"
                | "-r"
                | "-rad"
        )
    };
    // `-r` removes a torrent; elsewhere it is something else.
    let found = call.args.iter().find(|arg| {
        arg.known().is_some_and(|text| deletes(text) && (text != "-r" || call.name == "transmission-remote"))
    });
    if let Some(arg) = found
        && !call.asks_for_help()
    {
        shell.tell(&DELETE_ENTRY, format!("{} {}", call.name, arg.shown()), call.span);
    }
    let script = call.args.windows(2).find_map(|pair| match pair {
        [flag, file]
            if flag.is("--torrent-done-script")
                || flag.is("--finish")
                || flag.is("-f") && call.name == "transmission-cli" =>
        {
            Some(file.clone())
        }
        _ => None,
    });
    if let Some(script) = script {
        shell.run_script(Language::Shell(Dialect::Sh), &script, &[], Feed::none());
    }
    call.output()
}

/// The clipboard: what is put in may hold anything that the person copied last.
/// What the text has copied there that nobody should see, for when it is taken out again.
const CLIPBOARD: &str = "the clipboard";

fn clipboard(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if let Some(secret) = call.stdin.secret() {
        let secret = Value::text(secret);
        shell.keep(CLIPBOARD, secret);
    }
    let reads = matches!(call.name.as_str(), "pbpaste" | "wl-paste")
        || call.has_any(&["-o", "-out", "--output", "-ob", "-selection"]) && call.stdin.is_none();
    match shell.kept(CLIPBOARD).iter().find_map(Value::known) {
        _ if !reads => call.output(),
        Some(secret) => Feed::from(Origin::Secret(secret.to_owned())),
        None => Feed::from(Origin::Input),
    }
}

#[cfg(test)]
mod tests;
