//! What was measured, beside what the project promises.

use std::process::ExitCode;

/// The bars of one run.
#[derive(Default)]
pub(crate) struct Bars {
    missed: usize,
}

/// On which side of a bar a figure has to be.
#[derive(Clone, Copy)]
pub(crate) enum Bar {
    AtMost(f64),
    AtLeast(f64),
}

impl Bars {
    /// Prints a figure beside its bar.
    pub(crate) fn show(&mut self, name: &str, figure: f64, unit: &str, bar: Bar) {
        let (holds, side, limit) = match bar {
            Bar::AtMost(limit) => (figure <= limit, "at most", limit),
            Bar::AtLeast(limit) => (figure >= limit, "at least", limit),
        };
        let word = if holds { "holds" } else { "MISSES" };
        println!("{name:<56}{figure:>12.2} {unit:<6} {word} the bar: {side} {limit} {unit}");
        self.missed += usize::from(!holds);
    }

    /// How the run ends, where it is a gate.
    pub(crate) fn verdict(self, gate: bool) -> ExitCode {
        println!("{}", if self.missed == 0 { "every bar holds" } else { "a bar is MISSED" });
        if gate && self.missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
