//! What holds after all layers have spoken, with the origin of every value.

use std::{path::PathBuf, sync::Arc, time::Duration};

use signoff_model::{Assurance, Digest, PersonId, Trust};
use signoff_policy::{
    Confirmation, Context, GrantMatch, Layer, Listed, Origin, Posture, Rule, Rules, Thresholds, ToolRules,
};

use crate::{
    examples::Example,
    fault::{Notice, NoticeKind, Words},
    keys,
    quiet_hours::QuietHours,
    span_of_time::Scale,
};

/// A value and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Valued<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Valued<T> {
    pub(crate) fn built_in(value: T) -> Self {
        Self { value, origin: Origin::default() }
    }

    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Valued<U> {
        Valued { value: change(self.value), origin: self.origin }
    }
}

/// Whether a file may loosen what holds without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It may.
    Trusted,
    /// It may only tighten.
    Untrusted,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedFile {
    /// Whose it is.
    pub layer: Layer,
    /// Where it lies.
    pub path: Arc<PathBuf>,
    /// What its bytes were.
    pub digest: Digest,
    /// Whether it may loosen.
    pub standing: Standing,
}

/// What is said about one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSettings {
    /// What the tool is called.
    pub name: String,
    /// Whether every call is asked about.
    pub always_confirm: Valued<bool>,
    /// Commands that need no question.
    pub safe_commands: Valued<Vec<Listed>>,
    /// Commands that always need one.
    pub dangerous_patterns: Vec<Listed>,
}

/// How trust is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustSettings {
    /// Where everybody starts.
    pub initial: Valued<Trust>,
    /// What an approved operation adds.
    pub increment: Valued<Trust>,
    /// What a refusal takes away.
    pub decrement: Valued<Trust>,
    /// From here on low risk passes unasked under the strict posture.
    pub low_risk_auto_approve: Valued<Trust>,
    /// At or below this everything asks.
    pub paranoid_mode: Valued<Trust>,
}

impl Default for TrustSettings {
    fn default() -> Self {
        let built_in = |thousandths| Valued::built_in(Trust::from_thousandths(thousandths));
        Self {
            initial: Valued::built_in(Trust::INITIAL),
            increment: built_in(10),
            decrement: built_in(50),
            low_risk_auto_approve: Valued::built_in(Trust::LOW_RISK_AUTO_APPROVE),
            paranoid_mode: Valued::built_in(Trust::PARANOID),
        }
    }
}

/// How people are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalSettings {
    /// How long a person has to answer.
    pub timeout: Valued<Duration>,
    /// How long a yes is good for.
    pub run_within: Valued<Duration>,
    /// Whose yes counts. Where it is empty: that of the person for whom the agent works.
    pub approvers: Valued<Vec<PersonId>>,
    /// So many of them have to say yes.
    pub quorum: Valued<u16>,
    /// Whether the person for whom the agent works may only deny.
    pub separation: Valued<bool>,
    /// How sure it must be who says yes.
    pub assurance: AssuranceSettings,
    /// Who is asked as well when nobody answers.
    pub escalation: EscalationSettings,
    /// So many questions of one agent in a minute are asked one by one.
    pub burst: Valued<u16>,
    /// When nobody gets a notification or a reminder.
    pub quiet_hours: Valued<Option<QuietHours>>,
    /// From which risk on the number on the screen of whoever asks has to be typed.
    pub match_number: Valued<MatchNumber>,
    /// Whether those who were asked about something critical are reminded then as well.
    pub wake_for_critical: Valued<bool>,
    /// When those who were asked are reminded; none where they are not.
    pub remind_after: Valued<Option<Duration>>,
}

impl Default for ApprovalSettings {
    fn default() -> Self {
        Self {
            timeout: Valued::built_in(Duration::from_secs(300)),
            run_within: Valued::built_in(Duration::from_secs(300)),
            approvers: Valued::default(),
            quorum: Valued::built_in(1),
            separation: Valued::built_in(false),
            assurance: AssuranceSettings::default(),
            escalation: EscalationSettings::default(),
            burst: Valued::built_in(20),
            quiet_hours: Valued::default(),
            match_number: Valued::built_in(MatchNumber::Critical),
            wake_for_critical: Valued::built_in(false),
            remind_after: Valued::default(),
        }
    }
}

/// From which risk on a yes needs the number that stands on the screen of whoever asks; the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchNumber {
    /// High and critical.
    High,
    /// Critical.
    Critical,
    /// None.
    Never,
}

impl MatchNumber {
    /// Each of them, the strictest first.
    pub const ALL: [Self; 3] = [Self::High, Self::Critical, Self::Never];

    /// The stable name used in configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Critical => "critical",
            Self::Never => "never",
        }
    }
}

/// How sure it must be who says yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssuranceSettings {
    /// To a medium risk.
    pub medium: Valued<Assurance>,
    /// To a high risk.
    pub high: Valued<Assurance>,
    /// To a critical risk.
    pub critical: Valued<Assurance>,
}

impl Default for AssuranceSettings {
    fn default() -> Self {
        Self {
            medium: Valued::built_in(Assurance::Tap),
            high: Valued::built_in(Assurance::Login),
            critical: Valued::built_in(Assurance::Login),
        }
    }
}

/// Who is asked as well when nobody answers. It takes both: a time and somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EscalationSettings {
    /// After how long; none where nobody else is asked.
    pub after: Valued<Option<Duration>>,
    /// Who.
    pub to: Valued<Vec<PersonId>>,
}

/// How the ledger is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerSettings {
    /// How long its lines are kept; none where that is for ever.
    pub retention: Valued<Option<Duration>>,
    /// So many lines it has at most; none where there is no limit.
    pub max_entries: Valued<Option<u32>>,
    /// So many lines lie between two checkpoints.
    pub checkpoint_every: Valued<u32>,
}

impl Default for LedgerSettings {
    fn default() -> Self {
        Self { retention: Valued::default(), max_entries: Valued::default(), checkpoint_every: Valued::built_in(1000) }
    }
}

/// What hooks of agents do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookSettings {
    /// What they say about what is harmless.
    pub on_allow: Valued<OnAllow>,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self { on_allow: Valued::built_in(OnAllow::Allow) }
    }
}

/// How agents in tmux are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchSettings {
    /// Whether what is harmless is answered without a person.
    pub auto_confirm: Valued<bool>,
    /// How often every pane is looked at.
    pub interval: Valued<Duration>,
    /// So many lines above a dialog are searched for danger.
    pub context_lines: Valued<u16>,
    /// What makes a person answer, in small letters.
    pub danger_words: Valued<Vec<String>>,
    /// Without one of which a person answers, where there are any; in small letters.
    pub safe_words: Valued<Vec<String>>,
}

impl Default for WatchSettings {
    fn default() -> Self {
        let danger = keys::DANGER_WORDS.iter().map(|word| (*word).to_owned()).collect();
        Self {
            auto_confirm: Valued::built_in(true),
            interval: Valued::built_in(Duration::from_secs(3)),
            context_lines: Valued::built_in(50),
            danger_words: Valued::built_in(danger),
            safe_words: Valued::default(),
        }
    }
}

/// What a hook says about what is harmless; the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnAllow {
    /// Nothing: the agent's own rules decide.
    Defer,
    /// That it may run.
    Allow,
}

impl OnAllow {
    /// Each of them, the strictest first.
    pub const ALL: [Self; 2] = [Self::Defer, Self::Allow];

    /// The stable name used in configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Defer => "defer",
            Self::Allow => "allow",
        }
    }
}

/// One line of the explanation: a key, its value as it would be written, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The key.
    pub key: String,
    /// The value, as it would be written.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// What holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How careful to be.
    pub posture: Valued<Posture>,
    /// Whether people are asked at all.
    pub require_confirmation: Valued<bool>,
    /// What is said about single tools.
    pub tools: Vec<ToolSettings>,
    /// How people are asked.
    pub approval: ApprovalSettings,
    /// How trust is counted.
    pub trust: TrustSettings,
    /// How the ledger is kept.
    pub ledger: LedgerSettings,
    /// What hooks of agents do.
    pub hook: HookSettings,
    /// How agents in tmux are answered.
    pub watch: WatchSettings,
    /// The rules of all layers.
    pub rules: Vec<Rule>,
    /// What the rules say must come out of them.
    pub examples: Vec<Example>,
    /// What the files say and does not count.
    pub notices: Vec<Notice>,
    /// The files that were read.
    pub files: Vec<LoadedFile>,
}

/// Commands that need no question where nobody says anything else.
const SAFE_COMMANDS: [&str; 4] = ["git status", "git diff", "ls", "pwd"];

impl Default for Settings {
    fn default() -> Self {
        let safe = SAFE_COMMANDS.iter().filter_map(|text| text.parse().ok());
        let safe = safe.map(|pattern| Listed { pattern, origin: Origin::default() }).collect();
        let tools = vec![
            ToolSettings {
                name: "delete_file".to_owned(),
                always_confirm: Valued::built_in(true),
                ..ToolSettings::default()
            },
            ToolSettings {
                name: "shell_execute".to_owned(),
                safe_commands: Valued::built_in(safe),
                ..ToolSettings::default()
            },
        ];
        Self {
            posture: Valued::built_in(Posture::default()),
            require_confirmation: Valued::built_in(true),
            tools,
            approval: ApprovalSettings::default(),
            trust: TrustSettings::default(),
            ledger: LedgerSettings::default(),
            hook: HookSettings::default(),
            watch: WatchSettings::default(),
            rules: Vec::new(),
            examples: Vec::new(),
            notices: Vec::new(),
            files: Vec::new(),
        }
    }
}

impl Settings {
    /// The rules as the policy hears them.
    pub fn policy(&self) -> Rules {
        let tool = |tool: &ToolSettings| ToolRules {
            name: tool.name.clone(),
            always_confirm: tool.always_confirm.value.then(|| tool.always_confirm.origin.clone()),
            safe_commands: tool.safe_commands.value.clone(),
            dangerous_patterns: tool.dangerous_patterns.clone(),
        };
        let confirmation = match self.require_confirmation.value {
            true => Confirmation::Required,
            false => Confirmation::Waived(self.require_confirmation.origin.clone()),
        };
        Rules { rules: self.rules.clone(), tools: self.tools.iter().map(tool).collect(), confirmation }
    }

    /// The context of a decision about an agent of this trust, with the grant that fits, if there is one.
    pub fn context(&self, trust: Trust, grant: Option<GrantMatch>) -> Context {
        let thresholds = Thresholds {
            low_risk_auto_approve: self.trust.low_risk_auto_approve.value,
            paranoid_mode: self.trust.paranoid_mode.value,
        };
        Context { posture: self.posture.value, trust, grant, thresholds }
    }

    /// Notices about rules that lift a built-in rule which does not exist: a slip there would leave somebody wondering why
    /// nothing is lifted.
    pub fn unknown_lifts(&self, exists: impl Fn(&str) -> bool) -> Vec<Notice> {
        let mut notices = Vec::new();
        for rule in &self.rules {
            for lifted in rule.lifts.iter().filter(|lifted| !exists(lifted)) {
                notices.push(Notice {
                    kind: NoticeKind::UnknownLift,
                    key: format!("policy.rule.{}.lifts", rule.id),
                    origin: rule.origin.clone(),
                    message: Words::new(
                        format!("rule `{}` lifts `{lifted}`, which does not exist", rule.id),
                        format!("规则 `{}` 要解除的 `{lifted}` 不存在", rule.id),
                    ),
                    hint: Words::new("`signoff rules` lists every built-in rule", "`signoff rules` 会列出所有内置规则"),
                });
            }
        }
        notices
    }

    /// Every value with its key and origin, in a stable order. What nobody has set and has no default is not there.
    pub fn explain(&self) -> Vec<Explained> {
        let mut all = Vec::new();
        let mut line = |key: String, value: String, origin: &Origin| {
            all.push(Explained { key, value, origin: origin.clone() });
        };
        line("policy.posture".into(), quoted(self.posture.value.name()), &self.posture.origin);
        let asked = &self.require_confirmation;
        line("policy.require_confirmation".into(), asked.value.to_string(), &asked.origin);
        for tool in &self.tools {
            let key = |name: &str| format!("policy.tools.{}.{name}", bare_or_quoted(&tool.name));
            line(key("always_confirm"), tool.always_confirm.value.to_string(), &tool.always_confirm.origin);
            for (name, list) in
                [("safe_commands", &tool.safe_commands.value), ("dangerous_patterns", &tool.dangerous_patterns)]
            {
                for listed in list {
                    line(key(name), quoted(&listed.pattern.to_string()), &listed.origin);
                }
            }
        }
        for rule in &self.rules {
            line(format!("policy.rule.{}", rule.id), quoted(rule.verdict.name()), &rule.origin);
        }
        all.extend(self.approval.explain());
        let trust = &self.trust;
        for (name, value) in [
            ("initial", &trust.initial),
            ("increment", &trust.increment),
            ("decrement", &trust.decrement),
            ("low_risk_auto_approve", &trust.low_risk_auto_approve),
            ("paranoid_mode", &trust.paranoid_mode),
        ] {
            all.push(explained(&format!("trust.{name}"), value, |value| decimal(*value)));
        }
        all.extend(self.ledger.explain());
        all.push(explained("hook.on_allow", &self.hook.on_allow, |answer| quoted(answer.name())));
        all.extend(self.watch.explain());
        all
    }
}

impl WatchSettings {
    fn explain(&self) -> [Explained; 5] {
        let Self { auto_confirm, interval, context_lines, danger_words, safe_words } = self;
        let words =
            |all: &Vec<String>| format!("[{}]", all.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "));
        [
            explained("watch.auto_confirm", auto_confirm, bool::to_string),
            explained("watch.interval", interval, |value| quoted(&Scale::Wait.written(*value))),
            explained("watch.context_lines", context_lines, u16::to_string),
            explained("watch.danger_words", danger_words, words),
            explained("watch.safe_words", safe_words, words),
        ]
    }
}

impl ApprovalSettings {
    fn explain(&self) -> Vec<Explained> {
        let Self {
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
        } = self;
        let AssuranceSettings { medium, high, critical } = assurance;
        let EscalationSettings { after, to } = escalation;
        let time = |value: &Duration| quoted(&Scale::Wait.written(*value));
        let level = |value: &Assurance| quoted(value.name());
        let all = [
            Some(explained("approval.timeout", timeout, time)),
            Some(explained("approval.run_within", run_within, time)),
            Some(explained("approval.approvers", approvers, |all| names(all))),
            Some(explained("approval.quorum", quorum, u16::to_string)),
            Some(explained("approval.separation", separation, bool::to_string)),
            Some(explained("approval.assurance.medium", medium, level)),
            Some(explained("approval.assurance.high", high, level)),
            Some(explained("approval.assurance.critical", critical, level)),
            explained_if_set("approval.escalation.after", after, time),
            Some(explained("approval.escalation.to", to, |all| names(all))),
            Some(explained("approval.burst", burst, u16::to_string)),
            explained_if_set("approval.quiet_hours", quiet_hours, |hours| quoted(&hours.to_string())),
            Some(explained("approval.match_number", match_number, |from| quoted(from.name()))),
            Some(explained("approval.wake_for_critical", wake_for_critical, bool::to_string)),
            explained_if_set("approval.remind_after", remind_after, time),
        ];
        all.into_iter().flatten().collect()
    }
}

impl LedgerSettings {
    fn explain(&self) -> Vec<Explained> {
        let kept = |value: &Duration| quoted(&Scale::Keep.written(*value));
        let retention = explained_if_set("ledger.retention", &self.retention, kept);
        let checkpoints = explained("ledger.checkpoint_every", &self.checkpoint_every, u32::to_string);
        let most = explained_if_set("ledger.max_entries", &self.max_entries, u32::to_string);
        retention.into_iter().chain(most).chain([checkpoints]).collect()
    }
}

fn explained<T>(key: &str, valued: &Valued<T>, written: impl Fn(&T) -> String) -> Explained {
    Explained { key: key.to_owned(), value: written(&valued.value), origin: valued.origin.clone() }
}

fn explained_if_set<T>(key: &str, valued: &Valued<Option<T>>, written: impl Fn(&T) -> String) -> Option<Explained> {
    let value = written(valued.value.as_ref()?);
    Some(Explained { key: key.to_owned(), value, origin: valued.origin.clone() })
}

/// Names of people as TOML writes a list.
fn names(persons: &[PersonId]) -> String {
    let names: Vec<String> = persons.iter().map(|person| quoted(person.as_str())).collect();
    format!("[{}]", names.join(", "))
}

/// Thousandths as a decimal number.
fn decimal(trust: Trust) -> String {
    let thousandths = trust.thousandths();
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

/// A text as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut all = String::from('"');
    for character in text.chars() {
        match character {
            '"' => all.push_str("\\\""),
            '\\' => all.push_str("\\\\"),
            '\n' => all.push_str("\\n"),
            '\t' => all.push_str("\\t"),
            character if character.is_control() => all.push_str(&format!("\\u{:04X}", u32::from(character))),
            character => all.push(character),
        }
    }
    all.push('"');
    all
}

fn bare_or_quoted(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { quoted(name) }
}
