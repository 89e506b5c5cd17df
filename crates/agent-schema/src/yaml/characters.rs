//! What happens to the characters of a text before YAML's grammar sees them.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::MappedText;

use super::error::{YamlError, YamlErrorKind};
use super::flavor::{Characters, Flavor, LineBreaks};
use super::tokens;

/// The line ends that only YAML 1.1 has.
const OLD_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Refuses a text that is too long, and the first character that may not stand in it.
pub(super) fn check(text: &MappedText<'_>, flavor: &Flavor) -> Result<(), YamlError> {
    check_length(text, flavor)?;
    let is_allowed = match flavor.characters {
        Characters::Any | Characters::UpToZero => return Ok(()),
        Characters::Printable => is_printable,
        Characters::NoZero => |c| c != '\0',
    };
    let mut characters = text.as_str().char_indices();
    let Some((at, c)) = characters.find(|(_, c)| !is_allowed(*c)) else {
        return Ok(());
    };
    let code = u32::from(c);
    Err(YamlError::new(
        YamlErrorKind::Character,
        format!("the character U+{code:04X} is not allowed in YAML"),
        text.span(at..at + c.len_utf8()),
    )
    .with_hint(format!(
        "delete it, or write it in double quotes as `\\u{code:04x}`"
    )))
}

/// Returns where a text ends for the reader.
pub(super) fn end(text: &str, flavor: &Flavor) -> usize {
    let zero = match flavor.characters {
        Characters::UpToZero => text.find('\0'),
        _ => None,
    };
    zero.unwrap_or(text.len())
}

fn check_length(text: &MappedText<'_>, flavor: &Flavor) -> Result<(), YamlError> {
    let most = flavor.limits.characters;
    // A text has at most as many characters as bytes, so that short ones need no count.
    if text.as_str().len() <= most {
        return Ok(());
    }
    let Some((at, _)) = text.as_str().char_indices().nth(most) else {
        return Ok(());
    };
    Err(YamlError::new(
        YamlErrorKind::LimitExceeded,
        format!("{} reads at most {most} characters", flavor.name),
        text.span(at..tokens::next_char(text.as_str(), at)),
    ))
}

/// Returns whether YAML allows a character unescaped.
fn is_printable(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..
    )
}

/// The first of the characters that stand for those which the parser refuses. They are of private
/// use, and nobody writes them.
const FIRST_STAND_IN: u32 = 0xf_0000;

const STAND_INS: Range<u32> = FIRST_STAND_IN..FIRST_STAND_IN + 0x1_0000;

/// What the characters of a text are that the parser gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    AsWritten,
    /// Some have stand-ins.
    StandIns,
}

impl Signs {
    /// Returns a text as it is written.
    pub(super) fn restored(self, text: Cow<'_, str>) -> Cow<'_, str> {
        let before = |c: char| {
            let code = u32::from(c).checked_sub(FIRST_STAND_IN)?;
            char::from_u32(code)
        };
        match self {
            Signs::StandIns if text.contains(|c: char| before(c).is_some()) => {
                text.chars().map(|c| before(c).unwrap_or(c)).collect()
            }
            _ => text,
        }
    }
}

/// Returns the text with stand-ins for the characters that the parser refuses and the flavor does
/// not; `None` if there are none.
pub(super) fn with_stand_ins<'a>(text: &MappedText<'a>, flavor: &Flavor) -> Option<MappedText<'a>> {
    let is_refused = |c: char| !is_printable(c) && c != '\u{feff}';
    let source = text.as_str();
    if flavor.characters == Characters::Printable || !source.contains(is_refused) {
        return None;
    }
    let is_taken = |c: char| STAND_INS.contains(&u32::from(c));
    if source.contains(is_taken) {
        return None;
    }
    let refused = source.char_indices().filter(|(_, c)| is_refused(*c));
    let edits: Option<Vec<_>> = refused
        .map(|(at, c)| {
            let stand_in = char::from_u32(FIRST_STAND_IN + u32::from(c))?;
            Some((at..at + c.len_utf8(), stand_in.to_string()))
        })
        .collect();
    Some(text.edited(&edits?))
}

/// Returns the text with every YAML 1.1 line end as LF; `None` if there is nothing to change.
pub(super) fn unify_line_breaks<'a>(
    text: &MappedText<'a>,
    flavor: &Flavor,
) -> Option<MappedText<'a>> {
    if flavor.line_breaks == LineBreaks::Yaml12 || !text.as_str().contains(OLD_BREAKS) {
        return None;
    }
    let edits: Vec<_> = text
        .as_str()
        .match_indices(OLD_BREAKS)
        .map(|(at, end)| (at..at + end.len(), "\n".to_owned()))
        .collect();
    Some(text.edited(&edits))
}

/// Refuses `\ud83e\udd80` in a double-quoted scalar: readers that know only whole characters fail.
pub(super) fn check_surrogate_escapes(
    text: &MappedText<'_>,
    scalar: Range<usize>,
) -> Result<(), YamlError> {
    let source = text.as_str().get(scalar.clone()).unwrap_or("");
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        if is_surrogate(escape) {
            let start = scalar.start + (source.len() - escape.len());
            return Err(YamlError::new(
                YamlErrorKind::Escape,
                format!("`{}` is half a character", &escape[..6]),
                text.span(start..start + 6),
            )
            .with_hint("write the character itself, or one `\\U` escape with eight digits"));
        }
        rest = &escape[tokens::next_char(escape, 1)..];
    }
    Ok(())
}

/// Returns whether a text starts with an escape for half a character.
fn is_surrogate(escape: &str) -> bool {
    escape
        .strip_prefix("\\u")
        .and_then(|digits| digits.get(..4))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .is_some_and(|code| (0xd800..=0xdfff).contains(&code))
}
