//! Files that the disk knows under two names.

use std::collections::HashMap;
use std::path::Path;

use agent_schema::dialect::SameFile;
use agent_schema::{Diagnostic, Level, Related, rules};

use crate::entry::{Entry, State};
use crate::file_tree::{FileId, FileTree};
use crate::in_order::in_order;

/// Takes entries out of the search that are the same file as another one.
pub(crate) fn settle(tree: &dyn FileTree, title: &str, same_file: SameFile, entries: &mut [Entry]) {
    let SameFile::ByIdentity(levels) = same_file else {
        return;
    };
    let rank = |level: Level| levels.iter().position(|other| *other == level);
    let known = entries.iter().enumerate().filter_map(|(index, entry)| {
        let path = entry.source.path.as_deref();
        let path = path.filter(|_| entry.bytes.is_some())?;
        Some((rank(entry.source.level)?, index, path))
    });
    let known: Vec<(usize, usize, &Path)> = known.collect();
    let identities = in_order(&known, |(_, index, path)| {
        let told = entries[*index].identity.clone();
        told.or_else(|| tree.identity(path))
    });
    let compared = known.iter().zip(identities);
    let compared = compared.filter_map(|((rank, index, _), id)| Some((*rank, *index, id?)));
    let mut compared: Vec<(usize, usize, FileId)> = compared.collect();
    compared.sort_by_key(|(rank, index, _)| (*rank, *index));
    let mut first: HashMap<FileId, usize> = HashMap::new();
    for (_, index, identity) in compared {
        let kept = *first.entry(identity).or_insert(index);
        if kept != index {
            let diagnostic = passed_over(title, &entries[kept]);
            entries[index].diagnostics.push(diagnostic);
            entries[index].state = State::SameFile { first: kept };
        }
    }
}

fn passed_over(title: &str, kept: &Entry) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &rules::SAME_FILE,
        "this is the same file as another one, which counts instead",
    )
    .because(format!(
        "{title} asks the disk whether it has read a file before, and passes it over then"
    ));
    diagnostic.related.push(Related {
        file: Some(kept.source.reported.clone()),
        span: kept.name_place(),
        message: "this one counts".to_owned(),
    });
    diagnostic
}
