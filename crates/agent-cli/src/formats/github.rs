//! Annotations of GitHub Actions: commands on stdout that mark the lines of a change.
//!
//! Source of rule: the toolkit of GitHub Actions, `command.ts`: a message escapes `%`, CR and LF,
//! a property `:` and `,` too.

use agent_schema::Severity;

use crate::formats::{Told, path_for_programs};
use crate::request::Request;
use crate::text::printable::printable;

/// Writes one command for each finding.
pub(crate) fn github(request: &Request, told: &[Told<'_>]) -> String {
    let mut text = String::new();
    for Told { finding, .. } in told {
        let diagnostic = finding.diagnostic;
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let mut properties = vec![("file", path_for_programs(request, finding.file))];
        let place = |offset| finding.file.line_column(offset);
        let places = diagnostic
            .span
            .and_then(|span| place(span.start).zip(place(span.end)));
        if let Some((start, end)) = places {
            properties.push(("line", start.line.to_string()));
            properties.push(("endLine", end.line.to_string()));
            // Columns of several lines mean nothing to it.
            if start.line == end.line {
                properties.push(("col", start.column.to_string()));
                properties.push(("endColumn", end.column.to_string()));
            }
        }
        properties.push(("title", diagnostic.code().to_owned()));
        let properties = properties.iter().map(|(name, value)| {
            let value = escaped(value).replace(':', "%3A").replace(',', "%2C");
            format!("{name}={value}")
        });
        let properties = properties.collect::<Vec<String>>().join(",");
        let mut message = diagnostic.message.to_string();
        for (word, more) in [("why", &diagnostic.why), ("help", &diagnostic.help)] {
            if let Some(more) = more {
                message.push_str(&format!("\n{word}: {more}"));
            }
        }
        text.push_str(&format!(
            "::{command} {properties}::{}\n",
            escaped(&message)
        ));
    }
    text
}

fn escaped(text: &str) -> String {
    // A log is shown in a terminal, too; line ends have escapes of their own.
    let lines: Vec<String> = text.split('\n').map(printable_line).collect();
    lines.join("%0A")
}

fn printable_line(line: &str) -> String {
    let parts: Vec<String> = line.split('\r').map(printable).collect();
    parts.join("\r").replace('%', "%25").replace('\r', "%0D")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(escaped("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(escaped("a\u{1b}[2J\u{202e}"), "a\\u{1b}[2J\\u{202e}");
    }
}
