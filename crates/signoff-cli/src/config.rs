//! `signoff config`: what is configured and where it comes from, and which project files are trusted.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::Serialize;
use signoff_card::{Language, visible};
use signoff_config::{NoticeKind, Offered, Standing, Untrusted, import};
use signoff_gate::{Places, judging::Policies};
use signoff_server::Setting;

use crate::{
    arguments::{ConfigArguments, ConfigCommand, FactsSource, ImportFrom},
    failure::{Failure, in_language},
    judge::{Judge, Terms, language},
    output::{self, Output},
    person::{Absent, Person, Reply},
    policies,
};

/// How long somebody has to read a file and answer.
const READ_WITHIN: Duration = Duration::from_secs(300);

#[derive(Serialize)]
struct WireConfig {
    values: Vec<Setting>,
    files: Vec<WireFile>,
}

#[derive(Serialize)]
struct WireFile {
    path: String,
    layer: &'static str,
    trusted: bool,
}

pub(crate) fn run(arguments: &ConfigArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.lang);
    match &arguments.command {
        None => show(arguments, places, language, output),
        Some(ConfigCommand::Trust) => trust(places, language, output),
        Some(ConfigCommand::Untrust) => untrust(places, language, output),
        Some(ConfigCommand::Import { from: ImportFrom::Claude, file }) => {
            import_claude(file.as_deref(), language, output)
        }
        Some(ConfigCommand::Schema) => {
            let text = serde_json::to_string_pretty(&signoff_config::schema());
            output.text(&format!("{}\n", text.map_err(|error| Failure::write(&error.into()))?))
        }
    }
}

/// The root of the project that this process stands in.
fn project(places: &Places, language: Language) -> Result<PathBuf, Failure> {
    let terms = Terms { facts: FactsSource::Local, cwd: None, posture: None, intent: None, language };
    Ok(Judge::new(&terms, places)?.project().to_owned())
}

fn show(arguments: &ConfigArguments, places: &Places, language: Language, output: &mut Output) -> Result<(), Failure> {
    let project = project(places, language)?;
    let policies = Policies::new(places);
    let policy = policies.of(Some(&project)).map_err(|fault| policies::failure(&fault))?;
    policies::tell(&policies.notices(), language);
    let settings = &policy.settings;
    if arguments.json {
        let wire = WireConfig {
            values: settings.explain().into_iter().map(Setting::from).collect(),
            files: settings
                .files
                .iter()
                .map(|file| WireFile {
                    path: file.path.to_string_lossy().into_owned(),
                    layer: file.layer.name(),
                    trusted: file.standing == Standing::Trusted,
                })
                .collect(),
        };
        let text = serde_json::to_string(&wire).map_err(|error| Failure::write(&error.into()))?;
        return output.text(&format!("{text}\n"));
    }
    let lines = settings.explain();
    let widest = lines.iter().map(|line| line.key.chars().count() + line.value.chars().count() + 3).max().unwrap_or(0);
    for line in lines {
        let assignment = visible(&format!("{} = {}", line.key, line.value));
        let gap = " ".repeat(widest.min(60).saturating_sub(assignment.chars().count()));
        output.text(&format!("{assignment}{gap}  # {}\n", visible(&line.origin.to_string())))?;
    }
    Ok(())
}

/// A person reads the file and says yes. An agent cannot: what it has written would configure its own guard (law 7, 8).
fn trust(places: &Places, language: Language, output: &mut Output) -> Result<(), Failure> {
    let project = project(places, language)?;
    let offered = signoff_config::offered(&project).map_err(|fault| policies::failure(&fault))?;
    let Some(offered) = offered else {
        let shown = visible(&project.join(signoff_config::PROJECT_FILE).to_string_lossy());
        return Err(Failure::usage(format!("there is no `{shown}`"), format!("没有 `{shown}`"))
            .hint("a project without a file of its own needs no trust", "没有自己配置文件的项目无需信任"));
    };
    let mut person = Person::here().map_err(|absent| no_person(&absent))?;
    let shown = visible(&offered.path.to_string_lossy());
    let text: String = offered.text.lines().map(|line| format!("  {}\n", visible(line))).collect();
    // A long file scrolls away; what matters in it stands right above the question.
    let loosens = loosened(places, &project, &offered)?;
    let question = match language {
        Language::English => {
            let ask = "May exactly this loosen your policy in this project? Type yes, or anything else to leave it: ";
            match loosens.is_empty() {
                true => format!("{shown}\n\n{text}\nNothing in it loosens what holds now.\n{ask}"),
                false => format!("{shown}\n\n{text}\nIt loosens:\n{loosens}{ask}"),
            }
        }
        Language::Chinese => {
            let ask = "允许以上内容在本项目中放宽您的策略吗？输入 yes 表示允许，输入其他内容则不允许：";
            match loosens.is_empty() {
                true => format!("{shown}\n\n{text}\n其中没有放宽现有策略的内容。\n{ask}"),
                false => format!("{shown}\n\n{text}\n它会放宽：\n{loosens}{ask}"),
            }
        }
    };
    let answer = person.answer(&question, Instant::now() + READ_WITHIN).map_err(|error| Failure::read(&error))?;
    if answer != Reply::Line("yes".to_owned()) {
        let (english, chinese) = ("It is not trusted: it may only tighten.\n", "未信任：它只能收紧策略。\n");
        return output.text(in_language(language, english, chinese));
    }
    signoff_config::trust(&places.trusted(), &offered).map_err(|fault| policies::failure(&fault))?;
    output.text(&match language {
        Language::English => format!("Trusted as it is now. Any change takes that back: {shown}\n"),
        Language::Chinese => format!("已信任其当前内容；一旦改动即失效：{shown}\n"),
    })
}

/// What a project's file would loosen, each with its line.
fn loosened(places: &Places, project: &Path, offered: &Offered) -> Result<String, Failure> {
    let settings = signoff_config::load(&places.locations(Some(project))).map_err(|fault| policies::failure(&fault))?;
    if !settings.files.iter().any(|file| file.path == offered.path && file.digest == offered.digest) {
        let shown = visible(&offered.path.to_string_lossy());
        return Err(Failure::usage(format!("`{shown}` has changed meanwhile"), format!("`{shown}` 刚刚发生了变化"))
            .hint("read it again", "请重新阅读"));
    }
    let notices = settings.notices.iter().filter(|notice| notice.kind == NoticeKind::Untrusted);
    Ok(notices
        .map(|notice| {
            let line = notice.origin.place.as_ref().map_or(0, |(_, line)| *line);
            format!("  :{line}  {}\n", visible(&notice.key))
        })
        .collect())
}

fn no_person(absent: &Absent) -> Failure {
    match absent {
        Absent::NoTerminal | Absent::Unknown => Failure::usage(
            "only a person at a terminal can trust a project's file",
            "只有坐在终端前的人才能信任项目的配置文件",
        ),
        Absent::Agent(agent) => {
            let agent = visible(agent);
            Failure::usage(
                format!("this terminal belongs to `{agent}`, and an agent cannot trust a file"),
                format!("此终端属于 `{agent}`，代理不能信任配置文件"),
            )
        }
    }
    .hint("run `signoff config trust` in a terminal of your own", "请在您自己的终端中运行 `signoff config trust`")
}

fn untrust(places: &Places, language: Language, output: &mut Output) -> Result<(), Failure> {
    let project = project(places, language)?;
    let found = signoff_config::untrust(&places.trusted(), &project).map_err(|fault| policies::failure(&fault))?;
    output.text(match (found, language) {
        (Untrusted::Removed, Language::English) => "The project's file is no longer trusted.\n",
        (Untrusted::Removed, Language::Chinese) => "已取消对项目配置文件的信任。\n",
        (Untrusted::WasNot, Language::English) => "The project's file was not trusted.\n",
        (Untrusted::WasNot, Language::Chinese) => "项目的配置文件原本就未被信任。\n",
    })
}

fn import_claude(file: Option<&Path>, language: Language, output: &mut Output) -> Result<(), Failure> {
    let file = file.map_or_else(|| signoff_facts::home().join(".claude/settings.json"), Path::to_owned);
    let shown = visible(&file.to_string_lossy());
    let text = signoff_config::text_of_file(&file).map_err(|fault| policies::failure(&fault))?;
    let text = text.ok_or_else(|| {
        Failure::usage(
            format!("cannot read `{shown}`: there is no such file"),
            format!("无法读取 `{shown}`：文件不存在"),
        )
        .hint("signoff config import claude FILE", "signoff config import claude 文件")
    })?;
    let imported = import::claude(&text).map_err(|error| {
        Failure::usage(
            format!("{shown}: {}", visible(&error.message.english)),
            format!("{shown}：{}", visible(&error.message.chinese)),
        )
        .hint(visible(&error.hint.english), visible(&error.hint.chinese))
    })?;
    output.text(&imported.toml)?;
    for left in &imported.left_out {
        let reason = in_language(language, &left.reason.english, &left.reason.chinese);
        output::note(&match language {
            Language::English => {
                format!("note: not carried over: {} `{}`: {}\n", left.list, visible(&left.entry), visible(reason))
            }
            Language::Chinese => {
                format!("注意：未能导入：{} `{}`：{}\n", left.list, visible(&left.entry), visible(reason))
            }
        });
    }
    Ok(())
}
