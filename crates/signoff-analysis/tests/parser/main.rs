//! The shell parser against what bash says, against a list of hard cases, and against hostile input.

mod corpora;
mod fuzz;
mod generated;
mod hostile;
mod lister;
mod nasty;
mod oracle;
