//! One line for each finding, as compilers write them and editors read them.

use crate::formats::{Told, path_for_programs};
use crate::request::Request;
use crate::text::Page;
use crate::text::printable::printable;

/// Writes `path:line:column: severity[code] message`; without a place, only what is known.
pub(crate) fn concise(request: &Request, told: &[Told<'_>]) -> String {
    let mut page = Page::default();
    for Told { finding, .. } in told {
        let path = printable(&path_for_programs(request, finding.file));
        let place = match finding.position() {
            Some(at) => format!("{path}:{}:{}", at.line, at.column),
            None => path,
        };
        let diagnostic = finding.diagnostic;
        let (severity, code) = (diagnostic.severity, diagnostic.code());
        let message = printable(&diagnostic.message);
        page.line(format!("{place}: {severity}[{code}] {message}"));
    }
    page.into_text()
}
