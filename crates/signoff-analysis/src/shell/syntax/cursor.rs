//! Reading bytes. A line continuation (a backslash before a line end) does not exist for the grammar: the position
//! steps over it wherever it stands, so that `r\⏎m` is `rm` and `&\⏎&` is `&&`. Only what takes its bytes raw (single
//! quotes, comments, heredoc bodies) sees it.

use super::parser::Parser;

/// More comments than this are not remembered.
pub(in crate::shell) const MAX_COMMENTS: usize = 1024;

/// What a byte may be part of. Every byte of every text is asked about, so the answers stand in a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    /// It ends an unquoted word.
    EndOfWord = 1,
    /// It goes on a variable name.
    Name = 2,
    /// It has no meaning of its own within an unquoted word.
    Word = 4,
    /// The same, and within an expansion or a subscript as well.
    Plain = 8,
    /// It may begin a redirection.
    Redirect = 16,
    /// It has no meaning of its own inside quotes.
    Quoted = 32,
}

#[expect(clippy::indexing_slicing, reason = "the bound stands above, and this runs when it is compiled")]
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let ends = matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')');
        let quotes = matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`');
        // What may begin an extended glob.
        let operator = matches!(byte, b'@' | b'*' | b'+' | b'?' | b'!');
        let within = matches!(byte, b'=' | b'[' | b']' | b'}' | b'/' | b':');
        if ends {
            classes[at] |= Class::EndOfWord as u8;
        }
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            classes[at] |= Class::Name as u8;
        }
        if !ends && !quotes && !operator {
            classes[at] |= Class::Word as u8;
        }
        if !ends && !quotes && !operator && !within {
            classes[at] |= Class::Plain as u8;
        }
        if matches!(byte, b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') {
            classes[at] |= Class::Redirect as u8;
        }
        if !matches!(byte, b'"' | b'\'' | b'}' | b'\\' | b'$' | b'`') {
            classes[at] |= Class::Quoted as u8;
        }
        at += 1;
    }
    classes
};

impl Class {
    /// Whether a byte is of this class.
    pub(super) fn holds(self, byte: u8) -> bool {
        CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & self as u8 != 0)
    }
}

/// Whether a byte ends an unquoted word.
pub(super) fn ends_word(byte: u8) -> bool {
    Class::EndOfWord.holds(byte)
}

/// Whether a byte can begin a variable name.
pub(super) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte can go on a variable name.
pub(super) fn continues_name(byte: u8) -> bool {
    Class::Name.holds(byte)
}

impl<'t> Parser<'t> {
    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.raw(self.pos)
    }

    /// The byte at `at`, as it is written.
    pub(super) fn raw(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// The byte `ahead` bytes after the next one.
    pub(super) fn peek_after(&self, ahead: usize) -> Option<u8> {
        let mut at = self.pos;
        for _ in 0..ahead {
            at = self.settled(at + 1);
        }
        self.raw(at)
    }

    /// Whether `bytes` come next.
    pub(super) fn at(&self, bytes: &[u8]) -> bool {
        let mut at = self.pos;
        for (index, byte) in bytes.iter().enumerate() {
            if index > 0 {
                at = self.settled(at + 1);
            }
            if self.raw(at) != Some(*byte) {
                return false;
            }
        }
        true
    }

    /// The first place from `at` on that is not a line continuation.
    pub(super) fn settled(&self, mut at: usize) -> usize {
        while self.raw(at) == Some(b'\\') && self.raw(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// Steps over line continuations.
    pub(super) fn settle(&mut self) {
        self.pos = self.settled(self.pos);
    }

    /// Steps over one byte.
    pub(super) fn bump(&mut self) {
        self.pos += 1;
        self.settle();
    }

    /// Takes the name that comes next; a line may be continued within it.
    pub(super) fn take_name(&mut self) -> &'t str {
        let start = self.pos;
        self.skip_class(Class::Name);
        let name = self.slice(start, self.pos);
        self.settle();
        if self.peek().is_some_and(continues_name) { self.rest_of_name(name) } else { name }
    }

    /// The rest of a name whose line is continued.
    #[cold]
    fn rest_of_name(&mut self, first: &str) -> &'t str {
        let mut name = first.to_owned();
        while self.peek().is_some_and(continues_name) {
            let start = self.pos;
            self.skip_class(Class::Name);
            name.push_str(self.slice(start, self.pos));
            self.settle();
        }
        self.arena.text(&name)
    }

    /// Steps over all bytes of a class, raw.
    pub(super) fn skip_class(&mut self, class: Class) {
        let rest = self.bytes().get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|byte| !class.holds(*byte)).unwrap_or(rest.len());
    }

    /// Steps over several bytes.
    pub(super) fn bump_by(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    /// Goes to a place in the text.
    pub(super) fn go_to(&mut self, at: usize) {
        self.pos = at;
        self.settle();
    }

    /// Steps over `bytes` if they come next.
    pub(super) fn eat(&mut self, bytes: &[u8]) -> bool {
        let found = self.at(bytes);
        if found {
            self.bump_by(bytes.len());
        }
        found
    }

    /// Steps over blanks and a comment, as far as the end of the line.
    pub(super) fn skip_blanks(&mut self) {
        // Every line is indented, and between all words there is one: a line that goes on is looked for only where it may.
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\\') if self.raw(self.pos + 1) == Some(b'\n') => self.pos += 2,
                _ => break,
            }
        }
        if self.peek() == Some(b'#') {
            let start = self.pos;
            self.pos = self.find(b'\n', self.pos).unwrap_or(self.end().max(self.pos));
            self.note_comment(start);
        }
    }

    /// Remembers a comment that ends here. The same place may be passed again.
    #[cold]
    fn note_comment(&mut self, start: usize) {
        let span = self.span_from(start);
        if self.comments.len() < MAX_COMMENTS && self.comments.last() != Some(&span) {
            self.comments.push(span);
        }
    }

    /// Steps over blanks, comments and line ends. Heredoc bodies behind a line end are taken on the way.
    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.peek() == Some(b'\n') {
            self.newline();
            self.skip_blanks();
        }
    }

    /// Steps over a line end, and over the heredoc bodies behind it.
    pub(super) fn newline(&mut self) {
        let line_end = self.pos;
        self.pos += 1;
        match self.taken_lines {
            Some((taken_end, behind)) if taken_end == line_end => self.pos = behind,
            _ => {}
        }
        self.read_here_documents();
        self.settle();
    }

    /// The place of the next `byte` from `from` on.
    pub(super) fn find(&self, byte: u8, from: usize) -> Option<usize> {
        let stretch = self.bytes().get(from..)?;
        stretch.iter().position(|candidate| *candidate == byte).map(|offset| from + offset)
    }

    /// The text of a stretch. Stretches begin and end at ASCII bytes, so this is never cut within a character.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end.min(self.text.len())).unwrap_or_default()
    }

    /// Takes the next character raw, of whatever length.
    pub(super) fn take_character(&mut self) -> &'t str {
        let start = self.pos;
        let length = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        self.go_to(start + length);
        self.slice(start, start + length)
    }
}
