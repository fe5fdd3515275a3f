//! A picture of a terminal with the program at work, as an SVG that is made from the real output.

use std::fmt::Write;

use signoff_analysis::facts::{NoFacts, Whereabouts};
use signoff_card::{
    Card, Detail, Language,
    terminal::{Colour, paint},
};
use signoff_model::{Dialect, Operation, ShellCommand};
use signoff_policy::Context;

const COLUMNS: usize = 100;
const CELL: f64 = 8.4;
const LINE: f64 = 19.0;
const MARGIN: f64 = 20.0;

/// The picture of the program judging these commands, one below the other.
pub(crate) fn of(commands: &[&str]) -> String {
    let mut lines = Vec::new();
    for command in commands {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("\x1b[2m$\x1b[0m signoff check '{command}'"));
        lines.extend(card(command, Colour::On).lines().map(str::to_owned));
    }
    svg(&lines)
}

/// What the program prints for a command where there is no terminal.
pub(crate) fn plain(command: &str) -> String {
    card(command, Colour::Off)
}

fn card(command: &str, colour: Colour) -> String {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
    let decision = signoff_policy::decide(&assessment, &Context::default());
    let card = Card::draw(&operation, &assessment, &decision.into(), Language::English, Detail::Brief);
    paint(&card, COLUMNS, colour)
}

#[expect(clippy::cast_precision_loss, reason = "a picture has few lines")]
fn svg(lines: &[String]) -> String {
    let width = COLUMNS as f64 * CELL + 2.0 * MARGIN;
    let height = lines.len() as f64 * LINE + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n\
         <title>signoff check at work</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + (row as f64 + 0.75) * LINE;
        let mut column = 0;
        for (style, text) in runs(line) {
            // Every stretch between wide gaps has a place and a length of its own, so that columns stay columns in
            // whatever font there is.
            for part in text.split_inclusive("  ") {
                let shown = part.trim();
                let indent = part.chars().count() - part.trim_start().chars().count();
                if !shown.is_empty() {
                    let _ = writeln!(
                        svg,
                        "<text x=\"{:.1}\" y=\"{y:.1}\" textLength=\"{:.1}\" {style}>{}</text>",
                        MARGIN + (column + indent) as f64 * CELL,
                        shown.chars().count() as f64 * CELL,
                        escaped(shown)
                    );
                }
                column += part.chars().count();
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The stretches of a line that share a style.
fn runs(line: &str) -> Vec<(&'static str, &str)> {
    let mut runs = Vec::new();
    let mut style = style("0");
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        runs.push((style, before));
        let (code, after) = after.split_once('m').unwrap();
        style = self::style(code);
        rest = after;
    }
    runs.push((style, rest));
    runs
}

fn style(code: &str) -> &'static str {
    match code {
        "0" => "fill=\"#e6e6e6\"",
        "2" => "fill=\"#8b919c\"",
        "32" => "fill=\"#7fd18b\"",
        "1;33" => "fill=\"#f2c14e\" font-weight=\"bold\"",
        "1;31" => "fill=\"#ff6b6b\" font-weight=\"bold\"",
        "7;35" => "fill=\"#e58cff\" font-weight=\"bold\"",
        other => panic!("the picture does not know the style {other}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
