//! Headers that cannot be parsed for their own fences: signs behind the opening one that belong to
//! the header, and braces that end it too early.

use std::ops::Range;

use super::Reading;
use crate::diagnostic::Diagnostic;
use crate::header::{HeaderPart, Language};
use crate::json;
use crate::text::MappedText;
use crate::value::Node;
use crate::yaml;

impl Reading<'_> {
    /// Returns what keeps a header from being parsed: its own fence, if it can be parsed without
    /// what is wrong with that, or else what its reader says.
    pub(super) fn blame_fence(
        &self,
        text: &MappedText<'_>,
        header: &HeaderPart,
        finding: Diagnostic,
    ) -> Diagnostic {
        let Some(cause) = fence_fault(text, header, &self.rules.yaml) else {
            return finding;
        };
        let (message, place, help) = match cause {
            FenceFault::Signs(signs) => (
                "what follows the three dashes on their line is a part of the header",
                signs,
                "delete it: three dashes stand alone on their line",
            ),
            FenceFault::Braces(braces) => (
                "this `}` ends the header, in the middle of its JSON",
                braces[0]..braces[0] + 1,
                "indent it: the first line that is nothing but `}` ends a header in JSON",
            ),
        };
        Diagnostic {
            message: message.into(),
            related: crate::Seldom::new(),
            ..finding
        }
        .at(text.span(place))
        .help(help)
    }
}

/// What is wrong with a fence.
pub(crate) enum FenceFault {
    /// Signs behind the opening one.
    Signs(Range<usize>),
    /// Braces at the left edge that are not the last one.
    Braces(Vec<usize>),
}

/// Finds what is wrong with the fences of a header that can be parsed without it.
pub(crate) fn fence_fault(
    text: &MappedText<'_>,
    header: &HeaderPart,
    flavor: &yaml::Flavor,
) -> Option<FenceFault> {
    match header.language {
        Language::Yaml => signs(text, header, flavor).map(FenceFault::Signs),
        Language::Json(flavor) => braces(text, header, flavor).map(FenceFault::Braces),
        _ => None,
    }
}

fn signs(
    text: &MappedText<'_>,
    header: &HeaderPart,
    flavor: &yaml::Flavor,
) -> Option<Range<usize>> {
    let source = text.as_str();
    let start = header.opening.end;
    if source[header.opening.clone()].ends_with(['\n', '\r']) || header.text.start < start {
        return None;
    }
    let line = source[start..header.text.end].split(['\n', '\r']).next()?;
    let blank = [' ', '\t'];
    let signs = line.trim_matches(blank);
    let at = start + line.len() - line.trim_start_matches(blank).len();
    let rest = text.slice(start + line.len()..header.text.end);
    let root = yaml::read(&rest, flavor).ok()??;
    (!signs.is_empty() && root.as_map().is_some()).then(|| at..at + signs.len())
}

fn braces(text: &MappedText<'_>, header: &HeaderPart, flavor: json::Flavor) -> Option<Vec<usize>> {
    /// How many braces at the left edge are tried.
    const MOST: usize = 8;
    let start = header.text.start;
    let source = &text.as_str()[start..];
    let edges = source.match_indices("\n}").map(|(at, _)| at + 1);
    let edges = edges.filter(|at| {
        let line = source[*at..].lines().next();
        line.is_some_and(|line| line.trim_end() == "}")
    });
    let edges: Vec<usize> = edges.take(MOST).map(|at| start + at).collect();
    let last = edges.iter().skip(1).position(|end| {
        let root = json::read(&text.slice(start..end + 1), flavor);
        root.is_ok_and(|root: Node| root.as_map().is_some())
    })?;
    Some(edges[..=last].to_vec())
}
