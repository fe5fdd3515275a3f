//! Kills the gateway, the agent, or both, at every named point, and looks at what is left: nothing that was asked is lost,
//! nothing runs twice, nothing runs that is not what was shown, and nobody is told of a no that no person said.
//!
//! Gateway and agent are processes of their own, which end themselves with SIGKILL at their point: nothing of them is left but
//! what they have put on the disk, or sent.

mod agent;
mod node;
mod point;
mod round;

pub use point::Point;
pub use round::{Harness, Tally};

/// What a process of the harness does.
pub fn play(arguments: &[String]) {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["node", root, store, name, point] => node::run(root.as_ref(), store, name, point.parse().ok()),
        ["agent", root, key, nodes, point] => agent::run(root.as_ref(), key, nodes, point.parse().ok()),
        other => panic!("no such part: {other:?}"),
    }
}
