//! From text to graph: syntax, anchors, aliases, tags and limits.
//!
//! The syntax itself is granit-parser's work. This module holds what the readers add to it, and
//! gives every node a tight place.

mod checks;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as EventSpan, StructureStyle,
};

use crate::source::Span;
use crate::text::MappedText;
use crate::value::Style;

use super::between::{Between, Left, TabRule};
use super::characters::{self, Signs};
use super::error::{YamlError, YamlErrorKind, shortened};
use super::explain::{self, LastScalar, Situation};
use super::flavor::{
    Aliases, Anchors, BlockTextEnd, Comments, Documents, Flavor, Grammar, Indentation, Keys,
    SurrogateEscapes, Tabs, Tag, Tags,
};
use super::graph::{Content, Graph, GraphNode, NodeId, Pair, PairOrigin, Use, WrittenTag};
use super::libyaml::Objection;
use super::{continuation, js_quotes, snakeyaml, tokens};

/// Why a text cannot be composed.
pub(super) enum Failure {
    /// The text is wrong.
    Error(YamlError),
    /// The parser refuses something that the flavor's grammar allows.
    TooStrict(Objection, YamlError),
}

impl From<YamlError> for Failure {
    fn from(error: YamlError) -> Self {
        Failure::Error(error)
    }
}

/// Composes the document of a text; `None` if there is no document.
///
/// `parsed` is what the parser gets: the text itself, or the same with other white space.
pub(super) fn compose<'t>(
    text: &'t MappedText<'_>,
    parsed: &'t str,
    flavor: &Flavor,
    signs: Signs,
) -> Result<Option<(Graph<'t>, Use)>, Failure> {
    let mut composer = Composer {
        text,
        source: text.as_str(),
        flavor,
        signs,
        graph: Graph::default(),
        open: Vec::new(),
        block_columns: Vec::new(),
        flow_depth: 0,
        anchors: HashMap::new(),
        anchor_ids: HashMap::new(),
        last_node: None,
        roots: Vec::new(),
        documents: 0,
        is_done: false,
        between: Between::new(text.as_str(), tab_rule(flavor)),
        last_scalar: None,
    };
    for event in Parser::new_from_str_with_options(parsed, options(flavor)) {
        if composer.is_done {
            break;
        }
        match event {
            Ok((event, span)) => composer.take(event, span)?,
            Err(error) => return Err(composer.failure(&error)),
        }
    }
    let root = composer.whole();
    Ok(root.map(|root| (composer.graph, root)))
}

fn options(flavor: &Flavor) -> granit_parser::Options {
    granit_parser::options! {
        strict_indentation: flavor.indentation == Indentation::Strict,
        bom_inside_document_as_content: true,
        block_scalar_eof_without_line_feed: flavor.block_text_end == BlockTextEnd::AsWritten,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        simple_key_max_lookahead: flavor.limits.simple_key,
        // The composer counts itself, with one limit for blocks and another for all. The parser
        // keeps its state in vectors, so its own limit only has to be out of the way.
        flow_nesting_limit: usize::MAX,
        block_nesting_limit: usize::MAX,
    }
}

fn tab_rule(flavor: &Flavor) -> TabRule {
    match flavor.grammar {
        Grammar::SnakeYaml => TabRule::Everywhere,
        Grammar::Specification | Grammar::JsYaml3 | Grammar::Libyaml => TabRule::Indentation,
    }
}

struct Composer<'t, 'm, 'f> {
    text: &'t MappedText<'m>,
    source: &'t str,
    flavor: &'f Flavor,
    signs: Signs,
    graph: Graph<'t>,
    open: Vec<Open>,
    /// The column of each open block list and map that is a level of nesting.
    block_columns: Vec<usize>,
    flow_depth: usize,
    /// The place of each anchor so far.
    anchors: HashMap<Cow<'t, str>, Span>,
    /// The node of each of the parser's anchor numbers.
    anchor_ids: HashMap<usize, NodeId>,
    last_node: Option<NodeId>,
    /// The root of each document.
    roots: Vec<Use>,
    documents: usize,
    /// Whether nothing more is read.
    is_done: bool,
    between: Between<'t>,
    last_scalar: Option<LastScalar>,
}

/// A list or map whose end is not reached.
struct Open {
    node: NodeId,
    /// Offset of its first character.
    start: usize,
    /// One past its last item so far.
    end: usize,
    form: Form,
    /// A key that waits for its value.
    key: Option<Use>,
    is_map: bool,
    /// Where the first map among its values starts.
    first_map: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Counts as a level of block nesting, and stands in this column.
    Block { column: usize },
    /// A list whose dashes stand in the column of the map around it: no level of its own.
    Indentless,
    /// Starts with a bracket.
    Bracket,
    /// The single pair of `[key: value]`: no level of its own.
    Pair,
}

impl<'t> Composer<'t, '_, '_> {
    /// Returns the only document, or the list of all documents.
    fn whole(&mut self) -> Option<Use> {
        if self.roots.len() < 2 {
            return self.roots.pop();
        }
        let list = Content::List(std::mem::take(&mut self.roots));
        let place = 0..self.source.len();
        let node = self.add_node(list, Tag::List, None, Style::Block, &place, 0);
        Some(Use {
            node,
            span: self.text.span(place),
        })
    }

    fn take(&mut self, event: Event<'t>, at: EventSpan) -> Result<(), YamlError> {
        let range = at.byte_range().unwrap_or(0..0);
        match event {
            Event::DocumentStart(_, _) => self.start_document(range),
            Event::DocumentEnd => self.end_document(&range),
            Event::Scalar(text, style, anchor, tag) => {
                let tag = self.explicit_tag(tag.as_deref(), &at)?;
                self.scalar(text, style, anchor, tag, &at)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let tag = self.explicit_tag(tag.as_deref(), &at)?;
                self.start_collection(Content::List(Vec::new()), style, anchor, tag, &at)
            }
            Event::MappingStart(style, anchor, tag) => {
                let tag = self.explicit_tag(tag.as_deref(), &at)?;
                self.start_collection(Content::Map(Vec::new()), style, anchor, tag, &at)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end_collection(range),
            Event::Anchor(_, name) => self.name_anchor(name, range),
            Event::StreamEnd => self.walk(self.source.len()),
            Event::Alias(id) => self.alias(self.anchor_ids.get(&id).copied(), range),
            Event::UnresolvedAlias(_) => self.alias(None, range),
            _ => Ok(()),
        }
    }

    /// Stops at the end of the document where the reader does, if the end is written.
    fn end_document(&mut self, range: &Range<usize>) -> Result<(), YamlError> {
        let rest = self.source.get(range.start..).unwrap_or("");
        if self.flavor.documents == Documents::FirstOnly && rest.starts_with("...") {
            self.is_done = true;
            self.walk(range.start)?;
        }
        Ok(())
    }

    fn start_document(&mut self, range: Range<usize>) -> Result<(), YamlError> {
        self.documents += 1;
        if self.documents == 1 || self.flavor.documents == Documents::Listed {
            return Ok(());
        }
        if self.flavor.documents == Documents::FirstOnly {
            self.is_done = true;
            return Ok(());
        }
        Err(self.second_document(range.start))
    }

    /// A document behind the first one, which starts at an offset.
    fn second_document(&self, start: usize) -> YamlError {
        let before = self.source.get(..start).unwrap_or_default().trim_end();
        let above = tokens::line_of(self.source, before.len());
        let dots = self.source.get(above.clone()).unwrap_or_default();
        let is_new = |message: &str, place: Range<usize>| {
            YamlError::new(
                YamlErrorKind::SecondDocument,
                message,
                self.text.span(place),
            )
        };
        if dots.trim_end() == "..." {
            let place = above.start..above.start + "...".len();
            return is_new("these dots end the header, and more of it follows", place).with_hint(
                "remove them, or write three dashes in their place if the header ends here",
            );
        }
        is_new(
            "a second document starts here, but a header is one document",
            tokens::line_of(self.source, start),
        )
        .with_hint(
            "leave nothing but three dashes on the line if the header ends here, or indent it if it \
             belongs to the text above",
        )
    }

    fn scalar(
        &mut self,
        text: Cow<'t, str>,
        style: ScalarStyle,
        anchor: usize,
        explicit: Option<(Tag, WrittenTag)>,
        at: &EventSpan,
    ) -> Result<(), YamlError> {
        let range = at.byte_range().unwrap_or(0..0);
        let text = self.signs.restored(text);
        let style = match style {
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
            _ => Style::Plain,
        };
        if style == Style::Plain && range.is_empty() {
            return self.missing_node(anchor, explicit, range.start);
        }
        let place = match style {
            Style::Literal | Style::Folded => self.block_text(range, at.indent)?,
            _ => {
                self.walk(range.start)?;
                range
            }
        };
        match style {
            Style::DoubleQuoted if self.flavor.surrogate_escapes == SurrogateEscapes::Refused => {
                characters::check_surrogate_escapes(self.text, place.clone())?;
            }
            Style::Plain => self.check_plain(place.clone())?,
            _ => {}
        }
        let is_quoted = matches!(style, Style::SingleQuoted | Style::DoubleQuoted);
        let text = match self.flavor.grammar {
            Grammar::JsYaml3 if is_quoted => {
                js_quotes::text_with_blanks(&self.source[place.clone()]).map_or(text, Cow::Owned)
            }
            _ => text,
        };
        if is_quoted {
            self.check_continuation(place.clone(), continuation::stray_line)?;
        }
        self.check_bracket_key(place.clone())?;
        let tag = match &explicit {
            _ if self.awaits_text_key() => Tag::Text,
            // libyaml resolves a scalar with the tag `!` as if it were plain, quotes or not.
            Some((_, written))
                if is_non_specific(written) && self.flavor.grammar == Grammar::Libyaml =>
            {
                (self.flavor.resolve)(&text)
            }
            Some((_, written)) if is_non_specific(written) => Tag::Text,
            Some((tag, _)) => *tag,
            None if style == Style::Plain => (self.flavor.resolve)(&text),
            None => Tag::Text,
        };
        self.last_scalar = Some(LastScalar {
            start: place.start,
            end: place.end,
            style,
            is_value: self.awaits_value(),
        });
        let left = match style {
            Style::Plain => Left::Plain {
                column: self.continuation_column(),
            },
            Style::Literal | Style::Folded => Left::Line,
            _ => Left::Other,
        };
        // Blanks behind the last letter of a block text belong to it.
        let end = match left {
            Left::Line => tokens::line_of(self.source, place.end).end,
            _ => place.end,
        };
        self.between.value(end, left);
        let written_tag = explicit.map(|(_, written)| Box::new(written));
        let node = self.add_node(
            Content::Scalar(text),
            tag,
            written_tag,
            style,
            &place,
            anchor,
        );
        self.attach(node, place);
        Ok(())
    }

    /// Adds a node that is not written, such as the value of `key:`.
    fn missing_node(
        &mut self,
        anchor: usize,
        explicit: Option<(Tag, WrittenTag)>,
        at: usize,
    ) -> Result<(), YamlError> {
        self.walk(at)?;
        let mut after_sign = self.between.after_sign();
        // The parser gives the end of the key as the place of a missing value.
        if self.awaits_value()
            && let Some(colon) = tokens::colon_after(self.source, after_sign)
        {
            after_sign = colon + 1;
        }
        let place = after_sign..after_sign;
        let is_bare = anchor == 0 && explicit.is_none();
        if self.awaits_key()
            && is_bare
            && !self.between.take_question()
            && self.flavor.grammar.needs_key(self.flow_depth > 0)
        {
            return Err(YamlError::new(
                YamlErrorKind::Key,
                "a key is missing before this colon",
                self.text.span(at..tokens::next_char(self.source, at)),
            )
            .with_hint("write the key, or put the text in quotes"));
        }
        let tag = match &explicit {
            _ if self.awaits_text_key() => Tag::Text,
            Some((_, written)) if is_non_specific(written) => match self.flavor.grammar {
                Grammar::SnakeYaml => (self.flavor.resolve)(""),
                _ => Tag::Text,
            },
            Some((tag, _)) => *tag,
            None => (self.flavor.resolve)(""),
        };
        let text = Content::Scalar(Cow::Borrowed(""));
        let written_tag = explicit.map(|(_, written)| Box::new(written));
        let node = self.add_node(text, tag, written_tag, Style::Plain, &place, anchor);
        self.attach(node, place);
        Ok(())
    }

    /// Returns whether the next node is a key.
    fn awaits_key(&self) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| open.is_map && open.key.is_none())
    }

    /// Returns whether the next node is a key that is taken as it is written.
    fn awaits_text_key(&self) -> bool {
        matches!(self.flavor.keys, Keys::AsWritten) && self.awaits_key()
    }

    /// Returns whether the next node is the value of a key.
    fn awaits_value(&self) -> bool {
        self.open.last().is_some_and(|open| open.key.is_some())
    }

    /// Walks over the text before the next node.
    fn walk(&mut self, to: usize) -> Result<(), YamlError> {
        let tab = self.between.walk(to, self.flow_depth > 0);
        self.refuse_tab(tab)
    }

    /// Returns the column that a continuation of a plain scalar needs.
    fn continuation_column(&self) -> usize {
        self.block_columns.last().map_or(0, |column| column + 1)
    }

    fn start_collection(
        &mut self,
        content: Content<'t>,
        style: StructureStyle,
        anchor: usize,
        explicit: Option<(Tag, WrittenTag)>,
        at: &EventSpan,
    ) -> Result<(), YamlError> {
        let range = at.byte_range().unwrap_or(0..0);
        let is_map = matches!(content, Content::Map(_));
        let mut start = range.start;
        let form = match style {
            StructureStyle::Flow => {
                self.walk(start)?;
                if tokens::is_opening_bracket(self.source, start) {
                    Form::Bracket
                } else {
                    Form::Pair
                }
            }
            StructureStyle::Block => {
                let mut column = at.start.col();
                let map_column = match self.open.last() {
                    Some(Open {
                        form: Form::Block { column },
                        is_map: true,
                        ..
                    }) if !is_map => Some(*column),
                    _ => None,
                };
                if map_column.is_some() {
                    // The parser gives the place of the first item for a list whose dashes stand
                    // in the column of the map.
                    self.walk(start)?;
                    if let Some(dash) = self.between.first_dash() {
                        start = dash;
                        column = tokens::column(self.source, dash);
                    }
                }
                if map_column == Some(column) {
                    Form::Indentless
                } else {
                    Form::Block { column }
                }
            }
        };
        self.count_level(form, start)?;
        if is_map && matches!(form, Form::Block { .. }) {
            self.check_map_column(start)?;
        }
        let tag = match &explicit {
            Some((tag, written))
                if !is_non_specific(written) && self.flavor.tags != Tags::OfScalars =>
            {
                *tag
            }
            _ if is_map => Tag::Map,
            _ => Tag::List,
        };
        let node_style = if matches!(form, Form::Bracket | Form::Pair) {
            Style::Flow
        } else {
            Style::Block
        };
        if form == Form::Bracket {
            self.between.value(start + 1, Left::Other);
        }
        let written_tag = explicit.map(|(_, written)| Box::new(written));
        let node = self.add_node(
            content,
            tag,
            written_tag,
            node_style,
            &(start..start),
            anchor,
        );
        self.open.push(Open {
            node,
            start,
            end: start,
            form,
            key: None,
            is_map,
            first_map: None,
        });
        Ok(())
    }

    /// Refuses a line of a value in brackets or quotes that stands too far left.
    fn check_continuation(
        &self,
        place: Range<usize>,
        stray_line: fn(&str, Range<usize>, usize) -> Option<usize>,
    ) -> Result<(), YamlError> {
        let Some(column) = self.block_columns.last() else {
            return Ok(());
        };
        if self.flavor.indentation != Indentation::StrictButForClosing {
            return Ok(());
        }
        match stray_line(self.source, place.clone(), *column) {
            None => Ok(()),
            Some(at) => Err(YamlError::new(
                YamlErrorKind::Indentation,
                "this line belongs to the value above, but is not indented further than its key",
                self.text.span(at..tokens::line_of(self.source, at).end),
            )
            .with_related(
                self.text
                    .span(place.start..tokens::next_char(self.source, place.start)),
                "the value begins here",
            )
            .with_hint("indent the line by two more spaces")),
        }
    }

    fn end_collection(&mut self, range: Range<usize>) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let end = match open.form {
            Form::Bracket => {
                self.walk(range.start)?;
                self.flow_depth -= 1;
                if self.flow_depth == 0 {
                    let place = open.start..range.end;
                    self.check_continuation(place, continuation::stray_line_in_brackets)?;
                }
                self.between.value(range.end, Left::Other);
                // The end of a document in brackets needs no look at what follows.
                let first_only = self.flavor.documents == Documents::FirstOnly;
                self.is_done = first_only && self.open.is_empty();
                range.end
            }
            Form::Block { .. } => {
                self.block_columns.pop();
                open.end
            }
            Form::Indentless | Form::Pair => open.end,
        };
        let place = open.start..end.max(open.start);
        self.graph.node_mut(open.node).span = self.text.span(place.clone());
        self.attach(open.node, place);
        Ok(())
    }

    fn add_node(
        &mut self,
        content: Content<'t>,
        tag: Tag,
        written_tag: Option<Box<WrittenTag>>,
        style: Style,
        place: &Range<usize>,
        anchor: usize,
    ) -> NodeId {
        let node = self.graph.add(GraphNode {
            content,
            tag,
            written_tag,
            style,
            span: self.text.span(place.clone()),
            anchor: None,
        });
        if anchor != 0 {
            self.anchor_ids.insert(anchor, node);
        }
        self.last_node = Some(node);
        node
    }

    /// Puts a complete node into the list or map around it.
    fn attach(&mut self, node: NodeId, place: Range<usize>) {
        let used = Use {
            node,
            span: self.text.span(place.clone()),
        };
        let Some(open) = self.open.last_mut() else {
            self.roots.push(used);
            return;
        };
        open.end = open.end.max(place.end);
        match &mut self.graph.node_mut(open.node).content {
            Content::List(items) => items.push(used),
            Content::Map(pairs) => match open.key.take() {
                None => open.key = Some(used),
                Some(key) => pairs.push(Pair {
                    key,
                    value: used,
                    origin: PairOrigin::Written,
                }),
            },
            Content::Scalar(_) => {}
        }
    }

    /// Takes the name of the anchor of the node that was added last.
    fn name_anchor(&mut self, name: Cow<'t, str>, range: Range<usize>) -> Result<(), YamlError> {
        let Some(node) = self.last_node else {
            return Ok(());
        };
        let span = self.text.span(range.clone());
        let rest = self.source.get(range.end..).unwrap_or("");
        self.check_anchor_name(&name, rest, span)?;
        if self.flavor.anchors == Anchors::Refused {
            return Err(YamlError::new(
                YamlErrorKind::Anchor,
                format!(
                    "{} reads no anchors, but a value starts with `&`",
                    self.flavor.name
                ),
                span,
            )
            .with_hint("put the value in quotes if the `&` belongs to it"));
        }
        self.graph.node_mut(node).anchor = Some(name.as_ref().into());
        let message = format!("the anchor `{}` is given twice", shortened(&name));
        match self.anchors.insert(name, span) {
            Some(first) if self.flavor.anchors == Anchors::Unique => {
                Err(YamlError::new(YamlErrorKind::Anchor, message, span)
                    .with_related(first, "the first one")
                    .with_hint("give one of the two another name"))
            }
            _ => Ok(()),
        }
    }

    fn alias(&mut self, target: Option<NodeId>, range: Range<usize>) -> Result<(), YamlError> {
        self.walk(range.start)?;
        self.between.value(range.end, Left::Other);
        let name = self.source.get(range.start + 1..range.end).unwrap_or("");
        let short = shortened(name);
        let is_key = name.ends_with(':');
        let fault = match (self.flavor.aliases, target) {
            (Aliases::Shared, Some(node)) => {
                self.attach(node, range);
                return Ok(());
            }
            (Aliases::Name, _) if self.awaits_text_key() => {
                let fault = format!("{} takes no alias for a key", self.flavor.name);
                return Err(
                    YamlError::new(YamlErrorKind::Key, fault, self.text.span(range))
                        .with_hint("write the key itself"),
                );
            }
            (Aliases::Name, _)
                if self.flavor.grammar == Grammar::SnakeYaml
                    && !snakeyaml::is_anchor_name(name) =>
            {
                format!("`*{short}` refers to an anchor, and no name has `:`, `/`, `.`, `*` or `&`")
            }
            (Aliases::Name, _) => {
                let text = Content::Scalar(Cow::Borrowed(name));
                let node = self.add_node(text, Tag::Text, None, Style::Plain, &range, 0);
                self.attach(node, range);
                return Ok(());
            }
            (Aliases::Shared, None) => {
                format!("`*{short}` refers to an anchor `&{short}`, and there is none before it")
            }
            (Aliases::Refused, _) => {
                format!(
                    "{} reads no aliases, but a value starts with `*`",
                    self.flavor.name
                )
            }
        };
        let starts_line = tokens::column(self.source, range.start) == 0;
        let fault = match is_key && !starts_line {
            true => "a key cannot begin with `*` without quotes".to_owned(),
            false => fault,
        };
        Err(
            YamlError::new(YamlErrorKind::Alias, fault, self.text.span(range)).with_hint(
                match (starts_line, is_key) {
                    (true, _) => {
                        "write `---` above this line if the header ends there; else put the text \
                         in quotes"
                    }
                    (false, true) => "put the key in quotes if the `*` belongs to it",
                    (false, false) => "put the value in quotes if the `*` belongs to it",
                },
            ),
        )
    }

    /// Returns the type that an explicit tag names, by the flavor's rules.
    fn explicit_tag(
        &self,
        tag: Option<&granit_parser::Tag>,
        at: &EventSpan,
    ) -> Result<Option<(Tag, WrittenTag)>, YamlError> {
        let (Some(tag), false) = (tag, self.flavor.tags == Tags::Ignored) else {
            return Ok(None);
        };
        let range = at
            .tag_span()
            .and_then(|span| span.byte_range())
            .unwrap_or(0..0);
        let written = WrittenTag {
            text: self.source.get(range.clone()).unwrap_or("!").into(),
            span: self.text.span(range.clone()),
        };
        if self.flavor.tags == Tags::Refused {
            return Err(YamlError::new(
                YamlErrorKind::Tag,
                format!(
                    "{} reads no tags, but a value starts with `!`",
                    self.flavor.name
                ),
                written.span,
            )
            .with_hint("put the value in quotes if the `!` belongs to it"));
        }
        let rest = self.source.get(range.end..).unwrap_or("");
        if self.flavor.grammar.is_like_libyaml() && rest.starts_with(['[', ']', '{', '}']) {
            return Err(YamlError::new(
                YamlErrorKind::Tag,
                "a space is missing behind this tag",
                written.span,
            )
            .with_hint("put the value in quotes if the `!` belongs to it"));
        }
        let uri = format!("{}{}", tag.handle(), tag.suffix());
        let known = Tag::from_uri(&uri);
        match (self.flavor.tags, known) {
            (Tags::KnownOnly, Tag::Unknown) if !is_non_specific(&written) => Ok(None),
            (Tags::OfScalars, known) if known.is_collection() => Ok(Some((Tag::Text, written))),
            _ => Ok(Some((known, written))),
        }
    }

    fn failure(&self, error: &ScanError) -> Failure {
        let situation = Situation {
            text: self.text,
            flavor: self.flavor,
            scalar: self.last_scalar,
            bracket: self.open_bracket(),
            content_end: self.between.value_end(),
        };
        let explained = explain::syntax_error(error, &situation);
        let at = error.marker().byte_offset().unwrap_or(0);
        match error.kind() {
            ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
                if self.flavor.tabs == Tabs::Indent =>
            {
                Failure::TooStrict(Objection::IndentingTab(at), explained)
            }
            ErrorKind::CommentNotSeparated if self.flavor.comments == Comments::BehindValues => {
                Failure::TooStrict(Objection::CommentWithoutSpace(at), explained)
            }
            ErrorKind::TabInBlockIndentation
                if self.flow_depth > 0 && self.flavor.grammar.is_like_libyaml() =>
            {
                Failure::TooStrict(Objection::TabInBrackets(at), explained)
            }
            _ => Failure::Error(explained),
        }
    }

    fn open_bracket(&self) -> Option<usize> {
        self.open
            .iter()
            .rev()
            .find(|open| open.form == Form::Bracket)
            .map(|open| open.start)
    }
}

/// Returns whether a tag is `!`, which asks for the type that the node would have without it.
fn is_non_specific(tag: &WrittenTag) -> bool {
    matches!(&*tag.text, "!" | "!<!>")
}
