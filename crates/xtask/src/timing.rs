//! The time that one judgement takes, without what else the machine does.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
};
use signoff_model::{Assessment, Dialect, Operation, ShellCommand};

/// The time to an assessment of a shell text, on the text alone: the best of several readings while `again` wants more of
/// them.
pub(crate) fn assessed(text: &str, again: impl Fn(Duration, usize) -> bool) -> (Duration, Assessment) {
    let operation = Operation::Shell(ShellCommand { command: text.to_owned(), dialect: Dialect::Bash });
    let whereabouts = Whereabouts::assumed();
    let mut best = Duration::MAX;
    let mut readings = 0;
    loop {
        let started = spent();
        let assessment = assess(&operation, &whereabouts, &NoFacts);
        best = best.min(spent().saturating_sub(started));
        readings += 1;
        if !again(best, readings) {
            return (best, assessment);
        }
    }
}

/// The time that this thread has had on a processor: other work on the machine is not ours.
fn spent() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}
