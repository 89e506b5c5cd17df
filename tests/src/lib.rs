//! Runs conformance cases: inputs together with what the real harnesses did with them; and what must
//! hold for every input.

pub mod conform;
pub mod fuzz;
pub mod judge;
pub mod readers;
pub mod told;
