//! From graph to values: types are checked, maps merged, and every node becomes a [`Node`].
//!
//! Two passes. The first one visits what the root reaches, makes the scalars and flattens the
//! maps; it is in PyYAML's order, so it meets the same mistake first. The second one builds the
//! tree from the leaves up. Neither recurses, whatever the text nests.

use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::value::{Entry, Mapping, Node, Style, Value};

use super::error::{YamlError, YamlErrorKind, shortened};
use super::flavor::{DuplicateKeys, Flavor, Grammar, Keys, Tag, Tags};
use super::graph::{Content, Graph, GraphNode, NodeId, Pair, PairOrigin, Use};
use super::merge::Merger;

/// Makes the value of a document.
pub(super) fn construct(
    graph: Graph<'_>,
    root: Use,
    flavor: &Flavor,
) -> Result<Option<Node>, YamlError> {
    let mut visitor = Visitor {
        seen: (0..graph.len()).map(|_| Seen::default()).collect(),
        graph,
        flavor,
        waiting: VecDeque::new(),
        merger: Merger::new(flavor),
    };
    visitor.visit_all(root)?;
    let assembler = Assembler {
        graph: &visitor.graph,
        flavor,
        seen: visitor.seen,
        shared: HashMap::new(),
        open: Vec::new(),
    };
    assembler.assemble(root)
}

/// What the first pass knows of a node.
#[derive(Default)]
struct Seen {
    /// How many places use the node.
    uses: u32,
    /// The value of a scalar, until the second pass takes it.
    value: Option<Value>,
    /// Whether the second pass is inside the node.
    is_open: bool,
}

struct Visitor<'t, 'f> {
    graph: Graph<'t>,
    flavor: &'f Flavor,
    seen: Vec<Seen>,
    /// Lists and maps whose contents are not visited yet.
    waiting: VecDeque<NodeId>,
    merger: Merger<'f>,
}

impl Visitor<'_, '_> {
    fn visit_all(&mut self, root: Use) -> Result<(), YamlError> {
        self.visit(root)?;
        while let Some(node) = self.waiting.pop_front() {
            self.visit_contents(node)?;
        }
        Ok(())
    }

    fn visit(&mut self, used: Use) -> Result<(), YamlError> {
        let seen = &mut self.seen[used.node.index()];
        seen.uses += 1;
        if seen.uses > 1 {
            return Ok(());
        }
        if self.graph.node(used.node).tag.is_collection() {
            self.waiting.push_back(used.node);
        } else {
            let value = self.scalar(used.node)?;
            self.seen[used.node.index()].value = Some(value);
        }
        Ok(())
    }

    fn scalar(&self, id: NodeId) -> Result<Value, YamlError> {
        let node = self.graph.node(id);
        let has_none = match node.tag {
            Tag::Unknown | Tag::Default => true,
            // Elsewhere `<<` that is no key is a text.
            Tag::Merge => self.flavor.grammar == Grammar::Libyaml,
            _ => false,
        };
        if has_none && self.flavor.tags == Tags::Constructed {
            return Err(self.no_constructor(node));
        }
        let text = self
            .scalar_text(id)
            .ok_or_else(|| self.wrong_content(node, "a single value"))?;
        (self.flavor.construct)(node.tag, text).map_err(|fault| {
            let mut error = YamlError::new(
                YamlErrorKind::Value,
                format!("`{}` {}", shortened(text), fault.what),
                node.span,
            );
            if let Some(written) = &node.written_tag {
                error = error.with_related(written.span, "the tag that asks for the type");
            }
            match fault.hint {
                Some(hint) => error.with_hint(hint),
                None => error,
            }
        })
    }

    /// Returns the text of a scalar. PyYAML takes a map with a plain `=` key for the scalar that
    /// stands there.
    fn scalar_text(&self, id: NodeId) -> Option<&str> {
        let mut id = id;
        // An alias can make such maps endless; each step uses another node otherwise.
        for _ in 0..self.graph.len() {
            match &self.graph.node(id).content {
                Content::Scalar(text) => return Some(text),
                Content::Map(pairs) => {
                    let pair = pairs
                        .iter()
                        .find(|pair| self.graph.node(pair.key.node).tag == Tag::Default)?;
                    id = pair.value.node;
                }
                Content::List(_) => return None,
            }
        }
        None
    }

    fn visit_contents(&mut self, id: NodeId) -> Result<(), YamlError> {
        let node = self.graph.node(id);
        match (node.tag, &node.content) {
            (Tag::List, Content::List(_)) => {
                let mut index = 0;
                while let Some(item) = self.graph.items(id).get(index).copied() {
                    self.visit(item)?;
                    index += 1;
                }
                Ok(())
            }
            (Tag::Map | Tag::Set, Content::Map(_)) => {
                self.merger.flatten(&mut self.graph, id)?;
                let mut index = 0;
                while let Some(pair) = self.graph.pairs(id).get(index).copied() {
                    self.visit_key(pair.key)?;
                    self.visit(pair.value)?;
                    index += 1;
                }
                Ok(())
            }
            (Tag::OrderedMap | Tag::Pairs, Content::List(_)) => {
                let mut index = 0;
                while let Some(item) = self.graph.items(id).get(index).copied() {
                    let pair = single_pair(&self.graph, item)?;
                    self.visit(pair.key)?;
                    self.visit(pair.value)?;
                    index += 1;
                }
                Ok(())
            }
            (Tag::Map | Tag::Set, _) => Err(self.wrong_content(node, "a map")),
            _ => Err(self.wrong_content(node, "a list")),
        }
    }

    fn visit_key(&mut self, key: Use) -> Result<(), YamlError> {
        self.visit(key)?;
        let value = self.seen[key.node.index()].value.as_ref();
        if value.is_some_and(|value| (self.flavor.key_identity)(value).is_some()) {
            return Ok(());
        }
        let kind = self.graph.node(key.node).content.kind();
        Err(YamlError::new(
            YamlErrorKind::Key,
            format!("{kind} cannot be a key"),
            key.span,
        )
        .with_hint("put the key in quotes, above all if it starts with a bracket"))
    }

    fn no_constructor(&self, node: &GraphNode<'_>) -> YamlError {
        if let Some(written) = &node.written_tag {
            return YamlError::new(
                YamlErrorKind::Tag,
                format!(
                    "{} does not know the tag `{}`",
                    self.flavor.name,
                    shortened(&written.text)
                ),
                written.span,
            )
            .with_hint("remove the tag, or put the value in quotes if the `!` belongs to it");
        }
        let text = match &node.content {
            Content::Scalar(text) => text,
            _ => "",
        };
        YamlError::new(
            YamlErrorKind::Value,
            format!("`{text}` has a special meaning in YAML 1.1 and cannot be a value"),
            node.span,
        )
        .with_hint("put it in quotes")
    }

    fn wrong_content(&self, node: &GraphNode<'_>, wanted: &str) -> YamlError {
        let (tag, span) = match &node.written_tag {
            Some(written) => (&*written.text, written.span),
            None => ("", node.span),
        };
        YamlError::new(
            YamlErrorKind::Value,
            format!(
                "`{tag}` asks for {wanted}, but this is {}",
                node.content.kind()
            ),
            node.span,
        )
        .with_related(span, "the tag")
        .with_hint("remove the tag")
    }
}

/// Returns the only pair of an item of `!!omap` and `!!pairs`.
fn single_pair(graph: &Graph<'_>, item: Use) -> Result<Pair, YamlError> {
    let node = graph.node(item.node);
    let found = match &node.content {
        Content::Map(pairs) => match pairs.as_slice() {
            [pair] => return Ok(*pair),
            pairs => format!("a map of {}", pairs.len()),
        },
        other => other.kind().to_owned(),
    };
    Err(YamlError::new(
        YamlErrorKind::Value,
        format!("each item here has to be a map with one entry, but this is {found}"),
        item.span,
    ))
}

struct Assembler<'g, 't> {
    graph: &'g Graph<'t>,
    flavor: &'g Flavor,
    seen: Vec<Seen>,
    /// Complete nodes that are used more than once, with their height.
    shared: HashMap<NodeId, (Arc<Node>, usize)>,
    /// The lists and maps around the current place, outermost first.
    open: Vec<Open>,
}

/// A list or map whose contents are being built.
struct Open {
    used: Use,
    /// How many contents are done; of a map, keys and values count one each.
    done: usize,
    contents: Vec<Node>,
    /// Levels below this one.
    height: usize,
}

impl Assembler<'_, '_> {
    fn assemble(mut self, root: Use) -> Result<Option<Node>, YamlError> {
        let mut complete = self.start(root)?;
        while let Some(mut open) = self.open.pop() {
            if let Some((node, height)) = complete.take() {
                open.contents.push(node);
                open.height = open.height.max(height + 1);
            }
            match self.content(open.used.node, open.done) {
                Some(next) => {
                    open.done += 1;
                    self.open.push(open);
                    complete = self.start(next)?;
                }
                None => complete = Some(self.finish(open)?),
            }
        }
        Ok(complete.map(|(node, _)| node))
    }

    /// Returns the use number `index` inside a list or map.
    fn content(&self, id: NodeId, index: usize) -> Option<Use> {
        let node = self.graph.node(id);
        let pair_part = |pair: &Pair| {
            if index.is_multiple_of(2) {
                pair.key
            } else {
                pair.value
            }
        };
        match node.tag {
            Tag::List => self.graph.items(id).get(index).copied(),
            Tag::Set => self.graph.pairs(id).get(index).map(|pair| pair.key),
            Tag::OrderedMap | Tag::Pairs => {
                let item = self.graph.items(id).get(index / 2)?;
                self.graph.pairs(item.node).first().map(pair_part)
            }
            _ => self.graph.pairs(id).get(index / 2).map(pair_part),
        }
    }

    /// Starts a use; returns the node and its height if it is complete at once.
    fn start(&mut self, used: Use) -> Result<Option<(Node, usize)>, YamlError> {
        if let Some((target, height)) = self.shared.get(&used.node) {
            let value = Value::Shared(Arc::clone(target));
            return Ok(Some((self.reference(used, value), *height)));
        }
        if let Some(value) = self.seen[used.node.index()].value.take() {
            let graph_node = self.graph.node(used.node);
            let node = Node::new(value, graph_node.span, graph_node.style);
            return Ok(Some((self.share(used, node, 0), 0)));
        }
        if self.seen[used.node.index()].is_open {
            let value = Value::Recursive(self.anchor_of(used.node).into());
            return Ok(Some((self.reference(used, value), 0)));
        }
        self.check_depth(self.open.len() + 1, used)?;
        self.seen[used.node.index()].is_open = true;
        self.open.push(Open {
            used,
            done: 0,
            contents: Vec::new(),
            height: 0,
        });
        Ok(None)
    }

    /// Completes a list or map whose contents are built.
    fn finish(&mut self, open: Open) -> Result<(Node, usize), YamlError> {
        self.check_depth(self.open.len() + 1 + open.height, open.used)?;
        self.seen[open.used.node.index()].is_open = false;
        let graph_node = self.graph.node(open.used.node);
        let value = match graph_node.tag {
            Tag::List => Value::List(open.contents),
            Tag::Set => Value::Set(self.set(open.contents)),
            Tag::OrderedMap | Tag::Pairs => Value::Pairs(pairs(open.contents)),
            _ => Value::Map(self.mapping(open.used.node, open.contents)?),
        };
        let node = Node::new(value, graph_node.span, graph_node.style);
        Ok((self.share(open.used, node, open.height), open.height))
    }

    /// Makes a node that is used in several places a shared one; so too a node whose only use is
    /// an alias, because the two stand in different places.
    fn share(&mut self, used: Use, node: Node, height: usize) -> Node {
        if self.seen[used.node.index()].uses < 2 && used.span == node.span {
            return node;
        }
        let target = Arc::new(node);
        self.shared.insert(used.node, (Arc::clone(&target), height));
        self.reference(used, Value::Shared(target))
    }

    /// Makes the node for one of several uses of a value.
    fn reference(&self, used: Use, value: Value) -> Node {
        let target = self.graph.node(used.node);
        // An alias has no quotes, whatever the value looks like in its own place.
        let style = if used.span == target.span {
            target.style
        } else {
            Style::Plain
        };
        Node::new(value, used.span, style)
    }

    fn mapping(&self, id: NodeId, contents: Vec<Node>) -> Result<Mapping, YamlError> {
        let mut mapping = Mapping::default();
        // The place of each key's entry, and how that entry came there.
        let mut places: HashMap<String, (usize, PairOrigin)> = HashMap::new();
        for ((key, value), pair) in pairs(contents).into_iter().zip(self.graph.pairs(id)) {
            // The first pass refused keys without an identity.
            let identity = (self.flavor.key_identity)(key.get()).unwrap_or_default();
            let entry = Entry {
                key: self.as_key(key),
                value,
            };
            match places.entry(identity) {
                Vacant(place) => {
                    place.insert((mapping.entries.len(), pair.origin));
                    mapping.entries.push(entry);
                }
                Occupied(mut place) => {
                    let (index, origin) = place.insert((place.get().0, pair.origin));
                    let known = &mut mapping.entries[index];
                    let both_written =
                        origin == PairOrigin::Written && pair.origin == PairOrigin::Written;
                    if self.flavor.duplicate_keys == DuplicateKeys::Refused && both_written {
                        return Err(duplicate_key(known, &entry));
                    }
                    let before = std::mem::replace(known, entry);
                    // Python keeps the key that was there first: `1` stays when `true` follows.
                    known.key.value = before.key.value.clone();
                    if origin == PairOrigin::Written {
                        mapping.overwritten.push(before);
                    }
                }
            }
        }
        Ok(mapping)
    }

    /// Makes a key of a node, as the reader keeps keys.
    fn as_key(&self, mut key: Node) -> Node {
        if let Keys::Texts(text) = self.flavor.keys
            && key.as_text().is_none()
        {
            key.value = Value::Text(text(&key).into());
        }
        key
    }

    /// Drops the keys that repeat an earlier one.
    fn set(&self, contents: Vec<Node>) -> Vec<Node> {
        let mut known = HashSet::new();
        contents
            .into_iter()
            .filter(|key| known.insert((self.flavor.key_identity)(key.get())))
            .collect()
    }

    /// Returns the anchor to name an endless structure by: the node's own, or that of the nearest
    /// node around it that has one.
    fn anchor_of(&self, id: NodeId) -> &str {
        let around = self.open.iter().rev().map(|open| open.used.node);
        std::iter::once(id)
            .chain(around)
            .find_map(|id| self.graph.node(id).anchor.as_deref())
            .unwrap_or("")
    }

    fn check_depth(&self, depth: usize, at: Use) -> Result<(), YamlError> {
        let most = self.flavor.limits.depth;
        if depth <= most {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::LimitExceeded,
            format!("the value is more than {most} levels deep when its aliases are followed"),
            at.span,
        ))
    }
}

fn duplicate_key(first: &Entry, second: &Entry) -> YamlError {
    let name = first
        .key
        .as_text()
        .map_or_else(String::new, |key| format!(" `{}`", shortened(key)));
    YamlError::new(
        YamlErrorKind::DuplicateKey,
        format!("the key{name} is given twice"),
        second.key.span,
    )
    .with_related(first.key.span, "the first one")
    .with_hint("remove one of the two")
}

fn pairs(contents: Vec<Node>) -> Vec<(Node, Node)> {
    let mut pairs = Vec::with_capacity(contents.len() / 2);
    let mut contents = contents.into_iter();
    while let (Some(key), Some(value)) = (contents.next(), contents.next()) {
        pairs.push((key, value));
    }
    pairs
}
