//! Automation of the project: measurements and generated files. Nothing here is part of the product.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal of a developer")]

mod bars;
mod crash;
mod eval;
mod gateway;
mod hostile;
mod memory;
mod oracles;
mod parser;
mod pending;
mod races;
mod scripts;
mod startup;
mod timing;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Measurements and generated files of the project")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Score the judgement on the evaluation corpora
    Eval(eval::Options),
    /// Compare the parser with bash over corpora of any owner
    Parser(parser::Options),
    /// Measure one `signoff check` as a process, beside /bin/true
    Startup(startup::Options),
    /// Measure the time to a decision on hostile texts
    Hostile(hostile::Options),
    /// Measure the time to a decision on scripts that people have written
    Scripts(scripts::Options),
    /// Measure the memory of one `signoff check` over a mebibyte of hostile input
    Memory(memory::Options),
    /// Compare our shell parser with other parsers
    Oracles(oracles::Options),
    /// Kill the gateway, the agent or both at every named point
    Crash(crash::Options),
    /// Measure a gateway over HTTP, beside LangGraph
    Gateway(gateway::Options),
    /// Measure a gateway with very many open questions
    Pending(pending::Options),
    /// Let many answer the same question at once, over HTTP
    Races(races::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Eval(options) => eval::run(&options),
        Task::Parser(options) => parser::run(&options),
        Task::Startup(options) => startup::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Scripts(options) => scripts::run(&options),
        Task::Memory(options) => memory::run(&options),
        Task::Oracles(options) => oracles::run(&options),
        Task::Crash(options) => crash::run(&options),
        Task::Gateway(options) => gateway::run(&options),
        Task::Pending(options) => pending::run(&options),
        Task::Races(options) => races::run(&options),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
