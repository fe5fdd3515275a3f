//! The `signoff` command: arguments, output and exit codes, and no logic of its own. A library only so that tests can run
//! it with its files somewhere else.

mod arguments;
mod batch;
mod check;
mod config;
mod exec;
mod failure;
mod fields;
mod gateway;
mod judge;
mod manual;
mod output;
mod person;
mod policies;
mod report;
mod request;
mod rules;
mod undo;
mod wrong_arguments;

use std::process::ExitCode;

use clap::CommandFactory;

pub use signoff_gate::Places;

use crate::{
    arguments::{Arguments, Command},
    failure::{Failure, Kind, guarded},
    output::Output,
};

/// Does what the arguments of this process ask for, and says how it ended.
pub fn main_at(places: Places) -> ExitCode {
    let mut output = Output::new();
    let asked;
    let mut exit_code: fn(Kind) -> u8 = Kind::exit_code;
    let done = match Arguments::of_this_process() {
        Ok(arguments) => {
            asked = arguments.command.language();
            if matches!(arguments.command, Command::Exec(_)) {
                exit_code = Kind::exit_code_beside_a_command;
            }
            guarded(|| run(arguments.command, &places, &mut output)).and_then(|done| done)
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
    finished.unwrap_or_else(|failure| {
        output::report_failure(&failure, judge::language(asked));
        ExitCode::from(exit_code(failure.kind))
    })
}

fn run(command: Command, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Command::Check(arguments) if arguments.batch => return batch::run(&arguments, places, output),
        Command::Check(arguments) => return check::run(&arguments, places, output),
        Command::Exec(arguments) => return exec::run(&arguments, places, output),
        Command::Request(arguments) => return gateway::request::run(&arguments, places, output),
        Command::Ledger(arguments) => return gateway::ledger::run(&arguments, places, output),
        Command::Serve(arguments) => gateway::serve::run(&arguments, places),
        Command::Inbox(arguments) => gateway::inbox::run(&arguments, places, output),
        Command::People(arguments) => gateway::people::run(&arguments, places, output),
        Command::Permit(arguments) => gateway::permit::run(&arguments, places, output),
        Command::Grant(arguments) => gateway::grant::run(&arguments, places, output),
        Command::Undo(arguments) => undo::run(&arguments, places, output),
        Command::Config(arguments) => config::run(&arguments, places, output),
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
