//! The verdicts of wrappers.
