//! Putting layers on top of each other. A later layer says more than an earlier one, except where it may only tighten:
//! then what would loosen is left out, and a notice says so.

use std::{path::Path, sync::Arc};

use signoff_model::{Assurance, Trust, Verdict};
use signoff_policy::{Layer, Listed, Origin, Posture, Rule};

use crate::{
    document::{
        ApprovalSection, AssuranceSection, Document, EscalationSection, HookSection, LedgerSection, ToolSection,
        TrustSection, WatchSection,
    },
    fault::{Notice, NoticeKind, Words},
    file::Contents,
    keys,
    locks::{Locks, Why},
    rule_section::RuleSection,
    settings::{LoadedFile, Settings, Standing, ToolSettings, Valued},
    trusted,
};

/// Layers on their way to settings.
pub(crate) struct Layered {
    settings: Settings,
    locks: Locks,
}

/// The layer that is being put on top.
#[derive(Clone, Copy)]
struct Top {
    layer: Layer,
    standing: Standing,
}

impl Layered {
    pub(crate) fn new() -> Self {
        Self { settings: Settings::default(), locks: Locks::default() }
    }

    pub(crate) fn finish(self) -> Settings {
        self.settings
    }

    /// Whether the user has trusted exactly these bytes at this place. Where that cannot be told they have not.
    pub(crate) fn standing(&mut self, store: &Path, contents: &Contents) -> Standing {
        match trusted::is_trusted(store, &contents.path, contents.digest) {
            Ok(standing) => standing,
            Err(fault) => {
                self.settings.notices.push(Notice {
                    kind: NoticeKind::TrustUnknown,
                    key: String::new(),
                    origin: Origin { layer: Layer::User, place: None },
                    message: fault.told(),
                    hint: fault.hint().clone(),
                });
                Standing::Untrusted
            }
        }
    }

    /// Puts what a file says on top of what holds so far.
    pub(crate) fn add(&mut self, layer: Layer, contents: &Contents, document: Document, standing: Standing) {
        let path = Arc::clone(&contents.path);
        self.settings.files.push(LoadedFile { layer, path, digest: contents.digest, standing });
        let top = Top { layer, standing };
        if let Some(new) = document.posture {
            let loosens = carefulness(new.value) < carefulness(self.settings.posture.value);
            if self.may(top, "policy.posture", loosens, &new.origin) {
                self.settings.posture = new;
            }
        }
        if let Some(new) = document.require_confirmation {
            let loosens = !new.value && self.settings.require_confirmation.value;
            if self.may(top, "policy.require_confirmation", loosens, &new.origin) {
                self.settings.require_confirmation = new;
            }
        }
        for section in document.tools {
            self.tool(top, section);
        }
        self.approval(top, document.approval);
        self.trust(top, document.trust);
        self.ledger(top, document.ledger);
        let HookSection { on_allow } = document.hook;
        self.put(top, "hook.on_allow", on_allow, |all| &mut all.hook.on_allow, PartialOrd::gt);
        self.watch(top, document.watch);
        for section in document.rules {
            self.rule(top, section);
        }
        // What the administrator locks holds for whoever comes later, and not for their own file.
        self.locks.add(document.locked);
    }

    /// Whether a value counts; where it does not, a notice says so.
    fn may(&mut self, top: Top, key: &str, loosens: bool, origin: &Origin) -> bool {
        if top.layer == Layer::Project && keys::is_for_persons_alone(key) {
            self.settings.notices.push(shared_by_projects(key, origin));
            return false;
        }
        match self.locks.forbid(top.layer, top.standing, key).filter(|_| loosens) {
            None => true,
            Some(why) => {
                self.settings.notices.push(left_out(&why, key, origin));
                false
            }
        }
    }

    /// Puts one value in its place, if it is given and counts. The last function says whether the first value is looser
    /// than the second.
    fn put<T>(
        &mut self,
        top: Top,
        key: &str,
        new: Option<Valued<T>>,
        place: fn(&mut Settings) -> &mut Valued<T>,
        is_looser: fn(&T, &T) -> bool,
    ) {
        let Some(new) = new else { return };
        let loosens = is_looser(&new.value, &place(&mut self.settings).value);
        if self.may(top, key, loosens, &new.origin) {
            *place(&mut self.settings) = new;
        }
    }

    fn approval(&mut self, top: Top, section: ApprovalSection) {
        // Without a rest: a key that is read and forgotten here is a variable that nobody uses.
        let ApprovalSection {
            timeout,
            run_within,
            approvers,
            quorum,
            separation,
            assurance,
            escalation,
            burst,
            quiet_hours,
            match_number,
            wake_for_critical,
            remind_after,
        } = section;
        let AssuranceSection { medium, high, critical } = assurance;
        let EscalationSection { after, to } = escalation;
        let [after, remind_after] = [after, remind_after].map(|time| time.map(|time| time.map(Some)));
        let quiet_hours = quiet_hours.map(|hours| hours.map(Some));
        let lower: fn(&Assurance, &Assurance) -> bool = PartialOrd::lt;
        self.put(top, "approval.timeout", timeout, |all| &mut all.approval.timeout, PartialOrd::gt);
        self.put(top, "approval.run_within", run_within, |all| &mut all.approval.run_within, PartialOrd::gt);
        // Of two lists of people none is the stricter one: whoever comes in could say yes, and whoever goes could say no.
        self.put(top, "approval.approvers", approvers, |all| &mut all.approval.approvers, PartialEq::ne);
        self.put(top, "approval.quorum", quorum, |all| &mut all.approval.quorum, PartialOrd::lt);
        self.put(top, "approval.separation", separation, |all| &mut all.approval.separation, PartialOrd::lt);
        self.put(top, "approval.assurance.medium", medium, |all| &mut all.approval.assurance.medium, lower);
        self.put(top, "approval.assurance.high", high, |all| &mut all.approval.assurance.high, lower);
        self.put(top, "approval.assurance.critical", critical, |all| &mut all.approval.assurance.critical, lower);
        self.put(top, "approval.escalation.after", after, |all| &mut all.approval.escalation.after, PartialEq::ne);
        self.put(top, "approval.escalation.to", to, |all| &mut all.approval.escalation.to, PartialEq::ne);
        self.put(top, "approval.burst", burst, |all| &mut all.approval.burst, PartialOrd::gt);
        self.put(top, "approval.match_number", match_number, |all| &mut all.approval.match_number, PartialOrd::gt);
        // Whoever is not disturbed has not said yes.
        self.put(top, "approval.quiet_hours", quiet_hours, |all| &mut all.approval.quiet_hours, |_, _| false);
        self.put(
            top,
            "approval.wake_for_critical",
            wake_for_critical,
            |all| &mut all.approval.wake_for_critical,
            |_, _| false,
        );
        self.put(top, "approval.remind_after", remind_after, |all| &mut all.approval.remind_after, |_, _| false);
    }

    fn watch(&mut self, top: Top, section: WatchSection) {
        let WatchSection { auto_confirm, interval, context_lines, danger_words, safe_words } = section;
        self.put(top, "watch.auto_confirm", auto_confirm, |all| &mut all.watch.auto_confirm, PartialOrd::gt);
        self.put(top, "watch.interval", interval, |all| &mut all.watch.interval, |_, _| false);
        self.put(top, "watch.context_lines", context_lines, |all| &mut all.watch.context_lines, PartialOrd::lt);
        let forgets = |new: &Vec<String>, old: &Vec<String>| !old.iter().all(|word| new.contains(word));
        self.put(top, "watch.danger_words", danger_words, |all| &mut all.watch.danger_words, forgets);
        // An empty list asks for nothing.
        let asks_for_less = |new: &Vec<String>, old: &Vec<String>| {
            !old.is_empty() && (new.is_empty() || new.iter().any(|word| !old.contains(word)))
        };
        self.put(top, "watch.safe_words", safe_words, |all| &mut all.watch.safe_words, asks_for_less);
    }

    fn ledger(&mut self, top: Top, section: LedgerSection) {
        let LedgerSection { retention, max_entries, checkpoint_every: every } = section;
        let retention = retention.map(|retention| retention.map(Some));
        let most = max_entries.map(|most| most.map(Some));
        self.put(top, "ledger.retention", retention, |all| &mut all.ledger.retention, is_kept_shorter);
        self.put(top, "ledger.max_entries", most, |all| &mut all.ledger.max_entries, is_kept_shorter);
        self.put(top, "ledger.checkpoint_every", every, |all| &mut all.ledger.checkpoint_every, PartialOrd::gt);
    }

    fn tool(&mut self, top: Top, section: ToolSection) {
        let key = |name: &str| format!("policy.tools.{}.{name}", section.name);
        let place = self.settings.tools.iter().position(|tool| tool.name == section.name);
        let mut tool = match place.and_then(|place| self.settings.tools.get(place)) {
            Some(tool) => tool.clone(),
            None => ToolSettings { name: section.name.clone(), ..ToolSettings::default() },
        };
        if let Some(new) = section.always_confirm {
            let loosens = !new.value && tool.always_confirm.value;
            if self.may(top, &key("always_confirm"), loosens, &new.origin) {
                tool.always_confirm = new;
            }
        }
        if let Some(new) = section.safe_commands {
            tool.safe_commands = self.safe_commands(top, &key("safe_commands"), &tool.safe_commands, new);
        }
        for listed in section.dangerous_patterns {
            if !tool.dangerous_patterns.iter().any(|other| other.pattern == listed.pattern) {
                tool.dangerous_patterns.push(listed);
            }
        }
        match place.and_then(|place| self.settings.tools.get_mut(place)) {
            Some(old) => *old = tool,
            None => self.settings.tools.push(tool),
        }
    }

    /// A list replaces the one before, but where it may only tighten, nothing comes in that was not there.
    fn safe_commands(
        &mut self,
        top: Top,
        key: &str,
        old: &Valued<Vec<Listed>>,
        new: Valued<Vec<Listed>>,
    ) -> Valued<Vec<Listed>> {
        let Valued { value, origin } = new;
        let is_old = |listed: &Listed| old.value.iter().any(|other| other.pattern == listed.pattern);
        let value = value.into_iter().filter(|listed| {
            let origin = &listed.origin;
            self.may(top, key, !is_old(listed), origin)
        });
        Valued { value: value.collect(), origin }
    }

    fn trust(&mut self, top: Top, section: TrustSection) {
        type Place = fn(&mut Settings) -> &mut Valued<Trust>;
        let values: [(&str, Option<Valued<u16>>, Place, Looser); 5] = [
            ("trust.initial", section.initial, |settings| &mut settings.trust.initial, Looser::Higher),
            ("trust.increment", section.increment, |settings| &mut settings.trust.increment, Looser::Higher),
            ("trust.decrement", section.decrement, |settings| &mut settings.trust.decrement, Looser::Lower),
            (
                "trust.low_risk_auto_approve",
                section.low_risk_auto_approve,
                |settings| &mut settings.trust.low_risk_auto_approve,
                Looser::Lower,
            ),
            ("trust.paranoid_mode", section.paranoid_mode, |settings| &mut settings.trust.paranoid_mode, Looser::Lower),
        ];
        for (key, new, place, looser) in values {
            let Some(new) = new else { continue };
            let value = Trust::from_thousandths(new.value);
            let old = place(&mut self.settings).value;
            let loosens = match looser {
                Looser::Higher => value > old,
                Looser::Lower => value < old,
            };
            if self.may(top, key, loosens, &new.origin) {
                *place(&mut self.settings) = Valued { value, origin: new.origin };
            }
        }
    }

    fn rule(&mut self, top: Top, section: RuleSection) {
        let RuleSection { rule, examples } = section;
        let key = format!("policy.rule.{}", rule.id);
        let mut rule = self.without_foreign_lifts(top, &key, rule);
        let loosens = rule.verdict == Verdict::Allow || !rule.lifts.is_empty();
        if !self.may(top, &key, loosens, &rule.origin) {
            if rule.verdict == Verdict::Allow {
                return;
            }
            // What is left of a rule that raises still raises.
            rule.lifts.clear();
        }
        self.settings.rules.push(rule);
        self.settings.examples.extend(examples);
    }

    /// The rule without what only a person's own file can say.
    fn without_foreign_lifts(&mut self, top: Top, key: &str, mut rule: Rule) -> Rule {
        if rule.lifts.is_empty() || top.layer != Layer::Project {
            return rule;
        }
        rule.lifts.clear();
        self.settings.notices.push(Notice {
            kind: NoticeKind::LiftsOfProject,
            key: format!("{key}.lifts"),
            origin: rule.origin.clone(),
            message: Words::new(
                format!("rule `{}` of a project lifts no built-in rule", rule.id),
                format!("项目规则 `{}` 不能解除内置规则", rule.id),
            ),
            hint: Words::new(
                "move the rule to your own file if you mean it",
                "如确有此意，请将该规则移到您自己的配置文件中",
            ),
        });
        rule
    }
}

/// In which direction a number loosens.
#[derive(Clone, Copy)]
enum Looser {
    Higher,
    Lower,
}

const fn carefulness(posture: Posture) -> u8 {
    match posture {
        Posture::Strict => 2,
        Posture::Balanced => 1,
        Posture::Permissive => 0,
    }
}

/// Whether something is kept less long; none is for ever.
/// Whether less of the ledger is kept than before: none is for ever, or without a limit.
fn is_kept_shorter<T: PartialOrd>(new: &Option<T>, old: &Option<T>) -> bool {
    new.as_ref().is_some_and(|new| old.as_ref().is_none_or(|old| new < old))
}

fn shared_by_projects(key: &str, origin: &Origin) -> Notice {
    Notice {
        kind: NoticeKind::SharedByProjects,
        key: key.to_owned(),
        origin: origin.clone(),
        message: Words::new(
            format!("`{key}` of the project is ignored: it holds for all projects"),
            format!("已忽略项目中的 `{key}`：它对所有项目生效"),
        ),
        hint: Words::new("move it to your own file if you mean it", "如确有此意，请将其移到您自己的配置文件中"),
    }
}

fn left_out(why: &Why, key: &str, origin: &Origin) -> Notice {
    let (kind, message, hint) = match why {
        Why::Untrusted => (
            NoticeKind::Untrusted,
            Words::new(
                format!("`{key}` of the project is ignored: it loosens the policy, and the file is not trusted"),
                format!("已忽略项目中的 `{key}`：它会放宽策略，而该文件未被信任"),
            ),
            Words::new(
                "read the file, then run `signoff config trust` if you agree with it",
                "请阅读该文件，如同意其内容，请运行 `signoff config trust`",
            ),
        ),
        Why::Locked(lock) => (
            NoticeKind::Locked,
            Words::new(
                format!("`{key}` is ignored: it loosens what is locked by {lock}"),
                format!("已忽略 `{key}`：它会放宽管理员锁定的设置（{lock}）"),
            ),
            Words::new("remove it, or ask the administrator", "请将其删除，或联系管理员"),
        ),
    };
    Notice { kind, key: key.to_owned(), origin: origin.clone(), message, hint }
}
