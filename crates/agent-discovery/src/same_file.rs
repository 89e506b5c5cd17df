//! Files that the disk knows under two names.

use agent_schema::dialect::SameFile;
use agent_schema::{Diagnostic, Level, Related, rules};

use crate::entry::{Entry, State};
use crate::file_tree::FileTree;
use crate::in_order::in_order;
use crate::same_key::of_same_key;

/// Takes entries out of the search that are the same file as another one.
pub(crate) fn settle(tree: &dyn FileTree, title: &str, same_file: SameFile, entries: &mut [Entry]) {
    let SameFile::ByIdentity(levels) = same_file else {
        return;
    };
    let rank = |level: Level| levels.iter().position(|other| *other == level);
    let identities = in_order(entries, |entry| {
        rank(entry.source.level)?;
        let path = entry.source.path.as_deref();
        let path = path.filter(|_| entry.bytes.is_some())?;
        let told = entry.identity.clone();
        told.or_else(|| tree.identity(path))
    });
    for mut same in of_same_key(&identities, Option::as_ref) {
        same.sort_by_key(|index| rank(entries[*index].source.level));
        let Some((&kept, others)) = same.split_first() else {
            continue;
        };
        for &index in others {
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
