//! What the analysis has found so far, and how it becomes an assessment.

use std::collections::HashSet;

use signoff_model::{
    Alternative, Assessment, Coverage, Effect, EffectKind, Gap, Listing, Reason, Reversible, Rewrite, Risk, RuleId,
    Scope, Span, Subject, Target, Unread,
};

use crate::{
    place::{Extent, Place},
    rule::{Priority, Rule},
};

/// At most this many effects and reasons are kept: the gravest are never dropped, since the risk and the prohibition
/// are taken from every one of them.
const KEPT: usize = 256;

/// Of at most so many things it is looked up what there is of them.
const AT_STAKE: usize = 4096;

/// A longer name is cut: no path and no host is as long, and an operation of a mebibyte must not come back as the name in
/// hundreds of reasons.
const LONGEST_NAME: usize = 4096;

/// What the analysis has found so far.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    assessment: Assessment,
    gaps: Vec<Gap>,
    priorities: Vec<Priority>,
    /// What is at stake, to be found quickly.
    staked: HashSet<String>,
    /// What loses a name, and what something else happens to as well.
    unlinked: HashSet<String>,
    changed: HashSet<String>,
    /// The targets whose things are all among it.
    told: Vec<Target>,
    /// The targets that get something beside what is there: what is replaced in them is reported by itself.
    merged: Vec<Target>,
}

impl Findings {
    /// A rule speaks: records the reason and the effect.
    pub fn report(&mut self, rule: &'static Rule, target: Target, scope: Scope, span: Span) {
        self.report_as(rule, rule.reversible, target, scope, span);
    }

    /// Something would be gone or replaced: what there is of it is shown before anybody is asked.
    pub fn at_stake(&mut self, path: &str) {
        if !self.changed.contains(path) && self.changed.len() < AT_STAKE {
            self.changed.insert(path.to_owned());
        }
        self.stake(path);
    }

    /// A name would be gone; of a file that has others, nothing is.
    pub fn unlinked(&mut self, path: &str) {
        if !self.unlinked.contains(path) && self.unlinked.len() < AT_STAKE {
            self.unlinked.insert(path.to_owned());
        }
        self.stake(path);
    }

    fn stake(&mut self, path: &str) {
        if self.staked.contains(path) {
            return;
        }
        if self.staked.len() < AT_STAKE {
            self.staked.insert(path.to_owned());
            self.assessment.at_stake.push(path.to_owned());
        } else {
            self.assessment.listing = Listing::Cut;
        }
    }

    /// The text of a file would be another one: how it differs is shown before anybody is asked.
    pub fn rewrite(&mut self, rewrite: Rewrite) {
        if self.assessment.rewrites.len() < KEPT {
            self.assessment.rewrites.push(rewrite);
        }
    }

    /// All that a target stands for is among what is at stake.
    pub fn told(&mut self, target: Target) {
        if self.told.len() < KEPT {
            self.told.push(target);
        }
    }

    /// Something goes into a directory, beside what is there; which things in it are replaced for good is told by itself.
    pub fn merged(&mut self, target: Target) {
        self.told(target.clone());
        if self.merged.len() < KEPT {
            self.merged.push(target);
        }
    }

    /// Whether it is known of a directory which things in it are replaced for good.
    pub fn is_merged(&self, target: &Target) -> bool {
        self.merged.contains(target)
    }

    /// Whether everything that goes or is replaced for good is among what is at stake.
    fn is_told(&self) -> bool {
        let comes_back = |effect: &Effect| matches!(effect.reversible, Reversible::Yes | Reversible::WithGit);
        let mut going = self.assessment.effects.iter().filter(|effect| effect.kind.displaces() && !comes_back(effect));
        self.assessment.effects.len() < KEPT && going.all(|effect| self.told.contains(&effect.target))
    }

    /// A rule speaks, and it is known better than by the rule whether the effect can be undone.
    pub fn report_as(&mut self, rule: &'static Rule, reversible: Reversible, target: Target, scope: Scope, span: Span) {
        if self.remark(rule, subject_of(&target), span) {
            self.effect(rule.kind, target, scope, reversible, span);
        }
    }

    /// A rule speaks about the text itself and not about something that would happen: records the reason alone. Tells
    /// whether that is new.
    pub fn remark(&mut self, rule: &'static Rule, subject: impl Into<Subject>, span: Span) -> bool {
        let mut subject = subject.into();
        match &mut subject {
            Subject::Name(name) => shorten(name),
            other => other.names_mut().into_iter().for_each(shorten),
        }
        self.assessment.risk = self.assessment.risk.max(rule.risk);
        self.assessment.prohibition = match (self.assessment.prohibition, rule.prohibition) {
            (Some(old), Some(new)) => Some(old.max(new)),
            (old, new) => old.or(new),
        };
        let repeated =
            |reason: &Reason| reason.span == span && reason.rule.as_str() == rule.id && reason.subject == subject;
        if self.assessment.reasons.len() >= KEPT || self.assessment.reasons.iter().any(repeated) {
            return false;
        }
        let message = filled(rule.en, &subject.name());
        self.assessment.reasons.push(Reason { rule: RuleId::new(rule.id), message, subject, risk: rule.risk, span });
        self.priorities.push(rule.priority);
        true
    }

    /// Something happens that is no reason to ask.
    pub fn note(&mut self, kind: EffectKind, target: Target, scope: Scope, reversible: Reversible, span: Span) {
        // What is overwritten is gone unless somebody kept it, and only a rule can know that.
        let stream = matches!(&target, Target::Path(path) if path.starts_with("/dev/"));
        let reversible = match (kind, reversible) {
            (EffectKind::Overwrite, Reversible::Yes) if !stream => Reversible::Unknown,
            (_, reversible) => reversible,
        };
        self.effect(kind, target, scope, reversible, span);
    }

    /// Something happens at a place that is no reason to ask. Where no more effects are kept, the place is not named.
    pub fn note_at(&mut self, kind: EffectKind, place: &Place, span: Span) {
        if self.assessment.effects.len() < KEPT {
            return self.note(kind, place.target(), place.scope, Reversible::Yes, span);
        }
        if place.extent != Extent::Exact || !place.shown.starts_with("/dev/") {
            self.changes(kind, place.scope);
        }
    }

    /// Whatever changes something that lasts is at least low: a careful posture may want to see it.
    fn changes(&mut self, kind: EffectKind, scope: Scope) {
        let changes = matches!(
            kind,
            EffectKind::Create | EffectKind::Overwrite | EffectKind::Delete | EffectKind::Move | EffectKind::Permission
        );
        if changes && scope != Scope::Temp {
            self.assessment.risk = self.assessment.risk.max(Risk::Low);
        }
    }

    fn effect(&mut self, kind: EffectKind, target: Target, scope: Scope, reversible: Reversible, span: Span) {
        if !matches!(&target, Target::Path(path) if path.starts_with("/dev/")) {
            self.changes(kind, scope);
        }
        if self.assessment.effects.len() < KEPT {
            let mut target = target;
            match &mut target {
                Target::Path(name) | Target::Matches(name) => shorten(name),
                other => other.names_mut().into_iter().for_each(shorten),
            }
            self.assessment.effects.push(Effect { kind, target, scope, reversible, span });
        }
    }

    /// Something could not be read. The caller reports a rule as well, which gives the risk.
    pub fn gap(&mut self, what: impl Into<Unread>, span: Span) {
        if self.gaps.len() < KEPT {
            let mut what = what.into();
            what.names_mut().into_iter().for_each(shorten);
            self.gaps.push(Gap { what, span });
        }
    }

    /// There is another way to the same end.
    ///
    /// An offer that is too long for a name is left out: half of a command is another command.
    pub fn safer(&mut self, command: impl Into<String>) {
        let alternative = Alternative { command: command.into() };
        if alternative.command.len() <= LONGEST_NAME
            && self.assessment.safer.len() < 8
            && !self.assessment.safer.contains(&alternative)
        {
            self.assessment.safer.push(alternative);
        }
    }

    /// Takes over what was found apart from the rest.
    pub fn append(&mut self, other: Self) {
        let Self { assessment, gaps, priorities, staked: _, unlinked, changed, told, merged } = other;
        self.assessment.risk = self.assessment.risk.max(assessment.risk);
        self.assessment.prohibition = match (self.assessment.prohibition, assessment.prohibition) {
            (Some(old), Some(new)) => Some(old.max(new)),
            (old, new) => old.or(new),
        };
        for (reason, priority) in assessment.reasons.into_iter().zip(priorities) {
            if self.assessment.reasons.len() < KEPT && !self.assessment.reasons.contains(&reason) {
                self.assessment.reasons.push(reason);
                self.priorities.push(priority);
            }
        }
        let room = KEPT.saturating_sub(self.assessment.effects.len());
        self.assessment.effects.extend(assessment.effects.into_iter().take(room));
        let room = KEPT.saturating_sub(self.gaps.len());
        self.gaps.extend(gaps.into_iter().take(room));
        assessment.safer.into_iter().for_each(|alternative| self.safer(alternative.command));
        for path in &assessment.at_stake {
            if unlinked.contains(path) {
                self.unlinked(path);
            }
            if changed.contains(path) || !unlinked.contains(path) {
                self.at_stake(path);
            }
        }
        assessment.rewrites.into_iter().for_each(|rewrite| self.rewrite(rewrite));
        told.into_iter().for_each(|target| self.told(target));
        merged.into_iter().for_each(|target| self.merged(target));
        self.assessment.listing = self.assessment.listing.max(assessment.listing);
    }

    /// Whether a rule has spoken.
    pub fn has(&self, rule: &Rule) -> bool {
        self.assessment.reasons.iter().any(|reason| reason.rule.as_str() == rule.id)
    }

    /// The reasons so far.
    pub fn reasons(&self) -> &[Reason] {
        &self.assessment.reasons
    }

    /// Whether something could not be read.
    pub fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Whether something was found that no answer may lift.
    pub fn is_prohibited(&self) -> bool {
        self.assessment.prohibition.is_some()
    }

    /// The gravest risk so far.
    pub fn risk(&self) -> Risk {
        self.assessment.risk
    }

    /// The assessment: reasons with the gravest first, effects in the order of the input.
    pub fn finish(self) -> Assessment {
        let listing = if self.is_told() { Listing::Whole } else { Listing::Partial };
        let mut assessment = self.assessment;
        for effect in &mut assessment.effects {
            let is_vague = effect.kind == EffectKind::Overwrite && effect.reversible == Reversible::Unknown;
            if is_vague && self.merged.contains(&effect.target) {
                (effect.kind, effect.reversible) = (EffectKind::Create, Reversible::Yes);
                // It is there already, and something comes into it.
                if let Target::Path(path) = &mut effect.target
                    && !path.ends_with('/')
                {
                    path.push('/');
                }
            }
        }
        assessment.listing = assessment.listing.max(listing);
        let only_unlinked = |path: &&String| self.unlinked.contains(*path) && !self.changed.contains(*path);
        // Where more changes than is remembered, nobody knows of what.
        if self.changed.len() < AT_STAKE {
            assessment.unlinked = assessment.at_stake.iter().filter(only_unlinked).cloned().collect();
        }
        let mut ranked: Vec<_> = assessment.reasons.into_iter().zip(self.priorities).collect();
        ranked.sort_by(|(a, first), (b, second)| {
            b.risk.cmp(&a.risk).then(first.cmp(second)).then(a.span.start.cmp(&b.span.start))
        });
        assessment.reasons = ranked.into_iter().map(|(reason, _)| reason).collect();
        // Nothing is much safer than what is nearly harmless.
        if assessment.risk <= Risk::Low && assessment.prohibition.is_none() {
            assessment.safer.clear();
        }
        assessment.effects.sort_by_key(|effect| effect.span.start);
        assessment.effects.dedup();
        if !self.gaps.is_empty() {
            assessment.coverage = Coverage::Partial(self.gaps);
        }
        assessment
    }
}

/// A message with the name in the place of every `{}`.
pub(crate) fn filled(message: &str, name: &str) -> String {
    let mut all = String::with_capacity(message.len() + name.len());
    let mut rest = message;
    while let Some((before, behind)) = split_at_gap(rest) {
        all.push_str(before);
        all.push_str(name);
        rest = behind;
    }
    all.push_str(rest);
    all
}

/// What stands before the first `{}` and behind it. Messages are short: looking at their bytes takes a fraction of the time
/// of a general search.
fn split_at_gap(message: &str) -> Option<(&str, &str)> {
    let at = message.as_bytes().windows(2).position(|two| two == b"{}")?;
    message.get(..at).zip(message.get(at + 2..))
}

/// Cuts a name that is too long, and says in it how many bytes are left out.
fn shorten(name: &mut String) {
    if name.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|end| name.is_char_boundary(*end)).unwrap_or_default();
        let left_out = name.len() - end;
        name.truncate(end);
        name.push_str(&format!("… (+{left_out} bytes)"));
    }
}

/// What a reason is about. A list stands for everything below the directory that it lists.
fn subject_of(target: &Target) -> Subject {
    match target {
        Target::Listed { under, .. } => [under.trim_end_matches('/'), "/**"].concat().into(),
        target => target.subject(),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{EffectKind, Reversible, Scope, Span, Target};

    use super::{Findings, LONGEST_NAME, filled};
    use crate::shell::rules::BUDGET;

    #[test]
    fn every_gap_of_a_message_is_filled() {
        for (message, expected) in
            [("", ""), ("a", "a"), ("{}", "é{}"), ("a {} b", "a é{} b"), ("{}{}x{", "é{}é{}x{"), ("{{}}", "{é{}}")]
        {
            assert_eq!(filled(message, "é{}"), expected);
            assert_eq!(filled(message, "é{}"), message.replace("{}", "é{}"));
        }
    }

    #[test]
    fn names_are_cut_and_say_how_much_is_left_out() {
        let mut findings = Findings::default();
        let long = "é".repeat(LONGEST_NAME);
        findings.remark(&BUDGET, long.as_str(), Span::default());
        findings.note(EffectKind::Read, Target::Path(long.clone()), Scope::Project, Reversible::Yes, Span::default());
        findings.gap(long.clone(), Span::default());
        findings.safer(long);
        let found = findings.finish();
        let cut = format!("{}… (+{LONGEST_NAME} bytes)", "é".repeat(LONGEST_NAME / 2));
        assert_eq!(found.reasons.first().map(|reason| reason.subject.to_string()), Some(cut.clone()));
        assert_eq!(found.effects.first().map(|effect| effect.target.name().into_owned()), Some(cut.clone()));
        assert!(format!("{:?}", found.coverage).contains(&cut));
        assert!(found.safer.is_empty());
    }
}
