//! What holds while a file is broken, for whoever must not stop working: the strict posture, every rule that asks or blocks
//! of the files that can be read, and no permission at all.

use signoff_model::{Assurance, Verdict};
use signoff_policy::{Layer, Origin, Posture};

use crate::{
    Locations,
    document::Document,
    fault::Fault,
    file::{self, Contents},
    layering::Layered,
    settings::{ApprovalSettings, AssuranceSettings, EscalationSettings, Settings, Standing, Valued},
};

/// Strict settings, and what is wrong with the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// What holds meanwhile.
    pub settings: Settings,
    /// What is wrong; to be told to the user.
    pub faults: Vec<Fault>,
}

/// The settings to go on under when [`load`](crate::load) has failed (design §6: hooks go on, and say so).
///
/// Nothing that loosens counts, wherever it stands. What a broken file would have asked about or blocked beyond the strict
/// posture cannot be known; that is why this is for hooks alone, and why they say it.
pub fn strict_fallback(locations: &Locations) -> Fallback {
    let mut layered = Layered::new();
    let mut faults = Vec::new();
    let mut add = |layer, read: Result<Option<Contents>, Fault>| match read {
        Ok(None) => {}
        Ok(Some(contents)) => match Document::read(&contents, layer) {
            Ok(document) => layered.add(layer, &contents, document, Standing::Untrusted),
            Err(fault) => faults.push(fault),
        },
        Err(fault) => faults.push(fault),
    };
    add(Layer::Administrator, file::read(&locations.administrator));
    add(Layer::User, file::read(&locations.user));
    if let Some(project) = &locations.project {
        add(Layer::Project, file::read_of_project(project));
    }
    Fallback { settings: strictly(layered.finish()), faults }
}

/// The settings without anything that loosens.
fn strictly(mut settings: Settings) -> Settings {
    settings.posture = Valued { value: Posture::Strict, origin: Origin::default() };
    settings.require_confirmation = Valued { value: true, origin: Origin::default() };
    let standard = Settings::default();
    for tool in &mut settings.tools {
        tool.safe_commands = Valued::default();
        let usual = standard.tools.iter().find(|other| other.name == tool.name);
        if let Some(usual) = usual.filter(|usual| usual.always_confirm.value) {
            tool.always_confirm = usual.always_confirm.clone();
        }
    }
    settings.approval = strictly_asked(settings.approval, &standard.approval);
    let ledger = &mut settings.ledger;
    // Nothing is forgotten meanwhile: the file that is broken may be the one that says how long to keep it.
    ledger.retention = Valued::default();
    ledger.max_entries = Valued::default();
    ledger.checkpoint_every = tighter(&ledger.checkpoint_every, &standard.ledger.checkpoint_every, Ord::min);
    settings.hook.on_allow = tighter(&settings.hook.on_allow, &standard.hook.on_allow, Ord::min);
    // What people have answered is typed; nothing else is.
    settings.watch.auto_confirm = Valued { value: false, origin: Origin::default() };
    let trust = &mut settings.trust;
    trust.initial = tighter(&trust.initial, &standard.trust.initial, Ord::min);
    trust.increment = tighter(&trust.increment, &standard.trust.increment, Ord::min);
    trust.decrement = tighter(&trust.decrement, &standard.trust.decrement, Ord::max);
    let (low, paranoid) = (&standard.trust.low_risk_auto_approve, &standard.trust.paranoid_mode);
    trust.low_risk_auto_approve = tighter(&trust.low_risk_auto_approve, low, Ord::max);
    trust.paranoid_mode = tighter(&trust.paranoid_mode, paranoid, Ord::max);
    settings.rules.retain(|rule| rule.verdict != Verdict::Allow);
    settings.rules.iter_mut().for_each(|rule| rule.lifts.clear());
    settings.examples.clear();
    settings
}

/// Who approves stays as a person's own file says, since nobody else is stricter than they are; nobody is added to them.
fn strictly_asked(found: ApprovalSettings, usual: &ApprovalSettings) -> ApprovalSettings {
    let level = |found: &Valued<Assurance>, usual: &Valued<Assurance>| tighter(found, usual, Ord::max);
    ApprovalSettings {
        timeout: tighter(&found.timeout, &usual.timeout, Ord::min),
        run_within: tighter(&found.run_within, &usual.run_within, Ord::min),
        quorum: tighter(&found.quorum, &usual.quorum, Ord::max),
        separation: tighter(&found.separation, &usual.separation, Ord::max),
        assurance: AssuranceSettings {
            medium: level(&found.assurance.medium, &usual.assurance.medium),
            high: level(&found.assurance.high, &usual.assurance.high),
            critical: level(&found.assurance.critical, &usual.assurance.critical),
        },
        escalation: EscalationSettings::default(),
        burst: tighter(&found.burst, &usual.burst, Ord::min),
        approvers: found.approvers,
        quiet_hours: found.quiet_hours,
        match_number: tighter(&found.match_number, &usual.match_number, Ord::min),
        wake_for_critical: found.wake_for_critical,
        remind_after: found.remind_after,
    }
}

fn tighter<T: Copy + PartialEq>(found: &Valued<T>, usual: &Valued<T>, tightest: fn(T, T) -> T) -> Valued<T> {
    if tightest(found.value, usual.value) == found.value { found.clone() } else { usual.clone() }
}
