//! The shipped conformance cases. `cargo xtask conform DIALECT` prints the differences one by one.

use std::path::Path;

use agent_schema::dialects;
use agentry_tests::conform;

#[test]
fn every_case_agrees() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    for dialect in dialects::ALL {
        let report = conform::run(dialect, &cases.join(dialect.id)).expect("the cases are there");
        assert!(!report.checks.is_empty(), "{} has cases", dialect.id);
        assert_eq!(report.agreed(), report.checks.len(), "\n{report}");
    }
}
