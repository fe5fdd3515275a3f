//! Configuration: reads the files, puts their layers on top of each other, and can say of every value where it comes from.
//!
//! Nothing here decides about an operation; what comes out are values for `signoff-policy`. Nothing here knows where files
//! lie either: every place is given ([`Locations`]), and no environment variable is looked at. A file that cannot be read
//! is an error and never an absence ([`load`]); who must go on nevertheless asks for [`strict_fallback`].

mod decimal;
mod document;
mod examples;
mod fallback;
mod fault;
mod file;
pub mod import;
mod keys;
mod layering;
mod locks;
mod nearest;
mod quiet_hours;
mod record;
mod reference;
mod rule_section;
mod schema;
mod settings;
mod span_of_time;
mod toml_reader;
mod trusted;

pub use decimal::thousandths;
pub use examples::{Checked, Example, check_examples};
pub use fallback::{Fallback, strict_fallback};
pub use fault::{Fault, FaultKind, Notice, NoticeKind, Position, Words};
pub use file::SIZE_LIMIT;
pub use quiet_hours::QuietHours;
pub use record::{make_private_directory, replace_privately};
pub use reference::reference;
pub use schema::schema;
pub use settings::{
    ApprovalSettings, AssuranceSettings, EscalationSettings, Explained, HookSettings, LedgerSettings, LoadedFile,
    MatchNumber, OnAllow, Settings, Standing, ToolSettings, TrustSettings, Valued, WatchSettings,
};
pub use trusted::{Offered, Untrusted, is_trusted, offered, trust, untrust};

use std::path::{Path, PathBuf};

use signoff_policy::Layer;

use crate::{document::Document, file::Contents, layering::Layered};

/// Where configuration lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locations {
    /// The administrator's file.
    pub administrator: PathBuf,
    /// The user's file.
    pub user: PathBuf,
    /// The root of the project, where there is one. Its file lies at [`PROJECT_FILE`] below it.
    pub project: Option<PathBuf>,
    /// The file that remembers which project files the user has trusted.
    pub trusted: PathBuf,
}

/// Where the file of a project lies in it.
pub const PROJECT_FILE: &str = ".signoff/config.toml";

/// Reads every layer and puts them on top of each other.
///
/// # Errors
///
/// When a file exists and cannot be read or understood: then there is no policy, which is not the same as an empty one.
pub fn load(locations: &Locations) -> Result<Settings, Fault> {
    let mut layered = Layered::new();
    for (layer, path) in [(Layer::Administrator, &locations.administrator), (Layer::User, &locations.user)] {
        if let Some(contents) = file::read(path)? {
            layered.add(layer, &contents, Document::read(&contents, layer)?, Standing::Trusted);
        }
    }
    if let Some(project) = &locations.project
        && let Some(contents) = file::read_of_project(project)?
    {
        let document = Document::read(&contents, Layer::Project)?;
        let standing = layered.standing(&locations.trusted, &contents);
        layered.add(Layer::Project, &contents, document, standing);
    }
    Ok(layered.finish())
}

/// The text of a small file that is not configuration itself: a record, or another program's settings. Nothing but an
/// ordinary file is opened, and nobody is waited for; none where there is no file.
///
/// # Errors
///
/// When it is there and cannot be read.
pub fn text_of_file(path: &Path) -> Result<Option<String>, Fault> {
    file::text(path)
}

/// Reads a text as if it were a user's file, for tests of configuration and for what an import made.
///
/// # Errors
///
/// When the text is no configuration.
pub fn read_text(text: &str, path: &Path) -> Result<Settings, Fault> {
    let contents = Contents::of_text(text, path);
    let mut layered = Layered::new();
    layered.add(Layer::User, &contents, Document::read(&contents, Layer::User)?, Standing::Trusted);
    Ok(layered.finish())
}
