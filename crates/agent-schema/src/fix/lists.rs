//! Lists that are written as one text, as a map, or with signs that stick to their names.

use crate::definition::{FieldName, FieldValue, Name};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::dialect::{ToolDecision, UnknownTool};
use crate::effects;
use crate::foreign_words::{all_meanings, does_no_more, own_word};
use crate::header::Language;
use crate::rules;
use crate::source::Span;
use crate::suggest::{is_spelling, nearest};
use crate::tool_rules::{InPlace, ToolRules};
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::vocabulary::{Tool, Vocabulary};
use crate::writing::{Effect, effect_of};

use super::chunks::lines;
use super::tree::{Tree, inside_quotes, readable, replace};
use super::write::{list_like, may_hold_comment, removal};
use super::{Patient, Proposal};

/// Writes the names of one text as a list.
pub(super) fn split_text(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let text = node.as_text()?;
    if tree.language == Language::Lines {
        return drop_brackets(patient, finding, &tree, entry, node);
    }
    let is_one_value = std::ptr::eq(node, &entry.value) && is_rewritable(patient, node);
    let (names, at_best) = match text.contains([',', ';']) {
        true => (pieces(text, &[',', ';'])?, Applicability::Safe),
        // A blank may belong to a name.
        false => (pieces(text, &[' ', '\n', '\t'])?, Applicability::Unsafe),
    };
    if !is_one_value || names.is_empty() {
        return None;
    }
    let list = patient.flow_list(names.iter().copied())?;
    let proposal = Proposal {
        title: "write the names as a list".to_owned(),
        edits: vec![replace(node.span, list)],
        at_best,
        changes: vec![(finding.field?, Some(names_value(&names)))],
    };
    patient.worth(finding, proposal)
}

/// Makes a list of a block text that has a name on each line.
pub(super) fn split_block(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let is_block = matches!(node.style, Style::Literal | Style::Folded);
    let written = patient.written(node.span).trim_end();
    let all = lines(written, 0..written.len());
    let (sign, below) = all.split_first().filter(|_| is_block)?;
    let below = below.iter().filter(|line| !line.is_blank(written));
    let names: Vec<&str> = below
        .clone()
        .map(|line| line.text(written).trim())
        .collect();
    let is_name = |name: &&str| {
        let has_sign = name.contains([',', ';', ' ', '\t', '#', ':', '"', '\'']);
        !has_sign && !name.starts_with('-')
    };
    if sign.range.len() > 2 || !names.iter().all(is_name) {
        return None;
    }
    let start = node.span.start;
    let place = |from: usize, to: usize| {
        let offset = |at: usize| u32::try_from(at).ok().map(|at| start + at);
        Some(Span::new(offset(from)?, offset(to)?))
    };
    let before = patient.written(Span::new(entry.key.span.end, start));
    let blanks = before.len() - before.trim_end_matches(' ').len();
    let from = start.checked_sub(u32::try_from(blanks).ok()?)?;
    let sign = Span::new(from, place(0, sign.range.end)?.end);
    let mut edits = vec![replace(sign, "")];
    for line in below {
        let at = line.range.start + line.indentation(written);
        edits.push(replace(place(at, at)?, "- "));
    }
    let proposal = Proposal {
        title: "write the names as a list".to_owned(),
        edits,
        at_best: Applicability::Safe,
        changes: vec![(finding.field?, Some(names_value(&names)))],
    };
    patient.worth(finding, proposal)
}

/// Returns whether a scalar can be replaced by its bytes: a text of several lines has an end that
/// belongs to what follows.
fn is_rewritable(patient: &Patient<'_>, node: &Node) -> bool {
    match node.style {
        Style::SingleQuoted | Style::DoubleQuoted => true,
        Style::Plain => !patient.written(node.span).contains(['\n', '\r']),
        _ => false,
    }
}

/// Takes the brackets and the quotes off a list where there is no YAML.
fn drop_brackets(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    tree: &Tree<'_>,
    entry: &Entry,
    node: &Node,
) -> Option<Proposal> {
    let names = pieces(node.as_text()?, &[','])?;
    let is_plain = |name: &&str| !name.contains(['[', ']', '"', '\'', '#']);
    if node.style != Style::Plain || names.is_empty() || !names.iter().all(is_plain) {
        return None;
    }
    let proposal = Proposal {
        title: "write the names without brackets".to_owned(),
        edits: vec![replace(node.span, names.join(", "))],
        at_best: Applicability::Safe,
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Splits a text outside parentheses, and takes brackets and quotes off; nothing if a pair of
/// signs is not closed.
fn pieces<'t>(text: &'t str, signs: &[char]) -> Option<Vec<&'t str>> {
    let text = text.trim();
    let text = match text.strip_prefix('[') {
        Some(inside) => inside.strip_suffix(']')?,
        None => text,
    };
    let mut names = Vec::new();
    let mut depth = 0_i32;
    let mut start = 0;
    for (at, c) in text.char_indices().chain([(text.len(), signs[0])]) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        if depth == 0 && signs.contains(&c) {
            let piece = text[start..at].trim();
            let piece = piece.strip_prefix("- ").unwrap_or(piece);
            names.push(without_quotes(piece)?);
            start = at + c.len_utf8();
        }
    }
    names.retain(|name| !name.is_empty() && *name != "-");
    (depth == 0).then_some(names)
}

fn without_quotes(piece: &str) -> Option<&str> {
    let piece = piece.trim();
    for quote in ['"', '\''] {
        if let Some(rest) = piece.strip_prefix(quote) {
            return rest.strip_suffix(quote);
        }
    }
    Some(piece)
}

fn names_value(names: &[&str]) -> FieldValue {
    let name = |text: &&str| Name {
        text: (*text).to_owned(),
        span: None,
    };
    FieldValue::Names(names.iter().map(name).collect())
}

/// Writes an item that holds several names as so many items.
pub(super) fn split_item(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let list = entry.value.as_list()?;
    let is_item = list.iter().any(|item| std::ptr::eq(item, node));
    let text = node.as_text()?;
    // A harness that splits nothing has no names with blanks in them.
    let is_whole = finding.rule == &rules::LIST_IN_ONE_NAME;
    let signs: &[char] = if is_whole {
        &[',', ';', '\n', ' ']
    } else {
        &[',']
    };
    let names = pieces(text, signs)?;
    if !is_item || !is_rewritable(patient, node) {
        return None;
    }
    let written: Option<Vec<String>> = names.iter().map(|name| patient.scalar(name)).collect();
    let between = match entry.value.style {
        Style::Flow => ", ".to_owned(),
        _ => {
            let (line, _) = patient.line_around(node.span.start);
            let dash = patient.written(Span::new(line, node.span.start));
            let is_dash = dash.trim_matches(' ') == "-";
            is_dash.then(|| format!("{}{dash}", patient.line_end()))?
        }
    };
    let proposal = Proposal {
        title: "write each name as an item".to_owned(),
        edits: vec![replace(node.span, written?.join(&between))],
        at_best: match is_whole && !text.contains([',', ';']) {
            true => Applicability::Unsafe,
            false => Applicability::Safe,
        },
        // What tears such a name already is not changed by it.
        changes: match is_whole {
            true => vec![(finding.field?, None)],
            false => Vec::new(),
        },
    };
    patient.worth(finding, proposal)
}

/// Lists the names of a map that are switched on, where a list is wanted. A map that switches
/// something off, or says nothing of it, may speak of more than it names.
pub(super) fn list_switched_on(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let switches = &node.as_map()?.entries;
    let is_on = |switch: &Entry| matches!(switch.value.get(), Value::Bool(true));
    let are_all_on = switches.iter().all(is_on);
    let mut names = Vec::new();
    for switch in switches {
        let name = switch.key.as_text()?;
        match switch.value.get() {
            Value::Bool(true) | Value::Null => names.push(name),
            Value::Bool(false) => {}
            _ => return None,
        }
    }
    if !std::ptr::eq(node, &entry.value) || names.is_empty() || may_hold_comment(patient, node) {
        return None;
    }
    let list = list_like(patient, node, &names)?;
    let proposal = Proposal {
        title: "list the names that are switched on".to_owned(),
        edits: vec![replace(node.span, list)],
        at_best: match are_all_on {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Puts a single value into a list where a list is wanted.
pub(super) fn wrap(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let mut fields = tree.rules.fields.iter();
    let field = fields.find(|field| Some(field.target) == finding.field)?;
    let wants_list = field.accepts.starts_with("a list");
    let is_one_value = std::ptr::eq(node, &entry.value) && is_rewritable(patient, node);
    let names = pieces(node.as_text()?, &[','])?;
    if !wants_list || !is_one_value || names.is_empty() {
        return None;
    }
    // Where nothing is loaded, the names are all that the text says; else something else counts now.
    let are_names = names.iter().all(|name| !name.contains(char::is_whitespace));
    let is_lost = patient.parsed.outcome.definition().is_none();
    let proposal = Proposal {
        title: "write the value as a list".to_owned(),
        edits: vec![replace(node.span, patient.flow_list(names)?)],
        at_best: match are_names && is_lost {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Switches the names of a list on, and all others off, where a map of switches is wanted.
pub(super) fn switch_on(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let is_wanted = finding.field == Some(FieldName::TOOLS) && std::ptr::eq(node, &entry.value);
    let names: Vec<&str> = match node.as_list() {
        Some(items) => items.iter().map(Node::as_text).collect::<Option<_>>()?,
        None => pieces(node.as_text()?, &[','])?,
    };
    let is_list = node.as_list().is_some() || names.len() > 1;
    let is_one_line = node.style == Style::Flow || is_rewritable(patient, node);
    let is_tool = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let fits = is_wanted && is_list && is_one_line && !may_hold_comment(patient, node);
    if !fits || names.is_empty() || !names.iter().all(is_tool) {
        return None;
    }
    let switches = names.iter().map(|name| match patient.is_json() {
        true => format!(", \"{}\": true", name.to_lowercase()),
        false => format!(", {}: true", name.to_lowercase()),
    });
    let proposal = Proposal {
        title: "switch these tools on, and all others off".to_owned(),
        edits: vec![replace(
            node.span,
            format!("{{\"*\": false{}}}", switches.collect::<String>()),
        )],
        at_best: Applicability::Unsafe,
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Writes a list of names without the signs that stick to them.
pub(super) fn clean(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let place = finding.span?;
    let mut entries = tree.map.entries.iter();
    let entry = entries
        .find(|entry| entry.value.span.start <= place.start && place.end <= entry.value.span.end)?;
    let text = entry.value.as_text()?;
    let names = pieces(text, &[',', ';', '\n', ' '])?;
    let tools = patient.tools()?;
    let is_rewritable = is_rewritable(patient, &entry.value);
    if !is_rewritable || names.is_empty() || !names.iter().all(|name| tools.is_known(name)) {
        return None;
    }
    let proposal = Proposal {
        title: "write the names as a list".to_owned(),
        edits: vec![replace(
            entry.value.span,
            patient.flow_list(names.iter().copied())?,
        )],
        at_best: Applicability::Safe,
        changes: vec![(finding.field?, Some(names_value(&names)))],
    };
    patient.worth(finding, proposal)
}

/// Says that no tool may be used where a star was meant to deny them all.
pub(super) fn allow_none(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let is_star = |node: &Node| node.as_text() == Some("*");
    let is_only_star = match node.as_list() {
        Some(items) => !items.is_empty() && items.iter().all(is_star),
        None => is_star(node),
    };
    let key = tree.rules.fields.iter();
    let key = key
        .clone()
        .find(|field| field.target == FieldName::TOOLS)?
        .key;
    let is_only_star = is_only_star && std::ptr::eq(node, &entry.value);
    let fits = is_only_star && !tree.has_any(&[FieldName::TOOLS]) && node.style != Style::Block;
    let proposal = Proposal {
        title: format!("write `{key}: []`, so that the agent may use no tool"),
        edits: vec![
            replace(inside_quotes(&entry.key), key),
            replace(node.span, "[]"),
        ],
        at_best: Applicability::Unsafe,
        changes: vec![
            (FieldName::DISALLOWED_TOOLS, None),
            (FieldName::TOOLS, Some(FieldValue::Names(Vec::new()))),
        ],
    };
    fits.then(|| patient.worth(finding, proposal))?
}

/// Writes the empty list that a value counts as in which nobody named anything: where something is
/// named, that can be mended, and would be gone.
pub(super) fn write_none(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let names_something = match node.get() {
        Value::Text(text) => !text.trim().is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Map(map) => !map.entries.is_empty(),
        _ => false,
    };
    if names_something {
        return None;
    }
    let edit = match node.span.is_empty() {
        true => {
            let at = entry.key.span.end;
            let is_colon = patient.written(Span::new(at, at + 1)) == ":";
            is_colon.then(|| replace(Span::new(at + 1, at + 1), " []"))?
        }
        false if node.style == Style::Block => return None,
        false => replace(node.span, "[]"),
    };
    let proposal = Proposal {
        title: "write `[]`, which is what the value counts as".to_owned(),
        edits: vec![edit],
        at_best: Applicability::Unsafe,
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

impl Patient<'_> {
    /// Returns the tools of the harness, if it has definitions that name them.
    fn tools(&self) -> Option<&ToolRules> {
        self.profile()?.rules.factory.tools
    }

    /// Returns the words of the harness for tools.
    fn words(&self) -> Option<&Vocabulary> {
        Some(self.profile()?.rules.writing.access.vocabulary)
    }

    /// Returns what there is to write in place of a former tool that a finding is about.
    fn in_place(&self, finding: &Diagnostic) -> Option<InPlace> {
        let list = readable(self.parsed)?.names(finding.field?).iter();
        let list = list.map(|name| name.text.as_str());
        self.tools()?.in_place_of(quoted_name(finding)?, list)
    }

    /// Returns where a name stands that a finding is about: its own bytes, or those inside the
    /// quotes or between the other names of a value.
    fn name_at(&self, place: Span, name: &str) -> Option<Span> {
        let written = self.written(place);
        let is_edge =
            |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !"_-*(".contains(c));
        let mut found = written.match_indices(name).filter(|(at, _)| {
            let behind = written[at + name.len()..].chars().next();
            let before = written[..*at].chars().next_back();
            is_edge(before) && (is_edge(behind) || behind == Some('('))
        });
        let (at, _) = found.next()?;
        let start = place.start + u32::try_from(at).ok()?;
        let end = start + u32::try_from(name.len()).ok()?;
        found.next().is_none().then_some(Span::new(start, end))
    }
}

/// Gives a tool that is not known the name of one that is nearly spelled so, or of the one that was
/// meant.
pub(super) fn spell_tool(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = quoted_name(finding)?;
    let field = finding.field?;
    let (tool, is_sure) = meant_tool(patient, finding, name)?;
    let place = patient.name_at(finding.span?, name)?;
    // What is denied leaves less; what is allowed leaves more than the harness allows now, unless
    // it starts no agent with such a list.
    let at_best = match field {
        FieldName::DISALLOWED_TOOLS if is_sure => Applicability::Safe,
        FieldName::TOOLS if patient.is_refused_for(name, tool) => Applicability::Safe,
        _ => Applicability::Unsafe,
    };
    let proposal = Proposal {
        title: format!("write `{tool}`"),
        edits: vec![replace(place, tool)],
        at_best,
        changes: vec![(field, None)],
    };
    patient.worth(finding, proposal)
}

impl Patient<'_> {
    /// Returns whether no agent is started that asks for a tool by this name, which means another
    /// one: it is spelled so, or is a word of other harnesses for all that tool does.
    pub(super) fn is_refused_for(&self, name: &str, tool: &str) -> bool {
        let Some(words) = self.words().filter(|_| self.refuses_unknown_tools()) else {
            return false;
        };
        let does_no_more = || {
            words
                .word(tool)
                .is_some_and(|word| does_no_more(word, name))
        };
        let is_meant = words.is_written(tool) && (is_spelling(name, tool) || does_no_more());
        is_meant && !words.knows(name)
    }

    fn refuses_unknown_tools(&self) -> bool {
        let decision = self.profile().map(|it| &it.rules.factory.start.tools);
        matches!(decision, Some(ToolDecision::Lists(lists)) if lists.unknown == UnknownTool::Refused)
    }

    /// Returns whether no agent is started for a name that says no more than others of the list.
    fn is_refused_and_repeats(&self, finding: &Diagnostic) -> bool {
        let meanings = quoted_name(finding).map_or_else(Vec::new, all_meanings);
        let mut meant = meanings.iter();
        self.refuses_unknown_tools()
            && !meanings.is_empty()
            && meant.all(|tool| self.is_done_by_other(finding, *tool))
    }

    /// Returns whether another name of the list gives a tool already, or will once it is written as
    /// the harness has it.
    fn is_done_by_other(&self, finding: &Diagnostic, tool: Tool) -> bool {
        let (Some(words), Some(definition)) = (self.words(), readable(self.parsed)) else {
            return false;
        };
        let does = |word: &str| {
            let word = words.word(word).filter(|word| word.is_known());
            word.is_some_and(|word| word.does.contains(&tool))
        };
        let listed = finding
            .field
            .map_or(&[][..], |field| definition.names(field));
        listed.iter().any(|other| {
            let is_before = other.span < finding.span;
            let becomes = || own_word(&other.text, words).is_some_and(|(_, word)| does(word));
            does(&other.text) || (is_before && becomes())
        })
    }
}

/// Returns the tool that was meant by a name that none has, and whether it is spelled so but for its
/// case; nothing where the list has a tool that does the same.
fn meant_tool(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    name: &str,
) -> Option<(&'static str, bool)> {
    match patient.in_place(finding) {
        Some(InPlace::Tool(now)) => return Some((now, false)),
        Some(InPlace::Listed(_) | InPlace::Nothing) => return None,
        None => {}
    }
    let words = patient.words()?;
    let names: Vec<&'static str> = match patient.tools() {
        Some(tools) => tools.names().collect(),
        None => words.names().collect(),
    };
    let own_word = own_word(name, words);
    let mut same = names.iter().filter(|tool| is_spelling(tool, name));
    match (same.next(), same.next()) {
        // A word that is only read is no better than the one that is written for the same.
        (Some(tool), None) if own_word.is_none() || words.is_written(tool) => {
            return Some((tool, true));
        }
        (_, Some(_)) => return None,
        _ => {}
    }
    match own_word {
        Some((tool, word)) => (!patient.is_done_by_other(finding, tool)).then_some((word, false)),
        None => Some((nearest(name, names)?, false)),
    }
}

/// Gives a key that names no tool the name of the tool that is nearly spelled so, or of the one that
/// was meant.
pub(super) fn spell_tool_key(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, map, key) = nested_key(&tree, finding)?;
    let vocabulary = tree.rules.known_words.tools?.vocabulary;
    let name = key.key.as_text()?;
    let spelled = vocabulary.names().find(|tool| is_spelling(name, tool));
    let meant = || own_word(name, vocabulary).map(|(_, word)| word);
    let tool = spelled
        .or_else(meant)
        .or_else(|| nearest(name, vocabulary.names()));
    let tool = tool.filter(|tool| map.get(tool).is_none())?;
    let only_denies = match key.value.get() {
        Value::Bool(is_on) => !is_on,
        _ => key.value.as_text().and_then(effect_of) == Some(Effect::Deny),
    };
    let proposal = Proposal {
        title: format!("write `{tool}`"),
        edits: vec![replace(inside_quotes(&key.key), tool)],
        at_best: match is_spelling(name, tool) && only_denies {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Gives a rule about a tool for which nobody asks the name of what is asked for instead. It is sure
/// if the rule only limits.
pub(super) fn name_asked_for(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let ToolDecision::Effects(rules) = patient.profile()?.rules.factory.start.tools else {
        return None;
    };
    let tree = patient.tree()?;
    let (entry, map, key) = nested_key(&tree, finding)?;
    let name = key.key.as_text()?;
    let mut actions = rules.actions.iter();
    let (_, asked) = actions.find(|(tool, _)| *tool == name)?;
    let proposal = Proposal {
        title: format!("write `{asked}`"),
        edits: vec![replace(inside_quotes(&key.key), *asked)],
        at_best: match effects::allows(&key.value) {
            false => Applicability::Safe,
            true => Applicability::Unsafe,
        },
        changes: tree.may_change(entry),
    };
    let is_free = map.get(asked).is_none();
    patient.worth(finding, proposal).filter(|_| is_free)
}

/// Finds the key that a finding is about below the top of a header: its setting, its mapping, and
/// itself with its value.
fn nested_key<'t>(
    tree: &'t Tree<'_>,
    finding: &Diagnostic,
) -> Option<(&'t Entry, &'t Mapping, &'t Entry)> {
    let place = finding.span?;
    let mut entries = tree.map.entries.iter();
    entries.find_map(|entry| {
        let (map, key) = key_at(&entry.value, place)?;
        Some((entry, map, key))
    })
}

/// Finds the key that stands at some bytes in a value, at any depth, with its mapping.
fn key_at(node: &Node, place: Span) -> Option<(&Mapping, &Entry)> {
    let map = node.as_map()?;
    let stands_there =
        |entry: &&Entry| entry.key.span == place || inside_quotes(&entry.key) == place;
    let here = map.entries.iter().find(stands_there);
    here.map(|entry| (map, entry)).or_else(|| {
        let mut entries = map.entries.iter();
        entries.find_map(|entry| key_at(&entry.value, place))
    })
}

/// Returns the name in backticks at the end of a message.
fn quoted_name(finding: &Diagnostic) -> Option<&str> {
    let name = finding.message.strip_suffix('`')?.rsplit('`').next()?;
    (!name.ends_with('…')).then_some(name)
}

/// Takes a name out of a list that has others: it means nothing to the harness. A former tool was
/// meant, and nothing is lost with it where another one of the list does its work, or none can; nor
/// is it with the word of another harness for what the list has, if it keeps the agent from being
/// started. Any other name may be a slip for a tool.
pub(super) fn drop_name(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let at_best = match patient.in_place(finding) {
        Some(InPlace::Listed(_) | InPlace::Nothing) => Applicability::Safe,
        None if patient.is_refused_and_repeats(finding) => Applicability::Safe,
        Some(InPlace::Tool(_)) | None => Applicability::Unsafe,
    };
    // Behind a parenthesis that is not closed stand parts of a rule, and no names.
    let mut told = patient.parsed.diagnostics.iter();
    if told.any(|it| it.rule == &rules::DAMAGED_NAME && it.field == finding.field) {
        return None;
    }
    let proposal = without_name(patient, finding, at_best)?;
    patient.worth(finding, proposal)
}

/// Takes a name out of a list that has it already.
pub(super) fn drop_repeated(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let mut proposal = without_name(patient, finding, Applicability::Safe)?;
    let field = finding.field?;
    let mut kept: Vec<&str> = Vec::new();
    for name in readable(patient.parsed)?.names(field) {
        if name.span != finding.span {
            kept.push(&name.text);
        }
    }
    proposal.changes = vec![(field, Some(names_value(&kept)))];
    patient.worth(finding, proposal)
}

/// Proposes a list without a name.
fn without_name(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    at_best: Applicability,
) -> Option<Proposal> {
    let tree = patient.tree()?;
    let place = finding.span?;
    let mut entries = tree.map.entries.iter();
    let entry = entries
        .find(|entry| entry.value.span.start <= place.start && place.end <= entry.value.span.end)?;
    let edit = match entry.value.as_list() {
        Some(items) => drop_item(patient, entry, items, place)?,
        None => drop_part(patient, &entry.value, place)?,
    };
    let proposal = Proposal {
        title: "take the name out of the list".to_owned(),
        edits: vec![replace(edit, "")],
        at_best,
        changes: tree.may_change(entry),
    };
    Some(proposal)
}

/// Returns the bytes of an item with what parts it from the others; nothing for the only one.
fn drop_item(patient: &Patient<'_>, entry: &Entry, items: &[Node], place: Span) -> Option<Span> {
    let holds = |item: &Node| item.span.start <= place.start && place.end <= item.span.end;
    let index = items.iter().position(holds)?;
    let item = &items[index];
    if item.span != place && inside_quotes(item) != place {
        return drop_part(patient, item, place);
    }
    let neighbour = match index {
        0 => items.get(1)?,
        _ => &items[index - 1],
    };
    if entry.value.style == Style::Flow {
        let between = match index {
            0 => Span::new(item.span.start, neighbour.span.start),
            _ => Span::new(neighbour.span.end, item.span.end),
        };
        return (!patient.written(between).contains('#')).then_some(between);
    }
    let (start, end) = patient.line_around(item.span.start);
    let dash = patient.written(Span::new(start, item.span.start));
    let is_alone = dash.trim_matches(' ') == "-" && end == item.span.end;
    // Nothing but a line end and a dash may go with the item.
    let gone = match index {
        0 => Span::new(item.span.start, neighbour.span.start),
        _ => Span::new(start - u32::try_from(patient.line_end().len()).ok()?, end),
    };
    let item = patient.written(item.span);
    let line_end = patient.line_end();
    let expected = match index {
        0 => format!("{item}{line_end}{dash}"),
        _ => format!("{line_end}{dash}{item}"),
    };
    (is_alone && patient.written(gone) == expected).then_some(gone)
}

/// Returns the bytes of a part of a text on one line, with a comma and the blanks beside it.
fn drop_part(patient: &Patient<'_>, node: &Node, place: Span) -> Option<Span> {
    let text = inside_quotes(node);
    let is_text = node.as_text().is_some() && !patient.written(text).contains(['\n', '\r']);
    if !is_text || place == text {
        return None;
    }
    let before = patient.written(Span::new(text.start, place.start));
    let behind = patient.written(Span::new(place.end, text.end));
    let blank = |c: char| matches!(c, ' ' | ',');
    match before.is_empty() {
        true => {
            let rest = behind.trim_start_matches(blank);
            let end = text.end - u32::try_from(rest.len()).ok()?;
            (!rest.is_empty()).then(|| Span::new(place.start, end))
        }
        false => {
            let rest = before.trim_end_matches(blank);
            let start = text.start + u32::try_from(rest.len()).ok()?;
            (!rest.is_empty()).then(|| Span::new(start, place.end))
        }
    }
}

/// Shows a tool without the rule that only the settings can hold.
pub(super) fn show_without_rule(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let place = finding.span?;
    let written = patient.written(place);
    let at = written.find('(')?;
    if !written.ends_with(')') || written.matches('(').count() != 1 {
        return None;
    }
    let start = place.start + u32::try_from(at).ok()?;
    let field = finding.field?;
    let proposal = Proposal {
        title: "take the rule out, and put it into `permissions` of the settings".to_owned(),
        edits: vec![replace(Span::new(start, place.end), "")],
        at_best: Applicability::ShowOnly,
        changes: vec![(field, None)],
    };
    let is_field = tree.has_any(&[field]);
    is_field.then(|| patient.worth(finding, proposal))?
}

/// Removes a list of tools that stands for none, where it was meant to stand for all.
pub(super) fn remove_star(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let place = finding.span?;
    let mut entries = tree.map.entries.iter();
    let entry = entries
        .find(|entry| entry.value.span.start <= place.start && place.end <= entry.value.span.end)?;
    let is_only = patient
        .written(entry.value.span)
        .trim_matches(['[', ']', '-', ' ', '"', '\''])
        == "*";
    let proposal = Proposal {
        title: "remove the list, so that all tools are there".to_owned(),
        edits: vec![removal(patient, &tree, entry)?],
        at_best: Applicability::Unsafe,
        changes: tree.may_change(entry),
    };
    let is_inert = finding.rule == &rules::INERT_TOOL;
    (is_only && is_inert).then(|| patient.worth(finding, proposal))?
}
