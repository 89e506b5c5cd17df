//! Syntax errors in plain words: what the author did, where, and what to do instead.
//!
//! The parser names a broken rule of the grammar and the place where it gave up. The person who
//! wrote the text needs the mistake before that place, which is nearly always one of a dozen.

use std::ops::Range;

use granit_parser::{ErrorKind as Rule, ScanError};

use crate::text::MappedText;
use crate::value::Style;

use super::error::{YamlError, YamlErrorKind};
use super::flavor::Flavor;
use super::{brackets, tokens};

/// What is known about the place of an error.
pub(super) struct Situation<'a> {
    /// The text that was parsed.
    pub(super) text: &'a MappedText<'a>,
    pub(super) flavor: &'a Flavor,
    /// The last scalar before the error.
    pub(super) scalar: Option<LastScalar>,
    /// The innermost bracket that is still open.
    pub(super) bracket: Option<usize>,
    /// One past the last scalar, alias or bracket.
    pub(super) content_end: usize,
}

/// A scalar, and whether it is a value of a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastScalar {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) style: Style,
    pub(super) is_value: bool,
}

/// What is said of the first line that stands in another column than a faulty one.
pub(crate) const OTHER_COLUMN: &str = "they begin here";

const QUOTE_VALUE: &str = "put the value in quotes";

/// Explains an error of the parser.
pub(super) fn syntax_error(error: &ScanError, situation: &Situation<'_>) -> YamlError {
    let at = error.marker().byte_offset().unwrap_or(0);
    let at = tokens::floor(situation.text.as_str(), at);
    situation.explain(error.kind(), at)
}

impl Situation<'_> {
    fn explain(&self, rule: &Rule, at: usize) -> YamlError {
        match rule {
            Rule::MappingValueNotAllowed => self.colon(at),
            Rule::SimpleKeyExpected | Rule::InvalidSimpleKey => self.line_without_key(at),
            Rule::ExpectedBlockMappingKey
            | Rule::ExpectedBlockSequenceEntry
            | Rule::ExpectedDocumentStart => self.misplaced(at),
            Rule::BlockSequenceEntryNotAllowed if self.follows_content(at) => self.list_on_key_line(at),
            Rule::BlockEntryInFlowCollection => self.reserved_start(at),
            Rule::InvalidTrailingSingleQuotedScalar => self.text_after_quote(
                at,
                "write `''` for an apostrophe inside single quotes, or use double quotes",
            ),
            Rule::InvalidTrailingDoubleQuotedScalar => self.text_after_quote(
                at,
                "write `\\\"` for a quote inside double quotes, or use single quotes",
            ),
            Rule::TabNotAllowed
            | Rule::TabInBlockIndentation
            | Rule::TabInIndentation
            | Rule::TabAtBlockScalarStart
            | Rule::TabInPlainScalar
            | Rule::InvalidBlockEntryWhitespace => self.tab(at),
            Rule::UnclosedFlowCollection { .. }
            | Rule::UnexpectedEofFlowSequence
            | Rule::UnexpectedEofFlowMapping
            | Rule::UnexpectedEofImplicitFlowMapping => self.unclosed_bracket(at),
            Rule::InvalidColonPlacement | Rule::FlowMappingValueAdjacentCollection => {
                self.colon_in_bracket(at)
            }
            Rule::ExpectedFlowSequenceSeparator | Rule::ExpectedFlowMappingSeparator => {
                self.missing_comma(at)
            }
            Rule::MisplacedFlowCollectionEnd | Rule::MismatchedFlowCollectionEnd { .. } => {
                self.wrong_bracket(at)
            }
            Rule::UnclosedQuotedScalar
            | Rule::DocumentIndicatorInQuotedScalar
            | Rule::InvalidQuotedScalarIndent => self.unclosed_quote(at),
            Rule::UnknownQuotedScalarEscape
            | Rule::InvalidQuotedScalarHexEscape
            | Rule::InvalidUnicodeEscape
            | Rule::InvalidLowSurrogateHexEscape
            | Rule::InvalidLowSurrogate
            | Rule::MissingLowSurrogate
            | Rule::UnpairedLowSurrogate => self.escape(at),
            Rule::ExpectedTagBang
            | Rule::InvalidGlobalTagCharacter
            | Rule::InvalidTagTerminator
            | Rule::MissingTagUri
            | Rule::UnclosedVerbatimTag
            | Rule::InvalidTagEscape
            | Rule::InvalidTagUtf8LeadingByte
            | Rule::InvalidTagUtf8TrailingByte
            | Rule::InvalidTagUtf8
            | Rule::UndeclaredTagHandle => self.broken_tag(at),
            Rule::MissingAnchorOrAliasName
            | Rule::UnexpectedCharacter { .. }
            | Rule::ExpectedNodeContent
            | Rule::UnexpectedEofBlockMapping
            | Rule::UnexpectedEofBlockSequence
            | Rule::PlainScalarStartsWithDashFlowIndicator => self.reserved_start(at),
            Rule::InvalidBlockScalarHeader | Rule::ZeroBlockScalarIndent => self.block_header(at),
            Rule::InvalidBlockScalarIndent => self
                .error(
                    YamlErrorKind::Indentation,
                    "an empty line above this text is indented further than the text",
                    self.rest_of_line(at),
                )
                .with_hint("remove the spaces from the empty line"),
            Rule::CommentNotSeparated | Rule::CommentInterceptedScalar => self
                .error(
                    YamlErrorKind::Syntax,
                    "a comment starts here, but no space stands before its `#`",
                    self.rest_of_line(at),
                )
                .with_hint("put the value in quotes if the `#` belongs to it"),
            Rule::DuplicateVersionDirective
            | Rule::UnsupportedYamlMajorVersion
            | Rule::DuplicateTagDirective
            | Rule::MissingDocumentEndBeforeDirective
            | Rule::ExpectedTagDirectiveBang
            | Rule::InvalidDirectiveTerminator
            | Rule::MissingYamlVersionSeparator
            | Rule::MissingDirectiveName
            | Rule::InvalidDirectiveName
            | Rule::DirectiveByteLimitExceeded { .. }
            | Rule::YamlVersionTooLong
            | Rule::MissingYamlVersion
            | Rule::InvalidTagDirectiveTerminator => self
                .error(
                    YamlErrorKind::Directive,
                    "a line that starts with `%` is an instruction to the YAML reader, and this one \
                     is wrong",
                    tokens::line_of(self.source(), at),
                )
                .with_hint("remove the line"),
            _ => self.misplaced(at),
        }
    }

    /// A `: ` where no key can be.
    fn colon(&self, at: usize) -> YamlError {
        let colon = at..tokens::next_char(self.source(), at);
        let Some(scalar) = self.scalar.filter(|scalar| scalar.end == self.content_end) else {
            return self.text_after_value(at).with_hint(QUOTE_VALUE);
        };
        let starts_on_line = scalar.start >= tokens::line_of(self.source(), at).start;
        let is_plain_value = scalar.style == Style::Plain && scalar.is_value;
        if self.is_long_key(scalar) && !is_plain_value {
            let most = self.flavor.limits.simple_key;
            return self
                .error(
                    YamlErrorKind::LimitExceeded,
                    format!("a key is longer than {most} characters"),
                    scalar.start..scalar.end,
                )
                .with_hint("put the text in quotes if it is no key");
        }
        match scalar.style {
            Style::Plain if scalar.is_value && starts_on_line => self
                .error(
                    YamlErrorKind::ColonInValue,
                    match self.rest_of_line(colon.end).is_empty() {
                        true => "a value without quotes cannot end in a colon",
                        false => "a value without quotes cannot contain a colon and a space",
                    },
                    colon,
                )
                .with_related(
                    self.text.span(scalar.start..self.rest_of_line(at).end),
                    "the value",
                )
                .with_hint(QUOTE_VALUE),
            Style::Plain if scalar.is_value => self
                .error(
                    YamlErrorKind::ColonInValue,
                    "this line continues the value above it, which has no quotes and so cannot \
                     contain a colon and a space",
                    colon,
                )
                .with_related(
                    self.text.span(scalar.start..self.rest_of_line(at).end),
                    "the value",
                )
                .with_hint(
                    "put the value in quotes, or indent the line like the key above if it is a key",
                ),
            Style::Plain if !starts_on_line => self.missing_colon(scalar.start),
            _ => self.text_after_value(at).with_hint(
                "put the whole value in quotes, of the kind that does not stand inside it",
            ),
        }
    }

    fn is_long_key(&self, scalar: LastScalar) -> bool {
        let text = self.source().get(scalar.start..scalar.end).unwrap_or("");
        text.chars().count() > self.flavor.limits.simple_key && !text.contains(['\n', '\r'])
    }

    /// A line that stands where a key has to be.
    fn line_without_key(&self, at: usize) -> YamlError {
        if self.source()[at..].starts_with(['"', '\'']) {
            return self.misplaced(at);
        }
        self.missing_colon(at)
    }

    fn missing_colon(&self, at: usize) -> YamlError {
        self.error(
            YamlErrorKind::MissingColon,
            "this line is no `key: value`, and it is not indented as part of the value above",
            self.rest_of_line(at),
        )
        .with_hint(
            "write a colon and a space after the key; a text of several lines starts with `|` \
             after its key and is indented",
        )
    }

    /// Something that stands where a key, a dash or the end has to be.
    fn misplaced(&self, at: usize) -> YamlError {
        let source = self.source();
        if at >= source.len() || self.rest_of_line(at).is_empty() {
            return self.error(YamlErrorKind::Syntax, "the text ends too early", at..at);
        }
        if self.follows_content(at) {
            return self.text_after_value(at).with_hint(QUOTE_VALUE);
        }
        let line = tokens::line_of(source, at);
        if let Some(tab) = self.leading_tab(line.clone()) {
            return tab_error(self.text, tab);
        }
        if source[line.start..].starts_with('%') {
            return self.explain(&Rule::InvalidDirectiveName, at);
        }
        if let Some(open) = self.bracket.filter(|open| *open < line.start) {
            return self.line_in_bracket(open, at);
        }
        if source[at..].starts_with("- ") {
            let error = self.error(
                YamlErrorKind::Indentation,
                "this list item does not stand in one column with the lines above it",
                self.rest_of_line(at),
            );
            return self
                .beside_column(error, &line)
                .with_hint("indent all items of a list alike, at least as far as their key");
        }
        if !self.rest_of_line_text(at).contains(':') {
            return self.missing_colon(at);
        }
        let error = self.error(
            YamlErrorKind::Indentation,
            "this line does not stand in one column with the lines that it belongs to",
            self.rest_of_line(at),
        );
        self.beside_column(error, &line)
            .with_hint("start all keys of a map in the same column")
    }

    /// A line that stands too far left while a bracket is open: the next setting, or a part of the
    /// value.
    fn line_in_bracket(&self, open: usize, at: usize) -> YamlError {
        let line = self.rest_of_line(at);
        if self.sets_key(&tokens::line_of(self.source(), at)) {
            return self
                .unclosed_bracket(open)
                .with_related(self.text.span(line), "this looks like the next key");
        }
        self.error(
            YamlErrorKind::Indentation,
            "this line belongs to the value above, but is not indented further than its key",
            line,
        )
        .with_related(
            self.text.span(open..tokens::next_char(self.source(), open)),
            "the value begins here",
        )
        .with_hint("indent the line by two more spaces")
    }

    /// Points at the first of the lines above that stand further right than a line.
    fn beside_column(&self, error: YamlError, line: &Range<usize>) -> YamlError {
        let source = self.source();
        let indentation =
            |line: &str| (!line.trim().is_empty()).then(|| line.len() - line.trim_start().len());
        let column = indentation(&source[line.clone()]).unwrap_or_default();
        let mut end = line.start;
        let mut first = None;
        for above in source[..line.start].split_inclusive('\n').rev() {
            let start = end - above.len();
            match indentation(above) {
                Some(at) if at > column => first = Some(start + at..start + above.trim_end().len()),
                Some(_) => break,
                None => {}
            }
            end = start;
        }
        match first {
            Some(range) => error.with_related(self.text.span(range), OTHER_COLUMN),
            None => error,
        }
    }

    fn list_on_key_line(&self, at: usize) -> YamlError {
        let after_key = self.source()[self.content_end..at]
            .trim_start()
            .starts_with(':');
        if !after_key {
            return self.text_after_value(at).with_hint(QUOTE_VALUE);
        }
        self.error(
            YamlErrorKind::ReservedStart,
            "a value cannot start with a dash and a space on the line of its key",
            self.rest_of_line(at),
        )
        .with_hint("put the value in quotes, or start the list on the next line")
    }

    fn text_after_value(&self, at: usize) -> YamlError {
        self.error(
            YamlErrorKind::TextAfterValue,
            "the value before this is complete, and more text follows on its line",
            self.rest_of_line(at),
        )
    }

    /// Text behind a quote that closes. If that quote stands in another setting, the one before
    /// never closed its own.
    fn text_after_quote(&self, at: usize, hint: &'static str) -> YamlError {
        match self.quote_before_setting(at) {
            Some(open) => self.quote_runs_on(open, at),
            None => self.text_after_value(at).with_hint(hint),
        }
    }

    /// Returns the quote that opens the text around a place, if it stands above the line and the line
    /// sets a key.
    fn quote_before_setting(&self, at: usize) -> Option<usize> {
        let line = tokens::line_of(self.source(), at);
        let open = self.opening_quote(at)?;
        (self.sets_key(&line) && open < line.start).then_some(open)
    }

    /// Returns whether a line reads like a setting: a word at its start and a colon behind it.
    fn sets_key(&self, line: &Range<usize>) -> bool {
        let text = self.source().get(line.clone()).unwrap_or("");
        text.split_once(':').is_some_and(|(key, value)| {
            let mut signs = key.chars();
            let is_word = signs.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
            is_word && !key.is_empty() && (value.is_empty() || value.starts_with([' ', '\t', '\r']))
        })
    }

    /// A quote that is open still where the next setting begins.
    fn quote_runs_on(&self, open: usize, at: usize) -> YamlError {
        let line = tokens::line_of(self.source(), at);
        let end = line.start + self.source()[line.clone()].trim_end().len();
        self.unclosed_quote(open).with_related(
            self.text.span(line.start..end),
            "so this line is taken for a part of the text",
        )
    }

    /// A tab at the place of the error, or in the indentation of its line or the next ones.
    fn tab(&self, at: usize) -> YamlError {
        let source = self.source();
        let line = tokens::line_of(source, at);
        let rest = &source[line.end..];
        let tab = self
            .leading_tab(line)
            .or_else(|| {
                rest.find(['\n', '\r'])
                    .and_then(|_| find_leading_tab(source, at))
            })
            .or_else(|| source[at..].starts_with('\t').then_some(at))
            .or_else(|| source[..at].ends_with('\t').then(|| at - 1))
            .unwrap_or(at);
        tab_error(self.text, tab)
    }

    fn leading_tab(&self, line: Range<usize>) -> Option<usize> {
        let text = self.source().get(line.clone())?;
        let indentation = text.len() - text.trim_start_matches([' ', '\t']).len();
        text[..indentation].find('\t').map(|tab| line.start + tab)
    }

    fn unclosed_bracket(&self, at: usize) -> YamlError {
        let open = self.bracket.unwrap_or(at);
        if let Some(comma) = brackets::comma_without_item(&self.source()[open..]) {
            return self.missing_item(open, open + comma);
        }
        let sign = if self.source()[open..].starts_with('{') {
            '}'
        } else {
            ']'
        };
        self.error(
            YamlErrorKind::UnclosedBracket,
            "this bracket is never closed",
            open..tokens::next_char(self.source(), open),
        )
        .with_hint(format!(
            "close it with `{sign}`, or put the value in quotes"
        ))
    }

    fn missing_item(&self, open: usize, comma: usize) -> YamlError {
        let place = |at: usize| at..tokens::next_char(self.source(), at);
        self.error(
            YamlErrorKind::MissingItem,
            "no item stands before this comma",
            place(comma),
        )
        .with_related(self.text.span(place(open)), "the list or map in brackets")
        .with_hint("remove the comma, or write the item")
    }

    fn colon_in_bracket(&self, at: usize) -> YamlError {
        let colon = at..tokens::next_char(self.source(), at);
        match self.bracket {
            Some(open) if tokens::line_of(self.source(), at).start > open => self
                .unclosed_bracket(open)
                .with_related(self.text.span(colon), "this looks like the next key"),
            _ => self
                .error(
                    YamlErrorKind::ColonInValue,
                    "a colon cannot stand here without quotes",
                    colon,
                )
                .with_hint(QUOTE_VALUE),
        }
    }

    fn missing_comma(&self, at: usize) -> YamlError {
        let Some(open) = self.bracket else {
            return self.misplaced(at);
        };
        if at >= self.source().trim_end().len() {
            return self.unclosed_bracket(open);
        }
        self.error(
            YamlErrorKind::UnclosedBracket,
            "a comma or the closing bracket is missing before this",
            self.rest_of_line(at),
        )
        .with_related(
            self.text.span(open..tokens::next_char(self.source(), open)),
            "the bracket that is open",
        )
        .with_hint("separate items by commas, and put an item with brackets or commas in quotes")
    }

    fn wrong_bracket(&self, at: usize) -> YamlError {
        if self.bracket.is_none() && self.starts_value(at) {
            return self.reserved_start(at);
        }
        let error = self
            .error(
                YamlErrorKind::UnclosedBracket,
                "this bracket closes none that is open",
                at..tokens::next_char(self.source(), at),
            )
            .with_hint("remove it, or put the value in quotes");
        match self.bracket {
            Some(open) => error.with_related(
                self.text.span(open..tokens::next_char(self.source(), open)),
                "the bracket that is open",
            ),
            None => error,
        }
    }

    fn unclosed_quote(&self, at: usize) -> YamlError {
        if !self.source()[at..].starts_with(['"', '\'']) {
            let opening = self.opening_quote(at);
            let closed = opening.filter(|open| self.closes_somewhere(*open));
            if let (Some(open), None) = (opening, closed) {
                return self.unclosed_quote(open);
            }
            if let Some(open) = self.quote_before_setting(at) {
                return self.quote_runs_on(open, at);
            }
            let error = self
                .error(
                    YamlErrorKind::Indentation,
                    "this line belongs to the quoted text above, but is not indented further than \
                     its key",
                    self.rest_of_line(at),
                )
                .with_hint("indent every line of the text, or write it behind `|` without quotes");
            return match opening {
                Some(open) => error.with_related(
                    self.text.span(open..tokens::next_char(self.source(), open)),
                    "the quote that opens the text",
                ),
                None => error,
            };
        }
        let apostrophe = self.source()[at..].starts_with('\'');
        self.error(
            YamlErrorKind::UnclosedQuote,
            "this quote is never closed",
            at..tokens::next_char(self.source(), at),
        )
        .with_hint(if apostrophe {
            "close it, or put the whole value in double quotes if it is an apostrophe"
        } else {
            "close it, or put the whole value in single quotes if it belongs to the text"
        })
    }

    /// Returns where the quote stands that opens the text around a place.
    fn opening_quote(&self, at: usize) -> Option<usize> {
        let before = self.source().get(self.content_end..at)?;
        let open = before.find(['"', '\''])?;
        Some(self.content_end + open)
    }

    /// Returns whether the same quote stands once more at the end of a line or before a comment.
    fn closes_somewhere(&self, open: usize) -> bool {
        let rest = &self.source()[open..];
        let Some(quote) = rest.chars().next() else {
            return false;
        };
        rest[quote.len_utf8()..].lines().any(|line| {
            let line = line.split(" #").next().unwrap_or_default();
            line.trim_end().ends_with(quote)
        })
    }

    /// A backslash that starts nothing known; `at` is the quote before it.
    fn escape(&self, at: usize) -> YamlError {
        let range = find_bad_escape(self.source(), at).unwrap_or(self.rest_of_line(at));
        let text = self.source().get(range.clone()).unwrap_or("");
        self.error(
            YamlErrorKind::Escape,
            format!("`{text}` means nothing in double quotes"),
            range,
        )
        .with_hint("write `\\\\` for a backslash, or use single quotes")
    }

    fn broken_tag(&self, at: usize) -> YamlError {
        let source = self.source();
        let start = source[..tokens::next_char(source, at)]
            .rfind('!')
            .unwrap_or(at);
        self.error(
            YamlErrorKind::ReservedStart,
            "a value without quotes cannot start with `!`, which is for tags",
            start..tokens::next_char(source, start),
        )
        .with_hint(QUOTE_VALUE)
    }

    fn reserved_start(&self, at: usize) -> YamlError {
        let source = self.source();
        let Some(sign) = source[at..].chars().next().filter(|c| !c.is_whitespace()) else {
            return self.misplaced(at);
        };
        if self.follows_content(at) && !self.starts_value(at) && self.bracket.is_none() {
            return self.text_after_value(at).with_hint(QUOTE_VALUE);
        }
        let name = match sign {
            '`' => "a backtick".to_owned(),
            sign => format!("`{sign}`"),
        };
        self.error(
            YamlErrorKind::ReservedStart,
            format!("a value without quotes cannot start with {name}"),
            at..at + sign.len_utf8(),
        )
        .with_hint(QUOTE_VALUE)
    }

    fn block_header(&self, at: usize) -> YamlError {
        self.error(
            YamlErrorKind::ReservedStart,
            "a value that starts with `|` or `>` is a text of several lines, and nothing else may \
             stand on that line",
            self.rest_of_line(at),
        )
        .with_hint("start the text on the next line, or put the value in quotes")
    }

    /// Returns whether content stands before an offset on the same line.
    fn follows_content(&self, at: usize) -> bool {
        self.content_end > tokens::line_of(self.source(), at).start && self.content_end <= at
    }

    /// Returns whether an offset is the first one after a key and its colon, or after a dash.
    fn starts_value(&self, at: usize) -> bool {
        let between = self.source().get(self.content_end..at).unwrap_or("").trim();
        between.ends_with([':', '-'])
    }

    fn rest_of_line(&self, at: usize) -> Range<usize> {
        let end = tokens::line_of(self.source(), at).end;
        let text = self.source().get(at..end).unwrap_or("");
        at..at + text.trim_end().len()
    }

    fn rest_of_line_text(&self, at: usize) -> &str {
        self.source().get(self.rest_of_line(at)).unwrap_or("")
    }

    fn error(
        &self,
        kind: YamlErrorKind,
        message: impl Into<String>,
        range: Range<usize>,
    ) -> YamlError {
        YamlError::new(kind, message, self.text.span(range))
    }

    fn source(&self) -> &str {
        self.text.as_str()
    }
}

/// A tab that may not stand where it stands.
pub(super) fn tab_error(text: &MappedText<'_>, tab: usize) -> YamlError {
    let source = text.as_str();
    let before = &source[tokens::line_of(source, tab).start..tab];
    let (message, hint) = match before.trim().is_empty() {
        true => (
            "a tab stands where only spaces may indent",
            "indent with spaces",
        ),
        false => (
            "a tab stands where only spaces may part two words",
            "write a space instead of the tab",
        ),
    };
    let span = text.span(tab..tokens::next_char(source, tab));
    YamlError::new(YamlErrorKind::TabIndentation, message, span).with_hint(hint)
}

/// Returns the first line after `at` whose indentation starts with a tab.
fn find_leading_tab(source: &str, at: usize) -> Option<usize> {
    source[at..].find("\n\t").map(|found| at + found + 1)
}

/// Returns the first escape of a double-quoted scalar that YAML does not have.
fn find_bad_escape(source: &str, at: usize) -> Option<Range<usize>> {
    let mut from = at;
    loop {
        let start = from + source.get(from..)?.find('\\')?;
        let escape = &source[start + 1..];
        let sign = escape.chars().next()?;
        let digits = match sign {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\'
            | 'N' | '_' | 'L' | 'P' | '\n' | '\r' => 0,
            _ => return Some(start..start + 1 + sign.len_utf8()),
        };
        // What is no digit belongs to the text behind it, such as the quote that closes it.
        let code = escape.chars().skip(1).take(digits);
        let code: String = code.take_while(char::is_ascii_hexdigit).collect();
        let end = start + 1 + sign.len_utf8() + code.len();
        let is_character = u32::from_str_radix(&code, 16)
            .ok()
            .and_then(char::from_u32)
            .is_some();
        if digits > 0 && (code.chars().count() < digits || !is_character) {
            return Some(start..end);
        }
        from = end;
    }
}
