//! Runs conformance cases: inputs together with what the real harnesses did with them.

pub mod conform;
