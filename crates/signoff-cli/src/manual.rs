//! The manual pages, generated from the command line itself.

use std::io;

use clap::{CommandFactory, builder::Resettable};
use clap_mangen::Man;

use crate::{arguments::Arguments, failure::Failure};

/// The page of a command, or of the whole.
pub(crate) fn page(name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    // It has no page of its own.
    whole = whole.mut_subcommand("help", |help| help.hide(true));
    let command = match name {
        None => &whole,
        Some(name) => whole.find_subcommand(name).ok_or_else(|| {
            let name = signoff_card::visible(name);
            Failure::usage(format!("there is no command `{name}`"), format!("没有命令 `{name}`"))
                .hint("signoff --help lists them", "signoff --help 列出全部命令")
        })?,
    };
    let mut page = Vec::new();
    render(command, &mut page).map_err(|error| Failure::write(&error))?;
    Ok(page)
}

fn render(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let more = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    // The generator would put all of it into one section and fill its lines.
    let command = command.clone().after_help(Resettable::Reset);
    Man::new(command).source(concat!("signoff ", env!("CARGO_PKG_VERSION"))).render(page)?;
    for block in more.split("\n\n") {
        page.extend_from_slice(section(block).as_bytes());
    }
    Ok(())
}

/// A heading with indented lines below it, as a section that keeps its lines.
fn section(block: &str) -> String {
    let Some((heading, lines)) = block.split_once(":\n") else { return String::new() };
    let mut text = format!(".SH \"{}\"\n.nf\n", heading.to_uppercase());
    for line in lines.lines() {
        text.push_str(&escaped(line.strip_prefix("  ").unwrap_or(line)));
        text.push('\n');
    }
    text + ".fi\n"
}

/// A line that the typesetter shows as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{escaped, section};
    use crate::arguments::Arguments;

    #[test]
    fn lines_are_shown_as_they_are() {
        assert_eq!(escaped(r".a 'b' -c \d"), r"\&.a \(aqb\(aq \-c \ed");
        assert_eq!(section("Batch lines:\n  {}\n  a"), ".SH \"BATCH LINES\"\n.nf\n{}\na\n.fi\n");
    }

    #[test]
    fn nothing_of_the_help_is_lost() {
        let mut whole = Arguments::command();
        whole.build();
        let commands = std::iter::once(&whole).chain(whole.get_subcommands());
        for block in commands.filter_map(clap::Command::get_after_help).map(ToString::to_string) {
            for block in block.split("\n\n") {
                assert!(!section(block).is_empty(), "{block}");
            }
        }
    }
}
