//! What tests from end to end share with measurements. No part of the product.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a harness that cannot go on fails"
)]

pub mod crash;
pub mod gateway;
mod kept;

pub use kept::Kept;
