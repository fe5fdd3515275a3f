//! Reads a script that is about to run.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use nix::fcntl::OFlag;
use signoff_analysis::facts::FileText;

/// The longest script that is read. A longer one is not judged by its beginning: padding must not defeat the gate.
pub const TEXT_AT_MOST: u64 = 256 * 1024;

pub(crate) fn read(path: &Path) -> FileText {
    read_at_most(path, TEXT_AT_MOST)
}

/// The text of a file that is no longer than this.
pub(crate) fn read_at_most(path: &Path, limit: u64) -> FileText {
    if !path.is_absolute() {
        // Whatever this process calls its working directory says nothing about where the script would be looked for.
        return FileText::Unreadable;
    }
    match read_steadily(path, limit) {
        Ok(text) => text,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileText::Missing,
            _ => FileText::Unreadable,
        },
    }
}

/// Reads the file and makes sure that it stayed the same file with the same content meanwhile.
fn read_steadily(path: &Path, limit: u64) -> io::Result<FileText> {
    // The kind is looked at before opening, since opening a pipe or a device can block or have effects of its own.
    let named = fs::metadata(path)?;
    if !named.is_file() {
        return Ok(FileText::Unreadable);
    }
    // The file may have been swapped since; without blocking, even a pipe cannot hold the gate up.
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let mut file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)?;
    let before = file.metadata()?;
    if !before.is_file() || Identity::of(&before) != Identity::of(&named) {
        return Ok(FileText::Unreadable);
    }
    if before.len() > limit {
        return Ok(FileText::TooLarge);
    }
    let bytes = read_bounded(&mut file, limit)?;
    let unchanged = Identity::of(&before);
    if Identity::of(&file.metadata()?) != unchanged || Identity::of(&fs::metadata(path)?) != unchanged {
        return Ok(FileText::Unreadable);
    }
    Ok(classify(bytes, limit))
}

fn read_bounded(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that reports a false length, as those under /proc do.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn classify(bytes: Vec<u8>, limit: u64) -> FileText {
    if bytes.len() as u64 > limit {
        return FileText::TooLarge;
    }
    if bytes.contains(&0) {
        return FileText::Binary;
    }
    String::from_utf8(bytes).map_or(FileText::Binary, FileText::Text)
}

/// What tells one state of a file from another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path, time::Duration};

    use nix::{sys::stat::Mode, unistd::mkfifo};
    use signoff_analysis::facts::FileText;

    use super::{TEXT_AT_MOST, read};

    #[test]
    fn a_script_is_read_whole() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("t.sh");
        fs::write(&script, "rm -rf src\n").unwrap();
        assert_eq!(read(&script), FileText::Text("rm -rf src\n".into()));

        let link = dir.path().join("link.sh");
        symlink(&script, &link).unwrap();
        assert_eq!(read(&link), FileText::Text("rm -rf src\n".into()), "a link runs what it points at");
    }

    #[test]
    fn what_is_no_text_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        assert_eq!(read(&write("elf", b"\x7fELF\0\0")), FileText::Binary);
        assert_eq!(read(&write("latin", b"echo caf\xe9\n")), FileText::Binary);
        assert_eq!(read(&write("empty", b"")), FileText::Text(String::new()));
        assert_eq!(read(&dir.path().join("none")), FileText::Missing);
        assert_eq!(read(&dir.path().join("empty/below")), FileText::Missing);
        assert_eq!(read(dir.path()), FileText::Unreadable, "a directory");
        assert_eq!(read(Path::new("relative.sh")), FileText::Unreadable);
    }

    #[test]
    fn the_limit_is_exact() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("long.sh");
        let limit = usize::try_from(TEXT_AT_MOST).unwrap();
        fs::write(&path, "#".repeat(limit)).unwrap();
        assert!(matches!(read(&path), FileText::Text(text) if text.len() == limit));
        fs::write(&path, "#".repeat(limit + 1)).unwrap();
        assert_eq!(read(&path), FileText::TooLarge);
        fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path), FileText::TooLarge, "a sparse terabyte is not read");
    }

    #[test]
    fn pipes_and_devices_are_never_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for path in [pipe.as_path(), Path::new("/dev/zero"), Path::new("/dev/tty"), Path::new("/dev/stdin")] {
                sender.send((path.to_owned(), read(path))).unwrap();
            }
        });
        while let Ok((path, text)) = receiver.recv_timeout(Duration::from_secs(5)) {
            if path == Path::new("/dev/stdin") {
                return;
            }
            assert_eq!(text, FileText::Unreadable, "{}", path.display());
        }
        panic!("reading did not come back");
    }

    #[test]
    fn a_link_to_itself_is_unreadable() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("a");
        symlink("a", &link).unwrap();
        assert_eq!(read(&link), FileText::Unreadable);
    }

    #[test]
    fn a_false_length_is_found_out() {
        // Files under /proc report no length; the reading must bound itself.
        let text = read(Path::new("/proc/self/status"));
        if cfg!(target_os = "linux") {
            assert!(matches!(text, FileText::Text(text) if text.starts_with("Name:")));
        }
    }
}
