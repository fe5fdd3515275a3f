//! The reference of keys for people, made from the table of keys.

use signoff_model::EffectKind;

use crate::{
    keys::{Bounds, Form, KEYS},
    span_of_time::Scale,
};

/// What stands before the keys.
const INTRODUCTION: &str = r#"# Configuration

<!-- Made from the table of keys in crates/signoff-config/src/keys.rs. Bring it up to date with:
     SIGNOFF_BLESS=1 cargo test -p signoff-config --test generated -->

Signoff reads TOML from three places, and later ones say more than earlier ones:

1. `/etc/signoff/config.toml`, the administrator's, which can lock keys against loosening;
2. `~/.config/signoff/config.toml`, yours;
3. `.signoff/config.toml` in the project. An agent may be able to write there, so this file may only *tighten* until you
   have read it and trusted exactly these bytes (`signoff config trust`); what would loosen is ignored, with a notice.

A key that does not exist, a value that is not possible and a file that cannot be read are errors, never ignored.

```toml
[policy]
posture = "balanced"

[policy.tools.shell_execute]
safe_commands = ["git status", "git diff", "ls", "pwd", "cargo test *"]
dangerous_patterns = ["terraform apply"]

[[policy.rule]]
id = "no-push-to-main"
message = "main is pushed by CI"
verdict = "block"
commands = ["git push * main", "git push * main:*"]
examples = { block = ["git push origin main"] }

[approval]
timeout = "10m"
quiet_hours = "22:00-07:00"

[approval.assurance]
critical = "passkey"

[trust]
paranoid_mode = 0.3
```
"#;

/// The reference as Markdown.
pub fn reference() -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut section = "";
    for key in KEYS {
        let begins = key.path.split('.').next().unwrap_or_default();
        if begins != section {
            section = begins;
            text.push_str(&format!("\n## `{section}`\n"));
        }
        let path = key.path.replace("[]", "");
        text.push_str(&format!("\n### `{path}`\n\n{}\n\n- form: {}\n", key.about, form(key.form)));
        if let Some(default) = key.default {
            let plain = default.contains('`');
            text.push_str(&if plain { format!("- default: {default}\n") } else { format!("- default: `{default}`\n") });
        }
        if key.loosened_by != "–" {
            text.push_str(&format!("- loosened by: {}\n", key.loosened_by));
        }
    }
    text
}

fn form(form: Form) -> String {
    let words = |words: &[&str]| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
    match form {
        Form::OneOf(names) => format!("one of {}", words(names)),
        Form::Switch => "`true` or `false`".to_owned(),
        Form::Share => "a number from 0 to 1 with at most three decimals".to_owned(),
        Form::Time(Scale::Wait) => {
            "a length of time from a second to a day, such as `\"90s\"`, `\"5m\"` or `\"1h\"`".to_owned()
        }
        Form::Time(Scale::Keep) => "a length of time from a day to a hundred years, such as `\"365d\"`".to_owned(),
        Form::Whole(Bounds { least, most }) => format!("a whole number from {least} to {most}"),
        Form::Hours => "two times of the day, such as `\"22:00-07:00\"`".to_owned(),
        Form::Persons => "a list of names of people".to_owned(),
        Form::Text => "a text".to_owned(),
        Form::RuleName => "a name of small letters, digits and `-`".to_owned(),
        Form::RuleNames => "a list of names of rules".to_owned(),
        Form::Commands => "a list of patterns over the words of a command".to_owned(),
        Form::Paths => "a list of patterns over paths".to_owned(),
        Form::Effects => format!("a list of {}", words(&EffectKind::ALL.map(EffectKind::name))),
        Form::Tools => "a list of names of tools, with `*` for any text".to_owned(),
        Form::Examples => "a list of commands".to_owned(),
        Form::Words => "a list of words or phrases".to_owned(),
        Form::Keys => "a list of keys".to_owned(),
    }
}
