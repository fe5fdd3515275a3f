//! What one file says, before it meets any other.

use std::time::Duration;

use signoff_policy::{Layer, Listed, Posture};
use toml::de::DeTable;

use crate::{
    fault::{Fault, FaultKind, Words},
    file::Contents,
    keys,
    nearest::nearest,
    rule_section::{self, RuleSection},
    settings::Valued,
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
}

/// What one file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) posture: Option<Valued<Posture>>,
    pub(crate) require_confirmation: Option<Valued<bool>>,
    pub(crate) tools: Vec<ToolSection>,
    pub(crate) approval: ApprovalSection,
    pub(crate) trust: TrustSection,
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
    let read = |value| reader.time("approval.timeout", value);
    Ok(ApprovalSection { timeout: table.get("timeout").map(read).transpose()? })
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
