//! Files that are passed over for their names, although an agent was meant.

use agent_schema::dialect::FileRules;
use agent_schema::{Diagnostic, Dialect, Severity, Span, rules};

/// Tells why a file is passed over for its name, if it looks as if an agent or a skill was meant.
///
/// It is a warning where only the case of letters keeps it from being read.
#[must_use]
pub fn skipped_name(dialect: &Dialect, files: &FileRules, name: &str) -> Option<Diagnostic> {
    let suffix = files.suffix;
    let small = (name.to_lowercase(), suffix.to_lowercase());
    let differs_in_case = small.0.ends_with(&small.1) && !name.ends_with(suffix);
    if !differs_in_case && !looks_meant(files, &small.0) {
        return None;
    }
    let (_, ending) = (files.split)(name);
    let (why, help) = match name.ends_with(suffix) {
        true if ending.is_empty() => (
            "it is all suffix".to_owned(),
            format!("put a name before `{suffix}` if it is an agent"),
        ),
        true if ending != suffix => (
            format!("its suffix is `{ending}`"),
            format!("let the name end in `{suffix}` alone if it is an agent"),
        ),
        true => (
            "of its name".to_owned(),
            "give it another name if it is an agent".to_owned(),
        ),
        false if !suffix.starts_with('.') => (
            format!("it is not called `{suffix}`"),
            format!("call it `{suffix}`"),
        ),
        false => (
            format!("its suffix is not `{suffix}`"),
            format!("let the name end in `{suffix}` if it is an agent"),
        ),
    };
    let message = format!("`{name}` is passed over, because {why}");
    let finding = Diagnostic::new(&rules::SKIPPED_FILE, message);
    Some(Diagnostic {
        severity: match differs_in_case {
            true => Severity::Warning,
            false => finding.severity,
        },
        // The file was not read, but whatever it is, it begins there.
        span: Some(Span::default()),
        why: Some(format!("{} says nothing about it", dialect.title).into()),
        help: Some(help.into()),
        ..finding
    })
}

/// Returns whether a name, in small letters, looks as if an agent was meant.
fn looks_meant(files: &FileRules, name: &str) -> bool {
    let markdown = [".markdown", ".mdown", ".mkd"];
    name.contains(files.suffix)
        || files.suffix == ".md" && markdown.iter().any(|end| name.ends_with(end))
}
