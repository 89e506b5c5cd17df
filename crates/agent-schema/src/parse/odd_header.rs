//! Headers that are no YAML map: programs, other languages, and what is taken apart.

use super::{Reading, key_text, trim_end};
use crate::coerce::{pydantic, shorten};
use crate::definition::Located;
use crate::diagnostic::Diagnostic;
use crate::header::HeaderPart;
use crate::rules;
use crate::text::MappedText;
use crate::value::{Mapping, Node};

impl Reading<'_> {
    /// Notes a header that is a program.
    pub(super) fn note_program(&mut self, text: &MappedText<'_>, header: &HeaderPart) {
        self.degraded = true;
        self.diagnostics.push(
            Diagnostic::new(
                &rules::EXECUTABLE_HEADER,
                "the header is a program, and loading the agent runs it",
            )
            .at(trim_end(text, header.opening.clone()))
            .because(format!(
                "{} runs such a header as its own code, with all rights of the user, as soon as \
                 it looks for agents; agentry never runs it, so the settings are not known",
                self.dialect.title
            ))
            .help("do not start the harness here before you have read the file; write the header in YAML"),
        );
    }

    pub(super) fn unknown_language(
        &self,
        text: &MappedText<'_>,
        header: &HeaderPart,
    ) -> Diagnostic {
        let language = text.as_str()[header.opening.clone()]
            .trim_start_matches('-')
            .trim();
        Diagnostic::new(
            &rules::UNKNOWN_HEADER_LANGUAGE,
            format!("there is no reader for a header in `{}`", shorten(language)),
        )
        .at(trim_end(text, header.opening.clone()))
        .help("write nothing behind the opening dashes, and the header in YAML")
    }

    /// Notes a header that is taken apart: a text into its letters, a list into its items.
    pub(super) fn take_apart(&mut self, root: Option<&Node>, parts: Mapping) {
        self.degraded = true;
        if let Some(root) = root {
            self.diagnostics.push(
                Diagnostic::new(
                    &rules::HEADER_NOT_A_MAP,
                    format!(
                        "the header is {}, not a map of settings",
                        pydantic::article(root)
                    ),
                )
                .at(root.span)
                .because(format!(
                    "{} takes it apart and keeps the parts as settings with the names `0`, `1` \
                     and so on",
                    self.dialect.title
                ))
                .help("write the settings as `key: value` lines"),
            );
        }
        for entry in parts.entries {
            let place = Located::written(entry.value.clone(), entry.key.span, entry.value.span);
            self.definition.metadata.insert(key_text(&entry.key), place);
        }
    }
}

/// Returns whether a header holds nothing but white space and comment lines.
pub(super) fn is_blank(header: &str) -> bool {
    let is_comment = |line: &str| line.len() > 1 && line.starts_with('#');
    let mut lines = header.lines().map(str::trim);
    lines.all(|line| line.is_empty() || is_comment(line))
}
