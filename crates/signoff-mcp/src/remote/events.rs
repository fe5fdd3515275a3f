//! A stream of server-sent events, taken apart as it comes, however it is cut into pieces.

/// Longer than this nothing is kept: it is no event that anybody could use.
const EVENT_AT_MOST: usize = 64 << 20;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// What it says; nothing where it only has an id or a pause.
    pub(super) data: Vec<u8>,
    /// What to resume behind.
    pub(super) id: Option<String>,
    /// How long to wait before coming back, in milliseconds.
    pub(super) retry: Option<u64>,
    /// Whether it is a message, and not of a kind that nobody here knows.
    pub(super) is_message: bool,
}

/// An event is longer than anything that could be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What has come of a stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// The event that has not ended yet.
    event: Partial,
    /// Whether the last thing was a carriage return: a line feed behind it belongs to it.
    after_return: bool,
    begun: bool,
}

#[derive(Debug, Default)]
struct Partial {
    data: Vec<u8>,
    has_data: bool,
    id: Option<String>,
    retry: Option<u64>,
    kind: Vec<u8>,
}

impl Events {
    /// Takes a piece, and gives the events that have ended in it.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut ended = Vec::new();
        for part in piece.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let (text, end) = match part.split_last() {
                Some((end @ (b'\n' | b'\r'), text)) => (text, Some(*end)),
                _ => (part, None),
            };
            let is_rest = self.after_return && text.is_empty() && end == Some(b'\n');
            if !part.is_empty() {
                self.after_return = false;
            }
            if is_rest {
                continue;
            }
            if self.line.len().saturating_add(self.event.data.len()).saturating_add(text.len()) > EVENT_AT_MOST {
                return Err(TooLong);
            }
            self.line.extend_from_slice(text);
            if let Some(end) = end {
                self.after_return = end == b'\r';
                let line = std::mem::take(&mut self.line);
                ended.extend(self.line(&line));
            }
        }
        Ok(ended)
    }

    /// One whole line. An event ends with an empty one.
    fn line(&mut self, line: &[u8]) -> Option<Event> {
        // Only the first may begin with a mark.
        let line = if self.begun { line } else { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) };
        self.begun = true;
        if line.is_empty() {
            let Partial { data, has_data, id, retry, kind } = std::mem::take(&mut self.event);
            let says_anything = has_data || id.is_some() || retry.is_some();
            let is_message = kind.is_empty() || kind == b"message";
            return says_anything.then_some(Event { data, id, retry, is_message });
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            // A comment.
            Some(0) => return None,
            Some(at) => {
                let (name, value) = line.split_at(at);
                let value = value.strip_prefix(b":").unwrap_or(value);
                (name, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match name {
            b"data" => {
                if self.event.has_data {
                    self.event.data.push(b'\n');
                }
                self.event.has_data = true;
                self.event.data.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => self.event.id = String::from_utf8(value.to_vec()).ok(),
            b"retry" => self.event.retry = str::from_utf8(value).ok().and_then(|text| text.parse().ok()),
            b"event" => self.event.kind = value.to_vec(),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = "\u{feff}: hello\r\nid: 0\r\nretry: 3000\r\ndata:\r\n\r\nevent: message\ndata: {\"a\":\ndata: 1}\nid:7\n\n\
                          event: endpoint\rdata: /x\r\rdata: \u{4e2d}\u{2028}\n\n\n\ndata\n\ndata: last without an end";

    fn read(pieces: &[&[u8]]) -> Vec<Event> {
        let mut events = Events::default();
        pieces.iter().flat_map(|piece| events.take(piece).unwrap()).collect()
    }

    fn event(data: &str, id: Option<&str>) -> Event {
        Event { data: data.into(), id: id.map(str::to_owned), retry: None, is_message: true }
    }

    #[test]
    fn events_are_what_they_are() {
        assert_eq!(
            read(&[STREAM.as_bytes()]),
            [
                Event { retry: Some(3000), ..event("", Some("0")) },
                event("{\"a\":\n1}", Some("7")),
                Event { is_message: false, ..event("/x", None) },
                event("\u{4e2d}\u{2028}", None),
                event("", None),
            ]
        );
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let mut events = Events::default();
        let piece = vec![b'x'; 8 << 20];
        assert!((0..8).any(|_| events.take(&piece).is_err()) || events.take(&piece).is_err());
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_they_are_cut(cuts in proptest::collection::vec(0..STREAM.len(), 0..40)) {
            let mut cuts = cuts;
            cuts.extend([0, STREAM.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &STREAM.as_bytes()[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[STREAM.as_bytes()]));
        }
    }
}
