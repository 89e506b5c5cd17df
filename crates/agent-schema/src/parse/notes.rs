//! Findings about texts that a harness reads without complaint and otherwise than they look.

use super::{Reading, trim_end};
use crate::diagnostic::Diagnostic;
use crate::header::HeaderPart;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Mapping, Node, Style, Value};

impl Reading<'_> {
    /// Notes a closing fence that shares its line with other text. A file whose header is all on
    /// one line was meant so.
    pub(super) fn note_shared_fence(&mut self, text: &MappedText<'_>, header: &HeaderPart) {
        let source = text.as_str();
        let start = header.closing_start(source);
        let line = source[..start].rfind('\n');
        let Some(line) = line.filter(|end| *end > header.opening.start) else {
            return;
        };
        let cuts = !source[line..start].trim().is_empty();
        self.degraded |= cuts;
        let message = match cuts {
            true => "the header ends inside this line, and what follows is part of the prompt",
            false => "what follows these dashes on their line is part of the prompt",
        };
        self.diagnostics.push(
            Diagnostic::new(&rules::FENCE_INSIDE_LINE, message)
                .at(trim_end(text, start..header.closing.end))
                .because(format!(
                    "{} ends a header at the first dashes that fit",
                    self.dialect.title
                ))
                .help(match cuts {
                    true => "write the dashes in another way, such as `—`",
                    false => "let the header end with a line of three dashes and nothing else",
                }),
        );
    }

    /// Notes the aliases of a header that became the texts of their names.
    pub(super) fn note_aliases(&mut self, map: &Mapping) {
        for entry in &map.entries {
            let aliases = self.aliases_in(&entry.value);
            if aliases.is_empty() {
                continue;
            }
            let key = entry.key.as_text().unwrap_or_default();
            let field = self.field_of_key(key);
            self.lost_parts.extend(field.map(|field| field.target));
            self.diagnostics.extend(aliases);
        }
    }

    fn aliases_in(&self, value: &Node) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut waiting = vec![value];
        while let Some(node) = waiting.pop() {
            match &node.value {
                Value::List(items) => waiting.extend(items),
                Value::Map(map) => waiting.extend(map.entries.iter().map(|entry| &entry.value)),
                // No other text without quotes begins with this sign.
                Value::Text(name) if node.style == Style::Plain && self.has_star(node.span) => {
                    let said = format!("`*{name}` is read as the text `{name}`");
                    let finding = Diagnostic::new(&rules::VALUE_BECOMES_TEXT, said)
                        .at(node.span)
                        .because(format!("{} follows no aliases", self.dialect.title));
                    found.push(finding.help("write the value itself"));
                }
                _ => {}
            }
        }
        found
    }

    fn has_star(&self, span: Span) -> bool {
        self.bytes.get(span.start as usize) == Some(&b'*')
    }
}
