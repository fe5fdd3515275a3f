//! What a pane shows in one moment: its rows, its cursor, its size and its mode, all of the same moment.

use super::{
    command::{Command, List},
    exchange::{Trouble, secret_word},
    ids::PaneId,
    link::Link,
    protocol::Block,
};

/// The moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Which pane.
    pub pane: PaneId,
    /// What is visible, from the top. As many as it is high.
    pub rows: Vec<String>,
    /// How wide it is.
    pub width: usize,
    /// How high it is.
    pub height: usize,
    /// Where the cursor stands: its column and its row, both from zero.
    pub cursor: (usize, usize),
    /// Whether the cursor is shown.
    pub cursor_shown: bool,
    /// So many lines have left it at the top.
    pub history: u64,
    /// Whether somebody looks back in it or copies from it: then keys do something else.
    pub in_mode: bool,
    /// Whether its program has ended.
    pub dead: bool,
    /// Whether keys go to all panes of its window.
    pub synchronized: bool,
    /// Whether it takes no keys.
    pub input_off: bool,
    /// Whether it shows the other screen, as full-screen programs do.
    pub alternate: bool,
    /// The process that was started in it.
    pub pid: u32,
}

/// Why there is no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// tmux could not be asked.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// What came back is not one moment of one pane. What stands in it may look like what tmux says.
    #[error("what tmux shows of the pane cannot be read")]
    Garbled,
}

const FIELDS: [&str; 14] = [
    "#{pane_id}",
    "#{pane_width}",
    "#{pane_height}",
    "#{cursor_x}",
    "#{cursor_y}",
    "#{?cursor_flag,1,0}",
    "#{history_size}",
    "#{?pane_in_mode,1,0}",
    "#{?pane_dead,1,0}",
    "#{?pane_synchronized,1,0}",
    "#{?pane_input_off,1,0}",
    "#{?alternate_on,1,0}",
    "#{pane_pid}",
    "end",
];

impl Snapshot {
    /// Looks at a pane.
    ///
    /// # Errors
    ///
    /// When there is no such pane, or what comes back cannot be read.
    pub async fn of(link: &Link, pane: PaneId) -> Result<Self, Unclear> {
        let (from, to) = (secret_word()?, secret_word()?);
        let blocks = link.run(&asking(pane, &from, &to)).await?;
        read(pane, &blocks, &from, &to).ok_or(Unclear::Garbled)
    }

    /// Whether keys that are typed reach the program in it, and only that.
    pub const fn takes_keys(&self) -> bool {
        !self.in_mode && !self.dead && !self.synchronized && !self.input_off
    }
}

fn asking(pane: PaneId, from: &str, to: &str) -> List {
    let pane = pane.to_string();
    vec![
        Command::new(["display-message", "-p", "-t", &pane, &format!("{from} {}", FIELDS.join(" "))]),
        Command::new(["capture-pane", "-p", "-t", &pane]),
        Command::new(["display-message", "-p", to]),
    ]
}

fn read(pane: PaneId, blocks: &[Block], from: &str, to: &str) -> Option<Snapshot> {
    let [head, rows, end] = blocks else { return None };
    if end.lines.as_slice() != [to] {
        return None;
    }
    let [head] = head.lines.as_slice() else { return None };
    let fields: Vec<&str> = head.strip_prefix(from)?.strip_prefix(' ')?.split(' ').collect();
    let [id, width, height, x, y, cursor, history, mode, dead, synchronized, input, alternate, pid, "end"] =
        fields.as_slice()
    else {
        return None;
    };
    let flag = |text: &str| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    let snapshot = Snapshot {
        pane: PaneId::parse(id).filter(|found| *found == pane)?,
        rows: rows.lines.clone(),
        width: width.parse().ok()?,
        height: height.parse().ok()?,
        cursor: (x.parse().ok()?, y.parse().ok()?),
        cursor_shown: flag(cursor)?,
        history: history.parse().ok()?,
        in_mode: flag(mode)?,
        dead: flag(dead)?,
        synchronized: flag(synchronized)?,
        input_off: flag(input)?,
        alternate: flag(alternate)?,
        pid: pid.parse().ok()?,
    };
    (snapshot.rows.len() == snapshot.height).then_some(snapshot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: &[&str]) -> Block {
        Block { lines: lines.iter().map(|line| (*line).to_owned()).collect(), failed: false }
    }

    #[test]
    fn a_snapshot_is_one_moment_of_one_pane() {
        let pane = PaneId::parse("%3").unwrap();
        let head = block(&["a %3 80 2 5 1 1 120 0 0 0 0 1 4711 end"]);
        let rows = block(&["one", "two"]);
        let end = block(&["b"]);
        let seen = read(pane, &[head.clone(), rows.clone(), end.clone()], "a", "b").unwrap();
        assert_eq!((seen.cursor, seen.history, seen.pid, seen.alternate), ((5, 1), 120, 4711, true));
        assert!(seen.takes_keys());
        for (why, blocks) in [
            ("another pane", vec![block(&["a %4 80 2 5 1 1 120 0 0 0 0 1 4711 end"]), rows.clone(), end.clone()]),
            ("another word", vec![block(&["x %3 80 2 5 1 1 120 0 0 0 0 1 4711 end"]), rows.clone(), end.clone()]),
            ("rows are missing", vec![head.clone(), block(&["one"]), end.clone()]),
            ("a row ends the answer", vec![head.clone(), block(&["one"]), block(&["two"]), end.clone()]),
            ("a field is missing", vec![block(&["a %3 80 2 5 1 1 0 0 0 0 1 4711 end"]), rows.clone(), end]),
            ("no end", vec![head, rows, block(&["c"])]),
            ("nothing", vec![]),
        ] {
            assert_eq!(read(pane, &blocks, "a", "b"), None, "{why}");
        }
    }
}
