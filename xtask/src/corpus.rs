//! Parses every file below a folder and counts what becomes of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::{File, Severity, dialects, parse};

/// Prints the fates and rules by count. Succeeds if every file got a fate.
pub(crate) fn run(dialect: &str, dir: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let dialect = dialects::find(dialect).ok_or_else(|| crate::unknown_dialect(dialect))?;
    let profile = dialect.default_profile();
    let mut fates: BTreeMap<&str, usize> = BTreeMap::new();
    let mut findings: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    let files = files_below(dir)?;
    for path in &files {
        let bytes = fs::read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File {
            name: &name,
            bytes: &bytes,
        };
        let parsed = parse(file, dialect, profile);
        *fates.entry(parsed.fate.as_str()).or_default() += 1;
        for diagnostic in &parsed.diagnostics {
            *findings
                .entry((diagnostic.severity, diagnostic.code()))
                .or_default() += 1;
        }
    }
    println!(
        "{} files, read as {} {}",
        files.len(),
        dialect.title,
        profile.id
    );
    for (fate, count) in &fates {
        println!("  {count:>6} {fate}");
    }
    println!("findings");
    for ((severity, code), count) in findings.iter().rev() {
        println!("  {count:>6} {severity}[{code}]");
    }
    Ok(fates.values().sum::<usize>() == files.len())
}

/// Lists the files below a folder, sorted; links are not followed.
pub(crate) fn files_below(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder)? {
            let item = item?;
            match item.file_type()? {
                kind if kind.is_dir() => folders.push(item.path()),
                kind if kind.is_file() => files.push(item.path()),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}
