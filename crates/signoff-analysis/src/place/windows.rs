//! Places on a drive of Windows, by its own path or where it is mounted.

use signoff_model::Scope;

use super::{Extent, Nature, Place, is_within, nature, normalise};
use crate::facts::Whereabouts;

impl Place {
    /// A place that is grave on Windows and is seen from Linux or a shell of Unix beside it: `/mnt/c/Windows`,
    /// `/cygdrive/c/Users`, `/c/Windows`. Whatever else lies on such a drive is what it would be anywhere.
    pub(super) fn on_mounted_drive(path: &str, whereabouts: &Whereabouts) -> Option<Self> {
        let mounted = ["/mnt/", "/cygdrive/"].iter().find_map(|mount| path.strip_prefix(mount));
        let rest = mounted.or_else(|| path.strip_prefix('/'))?;
        // Directories of one letter are mounted for other reasons as well; the system lies on this drive.
        let on_drive = matches!(rest.as_bytes(), [b'c' | b'C'] | [b'c' | b'C', b'/', ..]);
        if !on_drive || is_within(path, &whereabouts.project) {
            return None;
        }
        let (drive, below) = rest.split_once('/').unwrap_or((rest, ""));
        let place = Self::windows(&format!("{drive}:/{below}"), whereabouts);
        let grave = match place.nature {
            // Any directory may have a name of one letter.
            Nature::Root => mounted.is_some(),
            Nature::SystemTree | Nature::SystemFile | Nature::HomeTree | Nature::Secret => true,
            _ => false,
        };
        grave.then_some(place)
    }

    /// A place on a drive of Windows, which does not mind the case of letters.
    pub(super) fn windows(path: &str, whereabouts: &Whereabouts) -> Self {
        let plain = path.replace('\\', "/");
        let below = normalise(plain.get(2..).unwrap_or_default());
        let lower = below.trim_matches(['/', '*']).to_ascii_lowercase();
        // `C:\*.*` is everything on the drive.
        let lower = if lower == "." { String::new() } else { lower };
        let shown = path.to_owned();
        if let Some(rest) = lower.strip_prefix("users/").filter(|rest| rest.contains('/')) {
            // Homes lie where those of macOS lie, and the same names mean the same in them.
            let exact = below.get(below.len().saturating_sub(rest.len())..).unwrap_or(rest);
            return Self { shown, ..Self::at(format!("/Users/{exact}"), Extent::Exact, "", whereabouts) };
        }
        let nature = match lower.as_str() {
            "" => Nature::Root,
            "windows" | "program files" | "program files (x86)" | "programdata" | "boot" | "efi" => Nature::SystemTree,
            "windows/system32" | "windows/syswow64" | "windows/winsxs" | "windows/system" | "windows/boot" => {
                Nature::SystemTree
            }
            "users" => Nature::HomeTree,
            text if text.starts_with("users/") => Nature::HomeTree,
            text if is_within(text, "windows/system32/config") => Nature::Secret,
            text if is_within(text, "windows") => Nature::SystemFile,
            // Elsewhere on a drive only what its name gives away is known.
            text => match nature::by_name(&format!("/{text}")) {
                Some(nature) => nature,
                None => Nature::Ordinary,
            },
        };
        let scope = match nature {
            Nature::Root | Nature::SystemTree | Nature::SystemFile => Scope::System,
            Nature::HomeTree => Scope::Home,
            _ => Scope::Outside,
        };
        Self { path: plain, extent: Extent::Exact, shown, scope, nature, listed_by: None }
    }
}

/// Whether a path begins with the letter of a drive.
pub(super) fn is_windows_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    matches!(bytes, [letter, b':', rest @ ..] if letter.is_ascii_alphabetic()
        && (rest.is_empty() || matches!(rest.first(), Some(b'\\' | b'/'))))
}
