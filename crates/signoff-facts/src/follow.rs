//! Follows symbolic links, also where the path ends in something that does not exist yet.

use std::{
    collections::{HashSet, VecDeque},
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// As many links as Linux follows before it gives up. A path with more leads nowhere for the operation either.
const LINKS_AT_MOST: usize = 40;

/// Names that mean something else in every process: what they are here says nothing about the operation.
const OWN_TO_EACH_PROCESS: [&str; 6] =
    ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self", "/proc/thread-self"];

/// Directories on the way that were found to be no links. Many paths of one operation share them.
#[derive(Debug, Default)]
pub(crate) struct Plain(HashSet<PathBuf>);

/// Where an absolute path leads, up to what is another thing in every process. None for a relative path, for a path that
/// runs in circles, and for one that comes back out of what cannot be told.
pub(crate) fn follow(path: &Path, plain: &mut Plain) -> Option<PathBuf> {
    if !path.is_absolute() {
        return None;
    }
    let mut ahead: VecDeque<OsString> = VecDeque::new();
    put_before(&mut ahead, path);
    let mut reached = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = ahead.pop_front() {
        if name == ".." {
            reached.pop();
            continue;
        }
        reached.push(name);
        // Put together from names alone, it has one spelling.
        if OWN_TO_EACH_PROCESS.iter().any(|own| reached.as_os_str() == *own) {
            let comes_back = ahead.iter().any(|name| name == "..");
            reached.extend(ahead);
            return (!comes_back).then_some(reached);
        }
        if plain.0.contains(&reached) {
            continue;
        }
        let target = match fs::read_link(&reached) {
            Ok(target) => target,
            Err(error) => {
                // It is there, and no link.
                if error.kind() == io::ErrorKind::InvalidInput && !ahead.is_empty() {
                    plain.0.insert(reached.clone());
                }
                continue;
            }
        };
        links += 1;
        if links > LINKS_AT_MOST {
            return None;
        }
        if target.is_absolute() {
            reached = PathBuf::from("/");
        } else {
            reached.pop();
        }
        put_before(&mut ahead, &target);
    }
    Some(reached)
}

/// Puts the parts of a path in front of what is still to be walked.
fn put_before(ahead: &mut VecDeque<OsString>, path: &Path) {
    for component in path.components().rev() {
        match component {
            Component::Normal(name) => ahead.push_front(name.to_owned()),
            Component::ParentDir => ahead.push_front("..".into()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::symlink,
        path::{Path, PathBuf},
    };

    use super::Plain;

    fn follow(path: &Path) -> Option<PathBuf> {
        let mut plain = Plain::default();
        let found = super::follow(path, &mut plain);
        assert_eq!(super::follow(path, &mut plain), found, "what is remembered changes nothing");
        found
    }

    #[test]
    fn links_are_followed_and_the_missing_end_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        symlink("real", root.join("short")).unwrap();
        symlink(root.join("real/deep"), root.join("far")).unwrap();
        symlink("short/deep", root.join("chain")).unwrap();
        symlink("gone/away", root.join("dangling")).unwrap();

        for (path, expected) in [
            ("real/deep", "real/deep"),
            ("short/deep/", "real/deep"),
            ("short/new/file.txt", "real/new/file.txt"),
            ("far/x", "real/deep/x"),
            ("far/..", "real"),
            ("chain/./y", "real/deep/y"),
            ("dangling/z", "gone/away/z"),
            ("none/../real", "real"),
        ] {
            assert_eq!(follow(&root.join(path)), Some(root.join(expected)), "{path}");
        }
        assert_eq!(follow(Path::new("/../..")), Some("/".into()));
        assert_eq!(follow(Path::new("relative")), None);
    }

    #[test]
    fn what_each_process_has_for_itself_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        symlink("/dev/stdin", root.join("in")).unwrap();
        symlink("/proc/self/fd", root.join("descriptors")).unwrap();
        for (path, expected) in [
            (Path::new("/dev/fd/63"), "/dev/fd/63"),
            (Path::new("/dev/./stdout"), "/dev/stdout"),
            (Path::new("/proc/self/cwd/x"), "/proc/self/cwd/x"),
            (&root.join("in"), "/dev/stdin"),
            (&root.join("descriptors/3"), "/proc/self/fd/3"),
        ] {
            // As text: paths are equal also where one of them ends with a slash.
            assert_eq!(follow(path).map(PathBuf::into_os_string), Some(expected.into()), "{path:?}");
        }
        assert_eq!(follow(Path::new("/proc/self/cwd/..")), None);
        assert_eq!(follow(Path::new("/dev/null")), Some("/dev/null".into()));
    }

    #[test]
    fn circles_lead_nowhere_and_long_chains_end() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        symlink("b", root.join("a")).unwrap();
        symlink("a", root.join("b")).unwrap();
        assert_eq!(follow(&root.join("a/x")), None);

        symlink("self/self", root.join("self")).unwrap();
        assert_eq!(follow(&root.join("self")), None, "a link that grows with every step");

        fs::write(root.join("link0"), "").unwrap();
        for n in 0..41 {
            symlink(format!("link{n}"), root.join(format!("link{}", n + 1))).unwrap();
        }
        assert_eq!(follow(&root.join("link40")), Some(root.join("link0")));
        assert_eq!(follow(&root.join("link41")), None, "where the kernel gives up as well");
    }
}
