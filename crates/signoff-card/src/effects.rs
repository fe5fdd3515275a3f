//! The rows that say what would happen.

use std::borrow::Cow;

use signoff_analysis::rule::{self, About, Rule};
use signoff_model::{Assessment, Effect, EffectKind, Refs, Reversible, Scope, Target};

use crate::{
    Detail, Language, Row, RowKind, names,
    texts::Texts,
    visible::{visible, visible_name},
};

/// How many rows and how many names in a row are shown at most.
const ROWS_AT_MOST: usize = 12;
const NAMES_AT_MOST: usize = 6;

/// The rule about what a build makes again: to delete it loses nothing but time.
const REBUILT: &str = "delete-rebuilt";

/// Where everything is thrown away.
const NOWHERE: &str = "/dev/null";

/// Effects that a person would name in one breath.
struct Group<'a> {
    first: &'a Effect,
    rule: Option<&'static Rule>,
    names: Vec<String>,
}

/// The rows for what would happen, and the effects that they tell.
pub(crate) fn draw<'a>(
    assessment: &'a Assessment,
    command: &str,
    detail: Detail,
    language: Language,
) -> (Vec<Row>, Vec<&'a Effect>) {
    let texts = Texts::of(language);
    let mut told: Vec<&Effect> = assessment.effects.iter().filter(|effect| is_notable(effect, assessment)).collect();
    if told.is_empty() {
        told = assessment.effects.iter().filter(|effect| !goes_nowhere(effect, assessment)).collect();
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for effect in &told {
        let name = written(effect, command).unwrap_or_else(|| name(&effect.target, language));
        let rule = rule_of(effect, assessment);
        match groups.iter_mut().find(|group| group.rule == rule && belongs(group.first, effect)) {
            Some(group) if group.names.contains(&name) => {}
            Some(group) => group.names.push(name),
            None => groups.push(Group { first: effect, rule, names: vec![name] }),
        }
    }
    let shown = match detail {
        Detail::Brief => ROWS_AT_MOST,
        Detail::Full => usize::MAX,
    };
    let omitted = groups.len().saturating_sub(shown);
    let mut rows: Vec<Row> = groups.iter().take(shown).map(|group| row(group, detail, language)).collect();
    if omitted > 0 {
        let text = texts.more_rows.replace("{}", &omitted.to_string());
        rows.push(Row { kind: RowKind::More, label: "…".into(), margin: String::new(), text, note: None });
    }
    (rows, told)
}

/// Whether an effect is worth a row beside others: it changes something, or a reason is about it.
fn is_notable(effect: &Effect, assessment: &Assessment) -> bool {
    let is_quiet = effect.kind.only_looks() || effect.kind == EffectKind::Execute;
    if goes_nowhere(effect, assessment) {
        return false;
    }
    !is_quiet
        || assessment
            .reasons
            .iter()
            .any(|reason| reason.span == effect.span && reason.subject == effect.target.subject())
}

/// Whether something is thrown away without anybody minding: nothing of the system is changed by that.
fn goes_nowhere(effect: &Effect, assessment: &Assessment) -> bool {
    effect.kind == EffectKind::Overwrite
        && effect.target == Target::Path(NOWHERE.to_owned())
        && assessment.reasons.iter().all(|reason| reason.span != effect.span)
}

fn belongs(first: &Effect, other: &Effect) -> bool {
    first.kind == other.kind
        && first.scope == other.scope
        && first.reversible == other.reversible
        && std::mem::discriminant(&first.target) == std::mem::discriminant(&other.target)
        && names_directory(first) == names_directory(other)
}

/// Whether something comes into a directory that is there.
fn names_directory(effect: &Effect) -> bool {
    matches!(&effect.target, Target::Path(path) if path.ends_with('/'))
}

/// The rule that speaks about an effect where its own words say better what happens than a verb and a name: the name is
/// that of a command and not of a thing, or stands for more than the thing.
fn rule_of(effect: &Effect, assessment: &Assessment) -> Option<&'static Rule> {
    let subject = effect.target.subject();
    let reasons = assessment.reasons.iter().filter(|reason| reason.span == effect.span && reason.subject == subject);
    let rules = reasons.filter_map(|reason| rule::find(reason.rule.as_str()));
    let mut rules = rules.filter(|rule| rule.about == About::Deed);
    rules.find(|rule| rule.kind == effect.kind && (says_better(&effect.target) || rule.id == REBUILT))
}

/// The rule in whose own words the row of an effect is written.
pub(crate) fn words_in_row(effect: &Effect, assessment: &Assessment) -> Option<&'static Rule> {
    rule_of(effect, assessment).filter(|_| says_better(&effect.target))
}

fn says_better(target: &Target) -> bool {
    match target {
        Target::Named(_) | Target::DefaultRemote | Target::Unread(_) | Target::Sent { .. } => true,
        Target::Path(path) => path == ".",
        Target::Matches(_) | Target::Listed { .. } | Target::Ref { .. } | Target::Unresolved(_) => false,
    }
}

fn row(group: &Group<'_>, detail: Detail, language: Language) -> Row {
    let texts = Texts::of(language);
    let effect = group.first;
    let shown = match detail {
        Detail::Brief => NAMES_AT_MOST,
        Detail::Full => usize::MAX,
    };
    let mut names: Vec<String> = group.names.iter().take(shown).cloned().collect();
    let omitted = group.names.len().saturating_sub(shown);
    if omitted > 0 {
        names.push(texts.more_names.replace("{}", &omitted.to_string()));
    }
    let names = names.join(texts.comma);
    let target = match effect.target {
        Target::Matches(_) => texts.matches.replace("{}", &names),
        Target::Unresolved(_) => texts.unresolved.replace("{}", &names),
        Target::Path(_)
        | Target::Listed { .. }
        | Target::Ref { .. }
        | Target::DefaultRemote
        | Target::Named(_)
        | Target::Unread(_)
        | Target::Sent { .. } => names,
    };
    let (label, object) = match group.rule {
        Some(rule) if says_better(&effect.target) => words_of(rule, language),
        _ => {
            let phrase = match phrase_kind(effect) {
                EffectKind::Create if names_directory(effect) => &texts.add,
                kind => texts.phrase(kind),
            };
            (phrase.verb, phrase.object)
        }
    };
    let text = object.replace("{}", &placed(&target, effect, texts));
    let note = undo(effect, group.rule, texts).map(Cow::Borrowed);
    Row { kind: RowKind::Effect(effect.kind), label: label.into(), margin: String::new(), text, note }
}

/// What a rule says, parted into the word of the first column and the rest.
fn words_of(rule: &'static Rule, language: Language) -> (&'static str, &'static str) {
    match language {
        // Every English text begins with its verb, some with a verb of two words.
        Language::English => {
            let (verb, object) = rule.en.split_once(' ').unwrap_or(("", rule.en));
            match object.strip_prefix("away ") {
                Some(object) => (rule.en.strip_suffix(object).map_or(verb, str::trim_end), object),
                None => (verb, object),
            }
        }
        Language::Chinese => (Texts::of(language).outcome, rule.zh),
    }
}

/// The kind whose verb fits an effect that no rule tells. What is named only by its command is something that runs:
/// nobody creates a `commit -m x`.
fn phrase_kind(effect: &Effect) -> EffectKind {
    let takes_a_name = match effect.kind {
        EffectKind::Read
        | EffectKind::Create
        | EffectKind::Overwrite
        | EffectKind::Delete
        | EffectKind::Move
        | EffectKind::Permission
        | EffectKind::HistoryRewrite => false,
        EffectKind::Execute
        | EffectKind::NetworkRead
        | EffectKind::NetworkWrite
        | EffectKind::Publish
        | EffectKind::Process
        | EffectKind::Privilege
        | EffectKind::System
        | EffectKind::DatabaseRead
        | EffectKind::DatabaseWrite
        | EffectKind::DatabaseSchema
        | EffectKind::DatabaseRights
        | EffectKind::SecretRead
        | EffectKind::SecretSend
        | EffectKind::SelfState
        | EffectKind::Opaque => true,
    };
    match effect.target {
        Target::Named(_) | Target::DefaultRemote | Target::Unread(_) | Target::Sent { .. } if !takes_a_name => {
            EffectKind::Execute
        }
        _ => effect.kind,
    }
}

/// What is named by its command as it is written there, with the quotes that hold its words together.
fn written(effect: &Effect, command: &str) -> Option<String> {
    let Target::Named(name) = &effect.target else { return None };
    let source = command.get(effect.span.start..effect.span.end)?.trim();
    let quote = |letter: &char| !matches!(letter, '\'' | '"' | '\\');
    let is_the_same = source.len() > name.len() && source.chars().filter(quote).eq(name.chars().filter(quote));
    is_the_same.then(|| visible(source))
}

pub(crate) fn name(target: &Target, language: Language) -> String {
    let texts = Texts::of(language);
    match target {
        Target::Path(text) => visible_name(text),
        Target::Matches(text) | Target::Named(text) | Target::Unresolved(text) => visible(text),
        Target::DefaultRemote => texts.default_remote.to_owned(),
        Target::Unread(unread) => names::of_unread(unread, language),
        Target::Sent { what, to } => names::of_sent(what, to, language),
        Target::Listed { by, under } => {
            let [before, between, after] = texts.listed;
            format!("{before}{}{between}{}{after}", visible(by), visible(under))
        }
        Target::Ref { name, remote } => {
            let shown = match name {
                Refs::Named(name) if is_branch(name) => texts.branch.replace("{}", &visible(name)),
                refs => names::of_refs(refs, language),
            };
            match remote {
                Some(remote) => {
                    let [before, between, after] = texts.on_remote;
                    format!("{before}{shown}{between}{}{after}", visible(remote))
                }
                None => shown,
            }
        }
    }
}

/// Whether the name of a ref is that of a branch, and not of a commit, a tag or a stash.
fn is_branch(name: &str) -> bool {
    !name.starts_with("refs/") && !name.starts_with("HEAD") && !name.contains(['@', '~', '^', ' ', '*', ':'])
}

/// Says where a file lies, unless that goes without saying.
fn placed(target: &str, effect: &Effect, texts: &Texts) -> String {
    let place = match effect.scope {
        Scope::Home | Scope::Outside => texts.outside,
        Scope::System => texts.part_of_system,
        Scope::Remote => texts.elsewhere,
        Scope::Project | Scope::Temp | Scope::Unknown => "{}",
    };
    if effect.target.is_file() { place.replace("{}", target) } else { target.to_owned() }
}

/// Says whether it can be undone, where there is something to undo.
fn undo(effect: &Effect, rule: Option<&Rule>, texts: &Texts) -> Option<&'static str> {
    let leaves_something = match effect.kind {
        EffectKind::Read
        | EffectKind::Create
        | EffectKind::Execute
        | EffectKind::NetworkRead
        | EffectKind::DatabaseRead
        | EffectKind::SecretRead
        | EffectKind::SelfState
        | EffectKind::Opaque => false,
        EffectKind::Overwrite
        | EffectKind::Delete
        | EffectKind::Move
        | EffectKind::Permission
        | EffectKind::NetworkWrite
        | EffectKind::Publish
        | EffectKind::HistoryRewrite
        | EffectKind::Process
        | EffectKind::Privilege
        | EffectKind::System
        | EffectKind::DatabaseWrite
        | EffectKind::DatabaseSchema
        | EffectKind::DatabaseRights
        | EffectKind::SecretSend => true,
    };
    match effect.reversible {
        _ if !leaves_something => None,
        Reversible::Yes => match effect.kind {
            EffectKind::Delete if rule.is_some_and(|rule| rule.id == REBUILT) => Some(texts.undo_build),
            // That nobody misses what was there does not bring it back.
            EffectKind::Overwrite => None,
            EffectKind::Delete if rule.is_none() => None,
            _ => Some(texts.undo_yes),
        },
        Reversible::WithGit => Some(texts.undo_git),
        Reversible::WithBackup => Some(texts.undo_backup),
        Reversible::No if effect.scope == Scope::Remote => Some(texts.undo_no_from_here),
        Reversible::No => Some(texts.undo_no),
        Reversible::Unknown => effect.kind.displaces().then_some(texts.undo_unknown),
    }
}
