//! The shell parser against what bash says, against a list of hard cases, and against hostile input.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "what runs only in tests may fail loudly"
)]

mod corpora;
mod dialects;
mod form;
mod fuzz;
mod generated;
mod hostile;
mod lister;
mod nasty;
mod normal_form;
mod oracle;
mod spans;
mod writer;
