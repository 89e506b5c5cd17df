//! What the fuzz targets demand, over their small corpora: once found, never again.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agentry_tests::fuzz::{Mutator, TARGETS};

/// What no small input takes, even on a busy machine and without optimisation.
const LONGEST: Duration = Duration::from_secs(30);

fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let items = fs::read_dir(&folder).expect("each target has a corpus");
    let mut inputs: Vec<_> = items
        .map(|item| {
            let path = item.expect("it can be listed").path();
            let bytes = fs::read(&path).expect("it can be read");
            (path.display().to_string(), bytes)
        })
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn every_input_of_every_corpus_keeps_the_rules() {
    for target in TARGETS {
        let inputs = corpus(target.name);
        assert!(!inputs.is_empty(), "{} has no inputs", target.name);
        for (path, input) in inputs {
            let rest = input.split_first().map_or(&[][..], |(_, rest)| rest);
            // The first byte chooses the rules; a new dialect moves them, so each input meets all.
            for choice in 0..(target.choices)() {
                let choice = u8::try_from(choice).expect("one byte is enough for all choices");
                let input = [&[choice], rest].concat();
                let started = Instant::now();
                let result = (target.run)(&input);
                assert!(result.is_ok(), "{path}, choice {choice}: {result:?}");
                assert!(started.elapsed() < LONGEST, "{path} takes too long");
            }
        }
    }
}

#[test]
fn changed_inputs_keep_the_rules_too() {
    for target in TARGETS {
        let pool: Vec<_> = corpus(target.name).into_iter().map(|it| it.1).collect();
        let mut mutator = Mutator::new(1, 2048);
        for _ in 0..300 {
            let input = mutator.changed(&pool);
            let result = (target.run)(&input);
            let shown = String::from_utf8_lossy(&input);
            assert!(result.is_ok(), "{}: {result:?}: {shown:?}", target.name);
        }
    }
}
