//! Draws the dialogs of agents as they draw them themselves, for any command and width.

use crate::screen::rows::width;

/// Rows of a text in so many columns: broken at blanks, and within words that are longer than a row.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in text.split('\n') {
        let mut row = String::new();
        for (place, word) in line.split(' ').enumerate() {
            if place > 0 {
                if width(&row) >= columns {
                    rows.push(std::mem::take(&mut row));
                }
                row.push(' ');
            }
            if width(&row) + width(word) > columns && !row.trim().is_empty() && width(word) <= columns {
                rows.push(std::mem::take(&mut row));
            }
            for letter in word.chars() {
                if width(&row) + width(&letter.to_string()) > columns {
                    rows.push(std::mem::take(&mut row));
                }
                row.push(letter);
            }
        }
        rows.push(row);
    }
    rows
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Rows in a box that is so wide.
pub(super) fn boxed(rows: &[String], columns: usize) -> Vec<String> {
    let inner = columns - 4;
    let mut lines = vec![format!("╭{}╮", "─".repeat(columns - 2))];
    lines.extend(
        rows.iter().flat_map(|row| wrapped(row, inner)).map(|row| format!("│ {} │", padded(row.trim_end(), inner))),
    );
    lines.push(format!("╰{}╯", "─".repeat(columns - 2)));
    lines
}

/// Choices with hanging rows, the first of them marked.
fn choices(sign: char, labels: &[&str], columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for (place, label) in labels.iter().enumerate() {
        let mark = if place == 0 { sign } else { ' ' };
        for (row, text) in wrapped(label, columns - 6).iter().enumerate() {
            let text = text.trim_end();
            rows.push(if row == 0 { format!("{mark} {}. {text}", place + 1) } else { format!("     {text}") });
        }
    }
    rows
}

/// Claude Code as it is today: lines above and around, the description before the command.
pub(super) fn claude(command: &str, columns: usize) -> String {
    let fence = "╌".repeat(columns);
    let mut rows = vec!["● Working on it".to_owned(), String::new(), "─".repeat(columns), " Bash command".to_owned()];
    rows.push(" Does what was asked".to_owned());
    rows.push(fence.clone());
    rows.extend(wrapped(command, columns - 2).iter().map(|row| format!(" {row}")));
    rows.push(fence);
    rows.extend(wrapped("This command requires approval", columns - 2).iter().map(|row| format!(" {row}")));
    rows.extend([String::new(), " Do you want to proceed?".to_owned()]);
    let labels = ["Yes", "Yes, and don’t ask again for: it *", "No"];
    rows.extend(choices('❯', &labels, columns).iter().map(|row| format!(" {row}")));
    rows.extend([String::new(), " Esc to cancel · Tab to amend".to_owned()]);
    rows.join("\n")
}

/// Claude Code as it was: a box, and the command indented.
pub(super) fn claude_boxed(command: &str, columns: usize) -> String {
    let mut rows = vec!["Bash command".to_owned(), String::new()];
    rows.extend(wrapped(command, columns - 6).iter().map(|row| format!("  {row}")));
    rows.extend([String::new(), "Do you want to proceed?".to_owned()]);
    rows.extend(choices('❯', &["Yes", "No, and tell Claude what to do differently (esc)"], columns - 4));
    boxed(&rows, columns).join("\n")
}

pub(super) fn codex(command: &str, columns: usize) -> String {
    let mut rows = vec!["• Running it".to_owned(), String::new()];
    rows.extend(
        wrapped("Would you like to run the following command?", columns - 4).iter().map(|row| format!("  {row}")),
    );
    rows.extend([String::new(), "  Environment: local".to_owned(), String::new()]);
    rows.extend(wrapped(&format!("$ {command}"), columns - 4).iter().map(|row| format!("  {row}")));
    rows.push(String::new());
    let labels =
        ["Yes, proceed (y)", "Yes, and don't ask again for it (p)", "No, and tell Codex what to do differently (esc)"];
    rows.extend(choices('›', &labels, columns));
    rows.extend([String::new(), "  Press enter to confirm or esc to cancel".to_owned()]);
    rows.join("\n")
}

pub(super) fn gemini(command: &str, columns: usize) -> String {
    let mut rows = vec!["? Shell  Does what was asked".to_owned()];
    rows.extend(boxed(&[command.to_owned()], columns - 4));
    rows.extend(["Allow execution of [Shell]?".to_owned(), String::new()]);
    rows.extend(choices('●', &["Allow once", "Allow for this session", "No, suggest changes (esc)"], columns - 4));
    boxed(&rows, columns).join("\n")
}

pub(super) fn copilot(command: &str, columns: usize) -> String {
    let mut rows = vec!["Does what was asked".to_owned(), "─".repeat(columns - 4)];
    rows.extend(boxed(&[command.to_owned()], columns - 4));
    rows.extend([String::new(), "Do you want to run this command?".to_owned(), String::new()]);
    rows.extend(choices('❯', &["Yes", "No, and tell Copilot what to do differently (Esc to stop)"], columns - 4));
    rows.extend([String::new(), "↑/↓ to navigate · enter to select".to_owned()]);
    boxed(&rows, columns).join("\n")
}

/// A drawing by its name.
pub(super) type Drawing = (&'static str, fn(&str, usize) -> String);

pub(super) const ALL: [Drawing; 5] =
    [("claude", claude), ("claude boxed", claude_boxed), ("codex", codex), ("gemini", gemini), ("copilot", copilot)];
