//! A setting on the wire, and in the JSON of `signoff config`.

use serde::Serialize;
use signoff_config::Explained;
use utoipa::ToSchema;

/// A setting, and where it comes from.
#[derive(Serialize, ToSchema)]
pub struct Setting {
    /// The key.
    key: String,
    /// The value, as it would be written.
    value: String,
    /// built-in, administrator, user or project.
    layer: &'static str,
    /// The file that says so; null where none does.
    file: Option<String>,
    /// The line in it.
    line: Option<usize>,
}

impl From<Explained> for Setting {
    fn from(line: Explained) -> Self {
        let place = line.origin.place.as_ref();
        Self {
            layer: line.origin.layer.name(),
            file: place.map(|(file, _)| file.to_string_lossy().into_owned()),
            line: place.map(|(_, line)| *line),
            key: line.key,
            value: line.value,
        }
    }
}
