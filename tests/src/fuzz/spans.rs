//! Spans and edits must lie inside the bytes, and where those are text, between characters.

use agent_schema::{Definition, Diagnostic, Outcome, Parsed, Span, fix};

use super::Fault;

/// Checks what a parse says about some bytes.
pub(super) fn check_parsed(parsed: &Parsed, bytes: &[u8]) -> Result<(), Fault> {
    check_findings(&parsed.diagnostics, bytes)?;
    if let Some(definition) = definition_of(&parsed.outcome) {
        check_definition(definition, bytes)?;
    }
    let rejected = matches!(parsed.outcome, Outcome::Rejected(_));
    let ignored = matches!(parsed.outcome, Outcome::Ignored(_));
    if rejected && !parsed.harness_warns() {
        return Err("it is rejected, and nothing says why".to_owned());
    }
    if ignored && parsed.harness_warns() {
        return Err("it is ignored without a word, and something is said".to_owned());
    }
    Ok(())
}

fn definition_of(outcome: &Outcome) -> Option<&Definition> {
    match outcome {
        Outcome::Loaded(definition) | Outcome::Rejected(definition) => Some(definition),
        Outcome::Ignored(_) => None,
    }
}

/// Checks the places of the fields.
pub(super) fn check_definition(definition: &Definition, bytes: &[u8]) -> Result<(), Fault> {
    for (field, located) in definition.fields() {
        if let Some(place) = located.place {
            check_span(place.key, bytes, || format!("the key of {field:?}"))?;
            check_span(place.value, bytes, || format!("the value of {field:?}"))?;
        }
    }
    Ok(())
}

/// Checks findings and their fixes.
pub(super) fn check_findings(findings: &[Diagnostic], bytes: &[u8]) -> Result<(), Fault> {
    for finding in findings {
        let what = || format!("the finding {} `{}`", finding.code(), finding.message);
        if finding.message.is_empty() {
            return Err(format!("{} says nothing", what()));
        }
        let here = finding.related.iter().filter(|it| it.file.is_none());
        let spans = finding
            .span
            .into_iter()
            .chain(here.filter_map(|it| it.span));
        for span in spans {
            check_span(span, bytes, what)?;
        }
        let Some(fix) = &finding.fix else { continue };
        let mut done = 0;
        for edit in &fix.edits {
            check_span(edit.span, bytes, || format!("an edit of {}", what()))?;
            if edit.span.start < done {
                return Err(format!("the edits of {} are not in order", what()));
            }
            done = edit.span.end;
        }
        if fix::apply(bytes, &fix.edits).is_none() {
            return Err(format!("the fix of {} cannot be made", what()));
        }
    }
    Ok(())
}

fn check_span(span: Span, bytes: &[u8], what: impl Fn() -> String) -> Result<(), Fault> {
    let (start, end) = (span.start as usize, span.end as usize);
    if start > end || end > bytes.len() {
        return Err(format!(
            "{} spans {start}..{end} of {} bytes",
            what(),
            bytes.len()
        ));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_char_boundary(start) || !text.is_char_boundary(end) => Err(format!(
            "{} spans {start}..{end}, and cuts a character",
            what()
        )),
        _ => Ok(()),
    }
}
