//! The rules of one file, with the examples that come with them.

use std::ops::Range;

use signoff_model::{EffectKind, Verdict};
use signoff_policy::{CommandPattern, Conditions, Priority, Provenance, Rule, WordPattern};
use toml::de::DeTable;

use crate::{
    examples::Example,
    fault::{Fault, FaultKind, Words},
    keys,
    toml_reader::{Reader, Value},
};

/// A rule with its examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSection {
    pub(crate) rule: Rule,
    pub(crate) examples: Vec<Example>,
}

/// The longest name of a rule.
const LONGEST_NAME: usize = 64;

pub(crate) fn read_all<'t>(reader: &Reader<'t>, value: &Value<'t>) -> Result<Vec<RuleSection>, Fault> {
    let mut sections: Vec<RuleSection> = Vec::new();
    for value in reader.array("policy.rule", value)? {
        let section = read(reader, value)?;
        if sections.iter().any(|other| other.rule.id == section.rule.id) {
            let id = &section.rule.id;
            let span = reader.table("policy.rule", value)?.get("id").map_or(value.span(), toml::Spanned::span);
            return Err(reader.fault(
                FaultKind::Duplicate,
                "policy.rule.id",
                span,
                Words::new(format!("two rules are called `{id}`"), format!("有两条规则都叫 `{id}`")),
                Words::new("give one of them another name", "请给其中一条另取名字"),
            ));
        }
        sections.push(section);
    }
    Ok(sections)
}

fn read<'t>(reader: &Reader<'t>, value: &Value<'t>) -> Result<RuleSection, Fault> {
    let table = reader.table("policy.rule", value)?;
    reader.known(table, "policy.rule[]")?;
    let given = |name: &str| {
        table.get(name).ok_or_else(|| {
            reader.fault(
                FaultKind::MissingKey,
                &format!("policy.rule.{name}"),
                value.span(),
                Words::new(format!("a rule has no `{name}`"), format!("有一条规则缺少 `{name}`")),
                Words::new(format!("add `{name} = …` to it"), format!("请为其加上 `{name} = …`")),
            )
        })
    };
    let id = rule_name(reader, "policy.rule.id", given("id")?)?;
    let verdict = reader.one_of("policy.rule.verdict", given("verdict")?, keys::VERDICTS, Verdict::from_name)?.value;
    let message = reader.text("policy.rule.message", given("message")?)?.to_owned();
    let text = |name: &str| table.get(name).map(|value| reader.text(&format!("policy.rule.{name}"), value)).transpose();
    let priority = table
        .get("priority")
        .map(|value| reader.one_of("policy.rule.priority", value, keys::PRIORITIES, Priority::from_name));
    let imported = table.get("imported_from").map(|value| {
        let known = |name: &str| keys::SOURCES.contains(&name).then_some(Provenance::Imported);
        reader.one_of("policy.rule.imported_from", value, keys::SOURCES, known)
    });
    let provenance = imported.transpose()?.map_or(Provenance::Written, |imported| imported.value);
    let conditions = conditions(reader, table, verdict)?;
    if conditions.is_empty() {
        return Err(reader.fault(
            FaultKind::MissingKey,
            "policy.rule",
            value.span(),
            Words::new(format!("rule `{id}` does not say what it is about"), format!("规则 `{id}` 没有说明适用于什么")),
            Words::new(
                "add `commands`, `paths`, `effects` or `tools`",
                "请加上 `commands`、`paths`、`effects` 或 `tools`",
            ),
        ));
    }
    let rule = Rule {
        message,
        message_zh: text("message_zh")?.map(str::to_owned),
        priority: priority.transpose()?.map(|priority| priority.value).unwrap_or_default(),
        verdict,
        conditions,
        lifts: lifts(reader, table, verdict, provenance)?,
        provenance,
        origin: reader.origin(value.span()),
        id,
    };
    let examples = examples(reader, table, &rule)?;
    Ok(RuleSection { rule, examples })
}

fn rule_name<'t>(reader: &Reader<'t>, key: &str, value: &Value<'t>) -> Result<String, Fault> {
    let text = reader.text(key, value)?;
    if is_rule_name(text) { Ok(text.to_owned()) } else { Err(bad_name(reader, key, text, value.span())) }
}

pub(crate) fn is_rule_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(allowed)
}

fn bad_name(reader: &Reader<'_>, key: &str, text: &str, span: Range<usize>) -> Fault {
    reader.fault(
        FaultKind::BadValue,
        key,
        span,
        Words::new(format!("`{text}` is not a name for a rule"), format!("`{text}` 不能作为规则名")),
        Words::new(
            format!("use small letters, digits and `-`, at most {LONGEST_NAME}"),
            format!("请使用小写字母、数字和 `-`，最多 {LONGEST_NAME} 个字符"),
        ),
    )
}

fn conditions<'t>(reader: &Reader<'t>, table: &DeTable<'t>, verdict: Verdict) -> Result<Conditions, Fault> {
    let mut conditions = Conditions::default();
    if let Some(value) = table.get("commands") {
        let commands = reader.commands("policy.rule.commands", value)?;
        conditions.commands = commands.into_iter().map(|listed| listed.pattern).collect();
        let open = conditions.commands.iter().find(|pattern| !pattern.names_program());
        if let (Verdict::Allow, Some(open)) = (verdict, open) {
            return Err(names_no_program(reader, "policy.rule.commands", value.span(), open));
        }
    }
    if let Some(value) = table.get("paths") {
        conditions.paths = reader.paths("policy.rule.paths", value)?;
    }
    if let Some(value) = table.get("effects") {
        let names = EffectKind::ALL.map(EffectKind::name);
        conditions.effects = reader.names("policy.rule.effects", value, &names, EffectKind::from_name)?;
    }
    if let Some(value) = table.get("tools") {
        let tools = reader.texts("policy.rule.tools", value)?;
        conditions.tools = tools.into_iter().map(|(text, _)| WordPattern::new(text)).collect();
    }
    Ok(conditions)
}

/// A permission that would reach any program at all.
pub(crate) fn names_no_program(reader: &Reader<'_>, key: &str, span: Range<usize>, pattern: &CommandPattern) -> Fault {
    reader.fault(
        FaultKind::BadValue,
        key,
        span,
        Words::new(
            format!("`{pattern}` permits programs that it does not name"),
            format!("`{pattern}` 会放行没有指名的程序"),
        ),
        Words::new("begin the pattern with the name of one program", "请以一个程序名作为模式的开头"),
    )
}

fn lifts<'t>(
    reader: &Reader<'t>,
    table: &DeTable<'t>,
    verdict: Verdict,
    provenance: Provenance,
) -> Result<Vec<String>, Fault> {
    let Some(value) = table.get("lifts") else { return Ok(Vec::new()) };
    let key = "policy.rule.lifts";
    if verdict == Verdict::Block || provenance == Provenance::Imported {
        return Err(reader.fault(
            FaultKind::Misplaced,
            key,
            value.span(),
            Words::new("a rule that blocks or is imported lifts nothing", "阻止类规则和导入的规则不能解除内置规则"),
            Words::new("remove `lifts`, or write a rule of your own", "请删除 `lifts`，或另写一条规则"),
        ));
    }
    let named = |(text, span): (&str, Range<usize>)| {
        if is_rule_name(text) { Ok(text.to_owned()) } else { Err(bad_name(reader, key, text, span)) }
    };
    reader.texts(key, value)?.into_iter().map(named).collect()
}

fn examples<'t>(reader: &Reader<'t>, table: &DeTable<'t>, rule: &Rule) -> Result<Vec<Example>, Fault> {
    let Some(value) = table.get("examples") else { return Ok(Vec::new()) };
    let table = reader.table("policy.rule.examples", value)?;
    reader.known(table, "policy.rule[].examples")?;
    let mut all = Vec::new();
    for expected in Verdict::ALL {
        let Some(value) = table.get(expected.name()) else { continue };
        for (command, span) in reader.texts(&format!("policy.rule.examples.{expected}"), value)? {
            let (rule, origin) = (rule.id.clone(), reader.origin(span));
            all.push(Example { rule, command: command.to_owned(), expected, origin });
        }
    }
    Ok(all)
}
