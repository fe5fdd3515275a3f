//! What one file says, before it meets any other.

use std::time::Duration;

use signoff_model::{Assurance, PersonId};
use signoff_policy::{Layer, Listed, Posture};
use toml::de::DeTable;

use crate::{
    MatchNumber, OnAllow,
    fault::{Fault, FaultKind, Words},
    file::Contents,
    keys,
    nearest::nearest,
    quiet_hours::QuietHours,
    rule_section::{self, RuleSection},
    settings::Valued,
    span_of_time::Scale,
    toml_reader::{Reader, Value},
};

/// What one file says about one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolSection {
    pub(crate) name: String,
    pub(crate) always_confirm: Option<Valued<bool>>,
    pub(crate) safe_commands: Option<Valued<Vec<Listed>>>,
    pub(crate) dangerous_patterns: Vec<Listed>,
}

/// What one file says about trust, in thousandths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TrustSection {
    pub(crate) initial: Option<Valued<u16>>,
    pub(crate) increment: Option<Valued<u16>>,
    pub(crate) decrement: Option<Valued<u16>>,
    pub(crate) low_risk_auto_approve: Option<Valued<u16>>,
    pub(crate) paranoid_mode: Option<Valued<u16>>,
}

/// What one file says about questions to people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ApprovalSection {
    pub(crate) timeout: Option<Valued<Duration>>,
    pub(crate) run_within: Option<Valued<Duration>>,
    pub(crate) approvers: Option<Valued<Vec<PersonId>>>,
    pub(crate) quorum: Option<Valued<u16>>,
    pub(crate) separation: Option<Valued<bool>>,
    pub(crate) assurance: AssuranceSection,
    pub(crate) escalation: EscalationSection,
    pub(crate) burst: Option<Valued<u16>>,
    pub(crate) quiet_hours: Option<Valued<QuietHours>>,
    pub(crate) match_number: Option<Valued<MatchNumber>>,
    pub(crate) wake_for_critical: Option<Valued<bool>>,
    pub(crate) remind_after: Option<Valued<Duration>>,
}

/// What one file says about how sure it must be who approves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AssuranceSection {
    pub(crate) medium: Option<Valued<Assurance>>,
    pub(crate) high: Option<Valued<Assurance>>,
    pub(crate) critical: Option<Valued<Assurance>>,
}

/// What one file says about who is asked as well when nobody answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EscalationSection {
    pub(crate) after: Option<Valued<Duration>>,
    pub(crate) to: Option<Valued<Vec<PersonId>>>,
}

/// What one file says about the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LedgerSection {
    pub(crate) retention: Option<Valued<Duration>>,
    pub(crate) max_entries: Option<Valued<u32>>,
    pub(crate) checkpoint_every: Option<Valued<u32>>,
}

/// What one file says about the hooks of agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HookSection {
    pub(crate) on_allow: Option<Valued<OnAllow>>,
}

/// What one file says about agents in tmux.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WatchSection {
    pub(crate) auto_confirm: Option<Valued<bool>>,
    pub(crate) interval: Option<Valued<Duration>>,
    pub(crate) context_lines: Option<Valued<u16>>,
    pub(crate) danger_words: Option<Valued<Vec<String>>>,
    pub(crate) safe_words: Option<Valued<Vec<String>>>,
}

/// What one file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) posture: Option<Valued<Posture>>,
    pub(crate) require_confirmation: Option<Valued<bool>>,
    pub(crate) tools: Vec<ToolSection>,
    pub(crate) approval: ApprovalSection,
    pub(crate) trust: TrustSection,
    pub(crate) ledger: LedgerSection,
    pub(crate) hook: HookSection,
    pub(crate) watch: WatchSection,
    pub(crate) rules: Vec<RuleSection>,
    pub(crate) locked: Vec<Valued<String>>,
}

impl Document {
    pub(crate) fn read(contents: &Contents, layer: Layer) -> Result<Self, Fault> {
        let reader = Reader::new(contents, layer);
        let root = reader.parse()?;
        reader.known(&root, "")?;
        let mut document = Self::default();
        if let Some((name, value)) = root.get_key_value("locked") {
            document.locked = locked(&reader, name.span(), value)?;
        }
        if let Some(policy) = root.get("policy") {
            document.policy(&reader, reader.table("policy", policy)?)?;
        }
        if let Some(approval) = root.get("approval") {
            document.approval = self::approval(&reader, reader.table("approval", approval)?)?;
        }
        if let Some(trust) = root.get("trust") {
            document.trust = self::trust(&reader, reader.table("trust", trust)?)?;
        }
        if let Some(ledger) = root.get("ledger") {
            document.ledger = self::ledger(&reader, reader.table("ledger", ledger)?)?;
        }
        if let Some(hook) = root.get("hook") {
            document.hook = self::hook(&reader, reader.table("hook", hook)?)?;
        }
        if let Some(watch) = root.get("watch") {
            document.watch = self::watch(&reader, reader.table("watch", watch)?)?;
        }
        Ok(document)
    }

    fn policy<'t>(&mut self, reader: &Reader<'t>, policy: &DeTable<'t>) -> Result<(), Fault> {
        reader.known(policy, "policy")?;
        if let Some(value) = policy.get("posture") {
            self.posture = Some(reader.one_of("policy.posture", value, keys::POSTURES, Posture::from_name)?);
        }
        if let Some(value) = policy.get("require_confirmation") {
            self.require_confirmation = Some(reader.switch("policy.require_confirmation", value)?);
        }
        if let Some(value) = policy.get("tools") {
            for (name, value) in reader.table("policy.tools", value)? {
                self.tools.push(tool(reader, name.get_ref(), value)?);
            }
        }
        if let Some(value) = policy.get("rule") {
            self.rules = rule_section::read_all(reader, value)?;
        }
        Ok(())
    }
}

fn locked<'t>(
    reader: &Reader<'t>,
    name: std::ops::Range<usize>,
    value: &Value<'t>,
) -> Result<Vec<Valued<String>>, Fault> {
    if reader.layer != Layer::Administrator {
        return Err(reader.fault(
            FaultKind::Misplaced,
            "locked",
            name,
            Words::new("`locked` counts only in the administrator's file", "`locked` 只能写在管理员的文件中"),
            Words::new("remove it here, or ask the administrator", "请在此删除，或联系管理员"),
        ));
    }
    let checked = |(text, span): (&str, std::ops::Range<usize>)| {
        if keys::is_key_or_beginning(text) {
            return Ok(Valued { value: text.to_owned(), origin: reader.origin(span) });
        }
        let hint = match nearest(text, keys::KEYS.iter().map(|key| key.path)) {
            Some(meant) => Words::new(format!("did you mean `{meant}`?"), format!("您是想写 `{meant}` 吗？")),
            None => {
                Words::new("write a key, or the beginning of some, such as `trust`", "请写一个键或其开头，例如 `trust`")
            }
        };
        let message = Words::new(format!("there is no key `{text}` to lock"), format!("没有可锁定的键 `{text}`"));
        Err(reader.fault(FaultKind::UnknownKey, "locked", span, message, hint))
    };
    reader.texts("locked", value)?.into_iter().map(checked).collect()
}

fn tool<'t>(reader: &Reader<'t>, name: &str, value: &Value<'t>) -> Result<ToolSection, Fault> {
    let path = format!("policy.tools.{name}");
    let table = reader.table(&path, value)?;
    reader.known(table, "policy.tools.<name>")?;
    let mut section = ToolSection { name: name.to_owned(), ..ToolSection::default() };
    if let Some(value) = table.get("always_confirm") {
        section.always_confirm = Some(reader.switch(&format!("{path}.always_confirm"), value)?);
    }
    if let Some(value) = table.get("safe_commands") {
        let key = format!("{path}.safe_commands");
        let commands = reader.commands(&key, value)?;
        if let Some(open) = commands.iter().find(|listed| !listed.pattern.names_program()) {
            return Err(rule_section::names_no_program(reader, &key, value.span(), &open.pattern));
        }
        section.safe_commands = Some(Valued { value: commands, origin: reader.origin(value.span()) });
    }
    if let Some(value) = table.get("dangerous_patterns") {
        section.dangerous_patterns = reader.commands(&format!("{path}.dangerous_patterns"), value)?;
    }
    Ok(section)
}

fn approval<'t>(reader: &Reader<'t>, table: &DeTable<'t>) -> Result<ApprovalSection, Fault> {
    reader.known(table, "approval")?;
    let time = |name: &str| {
        let read = |value| reader.time(&format!("approval.{name}"), value, Scale::Wait);
        table.get(name).map(read).transpose()
    };
    let whole = |name: &str, bounds| {
        let read = |value| reader.whole(&format!("approval.{name}"), value, bounds);
        table.get(name).map(read).transpose()
    };
    let persons = |value| reader.persons("approval.approvers", value);
    let switch = |value| reader.switch("approval.separation", value);
    let hours = |value| reader.hours("approval.quiet_hours", value);
    let match_of = |name: &str| MatchNumber::ALL.into_iter().find(|from| from.name() == name);
    let matched = |value| reader.one_of("approval.match_number", value, keys::MATCH_NUMBERS, match_of);
    let wakes = |value| reader.switch("approval.wake_for_critical", value);
    Ok(ApprovalSection {
        timeout: time("timeout")?,
        run_within: time("run_within")?,
        approvers: table.get("approvers").map(persons).transpose()?,
        quorum: whole("quorum", keys::QUORUM)?,
        separation: table.get("separation").map(switch).transpose()?,
        assurance: table.get("assurance").map(|value| assurance(reader, value)).transpose()?.unwrap_or_default(),
        escalation: table.get("escalation").map(|value| escalation(reader, value)).transpose()?.unwrap_or_default(),
        burst: whole("burst", keys::BURST)?,
        quiet_hours: table.get("quiet_hours").map(hours).transpose()?,
        match_number: table.get("match_number").map(matched).transpose()?,
        wake_for_critical: table.get("wake_for_critical").map(wakes).transpose()?,
        remind_after: time("remind_after")?,
    })
}

fn assurance<'t>(reader: &Reader<'t>, value: &Value<'t>) -> Result<AssuranceSection, Fault> {
    let table = reader.table("approval.assurance", value)?;
    reader.known(table, "approval.assurance")?;
    let from_name = |name: &str| Assurance::ALL.into_iter().find(|assurance| assurance.name() == name);
    let level = |name: &str| {
        let read = |value| reader.one_of(&format!("approval.assurance.{name}"), value, keys::ASSURANCES, from_name);
        table.get(name).map(read).transpose()
    };
    Ok(AssuranceSection { medium: level("medium")?, high: level("high")?, critical: level("critical")? })
}

fn escalation<'t>(reader: &Reader<'t>, value: &Value<'t>) -> Result<EscalationSection, Fault> {
    let table = reader.table("approval.escalation", value)?;
    reader.known(table, "approval.escalation")?;
    let time = |value| reader.time("approval.escalation.after", value, Scale::Wait);
    let persons = |value| reader.persons("approval.escalation.to", value);
    Ok(EscalationSection {
        after: table.get("after").map(time).transpose()?,
        to: table.get("to").map(persons).transpose()?,
    })
}

fn ledger<'t>(reader: &Reader<'t>, table: &DeTable<'t>) -> Result<LedgerSection, Fault> {
    reader.known(table, "ledger")?;
    let time = |value| reader.time("ledger.retention", value, Scale::Keep);
    let most = |value| reader.whole("ledger.max_entries", value, keys::MAX_ENTRIES);
    let whole = |value| reader.whole("ledger.checkpoint_every", value, keys::CHECKPOINT_EVERY);
    Ok(LedgerSection {
        retention: table.get("retention").map(time).transpose()?,
        max_entries: table.get("max_entries").map(most).transpose()?,
        checkpoint_every: table.get("checkpoint_every").map(whole).transpose()?,
    })
}

fn hook<'t>(reader: &Reader<'t>, table: &DeTable<'t>) -> Result<HookSection, Fault> {
    reader.known(table, "hook")?;
    let from_name = |name: &str| OnAllow::ALL.into_iter().find(|answer| answer.name() == name);
    let answer = |value| reader.one_of("hook.on_allow", value, keys::ON_ALLOW, from_name);
    Ok(HookSection { on_allow: table.get("on_allow").map(answer).transpose()? })
}

fn watch<'t>(reader: &Reader<'t>, table: &DeTable<'t>) -> Result<WatchSection, Fault> {
    reader.known(table, "watch")?;
    let words = |name: &str| {
        let key = format!("watch.{name}");
        let read = |value: &Value<'t>| {
            let words = reader.texts(&key, value)?.into_iter().map(|(word, _)| word.trim().to_lowercase());
            Ok(Valued { value: words.collect(), origin: reader.origin(value.span()) })
        };
        table.get(name).map(read).transpose()
    };
    let switch = |value| reader.switch("watch.auto_confirm", value);
    let time = |value| reader.time("watch.interval", value, Scale::Wait);
    let whole = |value| reader.whole("watch.context_lines", value, keys::CONTEXT_LINES);
    Ok(WatchSection {
        auto_confirm: table.get("auto_confirm").map(switch).transpose()?,
        interval: table.get("interval").map(time).transpose()?,
        context_lines: table.get("context_lines").map(whole).transpose()?,
        danger_words: words("danger_words")?,
        safe_words: words("safe_words")?,
    })
}

fn trust<'t>(reader: &Reader<'t>, table: &DeTable<'t>) -> Result<TrustSection, Fault> {
    reader.known(table, "trust")?;
    let share = |name: &str| {
        let read = |value| reader.share(&format!("trust.{name}"), value);
        table.get(name).map(read).transpose()
    };
    Ok(TrustSection {
        initial: share("initial")?,
        increment: share("increment")?,
        decrement: share("decrement")?,
        low_risk_auto_approve: share("low_risk_auto_approve")?,
        paranoid_mode: share("paranoid_mode")?,
    })
}
