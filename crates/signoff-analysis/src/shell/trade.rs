//! What the name of a program alone says about it. The same few programs come again and again in a text, and a dozen lists
//! would be asked about each of them every time.

use std::cell::RefCell;

use compact_str::CompactString;

use super::{carriers, families, machine::Judge, table::Table};

/// What is known of a program by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trade {
    /// What judges it; none for a program that nobody knows.
    pub(super) judge: Option<Judge>,
    /// Whether it may run or translate files that the text has written.
    pub(super) carries: bool,
    /// Whether it runs files by names that are not those of files.
    pub(super) names_files: bool,
    /// Whether it makes something of sources.
    pub(super) builds: bool,
    /// Whether it speaks to a database.
    pub(super) queries: bool,
}

impl Trade {
    fn of(name: &str) -> Self {
        Self {
            judge: families::find(name),
            carries: carriers::carries(name),
            names_files: carriers::names_files(name),
            builds: carriers::builds(name),
            queries: families::databases::find(name).is_some(),
        }
    }
}

impl PartialEq for Trade {
    fn eq(&self, other: &Self) -> bool {
        (self.carries, self.names_files, self.builds, self.queries)
            == (other.carries, other.names_files, other.builds, other.queries)
            && match (self.judge, other.judge) {
                (Some(here), Some(there)) => std::ptr::fn_addr_eq(here, there),
                (here, there) => here.is_none() && there.is_none(),
            }
    }
}

/// The names that have come up so far.
#[derive(Debug, Default)]
pub(super) struct Trades(RefCell<Table<Trade>>);

impl Trades {
    /// What is known of a program by its name.
    pub(super) fn of(&self, name: &CompactString) -> Trade {
        if let Some(trade) = self.0.borrow().get(name) {
            return *trade;
        }
        let trade = Trade::of(name);
        self.0.borrow_mut().insert(name.clone(), trade);
        trade
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_same_when_it_comes_again() {
        let trades = Trades::default();
        // More names than are kept.
        let names: Vec<CompactString> = ["rm", "gcc-12", "npx", "uvicorn", "psql", "nobody-knows-this"]
            .iter()
            .map(|name| CompactString::from(*name))
            .chain((0..600).map(|number| compact_str::format_compact!("x{number}")))
            .collect();
        for _ in 0..2 {
            for name in &names {
                assert_eq!(trades.of(name), Trade::of(name), "{name}");
            }
        }
        let seen = |name: &str| {
            let trade = trades.of(&name.into());
            (trade.judge.is_some(), trade.carries, trade.names_files, trade.builds, trade.queries)
        };
        assert_eq!(seen("rm"), (true, false, false, false, false));
        assert_eq!(seen("gcc-12"), (false, true, false, true, false));
        assert!(seen("npx").1 && seen("uvicorn").2 && seen("psql").4);
        assert_eq!(seen("nobody-knows-this"), (false, false, false, false, false));
    }
}
