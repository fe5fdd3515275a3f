//! Lines out of a stream, as bytes: whole where they have to be read before anybody else sees them, in pieces where they only pass.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// How much is read at once.
const BUFFER: usize = 64 * 1024;

/// The lines of a stream.
pub struct Lines<R> {
    reader: BufReader<R>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it holds, with the end of the line where that belongs to it. Nothing at the end of the stream.
    pub bytes: Vec<u8>,
    /// Whether the line, or the stream, ends here.
    pub ends: bool,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// All of it, with its end.
    Whole(Vec<u8>),
    /// It was longer than anybody reads, and is gone.
    TooLong,
    /// There is none left.
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// The lines that come from there.
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER, reader) }
    }

    /// The next part of a line: all of it where it is not longer than so many bytes, whenever they come.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read.
    pub async fn piece(&mut self, at_most: usize) -> io::Result<Piece> {
        let mut bytes = Vec::new();
        loop {
            let there = self.reader.fill_buf().await?;
            if there.is_empty() {
                return Ok(Piece { bytes, ends: true });
            }
            let room = there.get(..at_most.saturating_sub(bytes.len()).min(there.len())).unwrap_or_default();
            let end = room.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(room.len(), |at| at + 1);
            bytes.extend_from_slice(room.get(..taken).unwrap_or_default());
            self.reader.consume(taken);
            if end.is_some() || bytes.len() >= at_most {
                return Ok(Piece { bytes, ends: end.is_some() });
            }
        }
    }

    /// The next line, if it is not longer than so many bytes.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read.
    pub async fn line(&mut self, at_most: usize) -> io::Result<Line> {
        let Piece { bytes, ends } = self.piece(at_most).await?;
        if ends {
            return Ok(if bytes.is_empty() { Line::End } else { Line::Whole(bytes) });
        }
        while !self.piece(BUFFER).await?.ends {}
        Ok(Line::TooLong)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    fn lines(text: &[u8], at_most: usize) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut lines = Lines::new(text);
            let mut found = Vec::new();
            loop {
                match lines.line(at_most).await.unwrap() {
                    Line::End => return found,
                    line => found.push(line),
                }
            }
        })
    }

    #[test]
    fn a_line_is_whole_or_gone() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(lines(b"", 8), []);
        assert_eq!(lines(b"a\r\n\nlast", 8), [whole("a\r\n"), whole("\n"), whole("last")]);
        assert_eq!(lines(b"1234567\n12345678\nx\n", 8), [whole("1234567\n"), Line::TooLong, whole("x\n")]);
        let long = vec![b'x'; 300_000];
        assert_eq!(lines(&[&long[..], b"\ny\n"].concat(), 8), [Line::TooLong, whole("y\n")]);
        assert_eq!(lines(&long, 8), [Line::TooLong]);
    }
}
