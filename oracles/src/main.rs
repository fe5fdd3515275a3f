//! Our shell parser beside `brush-parser` and `shuck-parser`. A command that one of them sees and we do not, in a text
//! over which we note no error, would be a silent miss; bash is the judge of whose fault it is.
//!
//! `cargo xtask oracles [--written N] [--corpora DIR] [--show N]`

mod brush;
mod debug_text;
#[path = "../../crates/signoff-analysis/tests/parser/form.rs"]
#[allow(dead_code, reason = "shared with the tests of the parser, which use all of it")]
mod form;
#[path = "../../crates/signoff-analysis/tests/parser/lister.rs"]
#[allow(dead_code, reason = "shared with the tests of the parser, which use all of it")]
mod lister;
#[path = "../../crates/signoff-analysis/tests/parser/oracle.rs"]
#[allow(dead_code, reason = "shared with the tests of the parser, which use all of it")]
mod shells;
mod shuck;
mod tally;
#[path = "../../crates/signoff-analysis/tests/parser/writer.rs"]
#[allow(dead_code, reason = "shared with the tests of the parser, which use all of it")]
mod writer;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use signoff_model::Dialect;
use writer::Written;

struct Options {
    written: usize,
    corpora: Vec<PathBuf>,
    show: usize,
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\nusage: oracles [--written N] [--corpora DIR]... [--show N]");
            return ExitCode::from(2);
        }
    };
    // The oracles descend without a limit of their own.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || compare(&options));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn options() -> Result<Options, String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let mut options = Options { written: 2000, corpora: vec![own], show: 5 };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<usize>().map_err(|error| format!("{name} {value}: {error}"));
        match name.as_str() {
            "--written" => options.written = number()?,
            "--show" => options.show = number()?,
            "--corpora" => options.corpora.push(value.into()),
            _ => return Err(format!("{name} is unknown")),
        }
    }
    Ok(options)
}

/// Compares everything, and says how many silent misses there may be.
fn compare(options: &Options) -> usize {
    let mut misses = 0;
    for dialect in [Dialect::Bash, Dialect::Zsh] {
        let texts: Vec<Written> = (0..options.written)
            .map(|_| {
                let choices: Vec<u8> = (0..fastrand::usize(1..160)).map(|_| fastrand::u8(..)).collect();
                writer::write(&choices, dialect)
            })
            .collect();
        misses += tally::compare(&format!("written for {dialect:?}"), &texts, dialect, options.show);
    }
    for directory in &options.corpora {
        let mut files = Vec::new();
        collect(directory, &mut files);
        files.sort();
        for file in files {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if matches!(name.as_str(), "sql" | "file_ops" | "screens" | "chat_replies" | "gaps_files_tools") {
                continue;
            }
            let texts = texts(&file);
            for dialect in [Dialect::Bash, Dialect::Zsh] {
                misses += tally::compare(&format!("{name} as {dialect:?}"), &texts, dialect, options.show);
            }
        }
    }
    println!("{misses} commands that may have been lost silently");
    misses
}

fn texts(file: &Path) -> Vec<Written> {
    let lines = std::fs::read_to_string(file).unwrap_or_default();
    lines
        .lines()
        .filter_map(|line| Some(serde_json::from_str::<serde_json::Value>(line).ok()?.get("cmd")?.as_str()?.to_owned()))
        .filter(|text| !text.contains('\0'))
        .map(|text| Written { text, names: Vec::new() })
        .collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}
