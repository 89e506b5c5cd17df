//! YAML as the harnesses' own readers understand it.
//!
//! A text takes three steps. `characters` does what a reader does before grammar: it refuses
//! characters and unifies line ends. `compose` turns the text into a graph of nodes, by the grammar
//! of granit-parser; `between` and `libyaml` add what that parser leaves open or takes too easily.
//! `construct` makes values of the nodes. What differs between readers is data in a [`Flavor`];
//! each reader has a file of its own, such as [`pyyaml`]. Most texts need no such steps, because
//! `everyday` reads them line by line and makes the same of them.
//!
//! No step recurses over the text, and the limits of a flavor keep the result shallow, so that no
//! input can exhaust the stack.

mod base64;
mod between;
mod block_signs;
mod brackets;
mod characters;
mod compose;
mod construct;
mod continuation;
pub mod core;
mod error;
mod everyday;
pub(crate) mod explain;
mod flavor;
mod graph;
pub mod jackson;
mod js_quotes;
pub mod js_yaml_3;
mod lenient;
mod libyaml;
mod merge;
mod npm_yaml;
mod numbers;
pub mod pyyaml;
mod snakeyaml;
pub mod strict_yaml;
mod tabs;
#[cfg(test)]
mod tests;
mod timestamp;
mod tokens;

pub use self::core::CORE;
pub use error::{YamlError, YamlErrorKind};
pub use flavor::{
    Aliases, Anchors, BlockTextEnd, Brackets, Characters, Comments, Documents, DuplicateKeys,
    Flavor, Grammar, Indentation, Keys, Limits, LineBreaks, MergeKeys, MergeLists, NestedMaps,
    PlainTabs, SurrogateEscapes, Tabs, Tag, Tags, Unreadable,
};
pub use jackson::JACKSON;
pub use js_yaml_3::JS_YAML_3;
pub use npm_yaml::NPM_YAML;
pub use pyyaml::{PYYAML, PYYAML_6_0_2};
pub use strict_yaml::STRICT_YAML;

use std::borrow::Cow;

use characters::Signs;
use compose::Failure;

use crate::text::MappedText;
use crate::value::Node;

/// How often a text is parsed again without something that the parser refuses and the flavor does
/// not. Hardly any header needs it once.
const MOST_ROUNDS: usize = 50;

/// Reads a text that is one YAML document; `None` if it holds no document.
///
/// The spans of the nodes and of the error are bytes of the file that the text came from.
///
/// # Errors
/// If the reader that `flavor` describes fails on the text, or if a limit is exceeded.
pub fn read(text: &MappedText<'_>, flavor: &Flavor) -> Result<Option<Node>, YamlError> {
    match read_everyday(text, flavor) {
        Some(root) => Ok(Some(root)),
        None => read_in_full(text, flavor),
    }
}

/// Reads a text that needs no full reader, as most headers do not; `None` says nothing about it.
///
/// [`read`] does this first. What is read is what [`read_in_full`] gives.
#[must_use]
pub fn read_everyday(text: &MappedText<'_>, flavor: &Flavor) -> Option<Node> {
    everyday::read(text, flavor)
}

/// Reads a text step by step, whatever it is.
///
/// # Errors
/// As [`read`].
pub fn read_in_full(text: &MappedText<'_>, flavor: &Flavor) -> Result<Option<Node>, YamlError> {
    characters::check(text, flavor)?;
    let text = &text.slice(0..characters::end(text.as_str(), flavor));
    let unified = characters::unify_line_breaks(text, flavor);
    let text = unified.as_ref().unwrap_or(text);
    let untabbed = tabs::without_indenting(text, flavor)?;
    let text = untabbed.as_ref().unwrap_or(text);
    if let Some(text) = characters::with_stand_ins(text, flavor) {
        return read_grammar(&text, flavor, Signs::StandIns).map_err(YamlError::without_stand_ins);
    }
    match flavor.grammar {
        Grammar::Specification => return read_grammar(text, flavor, Signs::AsWritten),
        Grammar::JsYaml3 => return read_leniently(text, flavor),
        Grammar::Libyaml | Grammar::SnakeYaml => {}
    }
    libyaml::check_prologue(text)?;
    let read = |text: &MappedText<'_>| read_grammar(text, flavor, Signs::AsWritten);
    read(text).or_else(|error| match block_signs::behind_keys(text) {
        Some(other) => read(&other).map_err(|_| error),
        None => Err(error),
    })
}

/// Reads a text as js-yaml 3 does, which takes some that the specification refuses.
fn read_leniently(text: &MappedText<'_>, flavor: &Flavor) -> Result<Option<Node>, YamlError> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MOST_ROUNDS {
        let error = match read_grammar(&text, flavor, Signs::AsWritten) {
            Ok(root) => return Ok(root),
            Err(error) => error,
        };
        let spelled_out = lenient::spelled_out(&text, &error);
        text = Cow::Owned(spelled_out.ok_or(error)?);
    }
    read_grammar(&text, flavor, Signs::AsWritten)
}

/// Reads a text whose characters are the reader's.
fn read_grammar(
    text: &MappedText<'_>,
    flavor: &Flavor,
    signs: Signs,
) -> Result<Option<Node>, YamlError> {
    let mut parsed = Cow::Borrowed(text.as_str());
    let mut rounds = 0;
    loop {
        let (objection, error) = match compose::compose(text, &parsed, flavor, signs) {
            Ok(Some((graph, root))) => return construct::construct(graph, root, flavor),
            Ok(None) => return Ok(None),
            Err(Failure::Error(error)) => return Err(error),
            Err(Failure::TooStrict(objection, error)) => (objection, error),
        };
        if rounds == MOST_ROUNDS {
            return Err(error);
        }
        rounds += 1;
        parsed = Cow::Owned(objection.overcome(&parsed));
    }
}
