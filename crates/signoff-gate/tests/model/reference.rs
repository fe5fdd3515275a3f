//! What a bystander with a notebook expects of the gate. It knows names, numbers and the clock on the wall, and none of the
//! gate's own types: whatever it says is compared with what the gate says, word by word.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;

pub(crate) const DECIDE: i64 = 300_000;
pub(crate) const RUN: i64 = 60_000;
pub(crate) const ESCALATE: i64 = 120_000;
/// What somebody who changes something may come back to.
pub(crate) const SAME: &str = "rm a";
const REPORT: i64 = 24 * 60 * 60 * 1_000;

/// How a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Yes or no.
    Plain,
    /// Cancel, go ahead, back up first, show the difference.
    Choice,
    /// Cancel or back up first.
    OnlyWithCopy,
    /// Cancel, and nothing else: nobody can say yes.
    OnlyCancel,
    /// `main` has to be typed.
    Typed,
}

/// What is asked for under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) session: &'static str,
    pub(crate) key: u8,
    pub(crate) command: &'static str,
    pub(crate) shape: Shape,
    pub(crate) quorum: u16,
    /// Whether the agent's owner may not say yes.
    pub(crate) apart: bool,
    /// How sure a channel has to be: 0, 1 or 2.
    pub(crate) sureness: usize,
    /// Whether zoe is asked as well after a while.
    pub(crate) escalates: bool,
}

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Say {
    Yes,
    No,
    Cancel,
    GoAhead,
    CopyFirst,
    Show,
    Type(&'static str),
    /// Yes to another form of it.
    Change(Changed),
}

/// Another form of the operation, as it was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    /// Whether it is [`SAME`], which may be what was asked for.
    pub(crate) same: bool,
    pub(crate) blocked: bool,
    /// Whether it is graver than what was shown.
    pub(crate) graver: bool,
    /// How strictly it would be asked about: not at all, plain, by a choice, by typing.
    pub(crate) strictness: u8,
}

/// What there is to be run when a permit is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    AsShown,
    AsChanged,
    SomethingElse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Ask(Wanted),
    Pass(i64),
    Answer { which: usize, who: &'static str, sureness: usize, say: Say },
    Withdraw { which: usize, session: &'static str },
    Supersede { which: usize },
    Redeem { which: usize, session: &'static str, attempt: u8, world: World },
    Report { which: usize, session: &'static str, well: bool },
}

/// What has become of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Open,
    Yes(Consent),
    No { by: &'static str },
    LateToDecide,
    LateToRun,
    Withdrawn,
    Superseded,
    Used { consent: Consent, at: i64, attempt: u8 },
    Done { well: bool },
    NeverHeardOf,
    Stale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Consent {
    at: i64,
    with_copy: bool,
    changed: bool,
}

#[derive(Clone, Debug)]
struct Noted {
    wanted: Wanted,
    asked: i64,
    /// Who has said yes so far, and whether with a copy.
    yes: Vec<(&'static str, bool)>,
    misses: BTreeMap<&'static str, u8>,
    fate: Fate,
    /// Whether there ever was a permit.
    permitted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Notebook {
    now: i64,
    noted: Vec<Noted>,
    /// What whoever made the last move was told.
    pub(crate) said: String,
}

fn refused(why: &str) -> String {
    format!("refused: {why}")
}

impl Noted {
    /// Time first: whatever else happens comes behind it.
    fn settle(&mut self, now: i64) {
        self.fate = match &self.fate {
            Fate::Open if now >= self.asked + DECIDE => Fate::LateToDecide,
            Fate::Yes(consent) if now >= consent.at + RUN => Fate::LateToRun,
            Fate::Used { at, .. } if now >= at + REPORT => Fate::NeverHeardOf,
            other => other.clone(),
        };
    }

    fn answer(&mut self, who: &'static str, sureness: usize, say: Say, now: i64) -> String {
        match self.fate {
            Fate::Open => {}
            Fate::LateToDecide | Fate::LateToRun => return refused("expired"),
            _ => return refused("closed"),
        }
        let asked = match who {
            "owner" | "ann" | "bob" => true,
            "zoe" => self.wanted.escalates && now >= self.asked + ESCALATE,
            _ => false,
        };
        if !asked {
            return refused("not-asked");
        }
        if matches!(say, Say::No | Say::Cancel) {
            self.fate = Fate::No { by: who };
            return "decided".to_owned();
        }
        let shape = self.wanted.shape;
        let with_copy = match (say, shape) {
            (Say::Yes, Shape::Plain) | (Say::GoAhead, Shape::Choice) | (Say::Type(_), Shape::Typed) => false,
            (Say::CopyFirst, Shape::Choice | Shape::OnlyWithCopy) => true,
            (Say::Change(_), _) => shape == Shape::OnlyWithCopy,
            _ => return refused("no-answer"),
        };
        if who == "owner" && (self.wanted.apart || self.wanted.quorum > 1) {
            return refused("owners-word");
        }
        if sureness < self.wanted.sureness {
            return refused("assurance-too-low");
        }
        match say {
            Say::Change(changed) => self.change(changed, with_copy, now),
            Say::Type(text) => {
                let missed = self.misses.entry(who).or_default();
                if *missed >= 3 || text != "main" {
                    *missed = (*missed + 1).min(3);
                    return refused("wrong-input");
                }
                self.yes(who, with_copy, now)
            }
            _ => self.yes(who, with_copy, now),
        }
    }

    fn yes(&mut self, who: &'static str, with_copy: bool, now: i64) -> String {
        if self.yes.iter().any(|(name, _)| *name == who) {
            return refused("said-before");
        }
        self.yes.push((who, with_copy));
        let missing = usize::from(self.wanted.quorum).max(1) - self.yes.len();
        if missing > 0 {
            return format!("voted, {missing} missing");
        }
        self.agree(self.yes.iter().any(|(_, with_copy)| *with_copy), false, now)
    }

    fn change(&mut self, changed: Changed, with_copy: bool, now: i64) -> String {
        if changed.blocked {
            return refused("blocked");
        }
        if changed.same && self.wanted.command == SAME {
            return refused("no-answer");
        }
        if self.wanted.quorum > 1 {
            return refused("changed-alone");
        }
        if changed.graver || changed.strictness > 1 {
            return refused("riskier");
        }
        self.agree(with_copy, true, now)
    }

    fn agree(&mut self, with_copy: bool, changed: bool, now: i64) -> String {
        self.fate = Fate::Yes(Consent { at: now, with_copy, changed });
        self.permitted = true;
        "decided".to_owned()
    }

    fn redeem(&mut self, session: &str, attempt: u8, world: World, now: i64) -> String {
        if session != self.wanted.session {
            return refused("not-requester");
        }
        match self.fate.clone() {
            Fate::Yes(consent) => {
                let fits = if consent.changed { World::AsChanged } else { World::AsShown };
                if world != fits {
                    self.fate = Fate::Stale;
                    return refused("stale");
                }
                self.fate = Fate::Used { consent, at: now, attempt };
                manner(consent)
            }
            Fate::Used { consent, attempt: before, .. } if before == attempt => manner(consent),
            Fate::Used { .. } | Fate::Done { .. } | Fate::NeverHeardOf => refused("used-before"),
            Fate::LateToRun | Fate::LateToDecide => refused("expired"),
            Fate::Stale => refused("stale"),
            Fate::Open | Fate::No { .. } | Fate::Withdrawn | Fate::Superseded => "there was a permit".to_owned(),
        }
    }

    fn report(&mut self, session: &str, well: bool) -> String {
        if session != self.wanted.session {
            return refused("not-requester");
        }
        match self.fate {
            Fate::Used { .. } | Fate::NeverHeardOf => {
                self.fate = Fate::Done { well };
                "reported".to_owned()
            }
            Fate::Done { well: before } if before == well => "reported".to_owned(),
            Fate::Done { .. } => refused("closed"),
            _ => refused("not-redeemed"),
        }
    }

    fn withdraw(&mut self) -> String {
        match self.fate {
            Fate::Open | Fate::Withdrawn => {
                self.fate = Fate::Withdrawn;
                "withdrawn".to_owned()
            }
            Fate::LateToDecide | Fate::LateToRun => refused("expired"),
            _ => refused("closed"),
        }
    }

    fn supersede(&mut self) -> String {
        match self.fate {
            Fate::Open => {
                self.fate = Fate::Superseded;
                "decided".to_owned()
            }
            Fate::LateToDecide | Fate::LateToRun => refused("expired"),
            _ => refused("closed"),
        }
    }

    /// What the requester is told when it asks.
    fn told(&self) -> String {
        match &self.fate {
            Fate::Open => format!("open until {}", self.asked + DECIDE),
            Fate::Yes(consent) => {
                let Consent { at, with_copy, changed } = consent;
                format!("approved until {}, with a copy: {with_copy}, changed: {changed}", at + RUN)
            }
            Fate::No { by } => format!("denied by {by}"),
            Fate::LateToDecide => "expired: decide".to_owned(),
            Fate::LateToRun => "expired: run".to_owned(),
            Fate::Withdrawn => "withdrawn".to_owned(),
            Fate::Superseded => "superseded".to_owned(),
            Fate::Used { .. } => "redeemed".to_owned(),
            Fate::Done { well: true } => "executed".to_owned(),
            Fate::Done { well: false } => "failed: exit 1".to_owned(),
            Fate::NeverHeardOf => "unknown".to_owned(),
            Fate::Stale => "stale".to_owned(),
        }
    }
}

fn manner(consent: Consent) -> String {
    format!("run it, with a copy: {}", consent.with_copy)
}

impl Notebook {
    /// What the requester of each question would be told now.
    pub(crate) fn told(&self) -> Vec<String> {
        let settled = self.noted.iter().cloned().map(|mut noted| {
            noted.settle(self.now);
            noted.told()
        });
        settled.collect()
    }

    pub(crate) const fn now(&self) -> i64 {
        self.now
    }

    /// Who asked a question.
    pub(crate) fn session_of(&self, which: usize) -> &'static str {
        self.noted[which].wanted.session
    }

    fn ask(&mut self, wanted: Wanted) -> String {
        let owner_counts = !wanted.apart && wanted.quorum <= 1;
        let able = 2 + u16::from(owner_counts) + u16::from(wanted.escalates);
        if wanted.shape == Shape::OnlyCancel || able < wanted.quorum.max(1) {
            return "nobody to ask".to_owned();
        }
        let named = |noted: &Noted| noted.wanted.session == wanted.session && noted.wanted.key == wanted.key;
        if let Some(before) = self.noted.iter().position(named) {
            let same = self.noted[before].wanted.command == wanted.command;
            return if same { format!("question {before}") } else { "key taken".to_owned() };
        }
        self.noted.push(Noted {
            wanted,
            asked: self.now,
            yes: Vec::new(),
            misses: BTreeMap::new(),
            fate: Fate::Open,
            permitted: false,
        });
        format!("question {}", self.noted.len() - 1)
    }

    fn on(&mut self, which: usize, happens: impl FnOnce(&mut Noted, i64) -> String) -> String {
        let now = self.now;
        let noted = &mut self.noted[which];
        noted.settle(now);
        happens(noted, now)
    }
}

impl ReferenceStateMachine for Notebook {
    type State = Self;
    type Transition = Move;

    fn init_state() -> BoxedStrategy<Self> {
        Just(Self { now: 1_000, noted: Vec::new(), said: String::new() }).boxed()
    }

    fn transitions(state: &Self) -> BoxedStrategy<Move> {
        let count = state.noted.len();
        let ask = wanted().prop_map(Move::Ask);
        if count == 0 {
            return ask.boxed();
        }
        // Of many questions, those that were asked last are in the middle of something.
        let which = count.saturating_sub(4)..count;
        let session = prop::sample::select(vec!["s1", "s1", "s1", "s2"]);
        let own = {
            let sessions: Vec<&'static str> = which.clone().map(|at| state.noted[at].wanted.session).collect();
            let first = which.start;
            (which.clone(), 0..8_u8, session).prop_map(move |(which, stray, session)| {
                (which, if stray == 0 { session } else { sessions[which - first] })
            })
        };
        prop_oneof![
            2 => ask,
            2 => prop_oneof![4 => 0..2_000_i64, 2 => 10_000..130_000_i64, 1 => Just(REPORT)].prop_map(Move::Pass),
            8 => (which.clone(), who(), 0..3_usize, say()).prop_map(|(which, who, sureness, say)| {
                Move::Answer { which, who, sureness, say }
            }),
            1 => own.clone().prop_map(|(which, session)| Move::Withdraw { which, session }),
            1 => which.prop_map(|which| Move::Supersede { which }),
            5 => (own.clone(), 0..2_u8, world()).prop_map(|((which, session), attempt, world)| {
                Move::Redeem { which, session, attempt, world }
            }),
            3 => (own, any::<bool>()).prop_map(|((which, session), well)| Move::Report { which, session, well }),
        ]
        .boxed()
    }

    fn apply(mut state: Self, happens: &Move) -> Self {
        state.said = match *happens {
            Move::Ask(wanted) => state.ask(wanted),
            Move::Pass(millis) => {
                state.now += millis;
                String::new()
            }
            Move::Answer { which, who, sureness, say } => {
                state.on(which, |noted, now| noted.answer(who, sureness, say, now))
            }
            // Who asks about another's question learns nothing, not even that there is one.
            Move::Withdraw { which, session } if session != state.session_of(which) => "not found".to_owned(),
            Move::Withdraw { which, .. } => state.on(which, |noted, _| noted.withdraw()),
            Move::Supersede { which } => state.on(which, |noted, _| noted.supersede()),
            Move::Redeem { which, .. } | Move::Report { which, .. } if !state.noted[which].permitted => {
                "no permit".to_owned()
            }
            Move::Redeem { which, session, attempt, world } => {
                state.on(which, |noted, now| noted.redeem(session, attempt, world, now))
            }
            Move::Report { which, session, well } => state.on(which, |noted, _| noted.report(session, well)),
        };
        state
    }

    fn preconditions(state: &Self, happens: &Move) -> bool {
        match *happens {
            Move::Ask(_) | Move::Pass(_) => true,
            Move::Answer { which, .. }
            | Move::Withdraw { which, .. }
            | Move::Supersede { which }
            | Move::Redeem { which, .. }
            | Move::Report { which, .. } => which < state.noted.len(),
        }
    }
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let shape = prop::sample::select(vec![
        Shape::Plain,
        Shape::Plain,
        Shape::Choice,
        Shape::OnlyWithCopy,
        Shape::Typed,
        Shape::OnlyCancel,
    ]);
    let session = prop::sample::select(vec!["s1", "s1", "s2"]);
    let command = prop::sample::select(vec![SAME, SAME, SAME, "rm b"]);
    let quorum = prop::sample::select(vec![0_u16, 1, 1, 1, 2, 3, 4]);
    let sureness = prop::sample::select(vec![0_usize, 1, 1, 2]);
    (session, 0..12_u8, command, shape, quorum, 0..4_u8, sureness, any::<bool>()).prop_map(
        |(session, key, command, shape, quorum, apart, sureness, escalates)| Wanted {
            session,
            key,
            command,
            shape,
            quorum,
            apart: apart == 0,
            sureness,
            escalates,
        },
    )
}

fn who() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["owner", "ann", "ann", "bob", "bob", "zoe", "mallory"])
}

fn world() -> impl Strategy<Value = World> {
    prop::sample::select(vec![World::AsShown, World::AsShown, World::AsShown, World::AsChanged, World::SomethingElse])
}

fn say() -> impl Strategy<Value = Say> {
    let changed = (0..6_u8, 0..6_u8, 0..4_u8, 0..4_u8).prop_map(|(same, blocked, graver, strictness)| {
        Say::Change(Changed { same: same == 0, blocked: blocked == 0, graver: graver == 0, strictness })
    });
    prop_oneof![
        5 => Just(Say::Yes),
        1 => Just(Say::No),
        1 => Just(Say::Cancel),
        3 => Just(Say::GoAhead),
        3 => Just(Say::CopyFirst),
        1 => Just(Say::Show),
        4 => prop::sample::select(vec!["main", "main", "mian", ""]).prop_map(Say::Type),
        3 => changed,
    ]
}
