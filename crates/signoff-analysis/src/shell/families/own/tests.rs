//! The verdicts about Signoff itself.
