//! The keys of a header as such, whatever their values are.

use super::{MOST_OF_A_RULE, Reading, field_keys, key_text};
use crate::coerce::{pydantic, shorten};
use crate::definition::Located;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{NotTextKeys, UnknownKeys};
use crate::rules;
use crate::source::Span;
use crate::suggest::nearest;
use crate::value::{Entry, Mapping};

impl Reading<'_> {
    /// Checks the keys as such: their types, the ones that break the harness, doubles, unknowns.
    pub(super) fn read_keys(&mut self, map: &Mapping) {
        for entry in map.overwritten.iter().take(MOST_OF_A_RULE) {
            let again = map
                .entries
                .iter()
                .find(|later| later.key.same_content(&entry.key));
            let mut diagnostic = Diagnostic::new(
                &rules::DUPLICATE_KEY,
                format!("`{}` stands more than once", key_text(&entry.key)),
            )
            .at(entry.key.span)
            .because(format!(
                "{} takes the last value without a word",
                self.dialect.title
            ))
            .help("keep one of them");
            if let Some(again) = again {
                diagnostic = diagnostic.and_at(again.value.span, "this value counts");
            }
            self.diagnostics.push(diagnostic);
        }
        for entry in &map.entries {
            let Some(key) = entry.key.as_text() else {
                self.note_key_not_text(entry);
                continue;
            };
            let reserved = self
                .rules
                .keys
                .reserved
                .iter()
                .find(|(word, _)| *word == key);
            if let Some((_, why)) = reserved {
                self.reject(
                    Diagnostic::new(
                        &rules::RESERVED_KEY,
                        format!("the key `{key}` cannot be used"),
                    )
                    .at(entry.key.span)
                    .because(*why)
                    .help("rename the key"),
                );
            } else if let Some((_, why)) = self.inert(key) {
                self.diagnostics.push(
                    Diagnostic::new(
                        &rules::INERT_KEY,
                        format!("`{key}` has no effect in a file"),
                    )
                    .at(entry.key.span)
                    .because(*why)
                    .help("remove the key"),
                );
            } else if !self.is_known(key) {
                self.note_unknown_key(key, entry);
                self.lose_meant_field(key);
                match self.rules.keys.unknown {
                    UnknownKeys::Dropped
                    | UnknownKeys::Named
                    | UnknownKeys::NotOurs
                    | UnknownKeys::OtherForm(_) => {}
                    UnknownKeys::Metadata | UnknownKeys::ModelOptions => {
                        self.definition.metadata.insert(
                            key.to_owned(),
                            Located::written(entry.value.clone(), entry.key.span, entry.value.span),
                        );
                    }
                }
            }
        }
    }

    fn note_key_not_text(&mut self, entry: &Entry) {
        let finding = Diagnostic::new(
            &rules::KEY_NOT_TEXT,
            format!(
                "the key `{}` is {}, not a text",
                self.written(entry.key.span),
                pydantic::article(&entry.key)
            ),
        )
        .at(entry.key.span)
        .help("put the key in quotes");
        match self.rules.keys.not_text {
            NotTextKeys::RejectFile { why } => self.reject(finding.because(why)),
            NotTextKeys::PassedOver => self.diagnostics.push(Diagnostic {
                severity: Severity::Info,
                harness_says: self.rules.keys.unknown == UnknownKeys::Named,
                ..finding
            }),
        }
    }

    /// Returns what stands in the file, for a message.
    fn written(&self, span: Span) -> String {
        let bytes = self.bytes.get(span.start as usize..span.end as usize);
        shorten(&String::from_utf8_lossy(bytes.unwrap_or_default()))
    }

    fn inert(&self, key: &str) -> Option<&'static (&'static str, &'static str)> {
        let inert = self.rules.keys.inert;
        inert.iter().find(|(word, _)| *word == key)
    }

    pub(super) fn is_known(&self, key: &str) -> bool {
        let fields = self.rules.fields.iter();
        fields.flat_map(field_keys).any(|known| known == key)
    }

    fn note_unknown_key(&mut self, key: &str, entry: &Entry) {
        let meant = self.meant_key(key);
        let title = self.dialect.title;
        let diagnostic = match meant {
            Some(ours) => Diagnostic::new(
                &rules::MISSPELLED_KEY,
                format!("`{key}` has no effect; {title} calls it `{ours}`"),
            )
            .help(format!("write `{ours}`")),
            None => Diagnostic::new(
                &rules::UNKNOWN_KEY,
                format!("`{key}` is not a key of {title}; it has no effect"),
            ),
        };
        let why = match self.rules.keys.unknown {
            UnknownKeys::Metadata => format!("{title} keeps unknown keys as metadata"),
            UnknownKeys::Dropped => format!("{title} drops unknown keys without a word"),
            UnknownKeys::Named => {
                format!("{title} drops unknown keys and names them in its debug log")
            }
            UnknownKeys::ModelOptions => {
                format!("{title} sends unknown keys to the provider of the model as options")
            }
            UnknownKeys::NotOurs | UnknownKeys::OtherForm(_) => return,
        };
        let mut diagnostic = diagnostic.at(entry.key.span).because(why);
        diagnostic.harness_says = self.rules.keys.unknown == UnknownKeys::Named;
        self.diagnostics.push(diagnostic);
    }

    /// Notes what an unknown key was meant to set, where it is dropped and sets nothing.
    fn lose_meant_field(&mut self, key: &str) {
        let meant = self.meant_key(key);
        let mut fields = self.rules.fields.iter();
        if self.rules.keys.unknown != UnknownKeys::Metadata
            && let Some(field) = fields.find(|field| Some(field.key) == meant)
        {
            self.lost.push(field.target);
        }
    }

    /// Returns the key that was probably meant by one that is not known.
    fn meant_key(&self, key: &str) -> Option<&'static str> {
        if self.rules.keys.unknown == UnknownKeys::NotOurs {
            return None;
        }
        let mut foreign = self.dialect.foreign_keys.iter();
        let foreign = foreign.find(|(word, _)| *word == key);
        foreign.map(|(_, ours)| *ours).or_else(|| {
            let known = self.rules.fields.iter().map(|field| field.key);
            nearest(key, known)
        })
    }
}
