//! The control mode of tmux, line by line: answers to commands between `%begin` and `%end` or `%error`, and notices about what has changed.
//!
//! A line within an answer may be anything, and also look like a notice or an end. An answer ends only with the mark that it began with.

use super::ids::PaneId;

/// So many lines of one answer are kept; whoever wants more gets nothing.
const LINES_AT_MOST: usize = 20_000;

/// What an answer begins and ends with: a time, a number that grows, and flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

/// The answer to one command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its lines, without their ends.
    pub lines: Vec<String>,
    /// Whether the command has failed: then the lines say why.
    pub failed: bool,
}

/// Something has changed. Nothing is decided by these: they only say that it is time to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something was written in a pane.
    Output(PaneId),
    /// A pane has entered or left a mode, such as that for copying.
    PaneMode(PaneId),
    /// Windows, panes or sessions have come, gone, moved or changed their size.
    Layout,
    /// tmux does not send what a pane writes any more, until it is told to.
    Paused(PaneId),
    /// This client is about to end.
    Exit,
    /// Anything else.
    Other,
}

/// What a line has completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An answer.
    Answer(Block),
    /// A notice.
    Notice(Notice),
}

/// Reads lines.
#[derive(Debug, Default)]
pub struct Reader {
    open: Option<(Mark, Block)>,
}

impl Reader {
    /// Takes the next line, and says what it completes.
    pub fn line(&mut self, line: &str) -> Option<Event> {
        if let Some((mark, block)) = &mut self.open {
            let failed = match line.split_once(' ') {
                Some(("%end", rest)) if rest == mark.0 => Some(false),
                Some(("%error", rest)) if rest == mark.0 => Some(true),
                _ => None,
            };
            let Some(failed) = failed else {
                if block.lines.len() < LINES_AT_MOST {
                    block.lines.push(line.to_owned());
                }
                return None;
            };
            block.failed = failed || block.lines.len() >= LINES_AT_MOST;
            return self.open.take().map(|(_, block)| Event::Answer(block));
        }
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        if name == "%begin" {
            self.open = Some((Mark(rest.to_owned()), Block::default()));
            return None;
        }
        Some(Event::Notice(notice(name, rest)))
    }
}

fn notice(name: &str, rest: &str) -> Notice {
    let pane = || PaneId::parse(rest.split(' ').next().unwrap_or_default());
    let about = |make: fn(PaneId) -> Notice| pane().map_or(Notice::Other, make);
    match name {
        "%output" | "%extended-output" | "%continue" => about(Notice::Output),
        "%pause" => about(Notice::Paused),
        "%pane-mode-changed" => about(Notice::PaneMode),
        "%exit" => Notice::Exit,
        "%layout-change" | "%client-session-changed" | "%client-detached" => Notice::Layout,
        _ if ["%window-", "%unlinked-window-", "%session"].iter().any(|begins| name.starts_with(begins)) => {
            Notice::Layout
        }
        _ => Notice::Other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Event> {
        let mut reader = Reader::default();
        text.lines().filter_map(|line| reader.line(line)).collect()
    }

    fn answer(lines: &[&str], failed: bool) -> Event {
        Event::Answer(Block { lines: lines.iter().map(|line| (*line).to_owned()).collect(), failed })
    }

    #[test]
    fn answers_and_notices_are_told_apart() {
        let pane = PaneId::parse("%4").unwrap();
        for (text, expected) in [
            ("%begin 7 1 1\na\n\n%end 7 1 1", vec![answer(&["a", ""], false)]),
            ("%begin 7 1 1\nno such pane\n%error 7 1 1", vec![answer(&["no such pane"], true)]),
            ("%output %4 a\\015", vec![Event::Notice(Notice::Output(pane))]),
            ("%extended-output %4 17 : a", vec![Event::Notice(Notice::Output(pane))]),
            ("%pause %4", vec![Event::Notice(Notice::Paused(pane))]),
            ("%pane-mode-changed %4", vec![Event::Notice(Notice::PaneMode(pane))]),
            ("%layout-change @1 x y *", vec![Event::Notice(Notice::Layout)]),
            ("%window-add @1", vec![Event::Notice(Notice::Layout)]),
            ("%unlinked-window-close @1", vec![Event::Notice(Notice::Layout)]),
            ("%sessions-changed", vec![Event::Notice(Notice::Layout)]),
            ("%session-window-changed $1 @2", vec![Event::Notice(Notice::Layout)]),
            ("%exit", vec![Event::Notice(Notice::Exit)]),
            ("%exit too far behind", vec![Event::Notice(Notice::Exit)]),
            ("%output 4 a", vec![Event::Notice(Notice::Other)]),
            ("%output", vec![Event::Notice(Notice::Other)]),
            ("words", vec![Event::Notice(Notice::Other)]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    /// How would what stands in a pane become an answer of tmux? By an end that is not its own.
    #[test]
    fn an_answer_ends_only_with_its_own_mark() {
        let text = "%begin 7 12 1\n%end 7 11 1\n%end\n%error 7 12\n%output %1 x\n%begin 7 13 1\n%end 7 12 1";
        let lines = ["%end 7 11 1", "%end", "%error 7 12", "%output %1 x", "%begin 7 13 1"];
        assert_eq!(read(text), [answer(&lines, false)]);
    }

    #[test]
    fn an_answer_without_end_does_not_grow_without_end() {
        let mut reader = Reader::default();
        reader.line("%begin 1 1 1");
        for _ in 0..LINES_AT_MOST + 5 {
            assert_eq!(reader.line("x"), None);
        }
        let Some(Event::Answer(block)) = reader.line("%end 1 1 1") else { panic!("it has ended") };
        assert!(block.failed && block.lines.len() == LINES_AT_MOST);
    }

    proptest! {
        #[test]
        fn whatever_is_in_an_answer_comes_back(lines in prop::collection::vec("[^\r\n]{0,12}|%(begin|end|error|output|exit)( [%0-9]{1,3}){0,3}", 0..12)) {
            let mark = "1795 77 1";
            prop_assume!(!lines.iter().any(|line| line == "%end 1795 77 1" || line == "%error 1795 77 1"));
            let mut reader = Reader::default();
            prop_assert_eq!(reader.line(&format!("%begin {mark}")), None);
            for line in &lines {
                prop_assert_eq!(reader.line(line), None);
            }
            let whole = Event::Answer(Block { lines, failed: false });
            prop_assert_eq!(reader.line(&format!("%end {mark}")), Some(whole));
        }

        #[test]
        fn any_lines_at_all_are_read(lines in prop::collection::vec(".{0,20}|%[a-z-]{1,12}( [@%$0-9]{1,4}){0,3}", 0..30)) {
            let mut reader = Reader::default();
            for line in &lines {
                reader.line(line);
            }
        }
    }
}
