//! Proxies between an agent and what it speaks to: `signoff mcp --proxy` in front of a server of tools, `signoff acp`
//! between an editor and an agent.

pub(crate) mod acp;
pub(crate) mod arguments;
pub(crate) mod house;
pub(crate) mod mcp;
mod name;
mod standing_between;
pub(crate) mod wrapping;

use std::time::Duration;

pub(crate) use standing_between::told_to_end;

/// So long a call is held where nobody says otherwise: a question is open for less.
const HOLD: Duration = Duration::from_secs(540);
