//! Names that differ only in how they are spelled.

use agent_schema::dialect::LookupRules;
use agent_schema::{Diagnostic, Related, rules};
use indexmap::IndexMap;

use crate::entry::{Entry, State};
use crate::same_key::of_same_key;

/// The most other agents that one finding names.
const MOST_RELATED: usize = 20;

/// Notes the agents whose names differ only in case, or only in what stands between words.
pub(crate) fn note_alike(title: &str, lookup: &LookupRules, entries: &mut [Entry]) {
    let spelled = |entry: &Entry| {
        let answers = matches!(entry.state, State::Active | State::Undefined { .. });
        answers.then(|| entry.name().map(folded)).flatten()
    };
    let mut found = Vec::new();
    for alike in of_same_key(entries, spelled) {
        // A finding names only a few others, so that a few of each name are enough to choose from.
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        let mut few = alike.clone();
        few.retain(|index| {
            let count = counts.entry(entries[*index].name().unwrap_or_default());
            let count = count.or_default();
            *count += 1;
            *count <= MOST_RELATED
        });
        if counts.len() < 2 {
            continue;
        }
        for index in alike {
            found.extend(alike_to(title, lookup, entries, &few, index).map(|it| (index, it)));
        }
    }
    for (index, diagnostic) in found {
        entries[index].diagnostics.push(diagnostic);
    }
}

fn alike_to(
    title: &str,
    lookup: &LookupRules,
    entries: &[Entry],
    alike: &[usize],
    index: usize,
) -> Option<Diagnostic> {
    let name = entries[index].name()?;
    let others = alike.iter().map(|other| &entries[*other]);
    let mut others = others.filter(|other| other.name() != Some(name));
    let first = others.clone().next()?.name()?;
    let differ = match first.to_lowercase() == name.to_lowercase() {
        true => "in case",
        false => "in how the words are joined",
    };
    let why = match lookup.spelled_freely {
        Some(how) => how.to_owned(),
        None => format!("{title} takes a name only as it is written, so these are two agents"),
    };
    let mut diagnostic = Diagnostic::new(
        &rules::NAMES_DIFFER_IN_CASE,
        format!("the names `{name}` and `{first}` differ only {differ}"),
    )
    .because(why)
    .help("give one of them a name that nobody takes for the other, or delete it");
    diagnostic.span = entries[index].name_place();
    let related = others.by_ref().take(MOST_RELATED).map(|other| Related {
        file: Some(other.source.reported.clone()),
        span: other.name_place(),
        message: format!(
            "this file has the name `{}`",
            other.name().unwrap_or_default()
        ),
    });
    diagnostic.related = related.collect();
    Some(diagnostic)
}

/// Returns a name without its case and with one sign between words.
fn folded(name: &str) -> String {
    let signs = |c: char| if matches!(c, '_' | ' ') { '-' } else { c };
    name.to_lowercase().chars().map(signs).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use agent_schema::dialects;

    use crate::{Inputs, MemoryTree, discover};

    fn told(names: &[(&str, &str)]) -> Vec<(String, String, usize)> {
        let mut tree = MemoryTree::new();
        for (path, name) in names {
            let text = format!("---\nname: {name}\ndescription: Reads a change.\n---\nRead.\n");
            tree.write(Path::new("/p/.agents/agents").join(path), &text);
        }
        let dialect = dialects::find("openhands").expect("it is known");
        let inputs = Inputs::new().project("/p");
        let found = discover(&tree, dialect, dialect.default_profile(), &inputs);
        let findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
        let alike = findings.filter(|it| it.code() == "names-differ-in-case");
        alike
            .map(|it| {
                let file = it.related[0].file.clone().unwrap_or_default();
                (it.message.to_string(), file, it.related.len())
            })
            .collect()
    }

    #[test]
    fn names_that_look_alike_name_each_other() {
        let found = told(&[
            ("a.md", "code-reviewer"),
            ("b.md", "Code_Reviewer"),
            ("c.md", "coder"),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].1.ends_with("b.md") && found[1].1.ends_with("a.md"));
        assert!(found[0].0.ends_with("in how the words are joined"));
        let found = told(&[("a.md", "x"), ("b.md", "X"), ("c.md", "'x '")]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0.ends_with("in case"));
    }

    #[test]
    fn one_name_twice_is_another_matter() {
        assert_eq!(told(&[("a.md", "x"), ("b.md", "x"), ("c.md", "x1")]), []);
    }
}
