//! The `signoff` command: arguments, output and exit codes, and no logic of its own.

mod arguments;
mod batch;
mod check;
mod failure;
mod fields;
mod judge;
mod manual;
mod output;
mod report;
mod request;
mod rules;
mod wrong_arguments;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::{
    arguments::{Arguments, Command},
    failure::{Failure, guarded},
    output::Output,
};

fn main() -> ExitCode {
    let mut output = Output::new();
    let asked;
    let done = match Arguments::try_parse() {
        Ok(arguments) => {
            asked = arguments.command.language();
            guarded(|| run(arguments.command, &mut output)).and_then(|done| done)
        }
        Err(error) => {
            asked = arguments::language_named(std::env::args_os());
            match arguments::unquoted_command(&error, std::env::args_os()) {
                Some((kind, words)) => Err(request::unquoted(kind, &words)),
                None => output::print_arguments_message(&error, judge::language(asked), &mut output),
            }
        }
    };
    // A verdict counts only once all of it has been written.
    let finished = done.and_then(|code| output.deliver().map(|()| code));
    finished.unwrap_or_else(|failure| output::report_failure(&failure, judge::language(asked)))
}

fn run(command: Command, output: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Command::Check(arguments) if arguments.batch => return batch::run(&arguments, output),
        Command::Check(arguments) => return check::run(&arguments, output),
        Command::Rules(arguments) => rules::run(&arguments, output),
        Command::Completions { shell } => {
            // Gathered first, since the generator takes any failure to write for a defect.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "signoff", &mut script);
            output.bytes(&script)
        }
        Command::Man { command } => output.bytes(&manual::page(command.as_deref())?),
    }?;
    Ok(ExitCode::SUCCESS)
}
