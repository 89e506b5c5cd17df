//! Files that cannot be read: what to tell about them.

use agent_schema::{Diagnostic, rules};

use crate::file_tree::{FileError, Kind};

/// Tells why a file could not be read. `title` is that of the harness, `own` is what the file is
/// itself, a link not followed.
#[must_use]
pub fn unreadable(title: &str, error: &FileError, own: Kind) -> Diagnostic {
    match error {
        FileError::Missing | FileError::NotAFolder if own == Kind::Link => {
            broken_link(title, "the link leads nowhere")
        }
        FileError::Circle => broken_link(title, "the link leads in a circle"),
        FileError::Missing | FileError::NotAFolder => Diagnostic::new(
            &rules::UNREADABLE_FILE,
            "the file vanished between listing and reading",
        )
        .because("it was in the list of the folder a moment ago")
        .help("search again"),
        FileError::TooLarge { bytes, most } => Diagnostic::new(
            &rules::FILE_TOO_LARGE,
            format!("the file has {bytes} bytes; at most {most} are read"),
        )
        .because("a limit of agentry, so that no file can fill the memory"),
        FileError::NotAFile(kind) => not_a_file(title, *kind),
        FileError::Denied => Diagnostic::new(
            &rules::UNREADABLE_FILE,
            "the file cannot be read: permission denied",
        )
        .because(goes_on(title))
        .help("give yourself the right to read it, or remove it"),
        error => Diagnostic::new(
            &rules::UNREADABLE_FILE,
            format!("the file cannot be read: {error}"),
        )
        .because(goes_on(title)),
    }
}

/// Tells that something else stands where a file is expected.
pub(crate) fn not_a_file(title: &str, kind: Kind) -> Diagnostic {
    let why = if may_block(kind) {
        format!("{title} opens it all the same, and waits for it without end")
    } else {
        goes_on(title)
    };
    Diagnostic::new(
        &rules::NOT_A_FILE,
        format!("{} stands where a file is expected", kind.described()),
    )
    .because(why)
    .help("remove it, or rename it")
}

/// Returns whether a program that opens and reads such a thing may never come back.
pub(crate) fn may_block(kind: Kind) -> bool {
    matches!(kind, Kind::Pipe | Kind::Device)
}

fn broken_link(title: &str, message: &'static str) -> Diagnostic {
    Diagnostic::new(&rules::BROKEN_LINK, message)
        .because(goes_on(title))
        .help("point the link at a file, or delete it")
}

fn goes_on(title: &str) -> String {
    format!("{title} cannot use it and goes on without it")
}
