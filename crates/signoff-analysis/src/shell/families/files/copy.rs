//! Copying, moving, linking, installing: what arrives where, and what it replaces.

use signoff_model::Scope;

use super::{
    COPY_SECRET, DD_UNKNOWN, PLAIN,
    overlay::{is_over_database, overlay},
    takes_own_state,
};
use crate::{
    facts::{Directories, Following, KeptAs, Replacing, Sparing},
    path_effects::{Depth, Rights, WRITE_DISK, Write},
    place::{Extent, Nature},
    shell::{
        Call, Contents, Displaced, Manner, Shell, Written,
        families::{
            backups::{self, Backup},
            system::names_disk,
        },
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin, Piece, Value},
};

const CP: Syntax = Syntax {
    short_values: "tS",
    long_values: &["target-directory", "suffix"],
    long_flags: &[
        "no-clobber",
        "recursive",
        "archive",
        "interactive",
        "force",
        "backup",
        "update",
        "no-target-directory",
        "remove-destination",
        "parents",
        "dereference",
        "no-dereference",
        "attributes-only",
        "help",
    ],
    ..PLAIN
};

/// Where several things go, and the things.
struct Journey<'a> {
    sources: Vec<&'a Arg>,
    target: Arg,
}

/// The sources and the target of `cp`, `mv`, `ln` and `install`.
fn journey<'a>(options: &Options<'a>) -> Option<Journey<'a>> {
    if let Some(directory) = options.value(&["t", "target-directory"]) {
        let mut target = directory.clone();
        target.value.push(Piece::text("/"));
        return Some(Journey { sources: options.operands.to_vec(), target });
    }
    let (target, sources) = options.operands.split_last()?;
    if sources.is_empty() {
        return None;
    }
    let mut target = (*target).clone();
    let is_directory = target.value.known().is_some_and(|text| !text.ends_with('/')) && sources.len() > 1;
    if is_directory {
        target.value.push(Piece::text("/"));
    }
    Some(Journey { sources: sources.to_vec(), target })
}

/// `name` inside the directory that `target` names: the path that a copy into a directory really writes.
pub(in crate::shell::families) fn inside(target: &Arg, source: &Arg) -> Arg {
    let mut value = target.value.clone();
    if !target.value.pieces().last().is_some_and(|piece| matches!(piece, Piece::Text(text) if text.ends_with('/'))) {
        value.push(Piece::text("/"));
    }
    match source.value.known_with_globs() {
        Some(text) => {
            let name = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
            value.push(if source.value.has_glob() { Piece::glob(name) } else { Piece::text(name) });
        }
        None => value.extend(Value::unknown(source.shown().into_owned(), Vec::new())),
    }
    Arg { value, span: target.span }
}

/// What a copy or move of `source` to `target` writes: the target itself, or a file inside it.
pub(super) fn arrivals(shell: &Shell<'_>, source: &Arg, target: &Arg) -> (Arg, Option<Arg>) {
    let place = shell.place(&target.value);
    let within = inside(target, source);
    let slash = target.value.pieces().last().is_some_and(|piece| matches!(piece, Piece::Text(text) if text.ends_with('/') || text == "." || text.ends_with("/.") || text.ends_with("..")));
    let tree = matches!(place.nature, Nature::Root | Nature::SystemTree | Nature::HomeTree | Nature::ProjectTree)
        && place.extent == Extent::Exact;
    let contents = source.known().is_some_and(|text| text.ends_with("/.") || text == "." || text.ends_with('/'));
    let known = || source.known().is_some() && shell.is_known_directory(&place);
    if (slash || tree || known()) && !contents {
        return (within, None);
    }
    // The target may be a directory: then it is the name inside it that tells what is replaced.
    let nature = shell.place(&within.value).nature;
    let grave = nature != place.nature
        && matches!(
            nature,
            Nature::LoginProfile
                | Nature::StartUp
                | Nature::SshAccess
                | Nature::Accounts
                | Nature::GitHooks
                | Nature::AgentSettings
                | Nature::Signoff
        );
    (target.clone(), (grave && !contents).then_some(within))
}

/// One thing is copied: its content goes to the target, and what the target was goes.
pub(super) fn copy_one(shell: &mut Shell<'_>, source: &Arg, target: &Arg, how: Write) {
    let feed = copied(shell, source, target);
    let carried = shell.carried(source);
    let how = match (how, source.known()) {
        (Write::New, _) => Write::New,
        (_, Some(path)) if is_blank(path) => Write::Empty,
        (how, _) => how,
    };
    let (arrival, other) = arrivals(shell, source, target);
    let from = shell.place(&source.value).path.clone();
    for arrival in std::iter::once(&arrival).chain(other.as_ref()) {
        let kept = shell.kept_without(source, arrival);
        shell.write(arrival, how);
        // A directory brings what the text has written below it, under its own name if the target is there already.
        let to = shell.place(&arrival.value).path.clone();
        let name = from.rsplit('/').next().unwrap_or_default();
        shell.remember_copy(&from, &to);
        shell.remember_copy(&from, &format!("{to}/{name}"));
        let written = match feed.secret() {
            Some(_) => Some(Written::Content(feed.clone())),
            None => carried.clone(),
        };
        if let Some(written) = written {
            shell.remember_copied(source, arrival, written);
        }
        shell.keep_at(kept);
    }
}

/// What a copy carries. Moving a secret about inside the project shows it to nobody; taking it elsewhere is a reason.
pub(super) fn copied(shell: &mut Shell<'_>, source: &Arg, target: &Arg) -> Feed {
    takes_own_state(shell, source);
    let from = shell.place(&source.value);
    if let Some(Written::Content(feed)) = shell.written(&from.path) {
        return feed.clone();
    }
    if from.nature != Nature::Secret && from.nature != Nature::Disk && from.nature != Nature::Signoff {
        return Feed::none();
    }
    let to = shell.place(&target.value);
    let served = ["/public", "/static", "/www", "/htdocs", "/public_html", "/wwwroot"]
        .iter()
        .any(|tree| to.path.contains(&format!("{tree}/")) || to.path.ends_with(tree));
    let stays = from.scope == Scope::Project && matches!(to.scope, Scope::Project | Scope::Temp) && !served;
    if from.nature == Nature::Disk || from.nature == Nature::Signoff {
        return shell.read_at(&from, source.span);
    }
    if !stays {
        shell.report(&COPY_SECRET, from.target(), from.scope, source.span);
    }
    Feed::from(Origin::Secret(from.shown.clone()))
}

/// What becomes of a file that stands where another one comes.
enum Standing {
    /// It goes.
    Goes,
    /// It stays, and the other one does not come.
    Stays,
    /// It is kept under its name with this behind it.
    KeptAs(String),
    /// It is kept under a name that nothing has.
    KeptAnew,
}

/// What the options of `cp`, `mv` and `install` say about that. Of those that contradict each other, `mv` takes the last.
fn standing(shell: &Shell<'_>, call: &Call, options: &Options<'_>, last_counts: bool) -> Standing {
    let asked = |name: &str| matches!(name, "n" | "no-clobber" | "f" | "force" | "i" | "interactive");
    let last = options.given.iter().rev().find(|given| asked(&given.name));
    let stays = match last_counts {
        true => last.is_some_and(|given| matches!(given.name.as_str(), "n" | "no-clobber")),
        false => options.has(&["n", "no-clobber"]),
    };
    if stays {
        return Standing::Stays;
    }
    match backups::made(options, &["b", "backup", "S", "suffix"], &["S", "suffix"], shell, call) {
        Backup::None => Standing::Goes,
        Backup::As(ending) => Standing::KeptAs(ending),
        Backup::Anew => Standing::KeptAnew,
    }
}

/// In which way things go over others; none where nothing goes by that.
fn manner(options: &Options<'_>, standing: &Standing, manner: Manner) -> Option<Manner> {
    let sparing = if options.has(&["u", "update"]) { Sparing::Newer } else { Sparing::Nothing };
    let kept_as = match standing {
        Standing::Stays | Standing::KeptAnew => return None,
        Standing::Goes => None,
        Standing::KeptAs(ending) => Some(KeptAs::beside(ending.clone())),
    };
    Some(Manner { sparing, kept_as, ..manner })
}

pub(super) fn cp(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &CP);
    let Some(journey) = journey(&options) else { return Feed::none() };
    // Nothing but rights and times goes over.
    if options.has(&["attributes-only"]) {
        for source in &journey.sources {
            let (arrival, _) = arrivals(shell, source, &journey.target);
            shell.write(&arrival, Write::New);
        }
        return Feed::none();
    }
    let standing = standing(shell, call, &options, false);
    let adds = options.has(&["r", "R", "a", "recursive", "archive"]) || journey.sources.len() > 1;
    let how = match (&standing, adds) {
        (Standing::Stays, _) => Write::New,
        (Standing::Goes, false) => Write::Replace,
        (Standing::Goes | Standing::KeptAs(_) | Standing::KeptAnew, _) => Write::Append,
    };
    let whole = how != Write::New && options.has(&["r", "R", "a", "recursive", "archive"]);
    let itself = options.has(&["T", "no-target-directory"]);
    let laid = Manner {
        directories: if whole { Directories::Merged } else { Directories::Refused },
        contents: if itself { Contents::Always } else { Contents::BehindDot },
        following: match options.given.iter().rev().find_map(|given| following(&given.name)) {
            Some(following) => following,
            None if whole => Following::Nothing,
            None => Following::Everything,
        },
        ..Manner::single(Replacing::Content)
    };
    match manner(&options, &standing, laid) {
        Some(laid) if options.has(&["parents"]) => stake_with_parents(shell, &journey, &laid),
        Some(laid) => shell.stake_arrivals(&journey.sources, &journey.target, &laid),
        None => {}
    }
    for source in &journey.sources {
        // The target is taken for the tree itself: what is in the source goes over what is there.
        let mut contents = (*source).clone();
        if whole && itself {
            contents.value.push(Piece::text("/."));
        }
        let source = &contents;
        if whole {
            overlay(shell, source, &journey.target);
        }
        // That trees may go along says nothing of a file that goes over another one.
        let how = match standing {
            Standing::Goes if is_over_database(shell, source, &journey.target) => Write::Replace,
            _ => how,
        };
        copy_one(shell, source, &journey.target, how);
        if source.is("/dev/stdin") || source.is("/dev/fd/0") {
            shell.remember_written(&journey.target, Written::Content(call.stdin.clone()));
        }
    }
    // What stands there may be newer, and stays then.
    if options.has(&["u", "update"]) {
        shell.forget_presence();
    }
    Feed::none()
}

/// Which links an option of `cp` makes it follow.
fn following(option: &str) -> Option<Following> {
    match option {
        "L" | "dereference" => Some(Following::Everything),
        "H" => Some(Following::Named),
        "P" | "no-dereference" | "d" | "a" | "archive" => Some(Following::Nothing),
        _ => None,
    }
}

/// What goes with the directories on its way arrives below the target under its whole path.
fn stake_with_parents(shell: &mut Shell<'_>, journey: &Journey<'_>, manner: &Manner) {
    for source in &journey.sources {
        let texts = match source.known() {
            Some(text) => vec![text.to_owned()],
            None => shell.matched(&source.value).unwrap_or_default(),
        };
        for text in texts {
            let mut target = journey.target.clone();
            target.value.push(Piece::text(format!("/{}", text.trim_start_matches('/'))));
            let manner = Manner { contents: Contents::Always, ..manner.clone() };
            shell.stake_arrivals(&[&Arg::text(text, source.span)], &target, &manner);
        }
    }
}

/// Whether nothing but nothing, or noise, comes out of a device.
pub(crate) fn is_blank(path: &str) -> bool {
    matches!(path, "/dev/zero" | "/dev/null" | "/dev/random" | "/dev/urandom" | "/dev/full")
}

pub(super) fn mv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &CP);
    let Some(journey) = journey(&options) else { return Feed::none() };
    let standing = standing(shell, call, &options, true);
    let laid = manner(&options, &standing, Manner::single(Replacing::Name));
    let displaced = if matches!(standing, Standing::Goes) { Displaced::Gone } else { Displaced::Kept };
    if let Some(laid) = laid {
        shell.stake_arrivals(&journey.sources, &journey.target, &laid);
    }
    for source in &journey.sources {
        let (arrival, other) = arrivals(shell, source, &journey.target);
        // Into a directory something is added; a name of its own replaces what had it.
        let how = match arrival.value == journey.target.value && journey.sources.len() == 1 {
            _ if matches!(standing, Standing::Stays) => Write::New,
            true if matches!(standing, Standing::Goes) => Write::Replace,
            _ => Write::Append,
        };
        let kept = shell.kept_without(source, &arrival);
        shell.relocate_over(source, &arrival, how, displaced);
        if let Some(other) = &other {
            shell.write(other, Write::Append);
        }
        shell.keep_at(kept);
    }
    Feed::none()
}

const LN: Syntax = Syntax {
    short_values: "tS",
    long_values: &["target-directory", "suffix"],
    long_flags: &["symbolic", "force", "no-dereference", "interactive", "help"],
    ..PLAIN
};

pub(super) fn ln(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &LN);
    // In the place of what was there comes something in which nothing is ever found.
    let voids = |source: &Arg| source.known().is_some_and(is_blank);
    let how = match options.has(&["f", "force"]) {
        true if options.operands.first().is_some_and(|source| voids(source)) => Write::Empty,
        true => Write::Replace,
        false => Write::New,
    };
    if let [only] = options.operands.as_slice() {
        let here = Arg::text("./", only.span);
        let link = inside(&here, only);
        shell.write(&link, how);
        return Feed::none();
    }
    let Some(journey) = journey(&options) else { return Feed::none() };
    for source in &journey.sources {
        let (arrival, other) = arrivals(shell, source, &journey.target);
        for link in std::iter::once(&arrival).chain(other.as_ref()) {
            // A link in the place of an agent's directory brings settings along.
            let agent = shell.entry(&link.value).nature == Nature::AgentSettings;
            shell.write(link, if agent { Write::Append } else { how });
            let place = shell.place(&source.value);
            let made = shell.entry(&link.value);
            if options.has(&["s", "symbolic"]) && source.known().is_some() && std::ptr::eq(link, &arrival) {
                shell.link(source, &made);
            }
            // Both names lead to the same content, whichever is written through.
            let written = match (shell.carried(source), source.known()) {
                (Some(program @ Written::Program(_)), _) => Some(program),
                (_, Some(_)) if options.has(&["s", "symbolic"]) => {
                    Some(Written::Link(target_of_link(source, &made.path)))
                }
                (_, Some(_)) if place.extent == Extent::Exact => Some(Written::Link(place.path.clone())),
                _ => None,
            };
            if let Some(written) = written {
                if matches!(written, Written::Program(_)) {
                    shell.remember_copied(source, link, written.clone());
                }
                shell.remember_made(&made, written);
            }
        }
    }
    Feed::none()
}

/// Where a symbolic link points: a relative target is seen from the directory that the link lies in.
fn target_of_link(source: &Arg, link: &str) -> String {
    let directory = link.rsplit_once('/').map_or("/", |(directory, _)| directory);
    crate::place::join(Some(directory), &source.shown()).unwrap_or_default()
}

const INSTALL: Syntax = Syntax {
    short_values: "mogtS",
    long_values: &["mode", "owner", "group", "target-directory", "suffix", "strip-program"],
    long_flags: &["directory", "help"],
    ..PLAIN
};

pub(super) fn install(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &INSTALL);
    if let Some(program) = options.value(&["strip-program"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), call.span);
    }
    if options.has(&["d", "directory"]) {
        options.operands.iter().for_each(|directory| super::create::make_directory(shell, directory));
        return Feed::none();
    }
    let Some(journey) = journey(&options) else { return Feed::none() };
    let standing = standing(shell, call, &options, false);
    if let Some(laid) = manner(&options, &standing, Manner::single(Replacing::Name)) {
        shell.stake_arrivals(&journey.sources, &journey.target, &laid);
    }
    let rights = options.value(&["m", "mode"]).and_then(|mode| mode.known()).map(super::rights::of_mode);
    for source in &journey.sources {
        let how = if matches!(standing, Standing::Goes) { Write::Replace } else { Write::Append };
        copy_one(shell, source, &journey.target, how);
        if source.is("/dev/stdin") {
            shell.remember_written(&journey.target, Written::Content(call.stdin.clone()));
        }
        if rights == Some(Rights::SetUser) {
            let (arrival, _) = arrivals(shell, source, &journey.target);
            shell.change_rights(&arrival, Rights::SetUser, Depth::Single);
        }
    }
    Feed::none()
}

/// `dd` and its kin: `if=` and `of=`.
pub(super) fn dd(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let operand = |key: &str| {
        call.args
            .iter()
            .rev()
            .find(|arg| arg.value.prefix().starts_with(key))
            .map(|arg| Arg { value: strip(&arg.value, key.len()), span: arg.span })
    };
    let (mut input, mut output) = (operand("if="), operand("of="));
    // `dc3dd` has more words for where it writes, and one for writing nothing but zeros.
    if call.name == "dc3dd" {
        let wiped = operand("wipe=").or_else(|| operand("hwipe="));
        input = wiped.as_ref().map(|target| Arg::text("/dev/zero", target.span)).or(input);
        output = wiped.or(output).or_else(|| operand("hof=")).or_else(|| operand("ofs="));
    }
    if call.name == "ddrescue" {
        let options = Options::read(&call.args, &Syntax { short_values: "bciKlmoOpPrRs", ..PLAIN });
        input = options.operands.first().map(|arg| (*arg).clone());
        output = options.operands.get(1).map(|arg| (*arg).clone());
    }
    let blank = input.as_ref().and_then(Arg::known).is_some_and(is_blank);
    let feed = match &input {
        Some(input) if !blank => shell.read(input),
        Some(_) => call.output(),
        None => call.stdin.clone(),
    };
    let number = |key: &str, usual: usize| operand(key).map_or(Some(usual), |arg| arg.known()?.parse().ok());
    let cuts = ["skip=", "count=", "conv=", "cbs=", "iseek="].iter().any(|key| operand(key).is_some());
    let feed = if cuts {
        // A part of a known text is known, too; of anything else only the origin is.
        let size = number("ibs=", 512)
            .zip(number("bs=", 512))
            .map(|(input, both)| if operand("bs=").is_some() { both } else { input });
        let plain = operand("conv=").is_none() && operand("iflag=").is_none() && operand("iseek=").is_none();
        let (skip, count) = (number("skip=", 0), number("count=", usize::MAX));
        crate::shell::families::filters::mapped(feed, &call.name, |text| {
            let (size, skip, count) = (size.filter(|_| plain)?, skip?, count?);
            Some(text.bytes().skip(size.saturating_mul(skip)).take(size.saturating_mul(count)).collect())
        })
    } else {
        feed
    };
    let Some(output) = output else { return feed };
    let place = shell.place(&output.value);
    let partial = call.args.iter().any(|arg| arg.value.prefix().contains("notrunc"));
    // What is cut off further behind only makes a file of that length.
    let further = ["seek=", "oseek="].iter().filter_map(|key| operand(key)).any(|at| !at.is("0"));
    let voids = input.as_ref().is_some_and(|input| input.is("/dev/null")) && !further && !partial;
    // `/dev/$(lsblk …)`: whichever it is, it is one of the disks.
    if names_disk(&output.value) {
        shell.report(&WRITE_DISK, place.target(), place.scope, output.span);
    } else if place.extent == Extent::Anywhere || (place.is_unknown() && place.path.starts_with("/dev")) {
        shell.report(&DD_UNKNOWN, place.target(), place.scope, output.span);
    } else if blank
        && (voids
            || matches!(
                place.nature,
                Nature::Data
                    | Nature::Source
                    | Nature::Important
                    | Nature::SystemFile
                    | Nature::Accounts
                    | Nature::Secret
            ))
    {
        shell.write_at(&place, Write::Empty, output.span);
    } else {
        shell.write_at(&place, if partial { Write::Edit } else { Write::Replace }, output.span);
    }
    if !blank {
        shell.remember_written(&output, Written::Content(feed));
    }
    Feed::none()
}
