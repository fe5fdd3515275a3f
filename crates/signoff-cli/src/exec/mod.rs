//! `signoff exec`: judges a command, asks whoever sits at the terminal, and runs what was shown or nothing.

mod ask;
mod command;
mod elsewhere;
mod environment;
mod file;
mod interrupt;
pub(crate) mod rescue;
mod result;
mod shown;
mod words;

use std::{
    env,
    io::{self, IsTerminal, Write as _},
    path::Path,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use ask::{Answer, Backup};
use command::{Deed, Wanted};
use elsewhere::{Asked, Before, Elsewhere, Word};
pub(crate) use elsewhere::{surroundings, surroundings_of};
use interrupt::TakesBack;
use result::{NotRun, WireResult};
use signoff_card::{Card, Detail, Language, in_words, terminal, terminal::Colour, visible};
use signoff_exec::run::{Cancel, Command, Ending, ExecutionResult, Limits, Program, RunError, Sinks, Stdin};
use signoff_facts::Evidence;
use signoff_gate::Places;
use signoff_model::{Decision, Operation, Risk, Verdict};
use words::Words;

use crate::{
    arguments::{ExecArguments, FactsSource},
    decided,
    failure::{Failure, in_language},
    gateway::{
        on_demand,
        standing::{is_distrusted, locked_by},
        told_number,
    },
    judge::{Judge, Judged, Terms, language},
    output::{self, Output},
    person::{Absent, Person},
};

/// Nobody could be asked.
pub(crate) const NEEDS_CONFIRMATION: u8 = 120;
pub(crate) const DENIED: u8 = 121;
pub(crate) const BLOCKED: u8 = 122;
/// Nobody answered in time, or it was no longer what was shown.
pub(crate) const EXPIRED: u8 = 123;
const TIMED_OUT: u8 = 124;
const FAILED: u8 = 125;

pub(crate) fn run(arguments: &ExecArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let before = match &arguments.approval {
        Some(id) => Some(Elsewhere::before(places, (&arguments.agent, arguments.session.as_deref()), id)?),
        None => None,
    };
    let (wanted, cwd) = match &before {
        Some((_, before)) => {
            let directory = Path::new(&before.directory);
            (Wanted::approved(before.operation.clone(), directory)?, Some(directory))
        }
        None if arguments.file => (Wanted::file(file::given()?)?, None),
        None => (Wanted::new(&arguments.command)?, None),
    };
    let terms = Terms { facts: FactsSource::Local, cwd, posture: None, intent: arguments.intent.as_deref(), language };
    let judge = Judge::new(&terms, places)?;
    let run = Run { arguments, places, judge, wanted, language, words: Words::of(language), output, approval: None };
    match before {
        Some((open, before)) => run.go_on(Box::new(open), &before),
        None => run.go(),
    }
}

/// One command on its way through the gate.
struct Run<'r> {
    arguments: &'r ExecArguments,
    places: &'r Places,
    judge: Judge<'r>,
    wanted: Wanted,
    language: Language,
    words: &'static Words,
    output: &'r mut Output,
    /// The question at the gateway, where there is one.
    approval: Option<String>,
}

impl Run<'_> {
    fn go(mut self) -> Result<ExitCode, Failure> {
        let (mut judged, mut evidence) = self.judge_now()?;
        if judged.assessment.effective_risk() > Risk::None
            && let Some(by) = locked_by(self.places)
        {
            let why = self.words.locked_down.replace("{}", &visible(&by));
            return self.not_run(&judged, NotRun::Refused(why), BLOCKED, Told::Words);
        }
        // Another name is no way around it.
        let distrust = [elsewhere::AGENT, &self.arguments.agent].iter().any(|agent| is_distrusted(self.places, agent));
        match judged.judgement.decision.verdict() {
            // Whoever is not trusted has every operation asked about, which the gateway does: it knows how far that goes.
            Verdict::Allow if distrust => {}
            Verdict::Allow => {
                self.note_decided("allowed", &judged);
                return self.execute(&judged, None, None, output::interrupted()?);
            }
            Verdict::Block => {
                self.note_decided("blocked", &judged);
                let why = self.why(&judged);
                return self.not_run(&judged, NotRun::Refused(why), BLOCKED, Told::Card);
            }
            Verdict::Ask => {}
        }
        let directory = self.judge.whereabouts().cwd.clone();
        let who = (self.arguments.agent.as_str(), self.arguments.session.as_deref());
        let intent = self.arguments.intent.as_deref();
        let alone = self.judge.owner_decides(judged.assessment.effective_risk())?;
        if !alone || distrust {
            on_demand::be_there(self.places)?;
        }
        let asked = Elsewhere::ask(self.places, who, (&self.wanted.operation, &directory), intent, self.language)?;
        let open = match asked {
            Asked::Nowhere if !alone => {
                // Somebody else has to agree, and there is no way to ask them.
                let why = NotRun::NeedsConfirmation(self.words.needs_gateway.to_owned());
                return self.not_run(&judged, why, NEEDS_CONFIRMATION, Told::CardAndWords);
            }
            Asked::Nowhere => None,
            Asked::Open(open) => Some(open),
            Asked::Allowed { paused } => {
                if let Some((by, left)) = paused {
                    let left = humantime::format_duration(left).to_string();
                    output::note(&self.words.paused.replace("{by}", &visible(&by)).replace("{left}", &left));
                }
                return self.execute(&judged, None, None, output::interrupted()?);
            }
            Asked::Blocked(why) => return self.not_run(&judged, NotRun::Refused(why), BLOCKED, Told::Words),
        };
        self.approval = open.as_ref().map(|open| open.id.clone());
        if let Some(open) = &open {
            output::note(&told_number(&open.number, self.language));
            // Whoever sits here is there.
            if Person::here().is_err() {
                output::note(open.unattended);
            }
        }
        if self.arguments.no_wait
            && let Some(open) = &open
        {
            return self.still_open(&judged, &open.id.clone());
        }
        let takes_back = match &open {
            Some(open) => Some(TakesBack::on_interrupt(self.places, who, &open.id)?),
            None => None,
        };
        let answer = match (Person::here(), &open) {
            (Ok(_), Some(open)) if !open.may_be_answered_here => {
                output::note(&self.words.asked_elsewhere.replace("{}", &open.id));
                Answer::Elsewhere
            }
            (Ok(mut person), _) => self.asked_here(&mut person, &judged, open.as_deref())?,
            (Err(_), Some(open)) => {
                output::note(&self.words.asked_elsewhere.replace("{}", &open.id));
                Answer::Elsewhere
            }
            (Err(absent), None) => return self.nobody_to_ask(&judged, &absent),
        };
        let (answer, word) = agreed(answer, open.as_deref());
        drop(takes_back);
        if open.is_none() {
            let said = match answer {
                Answer::Yes | Answer::BackUpFirst => "approved-at-terminal",
                Answer::No | Answer::Late | Answer::Ended | Answer::Elsewhere => "denied-at-terminal",
            };
            self.note_decided(said, &judged);
        }
        let words = self.words;
        let refused = |why: &str| NotRun::Refused(why.to_owned());
        let wants_backup = match (&answer, &word) {
            (_, Some(Word::No(said))) => {
                let why = words.denied_elsewhere.replace("{}", &visible(said));
                return self.not_run(&judged, refused(&why), DENIED, Told::Words);
            }
            (_, Some(Word::Yes { back_up, .. })) => *back_up,
            (Answer::No, None) => return self.not_run(&judged, refused(words.nothing_run), DENIED, Told::Words),
            (Answer::Ended, None) => {
                let why = NotRun::NeedsConfirmation(words.ended.to_owned());
                return self.not_run(&judged, why, NEEDS_CONFIRMATION, Told::Words);
            }
            (Answer::Late | Answer::Elsewhere, None) | (_, Some(Word::Late)) => {
                return self.not_run(&judged, refused(words.late), EXPIRED, Told::Words);
            }
            (Answer::Yes, None) => false,
            (Answer::BackUpFirst, None) => true,
        };
        let permit = match word {
            Some(Word::Yes { permit, changed, .. }) => {
                if let Some(changed) = changed {
                    (judged, evidence) = self.change(changed)?;
                }
                Some(permit)
            }
            _ => None,
        };
        self.carry_out((judged, evidence), wants_backup, open.zip(permit))
    }

    fn note_decided(&self, what: &str, judged: &Judged) {
        let session = self.arguments.session.clone().unwrap_or_else(elsewhere::own_session);
        let cwd = &self.judge.whereabouts().cwd;
        decided::note(self.places, what, judged, cwd, (&self.arguments.agent, session), self.language);
    }

    /// Takes the changed form that was approved instead of what was asked for.
    fn change(&mut self, changed: Operation) -> Result<(Judged, Evidence), Failure> {
        output::note(&self.words.changed_elsewhere.replace("{}", &visible(&changed.text())));
        self.wanted = Wanted::approved(changed, self.judge.directory())?;
        self.judge_now()
    }

    /// Goes on with what was asked before.
    fn go_on(mut self, open: Box<Elsewhere>, before: &Before) -> Result<ExitCode, Failure> {
        let (mut judged, mut evidence) = self.judge_now()?;
        self.approval = Some(open.id.clone());
        if before.is_open {
            return self.still_open(&judged, &open.id);
        }
        let words = self.words;
        let (permit, back_up) = match open.word() {
            Word::Yes { permit, back_up, changed } => {
                if let Some(changed) = changed {
                    (judged, evidence) = self.change(changed)?;
                }
                (permit, back_up)
            }
            Word::No(said) => {
                let why = NotRun::Refused(words.denied_elsewhere.replace("{}", &visible(&said)));
                return self.not_run(&judged, why, DENIED, Told::Words);
            }
            Word::Late => {
                let why = NotRun::Refused(words.no_longer_good.to_owned());
                return self.not_run(&judged, why, EXPIRED, Told::Words);
            }
        };
        self.carry_out((judged, evidence), back_up, Some((open, permit)))
    }

    /// Nobody has answered yet, and nobody waits.
    fn still_open(self, judged: &Judged, id: &str) -> Result<ExitCode, Failure> {
        let message = self.words.still_open.replace("{}", id);
        self.not_run(judged, NotRun::NeedsConfirmation(message), NEEDS_CONFIRMATION, Told::Words)
    }

    /// Does what was agreed to: backs up where that was wanted, looks once more, uses the yes up, and runs it.
    fn carry_out(
        self,
        (judged, evidence): (Judged, Evidence),
        wants_backup: bool,
        agreed: Option<(Box<Elsewhere>, String)>,
    ) -> Result<ExitCode, Failure> {
        // From here on an interrupt ends what is under way, and whatever would come after it.
        let interrupted = output::interrupted()?;
        let words = self.words;
        let refused = |why: &str| NotRun::Refused(why.to_owned());
        let backup = if wants_backup {
            let paths = rescue::paths(&judged.assessment);
            match rescue::back_up(self.places, &self.wanted.text(), &paths, &interrupted, self.language) {
                Ok(rescue) => Some(rescue),
                // Without the backup it is not what was agreed to.
                Err(failure) => {
                    let why = refused(failure.message.told(self.language));
                    return self.not_run(&judged, why, FAILED, Told::Failure(failure));
                }
            }
        } else {
            None
        };
        // What was shown is what runs: everything is looked at once more, as late as possible.
        let (now, found) = match self.judge_now() {
            Ok(looked) => looked,
            Err(failure) => {
                if let Some(rescue) = backup {
                    rescue.discard();
                }
                return Err(failure);
            }
        };
        if let Some(lines) = shown::differences((&judged, &evidence), (&now, &found), (words, self.language)) {
            if let Some(rescue) = backup {
                rescue.discard();
            }
            let message = format!("{}{lines}", words.changed);
            return self.not_run(&judged, NotRun::Refused(message), EXPIRED, Told::Words);
        }
        let used = match agreed {
            None => None,
            Some((open, permit)) => {
                // The gate looks by itself, too, and gives its word once.
                if let Err(failure) = open.redeem(&permit) {
                    if let Some(rescue) = backup {
                        rescue.discard();
                    }
                    let why = refused(failure.message.told(self.language));
                    return self.not_run(&judged, why, EXPIRED, Told::Failure(failure));
                }
                Some((open, permit))
            }
        };
        self.execute(&judged, backup, used, interrupted)
    }

    /// Asks whoever sits here, until they answer or somebody does elsewhere.
    fn asked_here(&self, person: &mut Person, judged: &Judged, open: Option<&Elsewhere>) -> Result<Answer, Failure> {
        let backup = if rescue::paths(&judged.assessment).is_empty() { Backup::Impossible } else { Backup::Possible };
        let within = (self.judge.patience()?, open.map(Elsewhere::bell));
        let answer = ask::ask(person, judged, backup, within, colour(), self.language);
        answer.map_err(|error| Failure::read(&error))
    }

    fn judge_now(&self) -> Result<(Judged, Evidence), Failure> {
        self.judge.judge_to_run(self.wanted.operation.clone())
    }

    /// Runs what may run.
    fn execute(
        self,
        judged: &Judged,
        rescue: Option<rescue::Rescue>,
        used: Option<(Box<Elsewhere>, String)>,
        interrupted: Arc<AtomicBool>,
    ) -> Result<ExitCode, Failure> {
        let ran = match &self.wanted.deed {
            Deed::File(deed) => Ok(self.done(deed)),
            Deed::Program(program) => self.ran(program.clone(), interrupted),
        };
        let result = match ran {
            Ok(result) => result,
            Err(error) => {
                let failure = could_not_run(&error);
                if let Some((open, permit)) = used {
                    open.report(&permit, false, failure.message.told(Language::English));
                }
                if let Some(rescue) = rescue {
                    rescue.discard();
                }
                let why = NotRun::Refused(failure.message.told(self.language).to_owned());
                return self.not_run(judged, why, FAILED, Told::Failure(failure));
            }
        };
        if let Some((open, permit)) = used {
            let words = result.exit_code.map_or_else(String::new, |code| format!("exit {code}"));
            open.report(&permit, result.success, &words);
        }
        let backup = rescue.map(|rescue| rescue.seal(self.language)).transpose()?;
        self.report(judged, &result, backup)
    }

    /// Does something to a file.
    fn done(&self, deed: &signoff_exec::file::Deed) -> ExecutionResult {
        let mut result = signoff_exec::file::carry_out(deed);
        if !self.arguments.json {
            let shown = io::stdout().write_all(&result.stdout.head).and(io::stderr().write_all(&result.stderr.head));
            result.sink_failed = shown.is_err();
        }
        result
    }

    /// Runs a program.
    fn ran(&self, program: Program, interrupted: Arc<AtomicBool>) -> Result<ExecutionResult, RunError> {
        let around = environment::around(env::vars_os(), &self.wanted.text(), self.judge.whereabouts());
        if !around.told.is_empty() {
            output::note(&self.words.withheld.replace("{}", &visible(&around.told.join(", "))));
        }
        let command = Command {
            program,
            directory: self.judge.directory().to_owned(),
            environment: around.environment,
            stdin: Stdin::Inherit,
            limits: Limits { time: self.arguments.timeout, ..Limits::default() },
            cancel: Cancel::from_flag(interrupted),
        };
        if self.arguments.json {
            signoff_exec::run(&command, Sinks { stdout: &mut io::sink(), stderr: &mut io::sink() })
        } else {
            signoff_exec::run(&command, Sinks { stdout: &mut io::stdout(), stderr: &mut io::stderr() })
        }
    }

    fn report(self, judged: &Judged, result: &ExecutionResult, backup: Option<String>) -> Result<ExitCode, Failure> {
        if self.arguments.json {
            let message = error_message(result, self.language);
            let risk = judged.assessment.effective_risk().name();
            let result = WireResult::of(result, message, risk, backup, self.language);
            self.output.text(&result.about(self.approval).line())?;
        } else {
            if result.left_running {
                output::note(self.words.left_running);
            }
            if let Some(message) = error_message(result, self.language) {
                output::note(&format!("{message}\n"));
            }
            if let Some(id) = backup {
                output::note(&self.words.undo_hint.replace("{}", &id));
            }
        }
        Ok(ExitCode::from(match result.ending {
            Ending::TimedOut => TIMED_OUT,
            Ending::Exited | Ending::Signalled(_) | Ending::Cancelled => {
                result.exit_code.and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED)
            }
        }))
    }

    /// Nothing is run, and whoever called is told why.
    fn not_run(self, judged: &Judged, why: NotRun, code: u8, told: Told) -> Result<ExitCode, Failure> {
        let message = match &why {
            NotRun::NeedsConfirmation(message) | NotRun::Refused(message) => message.clone(),
        };
        if self.arguments.json {
            let result = WireResult::not_run(why, judged.assessment.effective_risk().name());
            self.output.text(&result.about(self.approval).line())?;
            return Ok(ExitCode::from(code));
        }
        match told {
            Told::Card => output::note(&painted(judged, self.language)),
            Told::CardAndWords => output::note(&format!("{}{message}\n", painted(judged, self.language))),
            Told::Words => output::note(&message),
            Told::Failure(failure) => output::note(&format!("{}\n", failure.told(self.language))),
        }
        Ok(ExitCode::from(code))
    }

    fn nobody_to_ask(self, judged: &Judged, absent: &Absent) -> Result<ExitCode, Failure> {
        let reason = match (self.language, absent) {
            (Language::English, Absent::NoTerminal) => {
                "needs confirmation: there is no terminal to ask at, and nothing was run".to_owned()
            }
            (Language::Chinese, Absent::NoTerminal) => "需要确认：没有可供询问的终端，未运行任何内容".to_owned(),
            (Language::English, Absent::Agent(agent)) => format!(
                "needs confirmation: this terminal belongs to `{}`, whose answer does not count; nothing was run",
                visible(agent)
            ),
            (Language::Chinese, Absent::Agent(agent)) => {
                format!("需要确认：此终端属于 `{}`，它的回答不算数；未运行任何内容", visible(agent))
            }
            (Language::English, Absent::Unknown) => {
                "needs confirmation: who started this terminal cannot be told, and nothing was run".to_owned()
            }
            (Language::Chinese, Absent::Unknown) => "需要确认：无法确定此终端由谁启动，未运行任何内容".to_owned(),
        };
        let why = self.why(judged);
        let message = if self.arguments.json && !why.is_empty() { format!("{reason}: {why}") } else { reason };
        self.not_run(judged, NotRun::NeedsConfirmation(message), NEEDS_CONFIRMATION, Told::CardAndWords)
    }

    fn why(&self, judged: &Judged) -> String {
        let text = judged.operation.text();
        match in_words(&judged.judgement, &judged.assessment, &text, self.language) {
            Decision::ExecuteDirectly => String::new(),
            Decision::RequireConfirmation { reason, .. } | Decision::Reject { reason, .. } => reason,
            Decision::RequireChoice { question, .. } => question,
            Decision::RequireInput { prompt, .. } => prompt,
        }
    }
}

/// Whose answer counts: one that was given here takes the question back elsewhere, unless somebody there was quicker.
fn agreed(answer: Answer, open: Option<&Elsewhere>) -> (Answer, Option<Word>) {
    let Some(open) = open else { return (answer, None) };
    let said = match answer {
        Answer::Elsewhere => return (answer, Some(open.word())),
        // Who said no has said so, whatever becomes of the question elsewhere: a yes that nobody uses runs out.
        Answer::No | Answer::Late | Answer::Ended => {
            let no = if matches!(answer, Answer::No) {
                "answered at the terminal: no"
            } else {
                "nobody answered at the terminal"
            };
            open.take_back(no);
            return (answer, None);
        }
        Answer::Yes => "answered at the terminal: yes",
        Answer::BackUpFirst => "answered at the terminal: yes, with a backup",
    };
    if open.take_back(said) { (answer, None) } else { (answer, Some(open.word())) }
}

/// How a person is told that nothing was run.
enum Told {
    Card,
    CardAndWords,
    Words,
    Failure(Failure),
}

fn painted(judged: &Judged, language: Language) -> String {
    let card = Card::draw(&judged.operation, &judged.assessment, &judged.judgement, language, Detail::Brief);
    let mut text = String::new();
    let columns = output::terminal_columns().unwrap_or(output::COLUMNS);
    terminal::paint_lines(&card, columns, colour(), |line| text.push_str(line));
    text
}

/// Cards of this command go to standard error or to the terminal itself.
fn colour() -> Colour {
    if io::stderr().is_terminal() { output::colour() } else { Colour::Off }
}

fn error_message(result: &ExecutionResult, language: Language) -> Option<String> {
    let (english, chinese) = match result.ending {
        Ending::Exited => return None,
        Ending::TimedOut => (
            "the command took longer than its time limit, and was ended".to_owned(),
            "命令超过时限，已被终止".to_owned(),
        ),
        Ending::Cancelled => ("the command was interrupted".to_owned(), "命令已被中断".to_owned()),
        Ending::Signalled(signal) => {
            (format!("the command was ended by signal {signal}"), format!("命令被信号 {signal} 终止"))
        }
    };
    Some(in_language(language, &english, &chinese).to_owned())
}

fn could_not_run(error: &RunError) -> Failure {
    let text = visible(&error.to_string());
    Failure::internal(text.clone(), format!("无法运行：{text}")).hint(error.hint(), "请检查程序名称、权限与工作目录")
}
