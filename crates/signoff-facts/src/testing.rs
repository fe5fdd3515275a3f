//! How many cases are generated: always the same in a usual run, others and more when somebody asks for them.

use proptest::test_runner::{Config, RngSeed};

/// The usual number of cases, or as many as `PROPTEST_CASES` says.
pub(crate) fn generated(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    Config { cases: wanted.unwrap_or(usual), rng_seed, failure_persistence: None, ..Config::default() }
}
