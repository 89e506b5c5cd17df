//! Single values of a wrong type or spelling.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::foreign_words::maker_of_name;
use crate::header::Language;
use crate::rules;
use crate::source::Span;
use crate::suggest::{is_spelling, nearest};
use crate::value::{Entry, Node, Style, Value};

use super::quotes::quoted;
use super::tree::{Tree, inside_quotes, readable, replace};
use super::write::{may_hold_comment, scalar_like};
use super::{Patient, Proposal};

/// The value that a finding is about.
pub(super) struct Wrong<'t> {
    tree: &'t Tree<'t>,
    entry: &'t Entry,
    pub(super) node: &'t Node,
}

impl<'t> Wrong<'t> {
    pub(super) fn find(tree: &'t Tree<'t>, finding: &Diagnostic) -> Option<Self> {
        let (entry, node) = tree.value_at(finding.span)?;
        // What stands behind an alias may be used elsewhere too.
        let is_written = !matches!(node.value, Value::Shared(_) | Value::Recursive(_));
        is_written.then_some(Wrong { tree, entry, node })
    }

    /// Whether the value is that of a key of the header, and not inside of it.
    fn is_whole(&self) -> bool {
        std::ptr::eq(self.node, &self.entry.value)
    }

    /// Proposes another text in the place of the value.
    pub(super) fn become_text(
        &self,
        patient: &Patient<'_>,
        title: String,
        text: String,
        at_best: Applicability,
    ) -> Proposal {
        let holder = self.tree.holder_of(self.node).unwrap_or(self.entry);
        let (start, end) = (holder.key.span.end, self.node.span.start);
        let between = patient.written(Span::new(start, end));
        let is_below = between.starts_with(':') && between[1..].trim().is_empty();
        let edit = match self.node.style {
            Style::Block if is_below => {
                replace(Span::new(start + 1, self.node.span.end), format!(" {text}"))
            }
            _ => replace(self.node.span, text),
        };
        self.become_edit(title, edit, at_best)
    }

    fn become_edit(&self, title: String, edit: Edit, at_best: Applicability) -> Proposal {
        Proposal {
            title,
            edits: vec![edit],
            at_best,
            changes: self.tree.may_change(self.entry),
        }
    }
}

/// Puts a value in quotes that is meant as a text, as it is written.
pub(super) fn quote(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let is_typed = matches!(
        wrong.node.value,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Date(_) | Value::Timestamp(_)
    );
    let written = patient.written(wrong.node.span);
    if !is_typed || wrong.node.style != Style::Plain || written.contains(['\n', '\r']) {
        return None;
    }
    let title = "put the value in quotes".to_owned();
    // Where the harness makes a text of it anyway, nothing changes; otherwise a number or a switch
    // is hardly the name of a model.
    let is_model = finding.field == Some(FieldName::MODEL) && wrong.is_whole();
    let at_best = match is_model && finding.rule != &rules::VALUE_BECOMES_TEXT {
        true => Applicability::Unsafe,
        false => Applicability::Safe,
    };
    let mut proposal = wrong.become_text(patient, title, patient.quoted(written), at_best);
    if wrong.is_whole() {
        // A lone value is meant as a text only where a text is wanted: a switch in the place of a
        // list names nothing.
        let meant = FieldValue::text(written.to_owned());
        let after = patient.after(&proposal.edits)?;
        let read = readable(&after)?.field(finding.field?)?;
        if !read.value.same_content(&meant) {
            return None;
        }
        for change in &mut proposal.changes {
            if Some(change.0) == finding.field {
                change.1 = Some(meant.clone());
            }
        }
    }
    // The text that was made of the value may be what the name is looked up by.
    proposal.changes.push((FieldName::KEY, None));
    patient.worth(finding, proposal)
}

/// Takes the quotes off a number or a switch.
pub(super) fn unquote(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let text = wrong.node.as_text()?;
    let is_quoted = matches!(wrong.node.style, Style::SingleQuoted | Style::DoubleQuoted);
    if !is_quoted || !(is_number(text) || matches!(text, "true" | "false")) {
        return None;
    }
    let title = "take the quotes off".to_owned();
    let proposal = wrong.become_text(patient, title, text.to_owned(), Applicability::Safe);
    patient.worth(finding, proposal)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // A number that begins with a zero is an octal one for some readers.
    let is_octal = whole.len() > 1 && whole.starts_with('0');
    are_digits(whole) && are_digits(fraction) && !is_octal
}

/// Writes a word for yes or no as the switch that it means.
pub(super) fn switch(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let (switch, at_best) = match wrong.node.get() {
        Value::Text(word) => match word.trim().to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" => ("true", Applicability::Safe),
            "no" | "off" | "false" => ("false", Applicability::Safe),
            _ => return None,
        },
        Value::Int(crate::value::Int::Small(1)) => ("true", Applicability::Unsafe),
        Value::Int(crate::value::Int::Small(0)) => ("false", Applicability::Unsafe),
        _ => return None,
    };
    if patient.written(wrong.node.span) == switch {
        return None;
    }
    let proposal = wrong.become_text(
        patient,
        format!("write `{switch}`"),
        switch.to_owned(),
        at_best,
    );
    patient.worth(finding, proposal)
}

/// Writes the word for off in place of a switch that is off.
pub(super) fn switch_off(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    const OFF: &str = "off";
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let is_off = *wrong.node.get() == Value::Bool(false);
    let takes_off = accepted_words(&wrong, finding).iter().any(|it| it == OFF);
    if !is_off || !takes_off {
        return None;
    }
    let word = scalar_like(&tree, wrong.node, OFF)?;
    let title = format!("write `{OFF}`");
    let proposal = wrong.become_text(patient, title, word, Applicability::Unsafe);
    patient.worth(finding, proposal)
}

/// Writes one of the words that the harness takes as the harness spells it.
pub(super) fn spell(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let text = wrong.node.as_text()?.trim();
    let words = accepted_words(&wrong, finding);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut same = words.iter().copied().filter(|word| is_spelling(word, text));
    let (word, is_sure) = match (same.next(), same.next()) {
        (Some(word), None) => (word, true),
        (None, _) => (nearest(text, words)?, false),
        _ => return None,
    };
    let at_best = match is_sure {
        true => Applicability::Safe,
        false => Applicability::Unsafe,
    };
    let written = scalar_like(&tree, wrong.node, word)?;
    let proposal = wrong.become_text(patient, format!("write `{word}`"), written, at_best);
    patient.worth(finding, proposal)
}

/// Returns the words that a field takes, as its table and the finding name them.
pub(super) fn accepted_words(wrong: &Wrong<'_>, finding: &Diagnostic) -> Vec<String> {
    let mut fields = wrong.tree.rules.fields.iter();
    let field = fields.find(|field| Some(field.target) == finding.field);
    let accepts = field
        .map(|field| field.accepts)
        .filter(|_| wrong.is_whole());
    let help = finding
        .help
        .as_deref()
        .filter(|help| help.starts_with("write `"));
    let is_word = |word: &&str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        !word.is_empty() && word.chars().all(is_letter)
    };
    let mut words: Vec<String> = Vec::new();
    for text in [accepts, help].into_iter().flatten() {
        // Every second part stands between backticks.
        for word in text.split('`').skip(1).step_by(2).filter(is_word) {
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
    }
    words
}

/// Takes the only item out of a list where a single value is wanted.
pub(super) fn take_only_item(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let [item] = wrong.node.as_list()? else {
        return None;
    };
    let text = item.as_text()?;
    let written = match item.style {
        Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => patient.written(item.span),
        _ => return None,
    };
    let is_one_line = !written.contains(['\n', '\r']) && !text.is_empty();
    if !is_one_line || !wrong.is_whole() || may_hold_comment(patient, wrong.node) {
        return None;
    }
    let title = "write the value without a list".to_owned();
    let mut proposal = wrong.become_text(patient, title, written.to_owned(), Applicability::Unsafe);
    proposal.changes.push((FieldName::KEY, None));
    patient.worth(finding, proposal)
}

/// Puts a colour in quotes that is a comment without them.
pub(super) fn quote_color(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    if !wrong.node.is_null() || !wrong.node.span.is_empty() || tree.language != Language::Yaml {
        return None;
    }
    let key_end = wrong.entry.key.span.end;
    let (_, line_end) = patient.line_around(key_end);
    let rest = patient.written(Span::new(key_end, line_end));
    let comment = rest.strip_prefix(':')?.trim_start();
    let color = comment.split([' ', '\t']).next()?;
    let digits = color.strip_prefix('#')?;
    let is_color = matches!(digits.len(), 3 | 4 | 6 | 8)
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_color {
        return None;
    }
    let start = line_end - u32::try_from(comment.len()).ok()?;
    let end = start + u32::try_from(color.len()).ok()?;
    let edit = replace(Span::new(start, end), quoted(color));
    let title = "put the colour in quotes".to_owned();
    let mut proposal = wrong.become_edit(title, edit, Applicability::Safe);
    proposal.changes = vec![(finding.field?, Some(FieldValue::text(color.to_owned())))];
    patient.worth(finding, proposal)
}

/// Writes a number without its fraction.
pub(super) fn write_whole(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    const MOST: f64 = 1e15;
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let value = match wrong.node.get() {
        Value::Float(value) => *value,
        Value::Text(text) if is_number(text) => text.parse().ok()?,
        _ => return None,
    };
    if !value.is_finite() || value.abs() > MOST {
        return None;
    }
    let at_best = match value.fract() == 0.0 {
        true => Applicability::Safe,
        false => Applicability::Unsafe,
    };
    let whole = format!("{:.0}", value.trunc());
    let proposal = wrong.become_text(patient, format!("write `{whole}`"), whole, at_best);
    patient.worth(finding, proposal)
}

/// Joins the items of a list where one text is wanted that people read.
pub(super) fn join_items(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let texts: Option<Vec<&str>> = wrong.node.as_list()?.iter().map(Node::as_text).collect();
    let joined = texts?.join(", ");
    if may_hold_comment(patient, wrong.node) {
        return None;
    }
    let title = "write the items as one text".to_owned();
    let mut proposal = wrong.become_text(
        patient,
        title,
        patient.scalar(&joined)?,
        Applicability::Safe,
    );
    for change in &mut proposal.changes {
        change.1 = Some(FieldValue::text(joined.clone()));
    }
    patient.worth(finding, proposal)
}

/// Shows a model with a place for what is missing: the provider, the model behind it, or the
/// provider with its slash.
pub(super) fn show_provider(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let inside = inside_quotes(wrong.node);
    let written = wrong.node.as_text()?;
    let model = written.strip_prefix('/').unwrap_or(written);
    let provider = maker_of_name(model).unwrap_or("provider");
    let (title, at, missing) = match written.split_once('/') {
        Some((_, "")) => (
            "put a model behind its provider",
            inside.end,
            "model".to_owned(),
        ),
        Some(_) => (
            "put the provider before the model",
            inside.start,
            provider.to_owned(),
        ),
        None => (
            "put the provider before the model",
            inside.start,
            format!("{provider}/"),
        ),
    };
    let edit = replace(Span::new(at, at), missing);
    let proposal = wrong.become_edit(title.to_owned(), edit, Applicability::ShowOnly);
    patient.worth(finding, proposal)
}
