//! Which directories an agent may call its project, told by their names.
//!
//! Whatever lies in the project counts as the agent's own to change, so calling the wrong directory a project would make
//! everything in it look harmless.

use crate::{facts::Whereabouts, place::is_within};

/// Stands for a home or a project where there is none, after the custom of Debian. Nothing lies below it.
pub const NOWHERE: &str = "/nonexistent";

/// Directories of the operating system, with all that lies below them. Version control there (of `/etc`, say) does not
/// make them an agent's to change.
const SYSTEM: &[&str] = &[
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/proc",
    "/run",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/share",
    "/var/lib",
];

/// Directories that hold the projects and belongings of many; what lies below them may be a project.
const SHARED: &[&str] = &[
    "",
    "/Users",
    "/Volumes",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/private",
    "/private/tmp",
    "/root",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/local",
    "/usr/src",
    "/var",
];

/// Whether an agent may call a directory its project: not what is shared, nor the home directory or what holds it, nor
/// a part of the operating system. Paths are absolute.
pub fn can_be_project(directory: &str, home: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    let holds_home = is_within(home, directory);
    let is_system = SYSTEM.iter().any(|system| is_within(directory, system));
    !holds_home && !is_system && !SHARED.contains(&directory) && !is_a_home(directory)
}

/// Whether a directory lies below a hidden directory of a home: keys and settings live there.
pub fn is_hidden_in_home(directory: &str, home: &str) -> bool {
    directory.strip_prefix(home).and_then(|below| below.strip_prefix('/')).is_some_and(|below| below.starts_with('.'))
}

impl Whereabouts {
    /// Somewhere in a named directory, for judging a text alone: the directory is taken for the root of a project unless
    /// its name says that it cannot be one.
    pub fn assumed_in(directory: &str) -> Self {
        let assumed = Self::assumed();
        let cwd = if directory.starts_with('/') {
            normalised(directory)
        } else {
            normalised(&format!("{}/{directory}", assumed.cwd))
        };
        let home = home_above(&cwd).unwrap_or(assumed.home);
        let is_project = can_be_project(&cwd, &home) && !is_hidden_in_home(&cwd, &home);
        let project = if is_project { cwd.clone() } else { NOWHERE.to_owned() };
        Self { cwd, home, project }
    }
}

/// Whether the path is the home of somebody, by its name.
fn is_a_home(directory: &str) -> bool {
    home_above(directory).is_some_and(|home| home == directory)
}

/// The home that a path lies in, by its name.
fn home_above(path: &str) -> Option<String> {
    if is_within(path, "/root") {
        return Some("/root".to_owned());
    }
    ["/home/", "/Users/"].into_iter().find_map(|homes| {
        let user = path.strip_prefix(homes)?.split('/').next().filter(|user| !user.is_empty())?;
        Some(format!("{homes}{user}"))
    })
}

/// The path without `.`, `..`, empty parts and a final slash.
fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{NOWHERE, can_be_project};
    use crate::facts::Whereabouts;

    #[test]
    fn neither_the_system_nor_a_home_is_a_project() {
        for (directory, expected) in [
            ("/", false),
            ("/etc", false),
            ("/etc/nginx", false),
            ("/srv", false),
            ("/srv/app", true),
            ("/app", true),
            ("/workspace/", true),
            ("/root", false),
            ("/root/app", true),
            ("/home", false),
            ("/home/dev", false),
            ("/home/dev/", false),
            ("/home/dev/app", true),
            ("/home/other", false),
            ("/home/other/app", true),
            ("/Users/dev", false),
            ("/usr/lib/python3", false),
            ("/usr/src/app", true),
            ("/var/lib/docker", false),
            ("/var/www/site", true),
            ("/tmp", false),
            ("/tmp/work", true),
            ("/etcetera", true),
        ] {
            assert_eq!(can_be_project(directory, "/home/dev"), expected, "{directory}");
        }
    }

    #[test]
    fn a_named_directory_is_taken_for_a_project_unless_it_cannot_be_one() {
        for (directory, cwd, home, project) in [
            ("/home/dev/app", "/home/dev/app", "/home/dev", "/home/dev/app"),
            ("/Users/dev/./app/../b/", "/Users/dev/b", "/Users/dev", "/Users/dev/b"),
            ("/srv/app", "/srv/app", "/home/user", "/srv/app"),
            ("/home/dev", "/home/dev", "/home/dev", NOWHERE),
            ("/home/dev/.ssh", "/home/dev/.ssh", "/home/dev", NOWHERE),
            ("/etc", "/etc", "/home/user", NOWHERE),
            ("/", "/", "/home/user", NOWHERE),
            ("sub", "/home/user/a/b/c/d/project/sub", "/home/user", "/home/user/a/b/c/d/project/sub"),
        ] {
            let expected = Whereabouts { cwd: cwd.into(), home: home.into(), project: project.into() };
            assert_eq!(Whereabouts::assumed_in(directory), expected, "{directory}");
        }
    }
}
