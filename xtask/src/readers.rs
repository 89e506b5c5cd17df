//! Compares the short road for everyday YAML with the full reader, over the files of a folder.

use std::fs;
use std::path::Path;

use agent_schema::text::MappedText;
use agentry_tests::readers::{compare, flavors};

use crate::corpus::files_below;

/// Reads the header of every file below a folder in both ways, for every flavor. Prints how often
/// the short road was taken, and each difference; succeeds if there is none.
pub(crate) fn run(dir: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let files = files_below(dir)?;
    let texts: Vec<String> = files.iter().filter_map(|path| header(path)).collect();
    println!("{} files, {} with a header", files.len(), texts.len());
    let mut differences = 0;
    for flavor in flavors() {
        let mut taken = 0;
        for text in &texts {
            match compare(&MappedText::plain(text), flavor) {
                Ok(is_short) => taken += usize::from(is_short),
                Err(difference) => {
                    println!("{difference}");
                    differences += 1;
                }
            }
        }
        println!(
            "{taken:>6} of {} on the short road: {}",
            texts.len(),
            flavor.name
        );
    }
    println!("{differences} differences");
    Ok(differences == 0)
}

/// Returns what stands between the first two lines of three dashes.
fn header(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let below = text.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let below = &below[below.find('\n')? + 1..];
    let end = below.find("\n---")? + 1;
    Some(below[..end].to_owned())
}
