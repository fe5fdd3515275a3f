//! What a program behind a proxy is called.

use std::{ffi::OsString, path::Path};

/// Programs that run others: the server is what they are given.
const LAUNCHERS: [&str; 11] = ["npx", "bunx", "pnpx", "uvx", "pipx", "uv", "node", "bun", "deno", "python", "python3"];

/// What they are told to do with it.
const VERBS: [&str; 4] = ["run", "exec", "tool", "dlx"];

/// What it is called where nobody says: by its program, or by what a launcher is given.
pub(super) fn name_of(command: &[OsString]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let program = words.first().map(|program| stem(Path::new(program))).unwrap_or_default();
    let is_package = |word: &&String| !word.starts_with('-') && !VERBS.contains(&word.as_str());
    let package = words.iter().skip(1).find(is_package).filter(|_| LAUNCHERS.contains(&program.as_str()));
    let named = match package {
        // A scope before it, and a version or a tag behind it.
        Some(package) => {
            let last = package.rsplit('/').next().unwrap_or_default();
            let unversioned = last.split(['@', '=']).find(|part| !part.is_empty()).unwrap_or_default();
            stem(Path::new(unversioned.split(':').next().unwrap_or_default()))
        }
        None => program,
    };
    let plain: String = named.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    plain.trim_matches('-').to_owned()
}

/// The last part of a path, without what says of which kind it is.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_by_its_program_or_package() {
        for (command, name) in [
            ("/usr/bin/github-mcp-server stdio", "github-mcp-server"),
            ("npx -y @modelcontextprotocol/server-filesystem@1.2.3 /srv", "server-filesystem"),
            ("uvx mcp-server-git==2", "mcp-server-git"),
            ("python3 server.py --port 1", "server"),
            ("npx", "npx"),
            ("./a__b", "a--b"),
            ("", ""),
        ] {
            let command: Vec<OsString> = command.split(' ').map(OsString::from).collect();
            assert_eq!(name_of(&command), name, "{command:?}");
        }
    }
}
