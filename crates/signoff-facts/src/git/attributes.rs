//! Files that a program changes on their way into a repository. What it takes away (the output of a notebook, a password) is
//! in no object, and git still says that the file has not changed.

use std::{io, path::Path};

use super::{SETTINGS_AT_MOST, open, read_all};

/// The name of a file that says what is special about the files around it.
pub(crate) const ATTRIBUTES: &str = ".gitattributes";

/// Filters that are known to give back all that they take, from the store of the repository itself.
const FAITHFUL: [&[u8]; 2] = [b"lfs", b"git-crypt"];

/// Whether a file of attributes names a program that may keep something to itself. One that cannot be read may do so.
pub(crate) fn names_filter(file: &Path) -> bool {
    let opened = match open(file) {
        Ok(opened) => opened,
        Err(error) => return !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    };
    let length = opened.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let Some(bytes) = read_all(&opened, length, SETTINGS_AT_MOST) else { return true };
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
    let words = lines.flat_map(|line| line.split(u8::is_ascii_whitespace));
    words.filter_map(|word| word.strip_prefix(b"filter=")).any(|filter| !FAITHFUL.contains(&filter))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::names_filter;

    #[test]
    fn filters_are_found_where_they_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(".gitattributes");
        assert!(!names_filter(&file), "there is none");
        for (text, expected) in [
            ("", false),
            ("* text=auto\n*.png binary -filter !filter filter\n", false),
            ("*.psd filter=lfs diff=lfs merge=lfs -text\r\n", false),
            ("# *.ipynb filter=strip\n", false),
            ("*.bin filter=lfs\n*.ipynb\tfilter=strip\r\n", true),
            ("[attr]nb filter=strip", true),
            ("\"with blanks\" filter=lfsx\n", true),
        ] {
            fs::write(&file, text).unwrap();
            assert_eq!(names_filter(&file), expected, "{text:?}");
        }
        fs::write(&file, "x".repeat(300 * 1024)).unwrap();
        assert!(names_filter(&file), "too long to be read");
        fs::remove_file(&file).unwrap();
        symlink("elsewhere", &file).unwrap();
        assert!(names_filter(&file), "a link is not followed");
    }
}
