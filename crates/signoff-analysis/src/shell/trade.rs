//! What the name of a program alone says about it. The same few programs come again and again in a text, and a dozen lists
//! would be asked about each of them every time.

use std::cell::RefCell;

use compact_str::CompactString;

use super::{
    carriers, families,
    machine::Judge,
    shown,
    table::Table,
    ungated,
    workshops::{self, Workshop},
};
use crate::value::{Feed, Origin};

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
    /// How it does what the files of a directory say, if it does.
    pub(super) workshop: Option<&'static Workshop>,
    /// Whether it speaks to a database.
    pub(super) queries: bool,
    /// Whether it installs and removes other programs.
    pub(super) manages_packages: bool,
    /// Whether it may empty a directory that its options name.
    pub(super) empties: bool,
    /// What its options may name that it makes.
    pub(super) makes: &'static [families::outputs::Making],
    /// Whether it takes private keys and shows nothing of them.
    pub(super) uses_keys: bool,
    /// Whether it may reach what runs, and so the gate.
    pub(super) reaches: bool,
    /// Whether it tells the number of a process.
    pub(super) looks_up: bool,
    /// Whether it does what a script says that it is given.
    pub(super) scripted: bool,
    /// Whether it may print what it is given or what flows into it.
    prints: bool,
}

impl Trade {
    fn of(name: &str) -> Self {
        Self {
            judge: families::find(name),
            carries: carriers::carries(name),
            names_files: carriers::names_files(name),
            builds: carriers::builds(name),
            workshop: workshops::of(name),
            queries: families::databases::find(name).is_some(),
            manages_packages: families::own::manages_packages(name),
            empties: families::builds::emptied::may_empty(name),
            makes: families::outputs::makings(name),
            uses_keys: families::secrets::handed::uses_keys(name),
            reaches: families::own::may_reach(name),
            looks_up: families::own::looks_up(name),
            scripted: ungated::is_scripted(name),
            prints: shown::may_print(name),
        }
    }
}

/// It is made of the name, so two of them are the same if they were asked about the same name.
impl PartialEq for Trade {
    fn eq(&self, other: &Self) -> bool {
        // A field that is added has to be named here as well.
        let all = |trade: &Self| {
            let Self {
                judge,
                carries,
                names_files,
                builds,
                workshop,
                queries,
                manages_packages,
                empties,
                makes,
                uses_keys,
                reaches,
                looks_up,
                scripted,
                prints,
            } = *trade;
            let flags = [
                carries,
                names_files,
                builds,
                queries,
                manages_packages,
                empties,
                uses_keys,
                reaches,
                looks_up,
                scripted,
                prints,
            ];
            (judge.map(|judge| judge as usize), workshop.map(std::ptr::from_ref), makes.as_ptr_range(), flags)
        };
        all(self) == all(other)
    }
}

/// The names that have come up so far.
#[derive(Debug, Default)]
pub(super) struct Trades(RefCell<Table<Met>>);

/// A name that has come up.
#[derive(Clone, Debug, PartialEq)]
struct Met {
    trade: Trade,
    /// What a program of the name prints, of which nothing else is known.
    output: Feed,
}

impl Trades {
    /// What is known of a program by its name.
    pub(super) fn of(&self, name: &str) -> Trade {
        self.ask(name, |met| met.trade)
    }

    /// Whether what a program may print has to be looked at. It is asked about functions as well, which nobody else asks
    /// about: a name that comes for the first time is not kept.
    pub(super) fn prints(&self, name: &str) -> bool {
        self.0.borrow().get(name).map_or_else(|| shown::may_print(name), |met| met.trade.prints)
    }

    /// What a program prints, if nothing but its name tells.
    pub(super) fn output(&self, name: &str) -> Feed {
        self.ask(name, |met| met.output.clone())
    }

    fn ask<T>(&self, name: &str, about: impl Fn(&Met) -> T) -> T {
        if let Some(met) = self.0.borrow().get(name) {
            return about(met);
        }
        let met = Met { trade: Trade::of(name), output: Feed::from(Origin::Program(name.into())) };
        let answer = about(&met);
        self.0.borrow_mut().insert(CompactString::from(name), met);
        answer
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
                assert_eq!(trades.output(name), Feed::from(Origin::Program(name.clone())), "{name}");
            }
        }
        let seen = |name: &str| {
            let trade = trades.of(name);
            (trade.judge.is_some(), trade.carries, trade.names_files, trade.builds, trade.queries)
        };
        assert_eq!(seen("rm"), (true, false, false, false, false));
        assert_eq!(seen("gcc-12"), (false, true, false, true, false));
        assert!(seen("npx").1 && seen("uvicorn").2 && seen("psql").4);
        assert_eq!(seen("nobody-knows-this"), (false, false, false, false, false));
    }
}
