//! tmux as a process that is started for one list of commands.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{Output, Stdio},
    time::Duration,
};

use tokio::{process, time::timeout};

use super::{
    command::{List, arguments, quoted},
    exchange::{Trouble, whole},
    protocol::{Block, Event, Reader},
    version::{OLDEST, Version},
};

/// So long tmux may take to answer.
const WITHIN: Duration = Duration::from_secs(5);

/// Which server of tmux is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Socket {
    /// The one that is meant where nobody says which.
    #[default]
    Default,
    /// By its name: `-L`.
    Named(String),
    /// By its path: `-S`.
    At(PathBuf),
}

impl Socket {
    /// The server around this process, where it runs in a pane; `variable` is what `$TMUX` says.
    pub fn around(variable: Option<OsString>) -> Self {
        let text = variable.map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
        match text.split(',').next().filter(|path| path.starts_with('/')) {
            Some(path) => Self::At(PathBuf::from(path)),
            None => Self::Default,
        }
    }

    /// The options that name it.
    pub fn options(&self) -> Vec<String> {
        match self {
            Self::Default => Vec::new(),
            Self::Named(name) => vec!["-L".to_owned(), name.clone()],
            Self::At(path) => vec!["-S".to_owned(), path.to_string_lossy().into_owned()],
        }
    }

    /// How a person begins a command for it.
    pub fn spoken(&self) -> String {
        let options = self.options().iter().map(|option| format!(" {}", quoted(option))).collect::<String>();
        format!("tmux{options}")
    }

    /// A process of tmux. What it would learn from being started in a pane it is told instead.
    pub(super) fn process(&self) -> process::Command {
        let mut command = process::Command::new("tmux");
        // Whatever the locale, what is shown comes as it is.
        command.arg("-u").args(self.options()).env_remove("TMUX").env_remove("TMUX_PANE").kill_on_drop(true);
        command
    }

    /// Whether there is a tmux, and which.
    ///
    /// # Errors
    ///
    /// When there is none, or one that is too old.
    pub async fn checked() -> Result<(), Trouble> {
        let mut command = process::Command::new("tmux");
        command.arg("-V").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let said = waited(command.output()).await?;
        let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
        match Version::parse(&said) {
            Some(version) if version < OLDEST => Err(Trouble::TooOld(version.to_string())),
            // One that has no number was built from its sources.
            Some(_) | None => Ok(()),
        }
    }

    /// Runs commands in a process of their own.
    ///
    /// # Errors
    ///
    /// When one of them fails, or tmux does not answer.
    pub async fn run(&self, list: &List) -> Result<Vec<Block>, Trouble> {
        let mut command = self.process();
        // A client whose input ends goes at once, perhaps without an answer: it is held open until the answers are there.
        command.arg("-C").args(arguments(list)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| unstarted(&error))?;
        let stdin = child.stdin.take();
        let output = waited(child.wait_with_output()).await?;
        drop(stdin);
        let mut reader = Reader::default();
        let text = String::from_utf8_lossy(&output.stdout);
        let answers = text.lines().filter_map(|line| match reader.line(line) {
            Some(Event::Answer(block)) => Some(block),
            Some(Event::Notice(_)) | None => None,
        });
        let blocks = whole(answers.collect())?;
        if blocks.len() < list.len() {
            let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(match words.as_str() {
                "" => Trouble::Silent("it has said nothing".to_owned()),
                _ => Trouble::Refused(words),
            });
        }
        Ok(blocks)
    }
}

fn unstarted(error: &io::Error) -> Trouble {
    match error.kind() {
        io::ErrorKind::NotFound => Trouble::NoTmux(error.to_string()),
        _ => Trouble::Silent(error.to_string()),
    }
}

async fn waited(output: impl Future<Output = io::Result<Output>>) -> Result<Output, Trouble> {
    match timeout(WITHIN, output).await {
        Ok(output) => output.map_err(|error| unstarted(&error)),
        Err(_) => Err(Trouble::Silent("it took too long".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_around_this_process_is_told_by_its_variable() {
        assert_eq!(Socket::around(Some("/run/x/tmux-1/a,77,0".into())), Socket::At(PathBuf::from("/run/x/tmux-1/a")));
        assert_eq!(Socket::around(Some("".into())), Socket::Default);
        assert_eq!(Socket::around(None), Socket::Default);
        assert_eq!(Socket::Named("my swarm".to_owned()).spoken(), "tmux -L 'my swarm'");
        assert_eq!(Socket::Default.spoken(), "tmux");
    }
}
