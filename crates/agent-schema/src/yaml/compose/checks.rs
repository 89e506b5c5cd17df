//! What readers refuse although the parser takes it.

use std::ops::Range;

use crate::source::Span;

use super::super::error::{YamlError, YamlErrorKind};
use super::super::explain;
use super::super::flavor::{Brackets, Grammar, NestedMaps, PlainTabs};
use super::super::{libyaml, snakeyaml, tokens};
use super::{Composer, Form, TabRule, tab_rule};

impl Composer<'_, '_, '_> {
    /// Checks what libyaml refuses in a scalar without quotes.
    pub(super) fn check_plain(&self, place: Range<usize>) -> Result<(), YamlError> {
        if self.flavor.plain_tabs == PlainTabs::Refused
            && let Some(tab) = tokens::tab_in_plain(self.source, place.clone())
        {
            return Err(YamlError::new(
                YamlErrorKind::TabIndentation,
                "a tab stands in a line whose value has no quotes",
                self.text.span(tab..tab + 1),
            )
            .with_hint("write a space, or put the value in quotes"));
        }
        if !self.flavor.grammar.is_like_libyaml() {
            return Ok(());
        }
        let column = match tab_rule(self.flavor) {
            TabRule::Indentation => self.continuation_column(),
            TabRule::Everywhere => usize::MAX,
        };
        self.refuse_tab(libyaml::plain_text_tab(self.source, place.clone(), column))?;
        if self.flavor.grammar == Grammar::Libyaml
            && self.source[place.start..].starts_with('\u{feff}')
            && self.source[..place.start].ends_with(['\n', '\r'])
        {
            return Err(YamlError::new(
                YamlErrorKind::Character,
                "a byte order mark stands at the start of a line",
                self.text
                    .span(place.start..tokens::next_char(self.source, place.start)),
            )
            .with_hint("delete the invisible character"));
        }
        if self.flow_depth > 0
            && let Some(colon) = libyaml::unreadable_colon(self.source, place)
        {
            return Err(YamlError::new(
                YamlErrorKind::ColonInValue,
                "inside brackets this colon needs a space behind it, or quotes around it",
                self.text.span(colon..colon + 1),
            )
            .with_hint("put the text in quotes"));
        }
        Ok(())
    }

    /// Checks a scalar in brackets that could be a key: in libyaml such a key and its colon stand
    /// on one line, unless a `?` stands before it.
    pub(super) fn check_bracket_key(&mut self, place: Range<usize>) -> Result<(), YamlError> {
        let is_explicit = self.between.take_question();
        if self.flow_depth == 0
            || !self.awaits_key()
            || is_explicit
            || !self.flavor.grammar.is_like_libyaml()
            || libyaml::is_on_line_with_colon(self.source, place.clone())
        {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::Key,
            "a key and its colon have to stand on one line",
            self.text.span(place),
        ))
    }

    /// Checks the name behind a `&`, with what follows it.
    pub(super) fn check_anchor_name(
        &self,
        name: &str,
        rest: &str,
        span: Span,
    ) -> Result<(), YamlError> {
        let (is_good, letters) = match self.flavor.grammar {
            Grammar::Specification | Grammar::JsYaml3 => return Ok(()),
            Grammar::Libyaml => (
                libyaml::is_anchor_name(name, rest),
                "a name has only letters from A to Z, digits, `-` and `_`",
            ),
            Grammar::SnakeYaml => (
                snakeyaml::is_anchor_name(name),
                "a name has no `:`, `/`, `.`, `*` or `&` in it",
            ),
        };
        if is_good {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::Anchor,
            format!("a value that starts with `&` names an anchor, and {letters}"),
            span,
        )
        .with_hint("put the value in quotes if the `&` belongs to it"))
    }

    /// Counts a level of nesting as libyaml does, and refuses one too many.
    pub(super) fn count_level(&mut self, form: Form, start: usize) -> Result<(), YamlError> {
        let limits = &self.flavor.limits;
        let allowed = match form {
            Form::Indentless | Form::Pair => return Ok(()),
            Form::Block { column } => {
                self.block_columns.push(column);
                self.block_columns.len() <= limits.block_nesting
            }
            Form::Bracket => {
                self.flow_depth += 1;
                if self.flavor.brackets == Brackets::Refused {
                    return Err(YamlError::new(
                        YamlErrorKind::Brackets,
                        format!("{} reads no lists or maps in brackets", self.flavor.name),
                        self.text.span(start..start + 1),
                    )
                    .with_hint("write one item per line, or put the text in quotes"));
                }
                true
            }
        };
        if allowed && self.block_columns.len() + self.flow_depth <= limits.nesting {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::LimitExceeded,
            format!(
                "lists and maps are nested more than {} levels deep",
                self.open.len()
            ),
            self.text.span(start..tokens::next_char(self.source, start)),
        ))
    }

    /// Checks that a map starts in the column of the first one among the values of the map around.
    pub(super) fn check_map_column(&mut self, start: usize) -> Result<(), YamlError> {
        let (text, source) = (self.text, self.source);
        let around = self.open.last_mut();
        let Some(around) = around.filter(|open| open.is_map && open.key.is_some()) else {
            return Ok(());
        };
        let first = *around.first_map.get_or_insert(start);
        let is_alike = tokens::column(source, first) == tokens::column(source, start);
        if is_alike || self.flavor.nested_maps == NestedMaps::AnyColumn {
            return Ok(());
        }
        let key = |at: usize| text.span(at..tokens::line_of(source, at).end);
        Err(YamlError::new(
            YamlErrorKind::Indentation,
            "this map is not indented as far as the one above it",
            key(start),
        )
        .with_related(key(first), "the one above")
        .with_hint("indent the maps below all keys alike"))
    }

    /// Finds the place of a block text, and checks its indentation.
    pub(super) fn block_text(
        &mut self,
        range: Range<usize>,
        indent: Option<usize>,
    ) -> Result<Range<usize>, YamlError> {
        let mut tab = None;
        let start = self.between.walk_to_block_text(range.end, &mut tab);
        self.refuse_tab(tab)?;
        let Some(start) = start else {
            return Ok(range);
        };
        let (place, header) = tokens::block_text(self.source, start, range.clone());
        if self.flavor.grammar == Grammar::SnakeYaml {
            snakeyaml::check_block_header(self.text, header)?;
        } else if self.flavor.grammar == Grammar::Libyaml {
            self.refuse_tab(libyaml::block_text_tab(self.source, header, indent))?;
            if indent == Some(0) && self.block_columns.is_empty() {
                return Err(YamlError::new(
                    YamlErrorKind::Indentation,
                    "the lines of a block text have to be indented",
                    self.text
                        .span(range.start..tokens::line_of(self.source, range.start).end),
                )
                .with_hint("indent all lines of the text by two spaces"));
            }
        }
        Ok(place)
    }

    pub(super) fn refuse_tab(&self, tab: Option<usize>) -> Result<(), YamlError> {
        match tab {
            Some(tab) if self.flavor.grammar.is_like_libyaml() => {
                Err(explain::tab_error(self.text, tab))
            }
            _ => Ok(()),
        }
    }
}
