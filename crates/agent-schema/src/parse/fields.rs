//! The fields of a definition, read from the values of their keys.

use super::{Reading, field_keys, key_text};
use crate::coerce::{Effect, Problem, Remarks, shorten};
use crate::definition::{FieldName, FieldValue, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Absent, AliasUse, Dialect, Field};
use crate::dialects;
use crate::dialects::words::LIMITING_MODES;
use crate::foreign_words::{WordKind, and_list, whose};
use crate::header::Consequence;
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::suggest::nearest;
use crate::value::{Entry, Int, Mapping, Value};
use crate::vocabulary::Tool;
use crate::writing;

/// The rules whose findings say why a field that is written has no value.
const TELL_OF_NO_VALUE: [&Rule; 2] = [&rules::IGNORED_VALUE, &rules::SWALLOWED_TEXT];

impl Reading<'_> {
    pub(super) fn read_fields(&mut self, map: &Mapping) {
        let mut passed_over = None;
        for field in self.rules.fields {
            self.read_written(field, map);
            let loads = self.consequence == Consequence::LoadsWithoutFields;
            if let Absent::Loses(consequence @ Consequence::Ignored(_)) = field.absent
                && loads
                && self.definition.field(field.target).is_none()
            {
                self.note_missing(field, consequence);
                passed_over = Some(self.consequence);
            }
            // The harness does not look at the other fields of a file that it passes over, but
            // its author will come to them.
            if let Some(passed_over) = passed_over {
                self.consequence = passed_over;
            }
        }
    }

    /// Reads a field that is written, under whichever of its keys.
    fn read_written(&mut self, field: &Field, map: &Mapping) {
        let mut written = field_keys(field).filter_map(|key| map.get(key)).peekable();
        while let Some(entry) = written.next() {
            let gave_value = self.read_field(field, entry);
            let is_last = written.peek().is_none();
            if gave_value || is_last || self.rules.keys.aliases == AliasUse::WhenAbsent {
                for other in written {
                    self.note_beside_alias(entry, other);
                    let is_lost = !other.value.is_null() && !other.value.same_content(&entry.value);
                    self.lost.extend(is_lost.then_some(field.target));
                }
                return;
            }
        }
    }

    /// Notes a key that is passed over because another spelling of it counts.
    fn note_beside_alias(&mut self, counts: &Entry, other: &Entry) {
        let (which, counts_how) = match self.rules.keys.aliases {
            AliasUse::WhenAbsent => ("is written", "this key counts, whatever its value"),
            AliasUse::WhenUnset => ("has a usable value", "this key counts"),
        };
        self.diagnostics.push(
            Diagnostic::new(
                &rules::KEY_BESIDE_ALIAS,
                format!(
                    "`{}` is passed over, because `{}` is there too",
                    key_text(&other.key),
                    key_text(&counts.key)
                ),
            )
            .at(other.key.span)
            .and_at(counts.key.span, counts_how)
            .because(format!(
                "{} reads the first of the two that {which}",
                self.dialect.title
            ))
            .help("move what it holds to the key that counts"),
        );
    }

    /// Reads a field from one of its keys. Returns whether that gave a value.
    fn read_field(&mut self, field: &Field, entry: &Entry) -> bool {
        let mut remarks = Remarks::new(self.inputs).in_file(self.bytes);
        let read = (field.read)(&entry.value, &mut remarks);
        for problem in std::mem::take(&mut remarks.further) {
            if !self.is_unknown(problem.span) {
                self.note_problem(field, &key_text(&entry.key), problem);
            }
        }
        let gave_value = matches!(read, Ok(Some(_)));
        match read {
            Ok(Some(value)) => {
                remarks
                    .list
                    .extend(self.other_base(entry, &value, &remarks));
                let value = Located::written(value, entry.key.span, entry.value.span);
                self.definition.set(field.target, value);
                self.lost.retain(|lost| *lost != field.target);
            }
            Ok(None) => {
                let (key, value) = (entry.key.span, entry.value.span);
                self.without_value.push((field.target, key, value));
            }
            Err(problem) if self.is_unknown(problem.span) => {}
            Err(mut problem) => {
                if problem.is_of_key {
                    problem.span = entry.key.span;
                }
                self.note_problem(field, &key_text(&entry.key), problem);
            }
        }
        if remarks.loses_part {
            self.lost.push(field.target);
        }
        self.frees |= remarks.frees;
        let found = remarks.list.into_iter();
        let found = found.filter(|it| !it.span.is_some_and(|span| self.is_unknown(span)));
        let title = self.dialect.title;
        let found = found.map(|finding| explained(title, finding.about(field.target)));
        let found: Vec<Diagnostic> = found.collect();
        self.diagnostics.extend(found);
        gave_value
    }

    /// Returns whether a place holds a token for something that was not looked at, so that nobody
    /// knows what is there.
    fn is_unknown(&self, place: Span) -> bool {
        let written = self.text_at(place).trim_start_matches('"');
        let is_token = |text: &str| TOKENS.iter().any(|token| text.starts_with(token));
        let is_scalar = is_token(written) || !written.starts_with(['{', '[']);
        self.inputs.has_tokens && is_scalar && holds_token(written)
    }

    /// Tells of a number that has another base than ten, and so is another one than it seems.
    fn other_base(
        &self,
        entry: &Entry,
        value: &FieldValue,
        remarks: &Remarks<'_>,
    ) -> Option<Diagnostic> {
        let is_number = matches!(value, FieldValue::Integer(_) | FieldValue::Number(_));
        let Value::Int(Int::Small(read)) = entry.value.get() else {
            return None;
        };
        let written = remarks.written(entry.value.span)?.trim();
        let base = base_of(written)?;
        if !is_number || written.trim_start_matches('+').parse() == Ok(*read) {
            return None;
        }
        let rule = &rules::CHANGED_NUMBER;
        let is_told = remarks.list.iter().any(|told| told.rule == rule);
        let title = self.dialect.title;
        // Who writes a sign for the base knows it.
        let severity = match written.contains(|c: char| c.is_ascii_alphabetic()) {
            true => Severity::Info,
            false => rule.severity,
        };
        (!is_told).then(|| Diagnostic {
            severity,
            ..Diagnostic::new(rule, format!("`{written}` is read as {read}"))
                .at(entry.value.span)
                .because(format!(
                    "{title} takes a number that begins so for {base} one"
                ))
                .help("write the number with decimal digits")
        })
    }

    /// Returns the allowed word that a refused one was probably meant as.
    fn meant_word(&self, field: &Field, span: Span) -> Option<&'static str> {
        let allowed = allowed_words(field);
        nearest(self.word_at(span)?, allowed.filter(|word| word.len() > 1))
    }

    /// Says whose word a refused one is, if another harness takes it for the same field.
    fn foreign_word(&self, field: &Field, span: Span) -> Option<String> {
        let word = self.word_at(span).filter(|word| word.len() > 1)?;
        if let Some(whose) = self
            .foreign_mode(field, word)
            .or_else(|| self.word_of_another_version(field, word))
        {
            return Some(whose);
        }
        let others = dialects::ALL.iter();
        let others = others.filter(|dialect| dialect.id != self.dialect.id);
        let takes = |dialect: &&&Dialect| {
            let profiles = dialect.profiles.iter();
            let mut fields = profiles.flat_map(|profile| profile.rules.reading.fields);
            fields.any(|other| {
                other.target == field.target && allowed_words(other).any(|known| known == word)
            })
        };
        let titles: Vec<&str> = others.filter(takes).map(|dialect| dialect.title).collect();
        (!titles.is_empty()).then(|| format!("`{word}` is a word of {}", and_list(&titles)))
    }

    /// Says whose word for how far a person is asked a refused one is.
    fn foreign_mode(&self, field: &Field, word: &str) -> Option<String> {
        let about_asking = [FieldName::PERMISSION_MODE, FieldName::PERMISSION];
        let asked = about_asking.contains(&field.target);
        asked.then(|| whose(WordKind::Mode, word, self.dialect.title))?
    }

    /// Says which other version of the harness takes a word that this one refuses.
    fn word_of_another_version(&self, field: &Field, word: &str) -> Option<String> {
        let mut profiles = self.dialect.profiles.iter();
        let other = profiles.find(|profile| {
            let reading = &profile.rules.reading;
            let fields = reading.fields.iter();
            let mut takes = fields.filter(|other| other.target == field.target);
            let is_other = !std::ptr::eq(reading, self.rules);
            is_other && takes.any(|other| allowed_words(other).any(|known| known == word))
        })?;
        let title = self.dialect.title;
        Some(format!("`{word}` is a word of {title} {}", other.id))
    }

    fn is_quoted(&self, span: Span) -> bool {
        let first = self.bytes.get(span.start as usize);
        first.is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }

    fn word_at(&self, span: Span) -> Option<&str> {
        let bytes = self.bytes.get(span.start as usize..span.end as usize)?;
        let written = std::str::from_utf8(bytes).ok()?.trim();
        Some(written.trim_matches(['"', '\'']))
    }

    fn note_problem(&mut self, field: &Field, key: &str, problem: Problem) {
        let title = self.dialect.title;
        let own_help = problem.help.map(|help| {
            let word = self.word_at(problem.span);
            match word.and_then(|word| self.foreign_mode(field, word)) {
                Some(whose) => format!("{whose}; {help}"),
                None => help,
            }
        });
        let mut help = own_help.unwrap_or_else(|| {
            let takes = format!("`{key}` takes {}", field.accepts);
            // The word is right, and only the quotes around it are not.
            let word = self
                .word_at(problem.span)
                .filter(|_| self.is_quoted(problem.span));
            if let Some(word) = word.filter(|word| allowed_words(field).any(|it| it == *word)) {
                return format!("write `{word}` without quotes; {takes}");
            }
            match (
                self.meant_word(field, problem.span),
                self.foreign_word(field, problem.span),
            ) {
                (Some(meant), _) => format!("write `{meant}`; {takes}"),
                (None, Some(whose)) => format!("{whose}; {takes}"),
                (None, None) => takes,
            }
        });
        let refused = self.rules.refused;
        let (rule, why) = match problem.effect {
            Effect::Fatal => (&rules::INVALID_VALUE, self.says(Consequence::Fatal)),
            Effect::RejectsFile => (&rules::INVALID_VALUE, self.says(refused)),
            Effect::LeavesUnset => {
                let how = match problem.harness_says {
                    true => "and says so in its log",
                    false => "without a word",
                };
                (
                    &rules::IGNORED_VALUE,
                    format!("{title} treats it as if it were not written, {how}"),
                )
            }
        };
        let rule = problem.rule.unwrap_or(rule);
        // A complaint about a member names it first.
        let colon = if problem.complaint.starts_with('`') {
            ":"
        } else {
            ""
        };
        let way = problem.within.iter().map(|part| shorten(part));
        let way: Vec<String> = std::iter::once(key.to_owned()).chain(way).collect();
        let message = format!("`{}`{colon} {}", way.join("."), problem.complaint);
        let mut diagnostic = Diagnostic::new(rule, message);
        if let Some(tab) = self.tab_below(problem.span) {
            diagnostic.message =
                format!("`{key}` has no value: a tab indents the line below it").into();
            diagnostic = diagnostic.and_at(tab, format!("{title} takes no tab for indentation"));
            help = "indent the lines below it with spaces".to_owned();
        }
        let mut diagnostic = diagnostic
            .at(problem.span)
            .in_setting(std::iter::once(key).chain(problem.within.iter().map(String::as_str)))
            .because(why)
            .help(help)
            .about(field.target);
        diagnostic.harness_says = problem.harness_says;
        match problem.effect {
            Effect::Fatal => self.conclude(Consequence::Fatal, diagnostic),
            Effect::RejectsFile => self.conclude(refused, diagnostic),
            Effect::LeavesUnset => {
                self.lost.push(field.target);
                let is_mode = field.target == FieldName::PERMISSION_MODE;
                let word = self.word_at(problem.span).filter(|_| is_mode);
                if word.is_some_and(|word| !is_mode_with_limits(word)) {
                    self.limited_nothing.push(field.target);
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Returns the tab that begins the line below a place where no value is written.
    fn tab_below(&self, value: Span) -> Option<Span> {
        if !value.is_empty() {
            return None;
        }
        let rest = self.bytes.get(value.end as usize..)?;
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let end = rest.iter().position(|byte| !is_blank(byte))?;
        let tab = value.end + u32::try_from(end).ok()? + 1;
        let is_tab = rest[end..].starts_with(b"\n\t");
        is_tab.then(|| Span::new(tab, tab + 1))
    }

    pub(super) fn note_missing(&mut self, field: &Field, consequence: Consequence) {
        if self.is_told_of(field, consequence) {
            self.worsen(consequence);
            return;
        }
        let mut finding = self.missing(field, consequence);
        let mut written = self.without_value.iter();
        finding.span = match written.find(|(target, ..)| *target == field.target) {
            Some((_, key, value)) if value.is_empty() => Some(*key),
            Some((_, _, value)) => Some(*value),
            None => self.opening,
        };
        self.conclude(consequence, finding);
    }

    /// Notes a field that is missing in a file that is lost already: the harness does not come so
    /// far, but its author has to add it too.
    pub(super) fn note_also_missing(&mut self, field: &Field, consequence: Consequence) {
        let mut told = self.diagnostics.iter();
        let is_told = told.any(|told| told.field == Some(field.target));
        if self.unwritten.contains(&field.target) && !is_told {
            let finding = self.missing(field, consequence);
            let span = self.opening;
            self.diagnostics.push(Diagnostic { span, ..finding });
        }
    }

    fn missing(&self, field: &Field, consequence: Consequence) -> Diagnostic {
        let message = format!("the header has no usable `{}`", field.key);
        let finding = Diagnostic::new(&rules::MISSING_FIELD, message)
            .because(self.says(consequence))
            .about(field.target);
        let takes = format!("`{}`: {}", field.key, field.accepts);
        match self.misspelled_key(field) {
            Some(at) => finding
                .and_at(at, "this key was probably meant")
                .help(format!("call that key {takes}")),
            None => finding.help(format!("add {takes}")),
        }
    }

    /// Returns where the key stands that was probably meant to be that of a field.
    fn misspelled_key(&self, field: &Field) -> Option<Span> {
        let mut told = self.diagnostics.iter();
        told.find(|told| is_misspelled(told, field.target))?.span
    }

    /// Returns whether a finding tells already why a field has no value; it then also says what
    /// that makes of the file.
    fn is_told_of(&mut self, field: &Field, consequence: Consequence) -> bool {
        let says = self.says(consequence);
        let is_below = self.lost.contains(&field.target);
        let mut told = self.diagnostics.iter_mut().filter(|told| match told.rule {
            rule if rule == &rules::HEADER_ENDS_EARLY => is_below,
            rule => TELL_OF_NO_VALUE.contains(&rule) && told.field == Some(field.target),
        });
        let Some(told) = told.next() else {
            return false;
        };
        told.severity = Severity::Error;
        told.field = Some(field.target);
        told.harness_says |= matches!(consequence, Consequence::Rejected | Consequence::Fatal);
        let why = told.why.take().unwrap_or_default();
        told.why = Some(format!("{why}; without `{}` {says}", field.key).into());
        true
    }
}

/// Returns which base the beginning of a number tells, if it is not ten.
fn base_of(written: &str) -> Option<&'static str> {
    let digits = written.trim_start_matches(['+', '-']);
    let mark = digits.strip_prefix('0')?.chars().next()?;
    match mark {
        'x' | 'X' => Some("a hexadecimal"),
        'b' | 'B' => Some("a binary"),
        'o' | 'O' | '0'..='9' | '_' => Some("an octal"),
        _ => None,
    }
}

/// Returns whether a finding tells of a key that was probably meant to be that of a field.
pub(crate) fn is_misspelled(finding: &Diagnostic, field: FieldName) -> bool {
    let of_key = [&rules::MISSPELLED_KEY, &rules::ODD_CHARACTER];
    of_key.contains(&finding.rule) && finding.field == Some(field)
}

/// The words that a field takes, as its table has them in backticks.
fn allowed_words(field: &Field) -> impl Iterator<Item = &'static str> {
    field.accepts.split('`').skip(1).step_by(2)
}

/// Says why to a finding of a coercion that several harnesses share, and so names none.
fn explained(title: &str, finding: Diagnostic) -> Diagnostic {
    if finding.why.is_some() {
        return finding;
    }
    let how = match finding.harness_says {
        true => "and says so in its log",
        false => "without a word",
    };
    let does = match finding.rule == &rules::VALUE_BECOMES_TEXT {
        true => "makes a text of every value here",
        false => "reads the rest of the value and leaves this out",
    };
    finding.because(format!("{title} {does}, {how}"))
}

/// How tokens in settings begin.
/// How the tokens begin for which settings get a variable or a file put in.
pub(crate) const TOKENS: [&str; 2] = ["{env:", "{file:"];

/// Returns whether a text of settings holds a token.
pub(crate) fn holds_token(text: &str) -> bool {
    TOKENS.iter().any(|token| text.contains(token))
}

/// Returns whether a word is that of a mode, of whichever harness, in which everything happens
/// without a question.
pub(super) fn is_mode_that_asks_nothing(word: &str) -> bool {
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let mut modes = profiles.flat_map(|profile| profile.rules.writing.access.modes);
    modes.any(|mode| mode.word == word && mode.others == writing::Effect::NeverAsk)
}

/// Returns whether a word was probably meant for a mode, of whichever harness, that denies something.
pub(super) fn is_mode_with_limits(word: &str) -> bool {
    if LIMITING_MODES.contains(&word) {
        return true;
    }
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let modes = profiles.flat_map(|profile| profile.rules.writing.access.modes);
    let words = || modes.clone().map(|mode| mode.word);
    let meant = words().find(|known| *known == word);
    let meant = meant.or_else(|| nearest(word, words()));
    let mut meant = modes.filter(|mode| Some(mode.word) == meant);
    meant.any(|mode| {
        let mut tools = Tool::ALL.into_iter();
        tools.any(|tool| mode.effect(tool) == writing::Effect::Deny)
    })
}
