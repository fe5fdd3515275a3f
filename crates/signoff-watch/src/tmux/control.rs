//! A client of tmux in its control mode: it stays attached to one session, is told when something is written there, and runs commands.
//!
//! It changes the size of nothing (`ignore-size`) and leaves the environment of the session alone (`-E`).

use std::{io, process::Stdio, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStdin, ChildStdout},
    sync::{Mutex, mpsc},
    time::timeout,
};

use super::{
    call::Socket,
    command::List,
    exchange::{Exchange, Trouble, whole},
    ids::PaneId,
    protocol::{Block, Event, Notice, Reader},
};

/// So long tmux may take to answer.
const WITHIN: Duration = Duration::from_secs(5);
/// So much of a line is kept: what a pane writes is not read here, and comes in lines of any length.
const LINE_AT_MOST: usize = 64 * 1024;
/// So many answers may wait.
const ANSWERS_AT_MOST: usize = 4096;

/// Why it is time to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something was written in a pane, or its mode has changed.
    Pane(PaneId),
    /// Panes have come, gone, or changed their size.
    Layout,
    /// The client is gone: with its session, its server, or by somebody's wish.
    Gone,
}

/// A client that is attached.
pub struct Control {
    conversation: Mutex<Conversation>,
}

struct Conversation {
    stdin: ChildStdin,
    answers: mpsc::Receiver<Block>,
    /// Ends with this.
    _child: Child,
}

impl Control {
    /// Attaches to a session, and tells `woken` what happens there.
    ///
    /// # Errors
    ///
    /// When there is no such session, or tmux does not answer.
    pub async fn attach(
        socket: &Socket,
        session: &str,
        woken: mpsc::UnboundedSender<Woken>,
    ) -> Result<Arc<Self>, Trouble> {
        let mut command = socket.process();
        command.args(["-C", "attach-session", "-E", "-f", "ignore-size", "-t"]).arg(format!("={session}"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Trouble::NoTmux(error.to_string()),
            _ => Trouble::Silent(error.to_string()),
        })?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Trouble::Silent("its streams are closed".to_owned()));
        };
        let (answered, answers) = mpsc::channel(ANSWERS_AT_MOST);
        tokio::spawn(listen(stdout, answered, woken));
        let client = Arc::new(Self { conversation: Mutex::new(Conversation { stdin, answers, _child: child }) });
        // Whoever could not attach ends, and does not answer.
        client.run(&List::new()).await.map_err(|_| Trouble::Refused(format!("can't attach to session: {session}")))?;
        Ok(client)
    }

    /// Runs commands, one behind the other, with nothing in between.
    ///
    /// # Errors
    ///
    /// When one of them fails, or tmux does not answer.
    pub async fn run(&self, list: &List) -> Result<Vec<Block>, Trouble> {
        let exchange = Exchange::of(list)?;
        let mut conversation = self.conversation.lock().await;
        let silent = |why: &str| Trouble::Silent(why.to_owned());
        let asked = async {
            conversation.stdin.write_all(exchange.text.as_bytes()).await.map_err(|error| silent(&error.to_string()))?;
            let mut blocks: Option<Vec<Block>> = None;
            while let Some(block) = conversation.answers.recv().await {
                match &mut blocks {
                    None if exchange.begins_with(&block) => blocks = Some(Vec::new()),
                    None => {}
                    Some(_) if exchange.ends_with(&block) => return Ok(blocks.unwrap_or_default()),
                    Some(blocks) => blocks.push(block),
                }
            }
            Err(silent("it has gone"))
        };
        timeout(WITHIN, asked).await.unwrap_or_else(|_| Err(silent("it took too long"))).and_then(whole)
    }
}

/// Reads what tmux says until it says nothing more.
async fn listen(mut stdout: ChildStdout, answered: mpsc::Sender<Block>, woken: mpsc::UnboundedSender<Woken>) {
    let (mut reader, mut lines) = (Reader::default(), Lines::default());
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stdout.read(&mut bytes).await {
        for line in lines.push(bytes.get(..count).unwrap_or_default()) {
            let why = match reader.line(&line) {
                // Answers that nobody waits for are those of nobody.
                Some(Event::Answer(block)) => {
                    let _ = answered.try_send(block);
                    continue;
                }
                Some(Event::Notice(Notice::Output(pane) | Notice::PaneMode(pane) | Notice::Paused(pane))) => {
                    Woken::Pane(pane)
                }
                Some(Event::Notice(Notice::Layout)) => Woken::Layout,
                Some(Event::Notice(Notice::Exit | Notice::Other)) | None => continue,
            };
            let _ = woken.send(why);
        }
    }
    let _ = woken.send(Woken::Gone);
}

/// Bytes on their way to lines.
#[derive(Debug, Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    /// The lines that are whole now. What is too long is cut.
    fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        let mut parts = bytes.split(|byte| *byte == b'\n').peekable();
        while let Some(part) = parts.next() {
            let room = LINE_AT_MOST.saturating_sub(self.begun.len());
            self.begun.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
            if parts.peek().is_some() {
                let line = std::mem::take(&mut self.begun);
                let line = line.strip_suffix(b"\r").unwrap_or(&line);
                whole.push(String::from_utf8_lossy(line).into_owned());
            }
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_without_end_is_cut() {
        let mut lines = Lines::default();
        for _ in 0..40 {
            assert_eq!(lines.push(&[b'x'; 4096]), [""; 0]);
        }
        let whole = lines.push(b"\nnext\r\nha");
        assert_eq!((whole[0].len(), whole[1].as_str()), (LINE_AT_MOST, "next"));
        assert_eq!(lines.push(b"lf\n"), ["half"]);
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_arrive(text in "([a-z%]{0,9}\n){0,9}", cuts in prop::collection::vec(1_usize..7, 0..40)) {
            let (mut lines, mut rest, mut found) = (Lines::default(), text.as_bytes(), Vec::new());
            for cut in cuts {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                found.extend(lines.push(now));
                rest = later;
            }
            found.extend(lines.push(rest));
            let expected: Vec<&str> = text.split_terminator('\n').collect();
            prop_assert_eq!(found, expected);
        }
    }
}
