//! Runs the target `mend-shared` of `agentry_tests::fuzz` with libfuzzer.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let target = agentry_tests::fuzz::find("mend-shared").expect("it is a target");
    if let Err(fault) = (target.run)(input) {
        panic!("{fault}");
    }
});
