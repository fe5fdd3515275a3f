//! `signoff pause` and `signoff lockdown`: what a person tells the gate to do until further notice.

use std::{collections::BTreeSet, fs, io, os::unix::fs::PermissionsExt as _, time::Duration};

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::{PAUSE_AT_MOST, Places};
use signoff_server::App;

use super::{field, people::at_desk, seconds_until};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{LockdownArguments, PauseArguments},
    judge::language,
    output::Output,
};

/// What stands for asking how things stand.
const STATUS: &str = "status";
/// The same for an end.
const END: &str = "end";
const LIFT: &str = "lift";
/// It is looked so often at most whether somebody is distrusted, and so often at least.
const DISTRUST_EVERY: Duration = Duration::from_secs(1);
const DISTRUST_AT_LEAST: Duration = Duration::from_secs(3_600);

pub(crate) fn pause(arguments: &PauseArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    // What is wrong with what was asked for is said before anybody types a password.
    let lasts = match arguments.what.as_str() {
        STATUS | END => None,
        text => Some(duration(text)?),
    };
    let (_, calls) = at_desk(places, &arguments.desk, language)?;
    if let Some(lasts) = lasts {
        let _: Value = calls.post("/v1/pause", &json!({"for_seconds": lasts.as_secs()}))?;
    } else if arguments.what == END {
        calls.delete("/v1/pause")?;
    }
    output.text(&told(&calls.get("/v1/standing")?, language))
}

pub(crate) fn lockdown(arguments: &LockdownArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    let (_, calls) = at_desk(places, &arguments.desk, language)?;
    match arguments.what.as_deref() {
        None => drop(calls.post::<Value>("/v1/lockdown", &json!({}))?),
        Some(LIFT) => calls.delete("/v1/lockdown")?,
        Some(_) => {}
    }
    output.text(&told(&calls.get("/v1/standing")?, language))
}

fn duration(text: &str) -> Result<Duration, Failure> {
    let wrong = || {
        Failure::usage(
            format!("`{}` is no time to pause for", visible(text)),
            format!("`{}` 不是可暂停的时长", visible(text)),
        )
        .hint("an hour at most: 15m, 1h; or `end`, or `status`", "最长一小时：15m、1h；或 `end`、`status`")
    };
    let lasts = humantime::parse_duration(text).map_err(|_| wrong())?;
    if lasts < Duration::from_secs(1) || lasts > PAUSE_AT_MOST { Err(wrong()) } else { Ok(lasts) }
}

/// How things stand, in words.
fn told(standing: &Value, language: Language) -> String {
    let order = |name: &str| standing.get(name).filter(|order| order.is_object());
    let mut text = String::new();
    if let Some(order) = order("lockdown") {
        let by = visible(field(order, "by"));
        text.push_str(&match language {
            Language::English => format!(
                "Locked down by {by}: nothing passes but what is harmless. Lift it with: signoff lockdown lift\n"
            ),
            Language::Chinese => format!("已由 {by} 锁定：只放行无害操作。解除：signoff lockdown lift\n"),
        });
    }
    if let Some(order) = order("pause") {
        let by = visible(field(order, "by"));
        let seconds = seconds_until(order.get("until").and_then(Value::as_i64).unwrap_or_default()).max(0);
        let left = humantime::format_duration(Duration::from_secs(seconds.unsigned_abs()));
        text.push_str(&match language {
            Language::English => format!(
                "Paused by {by}: what only {by} has to agree to is not asked about for {left}, unless it is critical. \
                 Ask again with: signoff pause end\n"
            ),
            Language::Chinese => {
                format!("已由 {by} 暂停：{left} 内，只需 {by} 同意的操作不再询问（严重操作除外）。恢复询问：signoff pause end\n")
            }
        });
    }
    if text.is_empty() {
        text.push_str(in_language(language, "Questions are asked as usual.\n", "照常询问。\n"));
    }
    text
}

/// Leaves a mark beside the socket as long as everything is locked down, for whoever decides by itself that something may run.
/// It stays when the gateway is killed.
pub(super) async fn mark(app: &App, places: &Places) {
    let mut seen = 0;
    loop {
        let path = places.lockdown();
        let marked = match app.standing().await.map(|standing| standing.lockdown) {
            Ok(Some(order)) => signoff_config::replace_privately(&path, order.by.as_str().as_bytes())
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o644)))
                .is_ok(),
            Ok(None) => !path.exists() || fs::remove_file(&path).is_ok(),
            Err(_) => false,
        };
        if !marked {
            // Nobody passes for longer than this because of a store or a disk that did not play along.
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        }
        match app.store().news(seen).await {
            Ok(length) => seen = length,
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
}

/// Leaves the names of agents that are trusted so little somewhere that every operation is asked about: then nobody decides about theirs
/// without the gateway. It is a moment late, and stays when the gateway is killed.
pub(super) async fn mark_distrust(app: &App, places: &Places) {
    let (path, mut seen) = (places.distrust(), 0);
    loop {
        let marked = match app.distrusted().await {
            Ok(agents) if !agents.is_empty() => signoff_config::replace_privately(&path, lines(&agents).as_bytes())
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o644)))
                .is_ok(),
            Ok(_) => !path.exists() || fs::remove_file(&path).is_ok(),
            Err(_) => false,
        };
        tokio::time::sleep(DISTRUST_EVERY).await;
        if marked {
            // Scores fade by themselves, too.
            if let Ok(Ok(length)) = tokio::time::timeout(DISTRUST_AT_LEAST, app.store().news(seen)).await {
                seen = length;
            }
        }
    }
}

fn lines(agents: &BTreeSet<String>) -> String {
    agents.iter().map(|agent| format!("{agent}\n")).collect()
}

/// Whether the gateway has to be asked about everything that an agent does.
pub(crate) fn is_distrusted(places: &Places, agent: &str) -> bool {
    match fs::read_to_string(places.distrust()) {
        Ok(agents) => agents.lines().any(|name| name == agent),
        // Whatever cannot be looked at was put there by somebody.
        Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

/// Who has locked everything down that is not harmless. Whatever cannot be read was put there by somebody.
pub(crate) fn locked_by(places: &Places) -> Option<String> {
    match fs::read_to_string(places.lockdown()) {
        Ok(by) => Some(by),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
        Err(_) => Some("?".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_an_hour_at_most() {
        for (text, seconds) in [("1s", Some(1)), ("15m", Some(900)), ("1h", Some(3_600))] {
            assert_eq!(duration(text).ok().map(|lasts| lasts.as_secs()), seconds, "{text}");
        }
        for text in ["61m", "0s", "1ms", "forever", ""] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn how_things_stand_is_told() {
        let locked = json!({"lockdown": {"by": "dev"}, "pause": null});
        assert!(told(&locked, Language::English).contains("Locked down by dev"));
        assert!(told(&locked, Language::Chinese).contains("dev"));
        assert_eq!(
            told(&json!({"lockdown": null, "pause": null}), Language::English),
            "Questions are asked as usual.\n"
        );
    }
}
