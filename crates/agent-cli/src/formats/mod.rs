//! Findings in the forms that other programs take.

mod concise;
mod github;
mod json_lines;
mod sarif;

use std::path::Path;

pub(crate) use concise::concise;
pub(crate) use github::github;
pub(crate) use json_lines::json_lines;
pub(crate) use sarif::sarif;

use crate::finding::{FileView, Finding};
use crate::request::Request;

/// A finding that is told, with what is known about it.
pub(crate) struct Told<'a> {
    pub(crate) finding: Finding<'a>,
    /// Those that make it.
    pub(crate) dialects: Vec<&'static str>,
    /// What it is known by wherever it stands.
    pub(crate) fingerprint: String,
}

/// The path of a file for programs: below the working folder, or else from the root on.
fn path_for_programs(request: &Request, file: FileView<'_>) -> String {
    let Some(path) = file.path else {
        return file.reported.to_owned();
    };
    let full = request.full(path);
    let here = request
        .environment
        .here
        .as_deref()
        .unwrap_or(Path::new("/"));
    let shown = full.strip_prefix(here).unwrap_or(&full);
    let parts = shown.components().filter_map(|part| match part {
        std::path::Component::CurDir => None,
        std::path::Component::RootDir => Some(String::new()),
        part => Some(part.as_os_str().to_string_lossy().into_owned()),
    });
    parts.collect::<Vec<String>>().join("/")
}
