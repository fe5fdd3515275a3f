//! What happens at places: reading, writing, deleting, moving, as the place and where the commands run decide.

use std::rc::Rc;

use compact_str::CompactString;
use signoff_model::{EffectKind, Reversible, Scope, Span};
use smallvec::{SmallVec, smallvec};

use super::{
    builtins::unseen_secret,
    machine::{Locus, Shell},
    rules,
    table::hash_of,
    written::Written,
};
use crate::{
    path_effects::{self, Depth, Rights, Write},
    place::{Extent, Nature, Place, is_within},
    value::{Arg, Feed, Origin, Piece, Value},
};

/// The places that were asked for last.
#[derive(Debug, Default)]
pub(super) struct AskedPlaces {
    entries: Vec<AskedPlace>,
    /// How often something was asked for.
    clock: usize,
}

/// A text in a directory, and where it leads.
#[derive(Debug)]
struct AskedPlace {
    text: CompactString,
    /// The hash of the text: texts of one command are often of the same length, and begin in the same way.
    hash: u64,
    cwd: Option<Rc<str>>,
    place: Rc<Place>,
    asked: usize,
}

impl AskedPlaces {
    /// As many places as a few commands name, one behind the other.
    const KEPT: usize = 8;

    fn find(&mut self, text: &str, hash: u64, cwd: Option<&Rc<str>>) -> Option<&Rc<Place>> {
        self.clock += 1;
        let found = self
            .entries
            .iter_mut()
            .find(|entry| entry.hash == hash && entry.text == text && entry.cwd.as_ref() == cwd)?;
        found.asked = self.clock;
        Some(&found.place)
    }

    /// Keeps a place instead of the one that nobody has asked for the longest.
    fn keep(&mut self, text: &str, hash: u64, cwd: Option<Rc<str>>, place: Rc<Place>) {
        let entry = AskedPlace { text: text.into(), hash, cwd, place, asked: self.clock };
        if self.entries.len() < Self::KEPT {
            self.entries.push(entry);
        } else if let Some(oldest) = self.entries.iter_mut().min_by_key(|entry| entry.asked) {
            *oldest = entry;
        }
    }
}

/// What becomes of a thing whose name another one takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Displaced {
    /// Nobody has it any more.
    Gone,
    /// It stands under another name.
    Kept,
}

/// More fresh names than this are not told apart.
const MAX_FRESH: usize = 99;

impl Shell<'_> {
    /// Where a value leads when it is used as a path.
    pub fn place(&self, value: &Value) -> Rc<Place> {
        let through = self.through_links(value, true);
        let value = through.as_ref().unwrap_or(value);
        let mut place = self.made_fresh(self.resolved(value));
        if value.has_unknown()
            && let Some(worst) = self.worst_listed(value, &place)
        {
            place = worst;
        }
        if super::families::own::is_inside_own_process(value) {
            Rc::make_mut(&mut place).nature = Nature::Signoff;
        }
        if self.state.settings.mounts.is_empty() { place } else { self.seen_from_outside(place) }
    }

    /// The worst place of the lists that a value may be an entry of, if it is worse than the place at hand. What was made
    /// of an entry may be something else, which takes away what speaks for it, but not what speaks against it.
    fn worst_listed(&self, value: &Value, place: &Place) -> Option<Rc<Place>> {
        let values = value.by_listing()?;
        let places: Vec<Rc<Place>> = values.iter().map(|value| self.made_fresh(self.resolved(value))).collect();
        let is_passing = |place: &Place| place.nature.is_passing();
        let grave = places.iter().find(|place| place.is_grave());
        let lasting = || places.iter().find(|other| is_passing(place) && !is_passing(other));
        grave.or_else(lasting).cloned()
    }

    /// The place that a value names here. A command asks about the same few paths again and again.
    pub(super) fn resolved(&self, value: &Value) -> Rc<Place> {
        let cwd = self.cwd_for(value);
        let resolve = || Rc::new(Place::resolve(value, cwd.map(|cwd| &**cwd), self.whereabouts, self.facts));
        let Some(text) = value.known() else { return resolve() };
        let mut asked = self.asked_places.borrow_mut();
        let hash = hash_of(text);
        if let Some(place) = asked.find(text, hash, cwd) {
            return place.clone();
        }
        let place = resolve();
        asked.keep(text, hash, cwd.cloned(), place.clone());
        place
    }

    /// The working directory as far as it counts for a value that is used as a path.
    fn cwd_for(&self, value: &Value) -> Option<&Rc<str>> {
        if Place::depends_on_directory(value) { self.asked_cwd() } else { None }
    }

    /// The same value with links followed that the text itself has made; none if there is none on the way. `enters` says
    /// whether a link at the very end is followed as well.
    fn through_links(&self, value: &Value, enters: bool) -> Option<Value> {
        if !self.links {
            return None;
        }
        let text = value.prefix();
        let lexical = crate::place::join(self.cwd(), text)?;
        let full = if text.split('/').any(|part| part == "..") { self.climbed(text)? } else { lexical.clone() };
        let later = value.pieces().iter().skip(usize::from(!text.is_empty()));
        let enters = enters || text.is_empty() || text.ends_with(['/', '.']) || later.clone().next().is_some();
        let on_the_way = self.state.written.iter().filter_map(|(path, written)| {
            let rest = full.strip_prefix(path)?;
            let target = written.link().filter(|_| rest.starts_with('/') || rest.is_empty() && enters)?;
            Some((rest, target))
        });
        // The last one: the shell has stood below the others before the text made anything there.
        let slash = if text.is_empty() || text.ends_with('/') { "/" } else { "" };
        let mut followed = match on_the_way.min_by_key(|(rest, _)| rest.len()) {
            Some((rest, target)) => Value::text(format!("{}{rest}{slash}", target.trim_end_matches('/'))),
            None if full == lexical => return None,
            None => Value::text(format!("{}{slash}", full.trim_end_matches('/'))),
        };
        if followed.is_empty() {
            followed = Value::text("/");
        }
        later.for_each(|piece| followed.push(piece.clone()));
        Some(followed)
    }

    /// The place that a value names if a link of the text on the way to it is not there: making it may have failed, or been
    /// left out, and where a directory of that name stood before, it lies in there. None if there is no link on the way.
    fn beside_links(&self, value: &Value, enters: bool) -> Option<Rc<Place>> {
        self.through_links(value, enters)?;
        Some(self.made_fresh(self.resolved(value)))
    }

    /// Where a path leads whose `..` step back from where the links of the text lead, as the system does it.
    fn climbed(&self, text: &str) -> Option<String> {
        /// Links that lead to links are followed so far.
        const MAX_LINKS: usize = 8;
        let mut whole = if text.starts_with('/') { String::new() } else { self.cwd()?.to_owned() };
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    for _ in 0..MAX_LINKS {
                        let Some(led) = self.through_links(&Value::text(whole.as_str()), true) else { break };
                        whole = led.known()?.to_owned();
                    }
                    whole.truncate(whole.trim_end_matches('/').rfind('/').unwrap_or(0));
                }
                name => {
                    whole.push('/');
                    whole.push_str(name);
                }
            }
        }
        crate::place::join(None, if whole.is_empty() { "/" } else { &whole })
    }

    /// The entry that a value names, itself and not what a link there points at.
    pub fn entry(&self, value: &Value) -> Rc<Place> {
        let through = self.through_links(value, false);
        let value = through.as_ref().unwrap_or(value);
        let cwd = self.cwd_for(value).map(|cwd| &**cwd);
        let place = self.made_fresh(Rc::new(Place::resolve_entry(value, cwd, self.whereabouts, self.facts)));
        if self.state.settings.mounts.is_empty() { place } else { self.seen_from_outside(place) }
    }

    /// A name that nobody else uses, after a template. None if there were too many.
    pub fn fresh_name(&mut self, template: &str) -> Option<String> {
        let mut path = crate::place::join(self.cwd(), template)?;
        // Where the template stands is where the name is: only one that comes again is another one.
        if self.fresh.contains(&path) {
            let number = self.fresh.len().to_string();
            let end = path.rfind('X').map_or(path.len(), |at| at + 1);
            let start = end.checked_sub(number.len()).filter(|start| path.get(*start..end).is_some())?;
            path.replace_range(start..end, &number);
        }
        if self.fresh.len() >= MAX_FRESH || self.fresh.contains(&path) {
            return None;
        }
        self.fresh.push(path.clone());
        Some(path)
    }

    /// What lies at or below a name that was made for this use alone is temporary, wherever it is.
    fn made_fresh(&self, mut place: Rc<Place>) -> Rc<Place> {
        if place.scope != Scope::Temp && self.fresh.iter().any(|made| crate::place::is_within(&place.path, made)) {
            let place = Rc::make_mut(&mut place);
            place.nature = Nature::Temporary;
            place.scope = Scope::Temp;
        }
        place
    }

    /// A place in a container as the place on this machine that is mounted there; [`Scope::Remote`] if none is.
    fn seen_from_outside(&self, inside: Rc<Place>) -> Rc<Place> {
        let within = |target: &str| is_within(&inside.path, target);
        // Deleting a directory also takes what is mounted below it.
        let holds = |target: &str| inside.path == "/" || target != inside.path && is_within(target, &inside.path);
        if inside.path.is_empty() {
            return inside;
        }
        let found = self
            .state
            .settings
            .mounts
            .iter()
            .filter(|mount| within(&mount.target) || holds(&mount.target))
            .max_by_key(|mount| mount.target.len());
        let Some(mount) = found else { return Rc::new(Place { scope: Scope::Remote, ..Place::clone(&inside) }) };
        let rest = inside.path.strip_prefix(mount.target.trim_end_matches('/')).unwrap_or_default();
        match &mount.source {
            Some(source) if !source.path.is_empty() => {
                let path = format!("{}{rest}", source.path.trim_end_matches('/'));
                let mut outside =
                    Place::of_path(if path.is_empty() { "/" } else { &path }, None, self.whereabouts, self.facts);
                if inside.extent != Extent::Exact {
                    outside.extent = inside.extent;
                }
                Rc::new(outside)
            }
            _ => Rc::new(Place {
                path: format!("{}{rest}", mount.shown),
                shown: format!("{}{rest}", mount.shown),
                scope: Scope::Unknown,
                nature: Nature::Data,
                ..Place::clone(&inside)
            }),
        }
    }

    /// Where an effect at this place happens: what a throw-away container does to a mounted place happens here.
    fn locus_of(&self, place: &Place) -> &Locus {
        match self.locus() {
            Locus::ThrowAway if !self.state.settings.mounts.is_empty() && place.scope != Scope::Remote => &Locus::Here,
            locus => locus,
        }
    }

    /// The places that a value may name: one for each list that it may be an entry of.
    fn places(&self, value: &Value) -> SmallVec<[Rc<Place>; 1]> {
        match value.by_listing() {
            Some(values) => values.iter().map(|value| self.place(value)).collect(),
            None => smallvec![self.place(value)],
        }
    }

    /// The argument names something that would be deleted, and nothing else happens to it: what has other names stays.
    pub fn unlink(&mut self, arg: &Arg, depth: Depth) {
        self.unlinks = true;
        self.delete(arg, depth);
        self.unlinks = false;
    }

    /// The argument names something that would be deleted.
    pub fn delete(&mut self, arg: &Arg, depth: Depth) {
        let places = if arg.known().is_some() {
            smallvec![self.entry(&arg.value)]
        } else {
            let homes = if depth == Depth::Recursive { every_home(&arg.value) } else { None };
            self.places(homes.as_ref().unwrap_or(&arg.value))
        };
        let own = self.deletes_made(arg, &places, depth);
        let judged = !own && self.delete_known(arg, &places, depth);
        if !judged {
            self.stake_named(&arg.value, &places);
        }
        for place in places.iter().filter(|_| !judged) {
            if own {
                let span = self.blamed(arg.span);
                self.forget_made_at(place);
                self.findings.note(EffectKind::Delete, place.target(), place.scope, Reversible::Yes, span);
            } else {
                self.delete_at(place, depth, arg.span);
            }
        }
        if let Some(beside) = self.beside_links(&arg.value, arg.known().is_none()).filter(|_| !own) {
            self.delete_at(&beside, depth, arg.span);
        }
    }

    /// Something at this place would be deleted.
    pub fn delete_at(&mut self, place: &Place, depth: Depth, span: Span) {
        let span = self.blamed(span);
        self.forget_made_at(place);
        match self.locus_of(place) {
            Locus::Here if self.is_own_file(place) => {
                self.findings.note(EffectKind::Delete, place.target(), place.scope, Reversible::Yes, span);
            }
            Locus::Here => {
                match self.way_back(place) {
                    Some(known) => path_effects::delete_known(&mut self.findings, place, depth, known, span),
                    None => path_effects::delete(&mut self.findings, place, depth, span),
                }
                self.delete_moved(place, depth, span);
            }
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(place, EffectKind::Delete, span),
        }
    }

    /// The argument names something that would be written.
    pub fn write(&mut self, arg: &Arg, how: Write) {
        let beside = self.beside_links(&arg.value, true).filter(|_| how == Write::Empty);
        for place in self.places(&arg.value).iter().chain(&beside) {
            self.write_at(place, how, arg.span);
        }
    }

    /// Something at this place would be written.
    pub fn write_at(&mut self, place: &Place, how: Write, span: Span) {
        // What the text knew of the file holds no longer; who knows better remembers it afterwards.
        self.forget_written(place);
        self.write_behind(place, how, span);
    }

    /// The same where what the text knows of the file still holds: it is put behind that, or the caller remembers it.
    pub fn write_behind(&mut self, place: &Place, how: Write, span: Span) {
        self.check_option_name(place, span);
        let how = if *self.locus() == Locus::Here { self.writing(place, how) } else { how };
        let span = self.blamed(span);
        if how == Write::Edit {
            self.overwrite_lost(place, span);
        }
        let judged = *self.locus_of(place) == Locus::Here && self.overwrite_known(place, how, span);
        self.disturbed |= place.nature != Nature::Stream;
        match self.locus_of(place) {
            Locus::Here => {
                if !judged {
                    path_effects::write(&mut self.findings, place, how, span);
                }
                self.overwrite_moved(place, how, span);
            }
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(place, EffectKind::Overwrite, span),
        }
    }

    /// A file whose name is an option of some program: whoever names all files of the directory by a pattern gives the
    /// program that option. One that runs a command is judged by the command.
    pub fn check_option_name(&mut self, place: &Place, span: Span) {
        let name = place.file_name();
        if place.extent != Extent::Exact || !name.starts_with('-') || name.len() < 2 {
            return;
        }
        // Where nobody keeps anything, nobody names everything either.
        if place.scope == Scope::Temp && !name.contains("exec=") {
            return;
        }
        self.report(&rules::OPTION_NAME, place.target(), place.scope, span);
        // What the command runs may be written only later.
        if let Some((_, code)) = name.split_once("exec=") {
            let code = Arg::text(code, span);
            self.option_codes.push(code);
        }
    }

    /// What the first argument names would go to where the second one leads; `how` says what happens to what stood there.
    pub fn relocate(&mut self, from: &Arg, to: &Arg, how: Write) {
        self.relocate_over(from, to, how, Displaced::Gone);
    }

    /// The same where it is known whether what stood there is kept.
    pub fn relocate_over(&mut self, from: &Arg, to: &Arg, how: Write, displaced: Displaced) {
        let sources =
            if from.known().is_some() { smallvec![self.entry(&from.value)] } else { self.places(&from.value) };
        let target = self.place(&to.value);
        let carried = self.moved_along(from);
        let entry = self.entry(&to.value);
        for source in &sources {
            // Who takes a name takes it from a link, and not from what the link leads to.
            let displaced = if entry.path == target.path { displaced } else { Displaced::Kept };
            self.relocate_at((source, from.span), (&target, to.span), how, displaced);
        }
        if let Some(carried) = carried {
            self.remember_copied(from, to, carried);
        }
    }

    /// What stands at the first place would go to the second.
    fn relocate_at(&mut self, from: (&Place, Span), to: (&Place, Span), how: Write, displaced: Displaced) {
        let ((source, from), (target, to)) = (from, to);
        let arrival = self.blamed(to);
        self.overwrite_moved(target, how, arrival);
        let how = self.writing(target, how);
        let here = *self.locus_of(source) == Locus::Here;
        // What stands there is replaced, even where the text alone would say that something is added.
        let replaces = if how == Write::Append { Write::Replace } else { how };
        let judged = here && displaced == Displaced::Gone && self.overwrite_known(target, replaces, arrival);
        self.remember_moved(source, target);
        self.forget_written(target);
        self.forget_presence();
        self.remember_copy(&source.path, &target.path);
        let span = self.blamed(from);
        match self.locus_of(source) {
            Locus::Here => {
                path_effects::carry_off(&mut self.findings, source, target, span);
                if !judged && target.nature != Nature::Stream {
                    path_effects::write(&mut self.findings, target, how, arrival);
                }
                if source.extent == Extent::Exact {
                    self.departed.push(source.path.clone());
                }
            }
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(source, EffectKind::Move, span),
        }
    }

    /// A symbolic link at an entry would lead to where the argument says, seen from the directory that the link lies in.
    pub fn link(&mut self, target: &Arg, entry: &Place) {
        if *self.locus() != Locus::Here {
            return;
        }
        let directory = entry.path.rsplit_once('/').map(|(directory, _)| directory);
        let leads = Place::resolve(&target.value, directory, self.whereabouts, self.facts);
        let span = self.blamed(target.span);
        path_effects::link(&mut self.findings, &leads, span);
    }

    /// The argument names something whose content would be read; what flows out remembers a secret.
    pub fn read(&mut self, arg: &Arg) -> Feed {
        let mut all = Feed::none();
        for place in self.places(&arg.value) {
            self.reads.note(&place, &arg.value);
            all = all.then(self.read_at(&place, arg.span));
        }
        all
    }

    /// What stands at this place would be read.
    pub fn read_at(&mut self, place: &Place, span: Span) -> Feed {
        // What is in a file that a command around this one writes is not known yet.
        if self.is_pouring(&place.path) {
            return Feed::from(Origin::Program("".into()));
        }
        if let Some(feed) = self.state.written.get(&place.path).and_then(Written::content) {
            self.show_copied(&feed, span);
            return feed;
        }
        if let Some(feed) = self.read_descriptor(&place.path) {
            return feed;
        }
        if place.path == "/dev/null" {
            return Feed::of(Value::default());
        }
        let span = self.blamed(span);
        if *self.locus_of(place) == Locus::ThrowAway {
            return Feed::from(Origin::File(place.shown.clone()));
        }
        match path_effects::read(&mut self.findings, place, span) {
            Some(secret) => Feed::from(Origin::Secret(secret)),
            None => {
                if let Some(feed) = self.secret_below(place) {
                    self.show_copied(&feed, span);
                    return feed;
                }
                let mut origins = vec![Origin::File(place.shown.clone())];
                let is_file = place.extent == Extent::Exact && !place.path.starts_with("/dev/");
                if is_file && self.locus_of(place) == &Locus::Here {
                    origins.push(Origin::Exactly(place.path.clone()));
                }
                Feed::from_all(origins)
            }
        }
    }

    /// Says so if what the text has put somewhere is a secret: a copy of one is one. What only its family can tell from
    /// other things is judged where it is printed.
    fn show_copied(&mut self, feed: &Feed, span: Span) {
        let unseen = || feed.origins.iter().any(|origin| unseen_secret(origin).is_some());
        if let Some(secret) = feed.secret().filter(|_| !unseen()) {
            self.tell(&path_effects::READ_SECRET, secret, span);
        }
    }

    /// The rights or the owner of what the argument names would change.
    pub fn change_rights(&mut self, arg: &Arg, rights: Rights, depth: Depth) {
        let span = self.blamed(arg.span);
        for place in self.places(&arg.value) {
            match self.locus_of(&place) {
                Locus::Here => {
                    // A copy of a shell that runs with its owner's rights is a shell with those rights.
                    let copied = match self.state.written.get(&place.path) {
                        Some(written) => written
                            .alternatives()
                            .iter()
                            .any(|one| matches!(one, Written::Program(name) if path_effects::is_shell(name))),
                        None => false,
                    };
                    if copied && rights == Rights::SetUser {
                        self.findings.report(&path_effects::ROOT_SHELL, place.target(), place.scope, span);
                    }
                    path_effects::change_rights(&mut self.findings, &place, rights, depth, span);
                }
                Locus::ThrowAway => {}
                Locus::Remote(_) => self.change_elsewhere(&place, EffectKind::Permission, span),
            }
        }
    }

    /// Something on another machine would change.
    fn change_elsewhere(&mut self, place: &Place, kind: EffectKind, span: Span) {
        let absurd = match place.nature {
            Nature::Root => Some(&path_effects::DELETE_ROOT),
            Nature::SystemTree if kind == EffectKind::Delete => Some(&path_effects::DELETE_SYSTEM),
            Nature::Disk if kind == EffectKind::Overwrite => Some(&path_effects::WRITE_DISK),
            _ => None,
        };
        let rule = match (absurd, kind) {
            (Some(rule), _) => rule,
            (None, EffectKind::Delete) => &rules::REMOTE_DELETE,
            (None, _) if place.nature == Nature::Stream || place.nature == Nature::Temporary => return,
            (None, _) => &rules::REMOTE_CHANGE,
        };
        self.report(rule, place.target(), Scope::Remote, span);
    }
}

/// What stands in the table of accounts and is used as a directory: the homes of all of them.
fn every_home(value: &Value) -> Option<Value> {
    let Some(Piece::Unknown(first)) = value.pieces().first() else { return None };
    let from_table = first.origins.iter().any(is_from_accounts);
    let listing = || Origin::Listing { by: "/etc/passwd".to_owned(), under: "/home/*".to_owned() };
    from_table.then(|| Value::unknown(first.shown.clone(), vec![listing()]))
}

/// Whether something comes out of the table of accounts.
pub(super) fn is_from_accounts(origin: &Origin) -> bool {
    matches!(origin, Origin::File(name) | Origin::Exactly(name) if name == "/etc/passwd")
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn a_name_that_is_an_option_is_no_plain_name() {
        check(Ask, &["touch -- '--checkpoint=1'", "echo x > '-rf'", "cp a.txt ./--delete"]);
        check(
            Block,
            &[
                "touch -- '--checkpoint=1' '--checkpoint-action=exec=sh x.sh'; echo 'rm -rf ~' > x.sh; tar cf /tmp/b.tar *",
            ],
        );
        check(Allow, &["touch a-b", "echo x > -", "touch ./-", "mkdir -p a/b-c"]);
    }

    #[test]
    fn a_directory_that_is_bound_elsewhere_is_the_other_one() {
        check(
            Block,
            &[
                "mkdir -p dist && sudo mount --bind /etc dist && sudo rm -rf dist/*",
                "sudo mount -o bind / build; rm -rf build/*",
            ],
        );
        check(Ask, &["sudo mount --bind src dist && rm -rf dist"]);
    }

    #[test]
    fn above_a_link_lies_what_is_above_where_it_leads() {
        check(
            Ask,
            &[
                "ln -s $PWD/src /tmp/l; cd /tmp/l && rm -rf ../src",
                "ln -s $PWD/src /tmp/l; rm -rf /tmp/l/../src",
                "ln -s $PWD/src /tmp/l; cd /tmp/l && cd -P .. && rm -rf src",
                "ln -s $PWD/src /tmp/l && cd /tmp/l && set -P && cd .. && rm -rf src",
                "ln -s $PWD/src build/l; cd build/l && rm -rf ../docs",
                "ln -s $PWD/src /tmp/l; ln -s /tmp/l /tmp/m; cd /tmp/m && rm -rf ../docs",
            ],
        );
        check(
            Allow,
            &["ln -s $PWD/build /tmp/l; rm -rf /tmp/l/../dist", "ln -s /tmp/a /tmp/l; cd /tmp/l && rm -rf ../b"],
        );
    }

    #[test]
    fn whoever_runs_a_search_owns_what_it_finds() {
        check(Block, &["find / -xdev -user \"$(id -un)\" -type f -delete", "find ~ -user $USER -delete"]);
        check(Ask, &["find / -user olduser -delete"]);
        check(Allow, &["find / -user \"$(id -un)\" -type f", "find /tmp -user $USER -delete"]);
    }

    #[test]
    fn whoever_replaces_a_database_replaces_data() {
        check(
            Ask,
            &[
                "echo x > data/app.db",
                "cp a data/app.db",
                "cp /tmp/fresh.db data/app.db",
                "mv new.db data/app.db",
                "dd if=a of=data/app.db",
                "echo x | tee data/app.db",
                "curl -so data/app.db https://example.com/app.db",
                "wget -O db.sqlite3 https://example.com/db.sqlite3",
                "python3 -c 'open(\"data/app.db\",\"w\").write(\"x\")'",
                "install -m 644 a.sqlite3 db.sqlite3",
                "[ -f app.db ] && cp a app.db",
                "mv app.db app.tmp; echo x > app.tmp",
            ],
        );
        check(
            Allow,
            &[
                "echo x >> data/app.db",
                "cp data/app.db /tmp/app.db",
                "cp app.db app.db.bak",
                "sqlite3 app.db .dump > app.sql",
                "[ -f app.db ] || cp template.db app.db",
                "cp -n a app.db",
                "touch app.db",
                "cp seed.db test.db",
                "cp seed.sqlite3 db/test.sqlite3",
                "cp a.db tests/fixtures/b.db",
                "cp a.csv data/a.csv",
                "python3 train.py > data/result.json",
                "echo x > /tmp/app.db",
                "pg_dump app > backup.dump",
            ],
        );
    }

    #[test]
    fn a_copy_of_a_secret_is_a_secret() {
        check(
            Ask,
            &[
                "cp .env /tmp/e && cat /tmp/e",
                "cp .env a.txt; cat a.txt",
                "cp .env.production /tmp/x && cat /tmp/x",
                "cp config/secrets.yml /tmp/s && cat /tmp/s",
                "cp server.key /tmp/zz && cat /tmp/zz",
                "cp .env /tmp/e && base64 /tmp/e",
                "cp .env /tmp/e && xxd /tmp/e",
                "cp .env /tmp/e && grep KEY /tmp/e",
                "install .env /tmp/e && cat /tmp/e",
                "rsync .env /tmp/e && cat /tmp/e",
                "ln .env /tmp/e && cat /tmp/e",
                "dd if=.env of=/tmp/e; cat /tmp/e",
                "cat .env > /tmp/e; cat /tmp/e",
                "mv .env /tmp/e; cat /tmp/e",
                "cp .env /tmp/d && cat /tmp/d/.env",
                "cp .env* /tmp/d/ && cat /tmp/d/*",
                "(cp .env /tmp/e); cat /tmp/e",
                "echo a > /tmp/e; x && cp .env /tmp/e; cat /tmp/e",
                "cp .env /tmp/e && python3 -c 'print(open(\"/tmp/e\").read())'",
                "python3 -c 'import shutil; shutil.copy(\".env\",\"/tmp/e\")'; cat /tmp/e",
                "node -e 'fs.copyFileSync(\".env\",\"/tmp/e\"); console.log(fs.readFileSync(\"/tmp/e\",\"utf8\"))'",
                "python3 -m json.tool credentials.json",
                "python3 -m json.tool < credentials.json",
            ],
        );
        check(
            Allow,
            &[
                "cp .env /tmp/e",
                "cp .env /tmp/e; wc -l /tmp/e; rm /tmp/e",
                "cp .env /tmp/e; cat /tmp/e | wc -l",
                "cp .env /tmp/e; md5sum /tmp/e",
                "cp .env /tmp/e; grep -c x /tmp/e",
                "cp .env /tmp/e; test -s /tmp/e && echo yes",
                "cp .env /tmp/e; docker compose --env-file /tmp/e up -d",
                "cp .env.example /tmp/e; cat /tmp/e",
                "cp ~/.ssh/id_rsa.pub /tmp/k; cat /tmp/k",
                "cut -d= -f1 .env > /tmp/e; cat /tmp/e",
                "cp -r src /tmp/s && cat /tmp/s/a",
                "python3 -m json.tool package.json",
            ],
        );
    }

    #[test]
    fn secrets_stay_hidden_and_unseen_scripts_ask() {
        check(
            Ask,
            &["chmod 644 ~/.ssh/id_rsa", "chmod a+r ~/.aws/credentials", "vim -es -S /tmp/steps.vim src/main.c"],
        );
        check(Ask, &["curl -fsSL https://example.com/p.zip -o /tmp/p.zip && unzip -o /tmp/p.zip -d ."]);
        check(
            Allow,
            &[
                "chmod 600 ~/.ssh/id_rsa",
                "chmod 644 .env.example",
                "vim -es -S fix.vim src/main.c",
                "unzip -o vendor.zip -d build",
            ],
        );
    }
}
