//! `signoff check --batch`: JSON lines in, JSON lines out, in the same order. A line that is not understood gets an error
//! object, and the rest goes on.

use std::{
    io::{self, BufRead, BufReader},
    process::ExitCode,
};

use signoff_gate::Places;

use crate::{
    arguments::CheckArguments,
    check::INPUT_AT_MOST,
    failure::{Failure, Kind},
    judge::Judge,
    output::Output,
    report::{ErrorReport, Report},
    request::{Defaults, Id, OnlyId, Request},
    screens::{self, ScreenReport},
};

/// What some editors put before the first line of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub(crate) fn run(arguments: &CheckArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let judge = Judge::new(&arguments.terms(), places)?;
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    let mut line = Vec::new();
    let mut number = 0;
    let mut worst: Option<Kind> = None;
    loop {
        let taken = take_line(&mut input, &mut line).map_err(|error| Failure::read(&error))?;
        number += 1;
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        let answer = match taken {
            Taken::End => break,
            Taken::Line if line.trim_ascii().is_empty() => continue,
            Taken::Line => answer(&judge, arguments, &String::from_utf8_lossy(&line)),
            Taken::TooLong => {
                let failure = Failure::usage(
                    format!("the line is longer than {INPUT_AT_MOST} bytes"),
                    format!("该行超过 {INPUT_AT_MOST} 字节"),
                );
                let failure =
                    failure.hint("nothing of this length can be read by a human either", "这样的长度人也无法阅读");
                Err((None, failure))
            }
        };
        match answer {
            Ok(report) => output.text(&report)?,
            Err((id, failure)) => {
                worst = worst.max(Some(failure.kind));
                output.text(&ErrorReport::new(&id, number, &failure, arguments.lang).line())?;
            }
        }
        // Whoever waits for an answer before sending the next line must get it now.
        let next_is_here = input.buffer().contains(&b'\n');
        if !next_is_here {
            output.deliver()?;
        }
    }
    Ok(worst.map_or(ExitCode::SUCCESS, |kind| ExitCode::from(kind.exit_code())))
}

fn answer(judge: &Judge<'_>, arguments: &CheckArguments, line: &str) -> Result<String, (Id, Failure)> {
    let mut request = Request::parse(line).map_err(|failure| (id_of(line), failure))?;
    let id = std::mem::take(&mut request.id);
    match request.screen(arguments.kind) {
        Ok(None) => {}
        Ok(Some(asked)) => return Ok(ScreenReport::of(&screens::read(&asked)).answering(&id).line()),
        Err(failure) => return Err((id, failure)),
    }
    let cwd = request.cwd.take();
    let defaults = Defaults { kind: arguments.kind, dialect: arguments.dialect.as_deref() };
    let judged = request.operation(defaults).and_then(|operation| judge.judge(operation, cwd.as_deref()));
    match judged {
        Ok(judged) => Ok(Report::new(&judged, arguments.lang, arguments.intent.as_deref()).answering(&id).line()),
        Err(failure) => Err((id, failure)),
    }
}

/// The id of a line that is otherwise broken, so that its sender can tell which one it was.
fn id_of(line: &str) -> Id {
    OnlyId::parse(line).and_then(|only| only.id)
}

enum Taken {
    Line,
    TooLong,
    End,
}

/// Reads one line into `line`, without more memory than the longest line that is taken.
fn take_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Taken> {
    line.clear();
    let mut too_long = false;
    let mut any = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        too_long |= line.len() + part.len() > INPUT_AT_MOST;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (any, too_long) {
        (false, _) => Taken::End,
        (true, true) => Taken::TooLong,
        (true, false) => Taken::Line,
    })
}
