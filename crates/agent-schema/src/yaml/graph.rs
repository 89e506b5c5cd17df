//! A document as a graph: nodes by number, so that aliases can point anywhere.
//!
//! The graph is what the harnesses' readers call the composed document. Types are chosen, but no
//! value is made yet, and `<<` is still a key.

use std::borrow::Cow;

use crate::source::Span;
use crate::value::Style;

use super::flavor::Tag;

/// The nodes of one document.
#[derive(Debug, Default)]
pub(super) struct Graph<'t> {
    nodes: Vec<GraphNode<'t>>,
}

/// The number of a node in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

/// A place where a node is used: where it is written, or an alias.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// The node.
    pub(super) node: NodeId,
    /// The bytes of the file that use it.
    pub(super) span: Span,
}

/// A key and a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) key: Use,
    pub(super) value: Use,
    /// How the pair came into its map.
    pub(super) origin: PairOrigin,
}

/// How a pair came into its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairOrigin {
    /// It is written there.
    Written,
    /// `<<` brought it in.
    Merged,
    /// It is a `<<` that has done its work.
    Spent,
}

/// One node.
#[derive(Debug)]
pub(super) struct GraphNode<'t> {
    pub(super) content: Content<'t>,
    pub(super) tag: Tag,
    /// The tag as written, if there is one.
    pub(super) written_tag: Option<Box<WrittenTag>>,
    pub(super) style: Style,
    pub(super) span: Span,
    pub(super) anchor: Option<Box<str>>,
}

/// An explicit tag.
#[derive(Debug, Clone)]
pub(super) struct WrittenTag {
    /// The tag as the author wrote it (`!!int`).
    pub(super) text: Box<str>,
    pub(super) span: Span,
}

/// What a node holds.
#[derive(Debug)]
pub(super) enum Content<'t> {
    Scalar(Cow<'t, str>),
    List(Vec<Use>),
    Map(Vec<Pair>),
}

impl Content<'_> {
    /// Returns the word for the content in messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Content::Scalar(_) => "a single value",
            Content::List(_) => "a list",
            Content::Map(_) => "a map",
        }
    }
}

impl<'t> Graph<'t> {
    /// Adds a node.
    pub(super) fn add(&mut self, node: GraphNode<'t>) -> NodeId {
        // Every node takes at least one byte of a file that has at most 4 GiB; an empty value
        // takes the byte of the sign before it.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    pub(super) fn node(&self, id: NodeId) -> &GraphNode<'t> {
        &self.nodes[id.index()]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut GraphNode<'t> {
        &mut self.nodes[id.index()]
    }

    /// Returns the pairs of a map; none for any other node.
    pub(super) fn pairs(&self, id: NodeId) -> &[Pair] {
        match &self.node(id).content {
            Content::Map(pairs) => pairs,
            _ => &[],
        }
    }

    /// Returns the items of a list; none for any other node.
    pub(super) fn items(&self, id: NodeId) -> &[Use] {
        match &self.node(id).content {
            Content::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
