//! The manual pages, generated from the command line itself.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::{arguments::Arguments, failure::Failure};

/// The page of a command, or of the whole.
pub(crate) fn page(name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    let command = match name {
        None => &whole,
        Some(name) => whole
            .find_subcommand(name)
            .ok_or_else(|| Failure::usage(format!("there is no command `{name}`")).hint("signoff --help lists them"))?,
    };
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(|error| Failure::write(&error))?;
    Ok(page)
}
