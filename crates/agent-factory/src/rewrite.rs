//! A copy of a tree of values with some scalars replaced.

use std::collections::HashMap;
use std::sync::Arc;

use agent_schema::Node;
use agent_schema::value::{Entry, Mapping, Value};

/// Which scalars of a map are offered for replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Those of keys and values.
    Included,
    /// Those of values.
    Kept,
}

/// Copies a tree; `replace` gives the new value of a scalar, or nothing to keep it.
///
/// A shared value is copied once, so that nested aliases cost no more than they did.
pub(crate) fn rewrite(
    node: &Node,
    keys: Keys,
    replace: &mut dyn FnMut(&Node) -> Option<Value>,
) -> Node {
    Rewriter {
        keys,
        replace,
        shared: HashMap::new(),
    }
    .node(node)
}

struct Rewriter<'a> {
    keys: Keys,
    replace: &'a mut dyn FnMut(&Node) -> Option<Value>,
    shared: HashMap<*const Node, Arc<Node>>,
}

impl Rewriter<'_> {
    fn node(&mut self, node: &Node) -> Node {
        let value = match &node.value {
            Value::List(items) => Value::List(self.nodes(items)),
            Value::Set(items) => Value::Set(self.nodes(items)),
            Value::Pairs(pairs) => Value::Pairs(
                pairs
                    .iter()
                    .map(|(key, value)| (self.key(key), self.node(value)))
                    .collect(),
            ),
            Value::Map(map) => Value::Map(self.map(map)),
            Value::Shared(target) => {
                let address = Arc::as_ptr(target);
                let copy = match self.shared.get(&address) {
                    Some(copy) => Arc::clone(copy),
                    None => {
                        let copy = Arc::new(self.node(target));
                        self.shared.insert(address, Arc::clone(&copy));
                        copy
                    }
                };
                Value::Shared(copy)
            }
            scalar => (self.replace)(node).unwrap_or_else(|| scalar.clone()),
        };
        Node::new(value, node.span, node.style)
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn key(&mut self, key: &Node) -> Node {
        match self.keys {
            Keys::Included => self.node(key),
            Keys::Kept => key.clone(),
        }
    }

    /// Of keys that become equal the last value counts and stands where the first one stood.
    fn map(&mut self, map: &Mapping) -> Mapping {
        let mut out = Mapping::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for entry in &map.entries {
            let entry = Entry {
                key: self.key(&entry.key),
                value: self.node(&entry.value),
            };
            let place = match entry.key.as_text() {
                Some(text) => *places.entry(text.to_owned()).or_insert(out.entries.len()),
                None => out.entries.len(),
            };
            match out.entries.get_mut(place) {
                Some(earlier) => out.overwritten.push(std::mem::replace(earlier, entry)),
                None => out.entries.push(entry),
            }
        }
        out
    }
}
