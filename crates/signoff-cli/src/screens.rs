//! `signoff check --kind screen`: what waits on a terminal, in words and as JSON. The type of the report is the wire's and nobody else's.

use std::process::ExitCode;

use serde::Serialize;
use signoff_analysis::screen::{self, Agent, Doubt, Prompt, Reading, Subject, View, WaitingFor};
use signoff_card::{Language, visible};

use crate::{
    arguments::CheckArguments,
    failure::{Failure, in_language},
    judge::language,
    output::Output,
    report,
    request::{Id, ScreenRequest},
};

/// What a screen is, by its name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Prompt,
    NotPrompt,
    OtherPrompt,
}

impl Kind {
    /// A menu that somebody has opened and a page that somebody reads ask nothing. A question of the agent to its user asks for
    /// something else than permission: it is not Signoff's to answer, like that of another program.
    fn of(reading: &Reading) -> Self {
        match reading {
            Reading::Nothing => Self::NotPrompt,
            Reading::Prompt(prompt) => match prompt.subject {
                Subject::Menu => Self::NotPrompt,
                Subject::Question(_) => Self::OtherPrompt,
                _ => Self::Prompt,
            },
            Reading::Other(waiting) if waiting.what == WaitingFor::Page => Self::NotPrompt,
            Reading::Other(_) => Self::OtherPrompt,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::NotPrompt => "not_prompt",
            Self::OtherPrompt => "other_prompt",
        }
    }

    const fn exit_code(self) -> u8 {
        match self {
            Self::NotPrompt => 0,
            Self::Prompt => 10,
            Self::OtherPrompt => 20,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct ScreenReport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    screen: &'static str,
    agent: Option<&'a str>,
    command: Option<String>,
    yes: Option<String>,
    no: Option<String>,
    /// Why only a person may answer, where that is so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held: Vec<&'static str>,
}

impl<'a> ScreenReport<'a> {
    pub(crate) fn of(reading: &'a Reading) -> Self {
        let kind = Kind::of(reading);
        let empty =
            Self { id: None, screen: kind.name(), agent: None, command: None, yes: None, no: None, held: Vec::new() };
        match reading {
            Reading::Nothing => empty,
            Reading::Other(waiting) => Self { agent: waiting.program.as_deref(), ..empty },
            Reading::Prompt(prompt) => {
                let agent = prompt.agent.map(Agent::name);
                if kind != Kind::Prompt {
                    return Self { agent, ..empty };
                }
                let keys = |keys: &Option<screen::Keys>| keys.as_ref().map(ToString::to_string);
                let (command, held) = (Some(prompt.subject.to_string()), held(prompt));
                Self { agent, command, yes: keys(&prompt.yes), no: keys(&prompt.no), held, ..empty }
            }
        }
    }

    pub(crate) const fn answering(mut self, id: &'a Id) -> Self {
        self.id = Some(id);
        self
    }

    /// The report as a line of JSON.
    pub(crate) fn line(&self) -> String {
        report::line(self)
    }
}

/// The names of what keeps Signoff from answering.
fn held(prompt: &Prompt) -> Vec<&'static str> {
    let own = prompt.subject.is_for_people().then_some("for_people");
    own.into_iter().chain(prompt.doubts.iter().map(|doubt| doubt.name())).collect()
}

/// Reads a screen.
pub(crate) fn read(asked: &ScreenRequest) -> Reading {
    screen::read(&View {
        columns: asked.columns,
        cursor: asked.cursor,
        running: asked.running,
        ..View::of(&asked.screen)
    })
}

/// Checks one screen: the rows as one text.
pub(crate) fn run(arguments: &CheckArguments, words: &[String], output: &mut Output) -> Result<ExitCode, Failure> {
    let [text] = words else {
        return Err(Failure::usage("a screen is one text", "屏幕是一段文本").hint(
            "give its rows on standard input: tmux capture-pane -p | signoff check --kind screen",
            "请从标准输入给出各行：tmux capture-pane -p | signoff check --kind screen",
        ));
    };
    let reading = screen::read(&View::of(text));
    if arguments.json {
        output.text(&ScreenReport::of(&reading).line())?;
    } else {
        output.text(&in_words(&reading, language(arguments.lang)))?;
    }
    Ok(ExitCode::from(Kind::of(&reading).exit_code()))
}

fn in_words(reading: &Reading, language: Language) -> String {
    let say = |english, chinese| in_language(language, english, chinese);
    let mut lines = Vec::new();
    match (Kind::of(reading), reading) {
        (Kind::Prompt, Reading::Prompt(prompt)) => {
            let agent = prompt.agent.map_or(say("an agent", "某个代理"), Agent::name);
            lines.push(format!("prompt  {agent} {}", say("waits for permission", "等待许可")));
            let mut row = |name: &str, value: String| lines.push(format!("  {name}  {value}"));
            row(say("for", "内容"), visible(&prompt.subject.to_string()));
            if let Some(question) = &prompt.question {
                row(say("asks", "提问"), visible(question));
            }
            for (name, keys) in [(say("yes", "同意"), &prompt.yes), (say("no ", "拒绝"), &prompt.no)] {
                let keys = keys
                    .as_ref()
                    .map_or_else(|| say("none is plain", "没有明确的选项").to_owned(), ToString::to_string);
                row(name, keys);
            }
            if prompt.subject.is_for_people() {
                row(say("held", "须人工"), say("a person has to answer this themselves", "必须由人来回答").to_owned());
            }
            for doubt in &prompt.doubts {
                row(say("held", "须人工"), doubt_in_words(*doubt, language).to_owned());
            }
        }
        (Kind::OtherPrompt, Reading::Other(waiting)) => {
            let program = waiting.program.as_deref().map_or_else(|| say("a program", "某个程序").to_owned(), visible);
            lines.push(format!(
                "other   {program} {}",
                say("waits; it is never answered by Signoff", "在等待输入；Signoff 绝不代为回答")
            ));
        }
        (Kind::OtherPrompt, _) => {
            lines.push(say("other   an agent asks its user something", "other   代理在向用户提问").to_owned());
        }
        (Kind::NotPrompt | Kind::Prompt, _) => {
            lines.push(say("nothing waits for permission", "没有等待许可的请求").to_owned());
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Why a dialog is for people.
const fn doubt_in_words(doubt: Doubt, language: Language) -> &'static str {
    let (english, chinese) = match doubt {
        Doubt::TopCut => ("its beginning is not on the screen, or cannot be told", "开头不在屏幕上或无法确定"),
        Doubt::ChoicesCut => ("some of its choices are not on the screen", "部分选项不在屏幕上"),
        Doubt::LeftOut => ("it leaves something out", "内容有省略"),
        Doubt::Clipped => ("a row may go on beyond the edge", "有一行可能超出边缘"),
        Doubt::Wrapped => ("a row may go on in the next one in several ways", "换行处有多种可能的接法"),
        Doubt::NotTold => ("what it is about cannot be told from the words around it", "内容与周围的说明无法区分"),
        Doubt::Imitation => ("the text in it looks like a dialog itself", "其中的文字在模仿对话框"),
        Doubt::Disguised => ("it holds characters that are not what they seem", "含有伪装的字符"),
        Doubt::Empty => ("what it is about was not found", "未找到其内容"),
        Doubt::DefaultIsNo => ("its default is no", "默认选项为否"),
        Doubt::NoPlainYes => ("no choice is a yes to this one time alone", "没有仅限本次的同意选项"),
        Doubt::MarkUnseen => ("which choice is marked cannot be seen", "看不出当前选中的选项"),
        Doubt::Unframed => ("nothing sets it off from other text", "与其他文字没有明显界限"),
        Doubt::WhoseUnknown => ("whose dialog it is cannot be told", "无法确定是哪个代理的对话框"),
    };
    in_language(language, english, chinese)
}
