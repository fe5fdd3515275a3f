//! `signoff check` for one operation.

use std::{
    ffi::OsString,
    io::{self, IsTerminal, Read},
    process::ExitCode,
};

use signoff_card::{Card, Detail, terminal};
use signoff_gate::Places;
use signoff_model::{Operation, Verdict};

use crate::{
    arguments::{CheckArguments, Kind},
    failure::Failure,
    judge::{Judge, language},
    output::{self, Output},
    report::Report,
    request, screens,
};

/// The longest input that is taken. The analysis gives up far below and asks; this only bounds the memory.
pub(crate) const INPUT_AT_MOST: usize = 8 << 20;

pub(crate) fn run(arguments: &CheckArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    if arguments.kind == Kind::Screen {
        // Nothing is looked for there, but whoever names a directory hears that there is none.
        if arguments.cwd.is_some() {
            Judge::new(&arguments.terms(), places)?;
        }
        return screens::run(arguments, &words(arguments)?, output);
    }
    let operation = operation(arguments)?;
    let judged = Judge::new(&arguments.terms(), places)?.judge(operation, None)?;
    if arguments.json {
        let report = Report::new(&judged, arguments.lang, arguments.intent.as_deref());
        output.text(&report.line())?;
    } else {
        let detail = if arguments.full { Detail::Full } else { Detail::Brief };
        let language = language(arguments.lang);
        let card = Card::draw(&judged.operation, &judged.assessment, &judged.judgement, language, detail);
        let (columns, colour) = output::canvas();
        let mut written = Ok(());
        terminal::paint_lines(&card, columns, colour, |line| {
            if written.is_ok() {
                written = output.text(line);
            }
        });
        written?;
    }
    Ok(exit_code(judged.judgement.decision.verdict()))
}

fn exit_code(verdict: Verdict) -> ExitCode {
    ExitCode::from(match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 10,
        Verdict::Block => 20,
    })
}

/// The operation of the command line or of standard input. Bytes that are no text become U+FFFD, which the analysis
/// never lets through: what would run cannot be shown.
fn operation(arguments: &CheckArguments) -> Result<Operation, Failure> {
    request::from_words(arguments.kind, &words(arguments)?, arguments.dialect.as_deref())
}

/// The words of the command line, else all of standard input as one.
fn words(arguments: &CheckArguments) -> Result<Vec<String>, Failure> {
    let is_stdin = |word: &OsString| word == "-";
    Ok(match arguments.operation.as_slice() {
        [] => vec![standard_input(arguments.kind)?],
        [word] if is_stdin(word) => vec![standard_input(arguments.kind)?],
        words => words.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
    })
}

fn standard_input(kind: Kind) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Failure::usage("no operation was given", "未给出操作").hint(
            "signoff check 'COMMAND', or give it on standard input; signoff check --help shows more",
            "signoff check '命令'，或从标准输入给出；详见 signoff check --help",
        ));
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(INPUT_AT_MOST).unwrap_or(u64::MAX).saturating_add(1);
    stdin.lock().take(limit).read_to_end(&mut bytes).map_err(|error| Failure::read(&error))?;
    if bytes.len() > INPUT_AT_MOST {
        return Err(Failure::usage(
            format!("the input is longer than {INPUT_AT_MOST} bytes"),
            format!("输入超过 {INPUT_AT_MOST} 字节"),
        )
        .hint("nothing of this length can be read by a human either; split it", "这样的长度人也无法阅读，请拆分"));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim().is_empty() {
        return Err(Failure::usage("nothing came in on standard input", "标准输入没有内容").hint(
            "signoff check 'COMMAND', or give it on standard input; signoff check --help shows more",
            "signoff check '命令'，或从标准输入给出；详见 signoff check --help",
        ));
    }
    // A shell text and a screen are kept as they are; the other kinds are one line, which ends with a line break in a file.
    Ok(match kind {
        Kind::Shell | Kind::Screen => text,
        Kind::Sql | Kind::File | Kind::Tool | Kind::Reply => text.trim_end().to_owned(),
    })
}
