//! Who the user is. The home directory comes from the user id: `$HOME` is a word that an agent can change.

use std::{fs, path::PathBuf, sync::OnceLock};

use nix::unistd::{Uid, User};
use signoff_analysis::project::NOWHERE;

/// The home directory of the user whose rights an operation would have.
pub fn home() -> PathBuf {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(look_up).clone()
}

/// The name of the user whose rights an operation would have; none where the system knows no name.
pub fn user_name() -> Option<String> {
    name_of(Uid::effective().as_raw())
}

/// The name of a user; none where the system knows no such user.
pub fn name_of(uid: u32) -> Option<String> {
    let listed = fs::read_to_string("/etc/passwd").ok().and_then(|passwd| name_in(&passwd, uid));
    listed.or_else(|| User::from_uid(Uid::from_raw(uid)).ok().flatten().map(|user| user.name))
}

/// The user id and the group id of a user by their name; none where the system knows no such user.
pub fn ids_of(name: &str) -> Option<(u32, u32)> {
    User::from_name(name).ok().flatten().map(|user| (user.uid.as_raw(), user.gid.as_raw()))
}

/// The home directory of a user by their name; none where the system knows no such user.
pub fn home_of(name: &str) -> Option<PathBuf> {
    User::from_name(name).ok().flatten().map(|user| user.dir).filter(|home| home.is_absolute())
}

/// The name that a list of accounts gives for a user id.
fn name_in(passwd: &str, uid: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        let listed: u32 = fields.nth(1)?.parse().ok()?;
        (listed == uid && !name.is_empty()).then(|| name.to_owned())
    })
}

fn look_up() -> PathBuf {
    let uid = Uid::effective();
    // The file is asked first since it is fast and complete on most machines; the system's own lookup knows about
    // directories on the network and about macOS, where the file lists no people.
    let listed = fs::read_to_string("/etc/passwd").ok().and_then(|passwd| home_in(&passwd, uid.as_raw()));
    listed
        .or_else(|| User::from_uid(uid).ok().flatten().map(|user| user.dir))
        .filter(|home| home.is_absolute())
        .unwrap_or_else(|| PathBuf::from(NOWHERE))
}

/// The home directory that a list of accounts gives for a user id.
fn home_in(passwd: &str, uid: u32) -> Option<PathBuf> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let listed: u32 = fields.nth(2)?.parse().ok()?;
        let home = fields.nth(2)?;
        (listed == uid && home.starts_with('/')).then(|| PathBuf::from(home))
    })
}

#[cfg(test)]
mod tests {
    use super::{home, home_in, name_in};

    #[test]
    fn the_list_of_accounts_is_read_by_user_id() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\n\
                      broken line\n\
                      short:x:7\n\
                      nameless:x:1000:1000::/home/dev:/bin/zsh\n\
                      second:x:1000:1000::/home/other:/bin/sh\n\
                      odd:x:2000:2000::relative:/bin/sh\n";
        for (uid, expected) in [(0, Some("/root")), (1000, Some("/home/dev")), (2000, None), (7, None), (3000, None)] {
            assert_eq!(home_in(passwd, uid).as_deref(), expected.map(std::path::Path::new), "{uid}");
        }
    }

    #[test]
    fn names_are_read_by_user_id() {
        let passwd =
            "root:x:0:0:root:/root:/bin/bash\nbroken line\n:x:5:5::/:/bin/sh\ndev:x:1000:1000::/home/dev:/bin/sh\n";
        for (uid, expected) in [(0, Some("root")), (1000, Some("dev")), (5, None), (7, None)] {
            assert_eq!(name_in(passwd, uid).as_deref(), expected, "{uid}");
        }
    }

    #[test]
    fn every_user_has_some_absolute_home() {
        assert!(home().is_absolute());
    }
}
