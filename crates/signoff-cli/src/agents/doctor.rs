//! `signoff doctor`: which agents are guarded.

use std::process::ExitCode;

use serde_json::json;
use signoff_agents::{
    Client, Standing,
    install::{Change, Ground, Presence, Scope, Switch, Unwritable, install, presence, switched_off},
};
use signoff_card::{Language, visible};
use signoff_gate::Places;

use super::{SCOPES, arguments::DoctorArguments, canary, ground, is_used, program, program::Version, text};
use crate::{
    failure::{Failure, in_language},
    judge::language,
    output::Output,
};

/// What was found about one client.
struct Finding {
    client: Client,
    version: Version,
    /// Where the hook stands best, and how.
    presence: Presence,
    scope: Option<Scope>,
    /// A file that cannot be read or understood.
    strange: Option<String>,
    /// What keeps its hooks from being run.
    switch: Option<Switch>,
    refuses: bool,
    closed: bool,
}

impl Finding {
    fn of(client: Client, ground: &Ground) -> Self {
        let mut finding = Self {
            client,
            version: program::version(client, &ground.project),
            presence: Presence::Absent,
            scope: None,
            strange: None,
            switch: None,
            refuses: canary::is_refused(&ground.program, client),
            closed: canary::is_closed(&ground.program, client),
        };
        for scope in SCOPES {
            match presence(client, scope, ground, &text) {
                Ok(Presence::Absent) | Err(Unwritable::NoPlace { .. }) => {}
                Ok(found) if finding.presence != Presence::Current => {
                    (finding.presence, finding.scope) = (found, Some(scope));
                    finding.switch = switched_off(client, scope, ground, &text);
                    finding.strange = finding.strange.or_else(|| unrunnable(client, scope, ground));
                }
                Ok(_) => {}
                Err(error) => finding.strange = Some(error.to_string()),
            }
        }
        finding
    }

    fn is_outdated(&self) -> bool {
        matches!((self.client.closed_since(), self.version.number()), (Some(since), Some(version)) if version < since)
    }

    fn is_guarded(&self) -> bool {
        self.presence == Presence::Current
            && self.refuses
            && self.closed
            && self.strange.is_none()
            && !self.is_outdated()
    }

    /// What holds, in a few words.
    fn states(&self, language: Language) -> Vec<String> {
        let say = |english: &str, chinese: &str| in_language(language, english, chinese).to_owned();
        let mut states = vec![match self.presence {
            Presence::Absent => say("NO HOOK: its calls run unguarded", "没有钩子：其调用不受保护"),
            Presence::Different => say(
                "hook installed, but not as this version of signoff does it",
                "已安装钩子，但与此版本 signoff 的写法不同",
            ),
            Presence::SwitchedOff => {
                say("hook installed · SWITCHED OFF in its settings", "已安装钩子 · 已在其设置中关闭")
            }
            Presence::Untrusted => {
                say("hook installed · NOT TRUSTED: its calls run unguarded", "已安装钩子 · 未受信任：其调用不受保护")
            }
            Presence::Current => say("hook installed", "已安装钩子"),
        }];
        if let Some(strange) = &self.strange {
            states.push(visible(strange));
        }
        if self.presence == Presence::Absent {
            return states;
        }
        states.push(if self.refuses {
            say("refuses the canary", "拒绝测试调用")
        } else {
            say("DOES NOT REFUSE the canary", "未拒绝测试调用")
        });
        states.push(if self.closed {
            say("denies when Signoff is broken", "Signoff 出错时拒绝")
        } else {
            say("IS OPEN when Signoff is broken", "Signoff 出错时放行")
        });
        let seconds = self.client.answer_within().as_secs();
        states.push(say(&format!("holds {seconds} s"), &format!("最多等待 {seconds} 秒")));
        if self.version == Version::Unasked {
            states.push(say(
                "its version was not asked for: an agent called this, or could change that program",
                "未查询其版本：由代理调用，或代理可更改该程序",
            ));
        }
        if self.client.standing() == Standing::Experimental {
            states.push(say("experimental", "实验性"));
        }
        states
    }

    /// What to do about it.
    fn remedy(&self, language: Language) -> Option<String> {
        let name = self.client.name();
        let say = |english: String, chinese: String| match language {
            Language::English => Some(english),
            Language::Chinese => Some(chinese),
        };
        match self.presence {
            _ if self.strange.is_some() => say(
                "mend the file, and run signoff doctor again".to_owned(),
                "请修正该文件后再运行 signoff doctor".to_owned(),
            ),
            Presence::SwitchedOff => {
                let (setting, path) = self.switch.as_ref().map_or_else(
                    || ("disableAllHooks".to_owned(), String::new()),
                    |switch| (visible(&switch.setting), visible(&switch.path.to_string_lossy())),
                );
                say(format!("take `{setting}` out of `{path}`"), format!("请从 `{path}` 中移除 `{setting}`"))
            }
            Presence::Untrusted if self.scope == Some(Scope::Project) => say(
                format!("trust this folder in {name}, and then: signoff install --project {name}"),
                format!("请在 {name} 中信任此文件夹，然后运行：signoff install --project {name}"),
            ),
            Presence::Current if self.is_outdated() => say(
                "update it: this version runs a call when the process of its hook dies".to_owned(),
                "请升级：此版本在钩子进程中止时仍会运行调用".to_owned(),
            ),
            Presence::Current => None,
            Presence::Absent | Presence::Different | Presence::Untrusted => {
                let place = match self.scope {
                    Some(Scope::Project) => " --project",
                    Some(Scope::Managed) => " --managed",
                    Some(Scope::User) | None => "",
                };
                say(format!("signoff install{place} {name}"), format!("signoff install{place} {name}"))
            }
        }
    }

    /// What no hook can prevent.
    fn residue(&self, language: Language) -> Option<String> {
        let without = self.client.runs_without_hook();
        let (english, chinese) = match (without.killed, without.missing) {
            (Some(true), Some(true)) => (
                "runs a call when the process of its hook is killed, or signoff is removed; no hook can prevent that",
                "若钩子进程被杀死或 signoff 被移除，它会运行调用；任何钩子都无法阻止",
            ),
            (Some(true), _) => (
                "runs a call when the process of its hook is killed; no hook can prevent that",
                "若钩子进程被杀死，它会运行调用；任何钩子都无法阻止",
            ),
            (None, _) => (
                "what it does when the process of its hook is killed was never seen",
                "钩子进程被杀死时它的行为未曾验证",
            ),
            _ => return None,
        };
        Some(in_language(language, english, chinese).to_owned())
    }
}

pub(crate) fn run(arguments: &DoctorArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let ground = ground(places)?;
    let asked = &arguments.clients;
    let clients: Vec<Client> = match asked.as_slice() {
        [] => Client::ALL.into_iter().filter(|client| is_used(*client, &ground)).collect(),
        some => some.to_vec(),
    };
    let findings: Vec<Finding> = clients.into_iter().map(|client| Finding::of(client, &ground)).collect();
    if arguments.json {
        output.text(&format!("{}\n", as_json(&findings)))?;
    } else if findings.is_empty() {
        output.text(in_language(language, "No agent is used here.\n", "此处未使用任何代理。\n"))?;
    } else {
        for finding in &findings {
            output.text(&told(finding, language))?;
        }
    }
    let all = findings.iter().all(Finding::is_guarded);
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Why a script of ours cannot be run, where one is.
fn unrunnable(client: Client, scope: Scope, ground: &Ground) -> Option<String> {
    let changes = install(client, scope, ground, &text).ok()?;
    let is_run = |change: &&Change| change.is_program && change.after.is_some();
    let broken = changes.iter().filter(is_run).find(|change| !program::is_program(&change.path))?;
    Some(format!("`{}` cannot be run", broken.path.display()))
}

fn told(finding: &Finding, language: Language) -> String {
    let name = finding.client.name();
    let version =
        finding.version.number().map(|version| format!(" {}", version.map(|number| number.to_string()).join(".")));
    let called = format!("{name}{}", version.unwrap_or_default());
    let verdict = if finding.is_guarded() { "ok" } else { in_language(language, "NOT GUARDED", "未受保护") };
    let mut text = format!("{called:<18} {}   {verdict}\n", finding.states(language).join(" · "));
    if let Some(remedy) = finding.remedy(language) {
        text.push_str(&format!("{:<18} {}{remedy}\n", "", in_language(language, "fix: ", "处理：")));
    }
    if finding.presence != Presence::Absent
        && let Some(residue) = finding.residue(language)
    {
        text.push_str(&format!("{:<18} {}{residue}\n", "", in_language(language, "note: ", "注意：")));
    }
    text
}

fn as_json(findings: &[Finding]) -> serde_json::Value {
    let name = |presence: Presence| match presence {
        Presence::Absent => "absent",
        Presence::Different => "different",
        Presence::SwitchedOff => "switched_off",
        Presence::Untrusted => "untrusted",
        Presence::Current => "current",
    };
    let agents = findings.iter().map(|finding| {
        json!({
            "agent": finding.client.name(),
            "version": finding.version.number().map(|version| version.map(|number| number.to_string()).join(".")),
            "hook": name(finding.presence),
            "refuses": finding.refuses,
            "closed": finding.closed,
            "holds_s": finding.client.answer_within().as_secs(),
            "experimental": finding.client.standing() == Standing::Experimental,
            "guarded": finding.is_guarded(),
            "fix": finding.remedy(Language::English),
            "unguarded_when": finding.residue(Language::English),
        })
    });
    agents.collect()
}
