//! `<<` keys: entries that come from other maps.
//!
//! This is PyYAML's `flatten_mapping`, step by step, because its order and its accidents decide
//! which entry wins. Only the recursion is a stack of its own here.

use std::collections::HashSet;

use super::error::{YamlError, YamlErrorKind};
use super::flavor::{Flavor, MergeKeys, MergeLists, Tag};
use super::graph::{Content, Graph, NodeId, Pair, PairOrigin, Use};

/// The merges of one document.
#[derive(Debug)]
pub(super) struct Merger<'f> {
    flavor: &'f Flavor,
    /// Entries of other maps seen so far.
    seen: usize,
}

/// A map whose `<<` keys are being replaced.
struct Flattening {
    map: NodeId,
    /// How many pairs of the map are done.
    done: usize,
    /// The pairs that `<<` brought in so far.
    merged: Vec<Pair>,
    /// The keys that were taken so far.
    taken: HashSet<KeyObject>,
    /// The maps that the current `<<` names.
    sources: Vec<Use>,
    /// How many of them are flattened themselves.
    flattened: usize,
}

impl<'f> Merger<'f> {
    pub(super) fn new(flavor: &'f Flavor) -> Self {
        Merger { flavor, seen: 0 }
    }

    /// Replaces the `<<` keys of a map by the entries that they bring in, which come first.
    pub(super) fn flatten(&mut self, graph: &mut Graph<'_>, map: NodeId) -> Result<(), YamlError> {
        let MergeKeys::Merged(lists) = self.flavor.merge_keys else {
            return Ok(());
        };
        // A map is flattened after the maps that it merges. The innermost one is last.
        let mut open = vec![Flattening::new(map)];
        while let Some(mut current) = open.pop() {
            match current.sources.get(current.flattened).copied() {
                Some(source) => {
                    self.count(graph.pairs(source.node).len(), source)?;
                    self.check_level(open.len() + 1, source)?;
                    open.push(current);
                    open.push(Flattening::new(source.node));
                }
                None => {
                    current.take_sources(graph, lists);
                    if current.find_merge(graph)? {
                        open.push(current);
                        continue;
                    }
                    current.finish(graph);
                    if let Some(outer) = open.last_mut() {
                        outer.source_is_flat(graph, lists);
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts entries of a map that is merged, whether they are taken or not.
    fn count(&mut self, entries: usize, at: Use) -> Result<(), YamlError> {
        let most = self.flavor.limits.merged_entries;
        // A map without entries is work too.
        self.seen += entries + 1;
        if self.seen <= most {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::LimitExceeded,
            format!("`<<` brings in more than {most} entries in this header"),
            at.span,
        ))
    }

    /// Python recurses here and fails near this level, at its own limit.
    fn check_level(&self, level: usize, at: Use) -> Result<(), YamlError> {
        let most = self.flavor.limits.depth;
        if level <= most {
            return Ok(());
        }
        Err(YamlError::new(
            YamlErrorKind::LimitExceeded,
            format!("maps merge each other more than {most} levels deep"),
            at.span,
        ))
    }
}

impl Flattening {
    fn new(map: NodeId) -> Self {
        Flattening {
            map,
            done: 0,
            merged: Vec::new(),
            taken: HashSet::new(),
            sources: Vec::new(),
            flattened: 0,
        }
    }

    /// Looks for the next `<<` key and its maps; returns whether there is one.
    fn find_merge(&mut self, graph: &mut Graph<'_>) -> Result<bool, YamlError> {
        // The map may have changed since the last time: an alias can make it merge itself.
        while let Some(pair) = graph.pairs(self.map).get(self.done).copied() {
            match graph.node(pair.key.node).tag {
                Tag::Merge if pair.origin != PairOrigin::Spent => {
                    spend(graph, self.map, self.done);
                    self.sources = merge_sources(graph, pair)?;
                    self.flattened = 0;
                    self.done += 1;
                    return Ok(true);
                }
                Tag::Default => graph.node_mut(pair.key.node).tag = Tag::Text,
                _ => {}
            }
            self.done += 1;
        }
        Ok(false)
    }

    /// Notes that the next source is flat, and takes its pairs if their turn is now.
    fn source_is_flat(&mut self, graph: &Graph<'_>, lists: MergeLists) {
        if lists == MergeLists::LaterWins
            && let Some(source) = self.sources.get(self.flattened)
        {
            let pairs = unspent(graph, *source);
            self.merged
                .extend(pairs.filter(|pair| self.taken.insert(key_object(graph, pair.key.node))));
        }
        self.flattened += 1;
    }

    /// Takes the pairs of all sources, if that was not done one by one: the earliest source last,
    /// since a later pair replaces an earlier one.
    fn take_sources(&mut self, graph: &Graph<'_>, lists: MergeLists) {
        let sources = std::mem::take(&mut self.sources);
        if lists == MergeLists::EarlierWins {
            for source in sources.into_iter().rev() {
                self.merged.extend(unspent(graph, source));
            }
        }
    }

    fn finish(mut self, graph: &mut Graph<'_>) {
        if let Content::Map(pairs) = &mut graph.node_mut(self.map).content {
            pairs.retain(|pair| pair.origin != PairOrigin::Spent);
            if !self.merged.is_empty() {
                self.merged.append(pairs);
                *pairs = self.merged;
            }
        }
    }
}

/// Returns the pairs of a map as another map gets them.
fn unspent(graph: &Graph<'_>, source: Use) -> impl Iterator<Item = Pair> {
    graph
        .pairs(source.node)
        .iter()
        .filter(|pair| pair.origin != PairOrigin::Spent)
        .map(|pair| Pair {
            origin: PairOrigin::Merged,
            ..*pair
        })
}

/// Returns the maps that the value of a `<<` key names.
fn merge_sources(graph: &Graph<'_>, merge: Pair) -> Result<Vec<Use>, YamlError> {
    let value = graph.node(merge.value.node);
    let fault = match &value.content {
        Content::Map(_) => return Ok(vec![merge.value]),
        Content::List(items) => {
            let other = items
                .iter()
                .find(|item| !matches!(graph.node(item.node).content, Content::Map(_)));
            match other {
                None => return Ok(items.clone()),
                Some(item) => *item,
            }
        }
        Content::Scalar(_) => merge.value,
    };
    Err(YamlError::new(
        YamlErrorKind::Merge,
        format!(
            "`<<` takes a map or a list of maps, but this is {}",
            graph.node(fault.node).content.kind()
        ),
        fault.span,
    )
    .with_related(merge.key.span, "the merge key")
    .with_hint("put `<<` in quotes if it is meant as an ordinary key"))
}

/// Marks a merge key as done. It goes away when its map is done: PyYAML removes it here, which
/// takes long if a map has many.
fn spend(graph: &mut Graph<'_>, map: NodeId, index: usize) {
    if let Content::Map(pairs) = &mut graph.node_mut(map).content {
        pairs[index].origin = PairOrigin::Spent;
    }
}

/// What PyYAML compares to find a key that it took before: the Python object of the key's text.
#[derive(PartialEq, Eq, Hash)]
enum KeyObject {
    /// CPython has only one object for the empty text and for each character up to U+00FF.
    Interned(Option<char>),
    /// Any other text is an object of its own, even beside an equal one.
    Own(NodeId),
}

fn key_object(graph: &Graph<'_>, key: NodeId) -> KeyObject {
    let Content::Scalar(text) = &graph.node(key).content else {
        return KeyObject::Own(key);
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (None, _) => KeyObject::Interned(None),
        (Some(c), None) if u32::from(c) <= 0xff => KeyObject::Interned(Some(c)),
        _ => KeyObject::Own(key),
    }
}
