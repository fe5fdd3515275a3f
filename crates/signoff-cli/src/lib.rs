//! The `signoff` command: arguments, output and exit codes, and no logic of its own. A library only so that tests can run
//! it with its files somewhere else.

mod agents;
mod arguments;
mod batch;
mod check;
mod config;
mod decided;
mod exec;
mod failure;
mod fields;
mod gateway;
mod hook;
mod judge;
mod manual;
mod mcp;
mod output;
mod person;
mod policies;
mod proxy;
mod report;
mod request;
mod rules;
mod screens;
mod undo;
mod unreadable;
mod watch;
mod wrong_arguments;

use std::{ffi::OsStr, process::ExitCode};

use clap::CommandFactory;

pub use signoff_gate::Places;

use crate::{
    arguments::{Arguments, Command},
    failure::{Failure, Kind, guarded},
    output::Output,
};

/// Does what the arguments of this process ask for, and says how it ended.
pub fn main_at(places: impl FnOnce() -> Places) -> ExitCode {
    // Before anything else: a hook that fails in any way has to say no.
    if let Some(client) = hook::asked_for(std::env::args_os()) {
        hook::run(&client, places);
    }
    let places = places();
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
    if command.holds_secrets() {
        unreadable::become_unreadable()?;
    }
    match command {
        Command::Check(arguments) if arguments.batch => return batch::run(&arguments, places, output),
        Command::Check(arguments) => return check::run(&arguments, places, output),
        Command::Exec(arguments) => return exec::run(&arguments, places, output),
        Command::Request(arguments) => return gateway::request::run(&arguments, places, output),
        Command::Ledger(arguments) => return gateway::ledger::run(&arguments, places, output),
        Command::Separate(arguments) => gateway::separate::run(&arguments, places, output),
        Command::Serve(arguments) => gateway::serve::run(&arguments, places),
        Command::Pause(arguments) => gateway::standing::pause(&arguments, places, output),
        Command::Lockdown(arguments) => gateway::standing::lockdown(&arguments, places, output),
        Command::Trust(arguments) => gateway::trust::run(&arguments, places, output),
        Command::Inbox(arguments) => gateway::inbox::run(&arguments, places, output),
        Command::People(arguments) => gateway::people::run(&arguments, places, output),
        Command::Permit(arguments) => gateway::permit::run(&arguments, places, output),
        Command::Grant(arguments) => gateway::grant::run(&arguments, places, output),
        Command::Install(arguments) => return agents::install::put_in(&arguments, places, output),
        Command::Uninstall(arguments) => return agents::install::take_out(&arguments, places, output),
        Command::Doctor(arguments) => return agents::doctor::run(&arguments, places, output),
        // Only with something else beside it on the command line, which nothing is.
        Command::Hook(arguments) => hook::run(OsStr::new(arguments.client.name()), || places.clone()),
        Command::Acp(arguments) => return proxy::acp::run(&arguments, places),
        Command::Mcp(arguments) if arguments.wrap.is_some() => return proxy::wrapping::run(&arguments, output),
        Command::Mcp(arguments) if arguments.proxy => return proxy::mcp::run(&arguments, places),
        Command::Mcp(arguments) => mcp::run(&arguments, places),
        Command::Watch(arguments) => return watch::run(&arguments, places, output),
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
