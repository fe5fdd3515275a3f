//! The one table of keys: what may stand in a file, in which form, and what it means. The reader, the JSON schema and the
//! reference are all made from it.

use crate::span_of_time::Scale;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// True or false.
    Switch,
    /// A decimal number from 0 to 1 with at most three decimals.
    Share,
    /// A length of time.
    Time(Scale),
    /// A whole number within bounds.
    Whole(Bounds),
    /// A part of every day.
    Hours,
    /// Names of people.
    Persons,
    /// A text that is not empty.
    Text,
    /// The name of a rule.
    RuleName,
    /// Names of rules.
    RuleNames,
    /// Patterns over the words of a command.
    Commands,
    /// Patterns over paths.
    Paths,
    /// Kinds of effect.
    Effects,
    /// Names of tools, with `*` for any text.
    Tools,
    /// Commands as examples.
    Examples,
    /// Words or phrases.
    Words,
    /// Keys of this table, or the beginnings of some.
    Keys,
}

/// The least and the most that a whole number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

/// Who may write a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Everybody.
    Everybody,
    /// The administrator and the user. What a project says is left out, even where it is trusted.
    Persons,
    /// The administrator.
    Administrator,
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Its path; `<name>` stands for any name, and a part that ends in `[]` is a list of tables.
    pub(crate) path: &'static str,
    pub(crate) form: Form,
    /// What holds where nobody says anything, as it would be written; none where the key must be given or has no default.
    pub(crate) default: Option<&'static str>,
    /// What it means, in one sentence.
    pub(crate) about: &'static str,
    /// What loosens it.
    pub(crate) loosened_by: &'static str,
    pub(crate) writer: Writer,
}

const fn key(
    path: &'static str,
    form: Form,
    default: Option<&'static str>,
    about: &'static str,
    loosened_by: &'static str,
) -> Key {
    Key { path, form, default, about, loosened_by, writer: Writer::Everybody }
}

/// The words for a posture, a verdict, a priority and an assurance, in the order of their types.
pub(crate) const POSTURES: &[&str] = &["strict", "balanced", "permissive"];
pub(crate) const VERDICTS: &[&str] = &["allow", "ask", "block"];
pub(crate) const PRIORITIES: &[&str] = &["P0", "P1", "P2"];
pub(crate) const ASSURANCES: &[&str] = &["tap", "login", "passkey"];
pub(crate) const MATCH_NUMBERS: &[&str] = &["high", "critical", "never"];
/// What a hook may say about what is harmless.
pub(crate) const ON_ALLOW: &[&str] = &["defer", "allow"];
/// So many may have to agree, so many questions may come in a minute, and so many lines lie between two checkpoints.
pub(crate) const QUORUM: Bounds = Bounds { least: 1, most: 20 };
pub(crate) const BURST: Bounds = Bounds { least: 1, most: 1000 };
pub(crate) const MAX_ENTRIES: Bounds = Bounds { least: 1, most: 1_000_000_000 };
pub(crate) const CHECKPOINT_EVERY: Bounds = Bounds { least: 1, most: 1_000_000 };
/// So many lines above a dialog may be looked at.
pub(crate) const CONTEXT_LINES: Bounds = Bounds { least: 0, most: 1000 };
/// What sounds dangerous where an agent asks in its terminal.
pub(crate) const DANGER_WORDS: &[&str] = &[
    "delete",
    "remove",
    "drop",
    "force",
    "destructive",
    "rm -rf",
    "git reset --hard",
    "git push --force",
    "truncate",
    "destroy",
];
/// Whose settings can be imported.
pub(crate) const SOURCES: &[&str] = &["claude"];

/// Every key, in the order of the reference.
pub(crate) const KEYS: &[Key] = &[
    Key {
        writer: Writer::Administrator,
        ..key(
            "locked",
            Form::Keys,
            Some("[]"),
            "Keys, or beginnings of keys such as `policy` or `trust`, that no other file may loosen. Only in the administrator's file.",
            "–",
        )
    },
    key(
        "policy.posture",
        Form::OneOf(POSTURES),
        Some(r#""balanced""#),
        "How careful to be: `strict` asks about every change until the agent has earned trust, `balanced` about what may be lost, `permissive` about what neither git nor a backup could bring back.",
        "a less careful posture",
    ),
    key(
        "policy.require_confirmation",
        Form::Switch,
        Some("true"),
        "Whether people are asked at all. With `false` every question is answered with yes; what is blocked stays blocked, and the ledger stays complete.",
        "`false`",
    ),
    key(
        "policy.tools.<name>.always_confirm",
        Form::Switch,
        Some("false; for `delete_file` true"),
        "Asks about every call of the tool, however harmless. A tool of a server is meant by its own name, too: `delete_file` means `mcp__files__delete_file`.",
        "`false`",
    ),
    key(
        "policy.tools.<name>.safe_commands",
        Form::Commands,
        Some(r#"for `shell_execute`: ["git status", "git diff", "ls", "pwd"]"#),
        "Commands that need no question, as long as they stand for themselves: literal words, no redirection, no substitution. The list of a later file replaces that of an earlier one. Never covers what is critical or blocked.",
        "another entry",
    ),
    key(
        "policy.tools.<name>.dangerous_patterns",
        Form::Commands,
        Some("[]"),
        "Commands that are always asked about, open at their end: `rm -rf` means whatever is removed. For tools other than a shell: words that stand one behind the other in an argument. The lists of all files add up.",
        "–",
    ),
    key(
        "policy.rule[].id",
        Form::RuleName,
        None,
        "The name of the rule: small letters, digits and `-`. Must be given.",
        "–",
    ),
    key("policy.rule[].message", Form::Text, None, "What the rule says to people. Must be given.", "–"),
    key("policy.rule[].message_zh", Form::Text, None, "The same in Chinese.", "–"),
    key(
        "policy.rule[].priority",
        Form::OneOf(PRIORITIES),
        Some(r#""P1""#),
        "Which of several rules with the same verdict is told first.",
        "–",
    ),
    key(
        "policy.rule[].verdict",
        Form::OneOf(VERDICTS),
        None,
        "What the rule wants. Of several rules the strictest wins. Must be given.",
        r#"`"allow"`"#,
    ),
    key(
        "policy.rule[].commands",
        Form::Commands,
        None,
        "Speaks about these commands. Compared word by word: `*` in a word stands for any text of that word, `*` as the last word for any further words. A permission does not follow `..`.",
        "–",
    ),
    key(
        "policy.rule[].paths",
        Form::Paths,
        None,
        "Speaks about effects on these paths, relative to the project, behind `~/`, or absolute: `*` stands for any text of one part, `**` for any number of parts.",
        "–",
    ),
    key("policy.rule[].effects", Form::Effects, None, "Speaks about effects of these kinds.", "–"),
    key(
        "policy.rule[].tools",
        Form::Tools,
        None,
        "Speaks about calls of these tools; a shell command is `shell_execute`, a file operation `read_file`, `write_file`, `delete_file` and so on.",
        "–",
    ),
    key(
        "policy.rule[].lifts",
        Form::RuleNames,
        None,
        "Built-in rules that the rule overrules by name, even those that block and those of critical risk. Only in the administrator's and the user's file, never in an imported rule, and never for Signoff's own state.",
        "every entry",
    ),
    key(
        "policy.rule[].imported_from",
        Form::OneOf(SOURCES),
        None,
        "Says that the rule was made from another program's settings.",
        "–",
    ),
    key(
        "policy.rule[].examples.allow",
        Form::Examples,
        None,
        "Commands that must be allowed under the whole configuration. Checked when a file changes.",
        "–",
    ),
    key("policy.rule[].examples.ask", Form::Examples, None, "Commands that must be asked about.", "–"),
    key("policy.rule[].examples.block", Form::Examples, None, "Commands that must be blocked.", "–"),
    key(
        "approval.timeout",
        Form::Time(Scale::Wait),
        Some(r#""5m""#),
        "How long a person has to answer, all questions about one operation together. Whoever does not answer in time has not said yes, and nothing turns a time-out into a yes.",
        "a longer time",
    ),
    key(
        "approval.run_within",
        Form::Time(Scale::Wait),
        Some(r#""5m""#),
        "How long a yes is good for. What has not been started by then has to be asked about again.",
        "a longer time",
    ),
    key(
        "approval.approvers",
        Form::Persons,
        Some("[]"),
        "The people whose yes counts. An empty list means the person for whom the agent works. The list of a later file replaces that of an earlier one.",
        "any change",
    ),
    key(
        "approval.quorum",
        Form::Whole(QUORUM),
        Some("1"),
        "How many of them have to say yes; a single no is a no. Where there are fewer of them, nobody can approve.",
        "a smaller number",
    ),
    key(
        "approval.separation",
        Form::Switch,
        Some("false"),
        "With `true` the person for whom the agent works may not approve, only deny: somebody else has to look.",
        "`false`",
    ),
    key(
        "approval.assurance.medium",
        Form::OneOf(ASSURANCES),
        Some(r#""tap""#),
        "How sure it must be who says yes to a medium risk: `tap` is a button or a reply in a chat, `login` somebody who has logged in or sits at their own terminal, `passkey` a passkey. With less one can still deny.",
        "a lower one",
    ),
    key(
        "approval.assurance.high",
        Form::OneOf(ASSURANCES),
        Some(r#""login""#),
        "How sure it must be who says yes to a high risk.",
        "a lower one",
    ),
    key(
        "approval.assurance.critical",
        Form::OneOf(ASSURANCES),
        Some(r#""login""#),
        "How sure it must be who says yes to a critical risk.",
        "a lower one",
    ),
    key(
        "approval.escalation.after",
        Form::Time(Scale::Wait),
        None,
        "When nobody has answered for so long, the people of `approval.escalation.to` are asked as well. Without it nobody else is.",
        "any change",
    ),
    key(
        "approval.escalation.to",
        Form::Persons,
        Some("[]"),
        "Who is asked as well, after `approval.escalation.after`. Their yes counts from then on.",
        "any change",
    ),
    key(
        "approval.burst",
        Form::Whole(BURST),
        Some("20"),
        "So many questions of one person's agents in a minute are asked one by one, whatever they call themselves; what is beyond them is put together into batches, so that nobody says yes out of weariness: one answer for all of a batch, after each was shown in full. What is high or critical is never put together.",
        "a larger number",
    ),
    key(
        "approval.quiet_hours",
        Form::Hours,
        None,
        "Hours in which nobody is reminded, by the clock of the gateway's machine: a reminder that falls into them comes when they are over, if there is still something to decide. Questions are there all the same, and no time-out waits for the morning.",
        "–",
    ),
    key(
        "approval.match_number",
        Form::OneOf(MATCH_NUMBERS),
        Some(r#""critical""#),
        "From which risk on a yes needs the number of two digits that stands on the screen of whoever asks, where that has a screen: `signoff request` and `signoff exec` in a terminal. Three tries for all together, and then it is refused.",
        "a later one of `high`, `critical`, `never`",
    ),
    key(
        "approval.wake_for_critical",
        Form::Switch,
        Some("false"),
        "With `true` a reminder about something critical comes in the quiet hours as well.",
        "–",
    ),
    key(
        "approval.remind_after",
        Form::Time(Scale::Wait),
        None,
        "When nobody has answered for so long, those who were asked and have not answered are reminded, once: as `reminded` in the ledger and in the stream of events. Without it nobody is.",
        "–",
    ),
    key("trust.initial", Form::Share, Some("0.5"), "The trust that everybody starts with.", "a higher number"),
    key(
        "trust.increment",
        Form::Share,
        Some("0.01"),
        "What an operation adds that a person approved and that then succeeded.",
        "a higher number",
    ),
    key("trust.decrement", Form::Share, Some("0.05"), "What a refusal takes away.", "a lower number"),
    key(
        "trust.low_risk_auto_approve",
        Form::Share,
        Some("0.8"),
        "From this trust on low risk passes unasked under the strict posture.",
        "a lower number",
    ),
    key(
        "trust.paranoid_mode",
        Form::Share,
        Some("0.2"),
        "At or below this trust every operation is asked about.",
        "a lower number",
    ),
    Key {
        writer: Writer::Persons,
        ..key(
            "ledger.retention",
            Form::Time(Scale::Keep),
            None,
            "How long the lines of the ledger are kept. Without it they are kept for ever. The gateway removes what is older up to a signed checkpoint, and nothing about an open question. Only in the administrator's and the user's file: the ledger is that of all projects.",
            "a shorter time",
        )
    },
    Key {
        writer: Writer::Persons,
        ..key(
            "ledger.max_entries",
            Form::Whole(MAX_ENTRIES),
            None,
            "So many lines the ledger has at most. Without it there is no limit. The gateway removes the earliest up to a signed checkpoint, nothing younger than a day, and nothing about an open question. Only in the administrator's and the user's file.",
            "a smaller number",
        )
    },
    Key {
        writer: Writer::Persons,
        ..key(
            "ledger.checkpoint_every",
            Form::Whole(CHECKPOINT_EVERY),
            Some("1000"),
            "After so many lines the ledger gets a signed checkpoint. Only in the administrator's and the user's file.",
            "a larger number",
        )
    },
    key(
        "hook.on_allow",
        Form::OneOf(ON_ALLOW),
        Some(r#""allow""#),
        "What a hook says to its agent about what is harmless. With `allow` it passes without a question of the agent's own, where the agent heeds that; with `defer` the agent's own rules decide.",
        "`allow` instead of `defer`",
    ),
    key(
        "watch.auto_confirm",
        Form::Switch,
        Some("true"),
        "Whether `signoff watch` types the plain yes into an agent's dialog where what it asks for is harmless. With `false` it types nothing but what people have answered.",
        "`true`",
    ),
    Key {
        writer: Writer::Persons,
        ..key(
            "watch.interval",
            Form::Time(Scale::Wait),
            Some(r#""3s""#),
            "How often `signoff watch` looks at every pane where tmux does not tell it that something has changed. Only in the administrator's and the user's file.",
            "–",
        )
    },
    key(
        "watch.context_lines",
        Form::Whole(CONTEXT_LINES),
        Some("50"),
        "So many lines above a dialog, as far as they are visible, are searched for `watch.danger_words` as well.",
        "a smaller number",
    ),
    key(
        "watch.danger_words",
        Form::Words,
        Some(
            r#"["delete", "remove", "drop", "force", "destructive", "rm -rf", "git reset --hard", "git push --force", "truncate", "destroy"]"#,
        ),
        "Where one of these words or phrases stands in a dialog or above it, a person answers, however harmless the command is. Whole words, in small or capital letters.",
        "an entry less",
    ),
    key(
        "watch.safe_words",
        Form::Words,
        Some("[]"),
        "Where this is not empty, a person answers every dialog that holds none of these words or phrases. They make nothing harmless.",
        "an empty list, or another entry in one that is not empty",
    ),
];

/// The names that may stand directly below a path of the table.
pub(crate) fn names_below(path: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for key in KEYS {
        let below = if path.is_empty() {
            Some(key.path)
        } else {
            key.path.strip_prefix(path).and_then(|rest| rest.strip_prefix('.'))
        };
        let name = below.and_then(|below| below.split('.').next()).map(|name| name.trim_end_matches("[]"));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

/// Whether a key counts only in a person's own file.
pub(crate) fn is_for_persons_alone(path: &str) -> bool {
    KEYS.iter().any(|key| key.path == path && key.writer == Writer::Persons)
}

/// Whether somebody who writes this names a key, or the beginning of some.
pub(crate) fn is_key_or_beginning(written: &str) -> bool {
    let fits = |key: &Key| {
        let mut parts = key.path.split('.').map(|part| part.trim_end_matches("[]"));
        written.split('.').all(|written| parts.next().is_some_and(|part| part == written || part == "<name>"))
    };
    KEYS.iter().any(|key| key.writer != Writer::Administrator && fits(key))
}

#[cfg(test)]
mod tests {
    use signoff_model::{Assurance, Verdict};
    use signoff_policy::{Posture, Priority};

    use super::{ASSURANCES, KEYS, POSTURES, PRIORITIES, VERDICTS, is_key_or_beginning, names_below};

    #[test]
    fn words_are_those_of_the_types() {
        assert_eq!(POSTURES, Posture::ALL.map(Posture::name));
        assert_eq!(VERDICTS, Verdict::ALL.map(Verdict::name));
        assert_eq!(PRIORITIES, Priority::ALL.map(Priority::name));
        assert_eq!(ASSURANCES, Assurance::ALL.map(Assurance::name));
    }

    #[test]
    fn names_are_found_below_a_path() {
        assert_eq!(names_below(""), ["locked", "policy", "approval", "trust", "ledger", "hook", "watch"]);
        assert_eq!(names_below("policy"), ["posture", "require_confirmation", "tools", "rule"]);
        assert_eq!(names_below("policy.rule[].examples"), ["allow", "ask", "block"]);
        assert_eq!(names_below("approval.assurance"), ["medium", "high", "critical"]);
        assert_eq!(names_below("pol"), [""; 0]);
    }

    #[test]
    fn beginnings_are_keys_and_others_are_not() {
        for (written, expected) in [
            ("policy", true),
            ("policy.posture", true),
            ("policy.tools.x", true),
            ("policy.tools.x.safe_commands", true),
            ("policy.rule", true),
            ("trust.initial", true),
            ("approval", true),
            ("approval.timeout", true),
            ("approval.assurance", true),
            ("approval.assurance.high", true),
            ("ledger", true),
            ("ledger.retention", true),
            ("approval.assurance.low", false),
            ("policy.tools.x.y", false),
            ("locked", false),
            ("polic", false),
            ("", false),
            ("policy.posture.x", false),
        ] {
            assert_eq!(is_key_or_beginning(written), expected, "{written}");
        }
    }

    #[test]
    fn no_path_stands_twice() {
        for (place, key) in KEYS.iter().enumerate() {
            assert!(KEYS[..place].iter().all(|other| other.path != key.path), "{}", key.path);
        }
    }
}
