//! The rows that say what would happen.

use signoff_model::{Assessment, Effect, EffectKind, Reversible, Scope, Target};

use crate::{Detail, Row, RowKind, texts::Texts, visible::visible};

/// How many rows and how many names in a row are shown at most.
const ROWS_AT_MOST: usize = 12;
const NAMES_AT_MOST: usize = 6;

/// Effects that a person would name in one breath.
struct Group<'a> {
    first: &'a Effect,
    names: Vec<String>,
}

/// The rows for what would happen, and the effects that they tell.
pub(crate) fn draw<'a>(assessment: &'a Assessment, detail: Detail, texts: &Texts) -> (Vec<Row>, Vec<&'a Effect>) {
    let mut told: Vec<&Effect> = assessment.effects.iter().filter(|effect| is_notable(effect, assessment)).collect();
    if told.is_empty() {
        told = assessment.effects.iter().collect();
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for effect in &told {
        let name = name(&effect.target, texts);
        match groups.iter_mut().find(|group| belongs(group.first, effect)) {
            Some(group) if group.names.contains(&name) => {}
            Some(group) => group.names.push(name),
            None => groups.push(Group { first: effect, names: vec![name] }),
        }
    }
    let shown = match detail {
        Detail::Brief => ROWS_AT_MOST,
        Detail::Full => usize::MAX,
    };
    let omitted = groups.len().saturating_sub(shown);
    let mut rows: Vec<Row> = groups.iter().take(shown).map(|group| row(group, detail, texts)).collect();
    if omitted > 0 {
        let text = texts.more_rows.replace("{}", &omitted.to_string());
        rows.push(Row { kind: RowKind::More, label: "…", text, note: None });
    }
    (rows, told)
}

/// Whether an effect is worth a row beside others: it changes something, or a reason is about it.
fn is_notable(effect: &Effect, assessment: &Assessment) -> bool {
    let is_quiet = match effect.kind {
        EffectKind::Read | EffectKind::Execute | EffectKind::NetworkRead | EffectKind::DatabaseRead => true,
        EffectKind::Create
        | EffectKind::Overwrite
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
        | EffectKind::SecretRead
        | EffectKind::SecretSend
        | EffectKind::SelfState
        | EffectKind::Opaque => false,
    };
    !is_quiet
        || assessment.reasons.iter().any(|reason| reason.span == effect.span && reason.subject == effect.target.name())
}

fn belongs(first: &Effect, other: &Effect) -> bool {
    first.kind == other.kind
        && first.scope == other.scope
        && first.reversible == other.reversible
        && std::mem::discriminant(&first.target) == std::mem::discriminant(&other.target)
}

fn row(group: &Group<'_>, detail: Detail, texts: &Texts) -> Row {
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
        Target::Path(_) | Target::Listed { .. } | Target::Ref { .. } | Target::Named(_) => names,
    };
    let phrase = texts.phrase(effect.kind);
    let text = phrase.object.replace("{}", &placed(&target, effect, texts));
    Row { kind: RowKind::Effect(effect.kind), label: phrase.verb, text, note: undo(effect, texts) }
}

fn name(target: &Target, texts: &Texts) -> String {
    match target {
        Target::Path(text) | Target::Matches(text) | Target::Named(text) | Target::Unresolved(text) => visible(text),
        Target::Listed { by, under } => {
            let [before, between, after] = texts.listed;
            format!("{before}{}{between}{}{after}", visible(by), visible(under))
        }
        Target::Ref { name, remote } => {
            let shown = if is_branch(name) { texts.branch.replace("{}", &visible(name)) } else { visible(name) };
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
    let is_a_file = match effect.target {
        Target::Path(_) | Target::Matches(_) | Target::Listed { .. } => true,
        Target::Ref { .. } | Target::Named(_) | Target::Unresolved(_) => false,
    };
    let place = match effect.scope {
        Scope::Home | Scope::Outside => texts.outside,
        Scope::System => texts.part_of_system,
        Scope::Remote => texts.elsewhere,
        Scope::Project | Scope::Temp | Scope::Unknown => "{}",
    };
    if is_a_file { place.replace("{}", target) } else { target.to_owned() }
}

/// Says whether it can be undone, where there is something to undo.
fn undo(effect: &Effect, texts: &Texts) -> Option<&'static str> {
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
    let loses_something = matches!(
        effect.kind,
        EffectKind::Overwrite | EffectKind::Delete | EffectKind::Move | EffectKind::HistoryRewrite
    );
    match effect.reversible {
        _ if !leaves_something => None,
        Reversible::Yes => Some(texts.undo_yes),
        Reversible::WithGit => Some(texts.undo_git),
        Reversible::WithBackup => Some(texts.undo_backup),
        Reversible::No if effect.scope == Scope::Remote => Some(texts.undo_no_from_here),
        Reversible::No => Some(texts.undo_no),
        Reversible::Unknown => loses_something.then_some(texts.undo_unknown),
    }
}
